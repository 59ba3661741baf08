// warpsieve bench: every measurement runs, says what it measured, and is in the JSON. Times are not judged here:
// other work on the host decides them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/bench_threads.h"
#include "program.h"

namespace warpsieve::tb {
namespace {

using namespace cli;
using ::testing::HasSubstr;

TEST(Bench, EveryMeasurementRunsAndIsClean) {
  Scratch scratch;
  const Ran ran = warpsieve({"bench", "--quick", "--json", scratch.path("bench.json")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(read_file(scratch.path("bench.json")));
  EXPECT_EQ(json["format"], "warpsieve-bench-1");
  EXPECT_EQ(json["quick"], true);
  std::vector<std::string> names;
  for (const auto& row : json["rows"]) {
    names.push_back(row["name"]);
    EXPECT_THAT(ran.out, HasSubstr(names.back()));
    EXPECT_GT(row["value"], 0) << row;
    EXPECT_GT(row["goal"], 0) << row;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"memory of bfs", "dram_streaming", "dram_random", "dram_idle", "vecadd",
                                             "gather", "vecadd_rtl", "growth", "threads vecadd", "threads gather",
                                             "threads kmeans", "threads vecadd_rtl", "threads gather_rtl",
                                             "threads kmeans_rtl"}));
  // Work is counted, not only timed: 4,096 elements are 128 warps of 10 instructions, launched 4 times.
  EXPECT_EQ(json["rows"][1]["detail"]["items"], 20000);
  EXPECT_EQ(json["rows"][4]["detail"]["items"], 128 * 10 * 4);
  EXPECT_GT(json["rows"][0]["detail"]["peak_bytes"], 1e6);
  EXPECT_EQ(json["rows"][7]["detail"]["8n"]["items"], 8 * json["rows"][7]["detail"]["n"]["items"].get<int>());
}

/// Of each number of threads: what it took, and how much of it was waiting.
TEST(Bench, SaysWhatThreadsBring) {
  Scratch scratch;
  const std::string file = scratch.path("bench.json");
  const Ran ran = warpsieve({"bench", "--quick", "--only", "threads vecadd", "--json", file});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto row = nlohmann::json::parse(read_file(file))["rows"][0]["detail"];
  ASSERT_GE(row["runs"].size(), 2u);
  EXPECT_EQ(row["runs"][0]["threads"], 1);
  EXPECT_EQ(row["runs"][0]["speed_up"], 1);
  EXPECT_EQ(row["runs"][0]["in_barriers"], 0);
  EXPECT_EQ(row["runs"][1]["threads"], 2);
  EXPECT_GT(row["runs"][1]["windows"], 0);
  EXPECT_GE(row["runs"][1]["in_barriers"], 0);
  EXPECT_LT(row["runs"][1]["in_barriers"], 1);
  EXPECT_GT(row["predicted_speed_up"]["16"], 0);
  EXPECT_EQ(row["speed_ups"], nlohmann::json::array({row["runs"][1]["speed_up"]}));
}

TEST(Bench, TakesTheTurnWithTheMedianSpeedUp) {
  const auto turn = [](double one, double two, bool wrong) {
    Measured a, b;
    a.wall_seconds = one;
    b.wall_seconds = two;
    a.wrong = wrong;
    return ThreadRuns{{1, a}, {2, b}};
  };
  const std::vector<ThreadRuns> turns = {turn(3, 1, true), turn(1, 1, false), turn(4, 2, false)};
  EXPECT_EQ(median_speed_up(turns), 2);
  const auto detail = threads_detail(turns);
  EXPECT_EQ(detail["runs"][0]["wall_seconds"], 4);
  EXPECT_EQ(detail["speed_ups"], nlohmann::json({1.0, 2.0, 3.0}));
  EXPECT_TRUE(detail["wrong"]) << "also of a turn that is not shown";
}

TEST(Bench, OnlyChoosesByName) {
  const Ran ran = warpsieve({"bench", "--quick", "--only", "dram_"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("dram_random"));
  EXPECT_THAT(ran.out, ::testing::Not(HasSubstr("vecadd")));
  const Ran none = warpsieve({"bench", "--only", "nothing"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err,
              HasSubstr("no measurement's name contains 'nothing': expected a part of memory, dram_streaming"));
}

}  // namespace
}  // namespace warpsieve::tb
