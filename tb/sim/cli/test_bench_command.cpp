// warpsieve bench: every measurement runs, says what it measured, and is in the JSON. Times are not judged here:
// other work on the host decides them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.h"

namespace warpsieve::tb {
namespace {

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
                                             "gather", "vecadd_rtl", "growth"}));
  // Work is counted, not only timed: 4,096 elements are 128 warps of 10 instructions, launched 4 times.
  EXPECT_EQ(json["rows"][1]["detail"]["items"], 20000);
  EXPECT_EQ(json["rows"][4]["detail"]["items"], 128 * 10 * 4);
  EXPECT_GT(json["rows"][0]["detail"]["peak_bytes"], 1e6);
  EXPECT_EQ(json["rows"][7]["detail"]["8n"]["items"], 8 * json["rows"][7]["detail"]["n"]["items"].get<int>());
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
