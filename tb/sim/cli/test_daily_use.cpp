// Every day's small mistakes: machines that do not suit, words in other letters, lists with blanks, folders in use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "program.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// The machine of the runs that the arguments lead to.
std::string machine_of(const std::vector<std::string>& more, std::string* err = nullptr) {
  const Scratch scratch;
  std::vector<std::string> arguments = {
      "run", "-w", "vecadd", "--scale", "small", "--json", scratch.path("out.json")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Ran ran = warpsieve(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  if (err) *err = ran.err;
  return json::parse(read_file(scratch.path("out.json")))["runs"][0]["profile"];
}

TEST(Machine, IsTheSchemesOwnUnlessOneIsNamed) {
  std::string err;
  EXPECT_EQ(machine_of({"-s", "justit"}, &err), "justit-quarter");
  EXPECT_EQ(err, "machine: justit-quarter, which scheme justit is meant for; --profile names another\n");
  EXPECT_EQ(machine_of({"-s", "cmd+rata", "--compare", "baseline"}, &err), "rata-quarter");
  EXPECT_EQ(machine_of({"-s", "justit", "-p", "cmd-quarter"}, &err), "cmd-quarter");
  EXPECT_EQ(err, "");
  EXPECT_EQ(machine_of({"-s", "cmd"}, &err), "cmd-quarter");
  EXPECT_EQ(err, "");
}

TEST(Machine, OfAreaIsOfTheSameProfile) {
  for (const char* scheme : {"justit", "l2_5mb+rata", "cmd"}) {
    const Ran ran = warpsieve({"area", "-s", scheme, "--cacti", "recorded", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const std::string profile = json::parse(ran.out)["profile"]["name"];
    EXPECT_EQ(machine_of({"-s", scheme}), profile + "-quarter");
  }
}

TEST(Machine, ThatASchemeCannotUseIsSaid) {
  const Ran rata = run_small({"--compare", "baseline", "-s", "rata", "-p", "cmd-quarter"});
  EXPECT_EQ(rata.code, 2);
  EXPECT_EQ(rata.out, "") << "found before the first run";
  EXPECT_THAT(rata.err, AllOf(HasSubstr("noc.cluster = 1"), HasSubstr("--profile rata-quarter")));
  std::string err;
  machine_of({"-s", "avc", "-p", "cmd-quarter"}, &err);
  EXPECT_THAT(err,
              AllOf(HasSubstr("nothing is spilled"), HasSubstr("expected --profile avc --set spill.percent=75")));
  machine_of({"-s", "avc"}, &err);
  EXPECT_THAT(err, AllOf(HasSubstr("machine: avc"), HasSubstr("expected --set spill.percent=75")));
  machine_of({"-s", "avc", "--set", "spill.percent=75"}, &err);
  EXPECT_THAT(err, Not(HasSubstr("expected --set")));
}

TEST(Words, OfOtherLettersAreFound) {
  EXPECT_THAT(run_small({}, "BFS").err, HasSubstr("did you mean bfs?"));
  EXPECT_THAT(run_small({"-s", "RATA"}).err, HasSubstr("did you mean rata?"));
  EXPECT_THAT(run_small({"--set", "L2.WAYS=3"}).err, HasSubstr("did you mean l2.ways?"));
  EXPECT_THAT(run_small({"--Seed", "3"}).err, HasSubstr("did you mean --seed?"));
}

TEST(Words, RangesAndFoldersAreNamed) {
  EXPECT_THAT(run_small({"--set", "l2.ways=9999"}).err, HasSubstr("l2.ways = 9999: expected 1 to 255 ways\n"));
  EXPECT_THAT(warpsieve({"sweep", "run", "x.toml", "--slurm", "--chunk-seconds", "0"}).err,
              HasSubstr("'0': expected a number from 0.001 to 1000000"));
  const Scratch scratch;
  EXPECT_THAT(run_small({"-p", scratch.path("")}).err, HasSubstr("/: expected a regular file, found a folder\n"));
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"run", "-w", "bfs", "--input", ""}, {"run", "-w", "bfs", "-p", ""}, {"inputs", "stat", ""}}) {
    const Ran ran = warpsieve(command);
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("found an empty one"));
  }
}

TEST(Slurm, OptionsThatWouldDoNothingAreRefused) {
  const auto message = [](const std::vector<std::string>& command) {
    const Ran ran = warpsieve(command);
    EXPECT_EQ(ran.code, 2);
    return ran.err;
  };
  EXPECT_THAT(message({"sweep", "run", "x.toml", "--sbatch=--partition=long"}),
              HasSubstr("--sbatch requires --slurm"));
  EXPECT_THAT(message({"sweep", "run", "x.toml", "--slurm", "--jobs", "2"}), HasSubstr("--jobs excludes --slurm"));
  EXPECT_THAT(message({"claims", "--paper", "avc", "--slurm"}), HasSubstr("--slurm requires --run"));
  EXPECT_THAT(message({"claims", "--paper", "avc", "--run", "d", "--poll-seconds", "1"}),
              HasSubstr("--poll-seconds requires --slurm"));
}

TEST(Lists, TakeBlanksAndRunEverythingOnce) {
  const Scratch scratch;
  const std::string results = scratch.path("out.json");
  const Ran ran = warpsieve({"run", "-w", " vecadd , bfs,vecadd", "--scale", "small", "-s", "cmd", "--compare",
                             "baseline, cmd", "--json", results});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::vector<std::string> found;
  const json all = json::parse(read_file(results));
  for (const json& run : all["runs"])
    found.push_back(run["workload"].get<std::string>() + " " + run["scheme"].get<std::string>());
  EXPECT_THAT(found, ::testing::ElementsAre("vecadd baseline", "vecadd cmd", "bfs baseline", "bfs cmd"));
  const std::string twice = "[[run]]\nworkload = \"vecadd\"\n";
  ASSERT_EQ(warpsieve({"run", "--suite", scratch.write("s.toml", "doc = \"twice\"\n" + twice + twice), "--scale",
                       "small", "--json", results})
                .code,
            0);
  EXPECT_EQ(json::parse(read_file(results))["runs"].size(), 1u);
}

TEST(Averages, AreThoseOfTheRuns) {
  const Scratch scratch;
  const Ran ran = warpsieve({"run", "-w", "vecadd,bfs,gather", "--scale", "small", "--set", "gpu.image_in_l2=0", "-s",
                             "cmd", "--compare", "baseline", "--json", scratch.path("out.json")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json runs = json::parse(read_file(scratch.path("out.json")))["runs"];
  std::vector<double> ratios;
  for (std::size_t i = 0; i < 6; i += 2)
    ratios.push_back(runs[i + 1]["ipc"].get<double>() / runs[i]["ipc"].get<double>());
  std::sort(ratios.begin(), ratios.end());
  char line[200];
  std::snprintf(line, sizeof line, "3 workloads: mean %.3f, geometric mean %.3f, median %.3f\n",
                (ratios[0] + ratios[1] + ratios[2]) / 3, std::cbrt(ratios[0] * ratios[1] * ratios[2]), ratios[1]);
  EXPECT_THAT(ran.out, HasSubstr(std::string("IPC of cmd relative to baseline, ") + line));
  EXPECT_THAT(run_small({"--compare", "baseline"}).out, Not(HasSubstr("geometric"))) << "of one workload";
}

TEST(Sweep, RefusesAFolderWithOtherFiles) {
  const Scratch scratch;
  const std::string file =
      scratch.write("s.toml", "scale = \"small\"\nschemes = [\"baseline\"]\nworkloads = [\"vecadd\"]\n");
  const Ran ran = warpsieve({"sweep", "run", file, "-o", scratch.path("")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("has other files (s.toml)"), HasSubstr("expected a new or an empty folder")));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("results")));
  std::filesystem::create_directory(scratch.path("empty"));
  EXPECT_EQ(warpsieve({"sweep", "run", file, "-o", scratch.path("empty")}).code, 0);
  scratch.write("empty/note.txt", "");
  EXPECT_EQ(warpsieve({"sweep", "run", file, "-o", scratch.path("empty")}).code, 0) << "the folder of this sweep";
}

}  // namespace
}  // namespace warpsieve::tb
