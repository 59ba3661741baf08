// warpsieve run --list as JSON, and words that a user may type instead of options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "program.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json listed() {
  const Ran ran = warpsieve({"run", "--list", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  return json::parse(ran.out);
}

TEST(Listing, NamesEachThingOnceWithItsDocumentation) {
  const json all = listed();
  EXPECT_EQ(all.at("format"), "warpsieve-list-1");
  EXPECT_EQ("warpsieve " + all.at("version").get<std::string>() + "\n", warpsieve({"--version"}).out);
  for (const char* kind :
       {"workloads", "schemes", "blocks", "suites", "profiles", "scheme_parameters", "machine_parameters"}) {
    SCOPED_TRACE(kind);
    std::set<std::string> names;
    for (const json& entry : all.at(kind)) {
      EXPECT_TRUE(names.insert(entry.at("name")).second) << entry.at("name");
      EXPECT_NE(entry.value("doc", "no text of its own"), "") << entry.at("name");
    }
    EXPECT_FALSE(names.empty());
  }
}

TEST(Listing, RangesHoldTheDefaultsAndAreThoseThatARunChecks) {
  const json all = listed();
  for (const char* kind : {"scheme_parameters", "machine_parameters"})
    for (const json& p : all.at(kind)) {
      EXPECT_LE(p.at("min"), p.at("default")) << p;
      EXPECT_LE(p.at("default"), p.at("max")) << p;
    }
  const json& first = all.at("scheme_parameters").at(0);
  const std::string name = first.at("name");
  for (const auto& [value, code] : {std::pair{first.at("max").get<std::uint64_t>() + 1, 2},
                                    std::pair{first.at("default").get<std::uint64_t>(), 0}}) {
    const Ran ran = warpsieve(
        {"run", "-w", "vecadd", "--scale", "small", "-s", "cmd", "--set", name + "=" + std::to_string(value)});
    EXPECT_EQ(ran.code, code) << ran.err;
  }
  for (const json& workload : all.at("workloads"))
    for (const json& p : workload.at("parameters"))
      EXPECT_TRUE(p.contains("choices") || p.at("min") < p.at("max")) << workload.at("name") << p;
}

TEST(Listing, BlocksAreThoseOfTheSchemesAndSuitesRunWorkloads) {
  const json all = listed();
  std::set<std::string> blocks, used, workloads;
  for (const json& block : all.at("blocks")) {
    blocks.insert(block.at("name"));
    EXPECT_FALSE(block.at("instances").empty()) << block;
  }
  for (const json& scheme : all.at("schemes"))
    for (const std::string block : scheme.at("blocks")) used.insert(block);
  EXPECT_EQ(blocks, used);
  for (const json& workload : all.at("workloads")) workloads.insert(workload.at("name"));
  for (const json& suite : all.at("suites"))
    for (const json& run : suite.at("runs")) EXPECT_EQ(workloads.count(run.at("workload")), 1u) << run;
}

TEST(Listing, OptionsAreThoseOfTheHelp) {
  const json command = listed().at("command");
  EXPECT_EQ(command.at("name"), "warpsieve");
  for (const json& sub : command.at("subcommands")) {
    const std::string name = sub.at("name"), help = warpsieve({name, "--help"}).out;
    for (const json& option : sub.at("options"))
      for (const std::string spelled : option.at("names")) EXPECT_THAT(help, HasSubstr(spelled)) << name;
    if (name != "run") continue;
    for (const json& option : sub.at("options"))
      if (option.at("names") == json::array({"--latency"})) {
        EXPECT_EQ(option.at("choices"), json::array({"paper", "measured"}));
      }
  }
}

TEST(Listing, GoesToAFileAndOfOneWorkload) {
  const Scratch scratch;
  const std::string file = scratch.path("list.json");
  EXPECT_EQ(warpsieve({"run", "--list", "--json", file}).out, "");
  EXPECT_EQ(json::parse(read_file(file)), listed());
  const json one = json::parse(warpsieve({"run", "--list", "bfs", "--json"}).out);
  ASSERT_EQ(one.at("workloads").size(), 1u);
  EXPECT_EQ(one["workloads"][0]["name"], "bfs");
  const std::string shown = warpsieve({"run", "--list", "bfs"}).out;
  EXPECT_THAT(shown, HasSubstr("vertices"));
  EXPECT_EQ(shown.find("pagerank"), std::string::npos);
  const Ran wrong = warpsieve({"run", "--list", "bffs"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean bfs?"));
}

TEST(Words, HelpAndVersionAreWhatTheOptionsAre) {
  EXPECT_EQ(warpsieve({"help", "run"}).out, warpsieve({"run", "--help"}).out);
  EXPECT_EQ(warpsieve({"help"}).out, warpsieve({"--help"}).out);
  EXPECT_EQ(warpsieve({"help", "sweep", "run"}).out, warpsieve({"sweep", "run", "--help"}).out);
  for (const char* word : {"version", "-V"}) EXPECT_EQ(warpsieve({word}).out, warpsieve({"--version"}).out);
}

TEST(Words, ANameBehindRunSaysWhatToType) {
  for (const auto& [word, says] : {std::pair{"bfs", "'bfs' is a workload, type: warpsieve run --workload bfs"},
                                   std::pair{"rata", "'rata' is a scheme, type: warpsieve run --scheme rata"},
                                   std::pair{"bffs", "unexpected 'bffs', did you mean bfs?"}}) {
    const Ran ran = warpsieve({"run", word});
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr(says));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST(Words, OldNamesOfInputStillWorkAndAreHidden) {
  const Scratch scratch;
  const std::string graph = scratch.write("g.graph", "4 3\n2\n1 3\n2 4\n3\n"), file = scratch.path("r.json");
  const Ran ran =
      warpsieve({"run", "-w", "bfs", "--scale", "small", "-s", "baseline", "--graph=" + graph, "--json", file});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const json results = json::parse(read_file(file));
  EXPECT_EQ(results.at("input"), graph);
  EXPECT_THAT(results.at("command").get<std::string>(), HasSubstr("--input " + graph));
  for (const char* name : {"--graph", "--mesh", "--points"})
    EXPECT_EQ(warpsieve({"run", "--help"}).out.find(name), std::string::npos) << name;
}

TEST(Words, JsonAloneNeedsAFileWithoutList) {
  const Ran ran = warpsieve({"run", "-w", "vecadd", "--json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--json: expected the name of a file"));
}

}  // namespace
}  // namespace warpsieve::tb
