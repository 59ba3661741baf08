// warpsieve sweep: the commands as a user gives them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const char* kSweep = R"(
scale = "small"
schemes = ["baseline", "cmd"]
workloads = ["vecadd"]
[[axis]]
parameter = "cmd.fifo_entries"
values = [1, 2]
)";

TEST(SweepCommand, RunStatusMergeAndAgain) {
  const Scratch scratch;
  const std::string file = scratch.write("s.toml", kSweep), dir = scratch.path("out");
  const Ran run = warpsieve({"sweep", "run", file, "-o", dir, "--jobs", "2"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("s: 3 of 3 points done, 0 failed"));
  EXPECT_EQ(run.err, "") << "no progress of a short sweep where there is no terminal";
  const json status = json::parse(warpsieve({"sweep", "status", dir, "--json"}).out);
  EXPECT_EQ(status["done"], 3);
  EXPECT_EQ(status["missing"], 0);
  EXPECT_THAT(warpsieve({"sweep", "status", dir}).out, HasSubstr("3 done, 0 running, 0 failed, 0 missing"));
  EXPECT_THAT(warpsieve({"sweep", "merge", dir}).out,
              HasSubstr("3 points, 0 of them failed, 3 new; 0 still missing"));
  EXPECT_TRUE(std::filesystem::exists(dir + "/sweep.sqlite"));
  const Ran again = warpsieve({"sweep", "run", file, "-o", dir});
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.out, HasSubstr("s: 3 of 3 points done, 0 failed"));
  EXPECT_THAT(warpsieve({"sweep", "list", file}).out, HasSubstr("3 points for 4 combinations"));
}

TEST(SweepCommand, AResultThatWasCutIsNamedAndSimulatedAgain) {
  const Scratch scratch;
  const std::string file = scratch.write("s.toml", kSweep), dir = scratch.path("out");
  ASSERT_EQ(warpsieve({"sweep", "run", file, "-o", dir}).code, 0);
  const std::string result = std::filesystem::directory_iterator(dir + "/results")->path(), whole = read_file(result);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{100}, whole.size() - 2}) {
    SCOPED_TRACE(bytes);
    std::filesystem::resize_file(result, bytes);
    const std::string says = "warpsieve: " + result + ": not a whole result (cut?): its point counts as missing\n";
    const Ran status = warpsieve({"sweep", "status", dir});
    EXPECT_THAT(status.out, HasSubstr("2 done, 0 running, 0 failed, 1 missing"));
    EXPECT_EQ(status.err, says);
    EXPECT_THAT(warpsieve({"sweep", "merge", dir}).out, HasSubstr("1 still missing"));
    const Ran run = warpsieve({"sweep", "run", file, "-o", dir});
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.err, HasSubstr(says));
    EXPECT_THAT(run.out, HasSubstr("3 of 3 points done"));
    EXPECT_EQ(read_file(result), whole);
  }
  std::ofstream(result) << json::parse(whole).dump();  // another hand's layout is whole as well
  EXPECT_EQ(warpsieve({"sweep", "status", dir}).err, "");
}

TEST(SweepCommand, AFileChangedSinceTheRunIsSaid) {
  const Scratch scratch;
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(scratch.path(""));  // the directory is beside the caller
  const std::string machine = scratch.write("m.toml", "[l2]\nsets = 64\n");
  const std::string text = std::string("profile = \"m.toml\"\n") + kSweep, file = scratch.write("s.toml", text);
  ASSERT_EQ(warpsieve({"sweep", "run", "s.toml"}).code, 0);
  const auto says = [&](const std::string& of, const std::string& what) {
    for (const char* action : {"status", "merge"}) {
      const Ran ran = warpsieve({"sweep", action, of});
      EXPECT_EQ(ran.code, 0);
      EXPECT_THAT(ran.out, HasSubstr("3 points"));
      EXPECT_THAT(ran.err, HasSubstr(what));
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), what.empty() ? 0 : 1) << ran.err;
    }
    const json status = json::parse(warpsieve({"sweep", "status", of, "--json"}).out);
    EXPECT_EQ(status.value("file_changed", what.empty()), !what.empty());
    return status.value("new_points", -1);
  };
  EXPECT_EQ(says("s.toml", ""), 0);
  std::filesystem::create_directory(scratch.path("other"));
  scratch.write("other/s.toml", text + "\n");
  says("other/s.toml", "s.sweep has the results of " + file + ", not of other/s.toml: ");
  scratch.write("s.toml", text + "[set]\n");
  EXPECT_EQ(says("s.toml", "s.toml has changed since `sweep run`: 3 points now, 0 of them new"), 0);
  std::string longer = text;
  longer.replace(longer.find("[1, 2]"), 6, "[1, 2, 4]");
  scratch.write("s.toml", longer);
  EXPECT_EQ(says("s.toml",
                 "warpsieve: s.toml has changed since `sweep run`: 4 points now, 1 of them new; this is about the 3 "
                 "points of then\n"),
            1);
  EXPECT_EQ(says("s.sweep", ""), 0) << "a directory is what it is";
  scratch.write("s.toml", "schemes = 1\n");
  EXPECT_EQ(says("s.toml", "s.toml has changed since `sweep run`: cannot be read now (s.toml:1: schemes: "), 0);
  scratch.write("s.toml", text);
  scratch.write("m.toml", "[l2]\nsets = 32\n");
  EXPECT_EQ(says("s.toml", "a file that s.toml names has changed since `sweep run`: 3 points now, 3 of them new"), 3);
  std::filesystem::current_path(before);
}

TEST(SweepCommand, AFailedPointEndsWithOneAndItsLine) {
  const Scratch scratch;
  const std::string dir = scratch.path("out");
  const auto file = [&](const char* patience) {
    return scratch.write("s.toml",
                         std::string("scale = \"small\"\nschemes = [\"cmd\"]\nworkloads = [\"bfs\"]\n") +
                             "[set]\ngpu.image_in_l2 = 0\ncmd.metadata_cycles = 5000\ngpu.patience = " + patience);
  };
  const Ran run = warpsieve({"sweep", "run", file("1000"), "-o", dir});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("deadlock in cycle"));
  EXPECT_THAT(warpsieve({"sweep", "status", dir}).out, HasSubstr("failed   bfs cmd"));
  const Ran once_more = warpsieve({"sweep", "run", file("1000"), "-o", dir, "--retry-failed"});
  EXPECT_THAT(once_more.err, HasSubstr("bfs cmd"));
  EXPECT_THAT(once_more.err, HasSubstr("deadlock in cycle"));
  EXPECT_EQ(warpsieve({"sweep", "run", file("100000"), "-o", dir}).code, 0) << "another point";
}

TEST(SweepCommand, CtrlCKeepsResultsEndsWith130AndTheNextRunFinishes) {
  const Scratch scratch;
  // A point of no time, then one of seconds, also on a fast host.
  const std::string file =
      scratch.write("s.toml",
                    "schemes = [\"baseline\"]\nworkloads = [\"vecadd\", \"kmeans\"]\n[size.vecadd]\nelements = 4096\n"
                    "[size.kmeans]\npoints = 65536\n");
  const std::string dir = scratch.path("out");
  const auto done = [&] {
    std::error_code ignored;
    std::size_t n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(dir + "/results", ignored))
      n += entry.path().filename().string()[0] != '.';
    return n;
  };
  Running run({"sweep", "run", file, "-o", dir, "--jobs", "1"});
  for (int i = 0; i < 6000 && done() < 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(run.id(), SIGINT);
  const Ran ran = run.wait();
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("interrupted"));
  EXPECT_EQ(done(), 1u);
  const Ran rest = warpsieve({"sweep", "run", file, "-o", dir, "--jobs", "2"});
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(done(), 2u);
}

TEST(SweepCommand, MistakesAreOneLine) {
  const Scratch scratch;
  const auto bad = [](const std::vector<std::string>& arguments, const std::string& says) {
    const Ran ran = warpsieve(arguments);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(says));
  };
  bad({"sweep"}, "no subcommand given after 'sweep' (there is: run, status, merge, list)");
  bad({"sweep", "stauts"}, "unknown subcommand 'stauts', did you mean status?");
  bad({"sweep", "run"}, "file");
  bad({"sweep", "run", scratch.path("none.toml")}, "none.toml: cannot read: No such file");
  bad({"sweep", "run", scratch.path("")}, "Is a directory");
  bad({"sweep", "status", scratch.path("none")}, scratch.path("none") + ": no sweep is there");
  bad({"sweep", "merge", scratch.path("none")}, "no sweep is there");
  const std::string file = scratch.write("s.toml", kSweep);
  bad({"sweep", "run", file, "-o", "/proc/nowhere"}, "/proc/nowhere/results: cannot make the folder");
  bad({"sweep", "run", file, "--jobs", "0"}, "--jobs");
  bad({"sweep", "run", scratch.write("b.toml", "schemes = 1\n")}, "b.toml:1: schemes: expected a list");
}

}  // namespace
}  // namespace warpsieve::tb
