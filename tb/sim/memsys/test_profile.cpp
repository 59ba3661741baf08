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
  for (const std::string name : {"cmd", "rata", "justit", "dpc"}) {
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

/// Decision X2: global stores evict in the L1s of Fermi, and update elsewhere.
TEST(Profile, StoresEvictInTheL1sOfFermi) {
  for (const std::string name : {"justit", "justit-quarter", "justit-32k", "dpc", "dpc-quarter", "avc", "avc-l2"})
    EXPECT_EQ(load_profile(name).l1.store_evicts, 1u) << name;
  for (const std::string name : {"cmd", "cmd-quarter", "rata", "rata-quarter", "qv100", "rtx3070", "rtx2060s"})
    EXPECT_EQ(load_profile(name).l1.store_evicts, 0u) << name;
}

}  // namespace
}  // namespace warpsieve::tb
