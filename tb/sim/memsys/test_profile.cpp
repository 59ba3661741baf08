// Profiles: the built-in machines, and files that start from one of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "memsys/profile.h"

namespace warpsieve::tb {
namespace {

using memsys::load_profile;
using memsys::Profile;
using ::testing::HasSubstr;

/// A profile file that lives as long as the object.
class ProfileFile {
 public:
  explicit ProfileFile(const std::string& text)
      : path_(std::filesystem::path(::testing::TempDir()) / ("profile" + std::to_string(++made_) + ".toml")) {
    std::ofstream(path_) << text;
  }
  ~ProfileFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  static inline int made_ = 0;
  std::filesystem::path path_;
};

std::string error_of(const std::string& text) {
  const ProfileFile file(text);
  try {
    load_profile(file.path());
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "no error";
}

TEST(ProfileBase, IsWhatTheFileStartsFrom) {
  const ProfileFile file("base = \"rtx3070\"\n[gpu]\nsms = 7\n");
  Profile mine = load_profile(file.path());
  const Profile base = load_profile("rtx3070", {"gpu.sms=7"});
  EXPECT_EQ(mine.parameters(), base.parameters());
  EXPECT_NE(mine.parameters(), load_profile("rtx3070").parameters());
  EXPECT_EQ(mine.name, file.path());
}

TEST(ProfileBase, MayHaveABaseItself) {
  const Profile quarter = load_profile("cmd-quarter");
  EXPECT_EQ(quarter.sms, 20u);
  EXPECT_EQ(quarter.dram.core_mhz, 1365u);  // cmd
  EXPECT_EQ(quarter.dram.tRC, 62u);         // rtx2060s
}

TEST(ProfileBase, ErrorsNameFileAndLine) {
  EXPECT_THAT(error_of("# mine\nbase = \"rtx3o70\"\n"),
              HasSubstr(".toml:2: unknown profile 'rtx3o70', did you mean"));
  EXPECT_THAT(error_of("base = 3\n"), HasSubstr(".toml:1: base must be the name of a profile in quotes"));
  EXPECT_THAT(error_of("[gpu]\nbase = \"cmd\"\n"), HasSubstr(".toml:2: gpu.base must be a whole number"));
  EXPECT_THAT(error_of("base = \"cmd\"\n[gpu]\nsns = 3\n"), HasSubstr(".toml:3: "));
}

/// What a profile is a part of differs from it in what its file says, and in nothing else.
TEST(Profile, QuarterMachinesDifferInSizeAlone) {
  for (const std::string name : {"cmd", "rata", "justit", "dpc", "rtx3070"}) {
    const auto whole = load_profile(name).parameters(), quarter = load_profile(name + "-quarter").parameters();
    for (const auto& [parameter, value] : whole.items()) {
      if (value == quarter[parameter]) continue;
      EXPECT_THAT(parameter, ::testing::AnyOf("gpu.sms", "gpu.controllers", "noc.mesh_width", "noc.mesh_height"))
          << name;
    }
  }
}

/// Decision X6: Table II of CMD in command cycles of 3,500 MHz, and a data sheet in ns beside it.
TEST(Profile, CmdHasTheTimingOfTableIIAndCmdGddr6TheOneOfADataSheet) {
  const auto cmd = load_profile("cmd").dram, gddr6 = load_profile("cmd-gddr6").dram;
  EXPECT_EQ(cmd.command_mhz, 3500u);
  EXPECT_DOUBLE_EQ(cmd.peak_gbytes(), gddr6.peak_gbytes());
  const auto ns = [](std::uint32_t cycles, const memsys::DramParams& p) { return cycles * 1000.0 / p.command_mhz; };
  EXPECT_NEAR(ns(cmd.tRC, cmd), 17.7, 0.1);
  EXPECT_NEAR(ns(gddr6.tRC, gddr6), 45, 0.5);
  EXPECT_NEAR(ns(gddr6.tRCD, gddr6), 14, 0.5);
  EXPECT_NEAR(ns(gddr6.tRP, gddr6), 14, 0.5);
  EXPECT_EQ(load_profile("cmd").hash, 0u);
  EXPECT_EQ(load_profile("cmd-gddr6").hash, 2u);
}

/// H100 and H200: bandwidths and capacities as published; the H200 has the H100's DRAM times in ns.
TEST(Profile, HopperHasThePublishedSizes) {
  const Profile h100 = load_profile("h100"), h200 = load_profile("h200");
  const auto l2_megabytes = [](const Profile& p) {
    return 2.0 * p.controllers * p.l2.sets * p.l2.ways * 128 / (1 << 20);
  };
  EXPECT_NEAR(h100.controllers * h100.dram.peak_gbytes(), 5120 / 8 * 2 * 2.619, 3);
  EXPECT_NEAR(h200.controllers * h200.dram.peak_gbytes(), 6016 / 8 * 2 * 3.201, 3);
  EXPECT_EQ(l2_megabytes(h100), 50);
  EXPECT_EQ(l2_megabytes(h200), 60);
  const auto ns = [](std::uint32_t cycles, const Profile& p) { return cycles * 1000.0 / p.dram.command_mhz; };
  for (const auto time :
       {&DramParams::tCL, &DramParams::tRP, &DramParams::tRC, &DramParams::tRAS, &DramParams::tRCD, &DramParams::tWR})
    EXPECT_NEAR(ns(h200.dram.*time, h200), ns(h100.dram.*time, h100), 0.5);
  // Activates of a pseudo-channel: 160 of them in the H100, 188 in the H200.
  EXPECT_NEAR(ns(h200.dram.tFAW, h200) * 188, ns(h100.dram.tFAW, h100) * 160, 40);
  EXPECT_EQ(h100.sms, h200.sms);
  EXPECT_EQ(h100.l2.latency, h200.l2.latency);
}

/// Decision X2: global stores evict in the L1s of Fermi, and update elsewhere.
TEST(Profile, StoresEvictInTheL1sOfFermi) {
  for (const std::string name : {"justit", "justit-quarter", "justit-32k", "dpc", "dpc-quarter", "avc", "avc-l2"})
    EXPECT_EQ(load_profile(name).l1.store_evicts, 1u) << name;
  for (const std::string name : {"cmd", "cmd-quarter", "rata", "rata-quarter", "qv100", "rtx3070", "rtx2060s"})
    EXPECT_EQ(load_profile(name).l1.store_evicts, 0u) << name;
}

}  // namespace
}  // namespace warpsieve::tb
