// warpsieve energy: from the JSON of a run to a table and to JSON, and what it says of broken files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

TEST(EnergyCommand, RelatesEachRunToTheFirstSchemeOfItsWorkload) {
  const Scratch scratch;
  const std::string results = scratch.path("results.json");
  ASSERT_EQ(run_small({"--compare", "baseline", "--set", "l2.sets=4", "--set", "l2.ways=4", "--json", results}).code,
            0);
  const Ran table = warpsieve({"energy", results, "--cacti", "recorded", "--terms"});
  // An L2 that CACTI's recorded sweep does not have is an error, not a guess.
  EXPECT_EQ(table.code, 2);
  EXPECT_EQ(std::count(table.err.begin(), table.err.end(), '\n'), 1) << table.err;
  ASSERT_EQ(run_small({"--compare", "baseline", "--json", results}).code, 0);
  const Ran ran = warpsieve({"energy", results, "--cacti", "recorded", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json out = json::parse(ran.out);
  ASSERT_EQ(out["runs"].size(), 2u);
  EXPECT_EQ(out["runs"][0]["relative_total"], 1.0);
  EXPECT_EQ(out["runs"][0]["scheme"], "baseline");
  for (const json& run : out["runs"]) {
    double sum = 0;
    for (const json& c : run["components"]) sum += c["total_nj"].get<double>();
    EXPECT_NEAR(run["total_nj"].get<double>(), sum, 1e-6 * sum);
  }
  EXPECT_DOUBLE_EQ(out["runs"][1]["relative_total"].get<double>(),
                   out["runs"][1]["total_nj"].get<double>() / out["runs"][0]["total_nj"].get<double>());
  const Ran terms = warpsieve({"energy", results, "--cacti", "recorded", "--terms"});
  for (const char* s : {"dram uJ", "controller uJ", "activate and precharge", "not counted: leakage of logic"})
    EXPECT_THAT(terms.out, HasSubstr(s));
}

TEST(EnergyCommand, BrokenFilesAreOneLine) {
  const Scratch scratch;
  const auto bad = [&](const std::string& text, const char* says) {
    const Ran ran = warpsieve({"energy", scratch.write("r.json", text)});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("r.json"));
    EXPECT_THAT(ran.err, HasSubstr(says));
  };
  bad("{", "not JSON");
  bad("[]", "warpsieve-run-1");
  bad(R"({"format": "warpsieve-run-1"})", "warpsieve-run-1");
  bad(R"({"format": "warpsieve-run-1", "runs": []})", "no run");
  bad(R"({"format": "warpsieve-run-1", "runs": [{"workload": "x"}]})", "run 1: a run without 'scheme'");
  EXPECT_EQ(warpsieve({"energy", "/nonexistent.json"}).code, 2);
  EXPECT_EQ(warpsieve({"energy"}).code, 2);
}

}  // namespace
}  // namespace warpsieve::tb
