// warpsieve area and warpsieve claims as a user runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "program.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Without the user's own CACTI binary, whatever the machine has.
Ran recorded(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--cacti", "recorded"});
  return warpsieve(arguments);
}

void expect_line(const Ran& ran, const std::vector<std::string>& says) {
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  for (const std::string& s : says) EXPECT_THAT(ran.err, HasSubstr(s));
}

TEST(AreaCommand, CmdSettlesThePapersFigures) {
  const Ran ran = recorded({"area", "--scheme", "cmd", "--profile", "cmd"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  for (const char* text :
       {"line_hasher@s1", "hash_store@paper", "victim_fifo@paper", "metadata_cache@lent (addition)", "16,259",
        "it does not include tags", "neither RAM nor fully associative", "0.014 + 0.36 + 0.00313 = 0.377",
        "(32 + 2 + 4) / 1024 bits = 3.71 %", "scaled from 22 nm", "4.2 % median, 10.2 % 90th percentile"})
    EXPECT_THAT(ran.out, HasSubstr(text));
}

TEST(AreaCommand, DefaultProfileIsTheSchemes) {
  EXPECT_EQ(recorded({"area", "-s", "cmd"}).out, recorded({"area", "-s", "cmd", "-p", "cmd"}).out);
  EXPECT_THAT(recorded({"area", "-s", "rata"}).out, HasSubstr("31,744 bits"));
  EXPECT_THAT(recorded({"area", "-s", "justit"}).out, HasSubstr("16,384 bits"));
  EXPECT_THAT(recorded({"area", "-s", "avc"}).out, AllOf(HasSubstr("avc.codec_area"), HasSubstr("1,196 um2")));
  EXPECT_EQ(recorded({"area", "-s", "dpc"}).code, 0);
  EXPECT_EQ(recorded({"area", "-s", "baseline"}).code, 0);
}

TEST(AreaCommand, EverySchemeMeetsTheClaimsOfItsOwnPaper) {
  for (const auto& [scheme, paper] : {std::pair{"cmd", "cmd."},
                                      {"dedup", "cmd."},
                                      {"rata_ideal", "rata."},
                                      {"df_trunc", "dpc."},
                                      {"df_man+rc", "dpc."},
                                      {"lamar+shm", "justit."},
                                      {"avc8", "avc."}}) {
    const Ran ran = warpsieve({"area", "--scheme", scheme, "--cacti", "recorded", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json all = json::parse(ran.out);
    for (const json& finding : all.value("findings", json::array()))
      EXPECT_TRUE(finding.at("id").get<std::string>().starts_with(paper)) << scheme << " " << finding.at("id");
  }
}

TEST(AreaCommand, QuarterMachineHasAQuarterOfTheBlocks) {
  const json full = json::parse(recorded({"area", "--json"}).out),
             quarter = json::parse(recorded({"area", "--json", "-p", "cmd-quarter"}).out);
  EXPECT_EQ(full["profile"]["controllers"], 8);
  EXPECT_EQ(quarter["profile"]["controllers"], 2);
  EXPECT_NEAR(quarter["total_mm2"].get<double>() * 4, full["total_mm2"].get<double>(), 1e-9);
}

TEST(AreaCommand, MoreWaysOfTheL2AreTheSchemesStorage) {
  const auto of = [](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"area", "-s", "l2_5mb", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json::parse(recorded(arguments).out);
  };
  const json one = of({}), two = of({"--set", "l2_5mb.quarters=2"}), half = of({"--set", "l2.sets=64"});
  EXPECT_EQ(one["blocks"][0]["storage_bits"], 8 * 65536);  // a quarter of a slice of 256 KB
  EXPECT_EQ(two["blocks"][0]["storage_bits"], 8 * 131072);
  EXPECT_EQ(half["blocks"][0]["storage_bits"], 8 * 32768);
  EXPECT_GT(one["total_mm2"].get<double>(), 0);
  EXPECT_GT(two["total_mm2"].get<double>(), one["total_mm2"].get<double>());
  EXPECT_EQ(two["l2_mm2"], one["l2_mm2"]);
  EXPECT_THAT(recorded({"area", "-s", "cmd+l2_5mb"}).out, AllOf(HasSubstr("l2@20_ways"), HasSubstr("dedup@paper")));
  expect_line(recorded({"area", "-s", "l2_5mb", "--set", "l2_5mb.quarters=13"}), {"l2_5mb.quarters"});
  EXPECT_THAT(recorded({"area", "-s", "cmd", "--set", "cmd.hash_sets=256"}).out,
              HasSubstr("for cmd.hash_sets = 128; the run has 256"));
}

TEST(AreaCommand, TablesInDramAreShown) {
  EXPECT_THAT(recorded({"area", "-s", "bcd"}).out, HasSubstr("DRAM: 128 bits for each 128-byte line"));
  EXPECT_THAT(recorded({"area", "-s", "cmd+bpc"}).out, HasSubstr("DRAM: 57 bits for each 128-byte line"));
  EXPECT_EQ(json::parse(recorded({"area", "-s", "bpc", "--json"}).out)["dram_bits"][0]["bits"], 2);
}

TEST(AreaCommand, AMachineHasAsManyClustersAsItsProfile) {
  const json out = json::parse(recorded({"area", "-s", "rata", "-p", "rata-quarter", "--json"}).out);
  EXPECT_GT(out["total_mm2"].get<double>(), 0);
}

TEST(AreaCommand, JsonHasTheFiguresOfTheTables) {
  const Ran ran = recorded({"area", "--scheme", "cmd", "--json"});
  EXPECT_EQ(ran.code, 0);
  const json out = json::parse(ran.out);
  EXPECT_EQ(out["format"], "warpsieve-area-1");
  EXPECT_EQ(out["blocks"].size(), 8u);
  EXPECT_EQ(out["node_nm"], 16);
  EXPECT_EQ(out["findings"].size(), 8u);
  double sum = 0;
  for (const json& block : out["blocks"]) sum += block["total_mm2"].get<double>();
  EXPECT_NEAR(sum, out["total_mm2"].get<double>(), 1e-9);
  EXPECT_EQ(ran.out, recorded({"area", "--scheme", "cmd", "--json"}).out);
}

TEST(AreaCommand, EverySchemeThatRunsHasAnArea) {
  const json schemes = json::parse(warpsieve({"run", "--list", "--json"}).out).at("schemes");
  EXPECT_FALSE(schemes.empty());
  for (const json& scheme : schemes) {
    const std::string name = scheme.at("name");
    const Ran ran = recorded({"area", "--scheme", name});
    EXPECT_EQ(ran.code, 0) << name << ": " << ran.err;
  }
}

TEST(AreaCommand, BadArguments) {
  expect_line(warpsieve({"area", "--scheme", "cdm"}), {"unknown scheme 'cdm'", "did you mean cmd?"});
  expect_line(warpsieve({"area", "--profile", "cmd-quater"}), {"unknown profile", "did you mean cmd-quarter?"});
  expect_line(warpsieve({"area", "--profile", "/nonexistent/machine.toml"}), {"/nonexistent/machine.toml"});
  expect_line(warpsieve({"area", "--node", "3"}), {"--node"});
  expect_line(warpsieve({"area", "--node", "50", "--cacti", "recorded"}),
              {"50 nm", "not in the recorded sweep", "45 nm"});
  expect_line(warpsieve({"area", "--cacti", "recroded"}), {"'recroded'", "recorded"});
  expect_line(warpsieve({"area", "--cacti", "/nonexistent/cacti"}), {"/nonexistent/cacti", "executable"});
  expect_line(warpsieve({"claims", "--area", "--cacti", "/nonexistent/cacti"}), {"/nonexistent/cacti"});
  const Scratch scratch;
  const std::string file = scratch.write("machine.toml", "[gpu]\nsms = 8\nsmss = 8\n");
  expect_line(warpsieve({"area", "--profile", file}), {file + ":3: "});
}

TEST(AreaCommand, CactiVariableThatNamesNoProgram) {
  const char* old = std::getenv("CACTI");
  const std::string before = old ? old : "";
  setenv("CACTI", "/nonexistent/cacti", 1);
  expect_line(warpsieve({"area"}), {"CACTI=/nonexistent/cacti: not an executable file"});
  old ? setenv("CACTI", before.c_str(), 1) : unsetenv("CACTI");
}

TEST(ClaimsCommand, ListsEveryHardwareClaim) {
  const Ran ran = recorded({"claims", "--area"});
  EXPECT_EQ(ran.code, 0);
  for (const char* id : {"cmd.md5_gates", "cmd.md5_area", "cmd.md5_cycles", "cmd.meta_area", "cmd.fifo_area",
                         "cmd.total_area", "cmd.dram_overhead", "avc.decoder_latency", "avc.codec_area",
                         "avc.codec_energy", "avc.sram_energy", "rata.bits_per_cluster *"})
    EXPECT_THAT(ran.out, HasSubstr(id));
  const json out = json::parse(recorded({"claims", "--area", "--json"}).out);
  for (const json& finding : out["findings"]) {
    EXPECT_THAT(finding["verdict"].get<std::string>(),
                ::testing::AnyOf("reproduced", "weaker", "opposite", "not stated"));
    EXPECT_NE(finding["why"], "");
  }
}

TEST(ClaimsCommand, WithoutAreaThePapersValues) {
  const Ran ran = warpsieve({"claims"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("cmd.ipc_cmd"), HasSubstr("37.79"), HasSubstr("claims --area")));
  EXPECT_EQ(json::parse(warpsieve({"claims", "--json"}).out)["claims"].size(), 85u);
}

}  // namespace
}  // namespace warpsieve::tb
