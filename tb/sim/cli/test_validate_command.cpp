// warpsieve validate: the short form passes, a wrong reference fails, mistakes are one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string reference(const std::string& reads) {
  return "experiment = \"traces\"\ncycles_limit = 20\ncycles_goal = 10\ncounts = 2\n[trace.s]\n"
         "arguments = \"stream 8 4 5\"\n[[machine]]\nname = \"small\"\nprofile = \"cmd-quarter\"\nset = "
         "[\"gpu.image_in_l2=0\"]\nsource = \"by "
         "hand\"\n"
         "l2_hits = \"all\"\n[[machine.row]]\ntrace = \"s\"\ndram_reads = " +
         reads + "\n";
}

TEST(Validate, ShortFormPassesAndItsJsonHasAllOfTheTable) {
  const Scratch scratch;
  const Ran ran = warpsieve({"validate", "--quick", "--json", scratch.path("v.json")});
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  const json out = json::parse(read_file(scratch.path("v.json")));
  EXPECT_EQ(out["format"], "warpsieve-validate-1");
  EXPECT_EQ(out["quick"], true);
  EXPECT_EQ(out["clean"], true);
  EXPECT_GE(out["rows"].size(), 50u);
  for (const json& row : out["rows"]) {
    for (const char* key :
         {"group", "what", "unit", "ours", "reference", "tolerance", "tolerance_unit", "source", "reason", "verdict"})
      EXPECT_TRUE(row.contains(key)) << row;
    EXPECT_THAT(ran.out, HasSubstr(row["what"].get<std::string>()));
    EXPECT_NE(row["source"], "") << row;
    EXPECT_TRUE(row["verdict"] == "pass" || row["verdict"] == "known") << row;
    EXPECT_EQ(row["verdict"] == "known", row["verdict"] != "pass") << row;
    if (row["verdict"] == "known") {
      EXPECT_NE(row["reason"], "") << row;
    }
  }
  ASSERT_FALSE(out["curves"].empty());
  for (const json& curve : out["curves"]) {
    for (const char* key : {"group", "name", "x_unit", "y_unit"}) EXPECT_TRUE(curve[key].is_string()) << curve;
    ASSERT_FALSE(curve["points"].empty());
    for (const json& point : curve["points"]) EXPECT_TRUE(point["x"].is_string() && point["y"].is_number()) << point;
  }
}

TEST(Validate, AWrongReferenceFails) {
  const Scratch scratch;
  const std::string right = scratch.write("right.toml", reference("640")),
                    wrong = scratch.write("wrong.toml", reference("700"));
  EXPECT_EQ(warpsieve({"validate", "--references", right}).code, 0);
  const Ran ran = warpsieve({"validate", "--references", wrong, "--json", scratch.path("v.json")});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("1 rows: 0 pass, 0 known (outside, with a reason), 1 fail"));
  const json out = json::parse(read_file(scratch.path("v.json")));
  EXPECT_EQ(out["clean"], false);
  EXPECT_EQ(out["rows"][0]["ours"], 640);
  EXPECT_EQ(out["rows"][0]["reference"], 700);
  EXPECT_EQ(out["rows"][0]["verdict"], "fail");
}

TEST(Validate, OnlyChoosesGroups) {
  const Scratch scratch;
  const Ran ran = warpsieve({"validate", "--quick", "--only", "qv100,turing", "--json", scratch.path("v.json")});
  EXPECT_EQ(ran.code, 0) << ran.out;
  const json out = json::parse(read_file(scratch.path("v.json")));
  for (const json& row : out["rows"]) EXPECT_TRUE(row["group"] == "qv100" || row["group"] == "turing") << row;
}

TEST(Validate, MistakesAreOneLine) {
  const Scratch scratch;
  const std::string bad = scratch.write("bad.toml", "experiment = \"traces\"\ncycles_limit = \"20\"\n"),
                    good = scratch.write("good.toml", reference("640"));
  const std::pair<std::vector<std::string>, std::string> wrong[] = {
      {{"validate", "--references", bad}, bad + ":2: cycles_limit: expected a number"},
      {{"validate", "--references", scratch.path("none.toml")}, "none.toml"},
      {{"validate", "--only", "volts"}, "--only 'volts': expected accelsim, qv100, "},
      {{"validate", "--references", good, "--json", good}, "it is the input"},
      {{"validate", "--quik"}, "unknown option --quik of 'validate', did you mean --quick?"}};
  for (const auto& [arguments, message] : wrong) {
    const Ran ran = warpsieve(arguments);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(message));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

}  // namespace
}  // namespace warpsieve::tb
