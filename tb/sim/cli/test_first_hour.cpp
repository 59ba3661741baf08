// What a new user meets: a full disk, outputs that cannot be written, Ctrl-C, mistyped options and numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>
#include <tuple>

#include "program.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

TEST(FullDisk, IsOneLineForTheTableAndForTheJson) {
  const Ran table = Running({"run", "-w", "vecadd", "--scale", "small", "-s", "baseline"}, "/dev/full").wait();
  EXPECT_EQ(table.code, 2);
  EXPECT_THAT(table.err, HasSubstr("No space left on device"));
  EXPECT_EQ(std::count(table.err.begin(), table.err.end(), '\n'), 1) << table.err;
  const Ran file = run_small({"-s", "baseline", "--json", "/dev/full"}, "vecadd");
  EXPECT_EQ(file.code, 2);
  EXPECT_THAT(file.err, HasSubstr("/dev/full: cannot write: No space left on device"));
  EXPECT_EQ(std::count(file.err.begin(), file.err.end(), '\n'), 1) << file.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "it must not have been replaced by a file";
}

TEST(CtrlC, KeepsWhatIsFinishedAndEndsWith130) {
  const Scratch scratch;
  const std::string results = scratch.path("out.json");
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(results);
    // kmeans at full scale takes seconds after vecadd is done, also on a fast host.
    Running run({"run", "-w", "vecadd,kmeans", "--scale", "full", "-s", "baseline", "--json", results, "--jobs",
                 signal == SIGINT ? "1" : "2"});
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!std::filesystem::exists(results) && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kill(run.id(), signal);
    const Ran ran = run.wait();
    EXPECT_EQ(ran.code, 128 + signal) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("interrupted"));
    EXPECT_THAT(ran.out, HasSubstr("vecadd")) << "the table of what is finished";
    const json all = json::parse(read_file(results));
    ASSERT_EQ(all["runs"].size(), 1u);
    EXPECT_EQ(all["runs"][0]["workload"], "vecadd");
  }
}

/// Exit code 2, nothing printed, one line that contains all of `says`.
void expect_one_line(const Ran& ran, const std::vector<std::string>& says) {
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  for (const std::string& text : says) EXPECT_THAT(ran.err, HasSubstr(text));
}

TEST(FullDisk, EveryCommandThatPrintsNoticesIt) {
  const std::vector<std::vector<std::string>> commands = {
      {"--help"}, {"run", "--help"},  {"--version"},        {"run", "--list"},
      {"area"},   {"area", "--json"}, {"claims", "--area"}, {"workloads", "--scale", "small", "vecadd"}};
  for (const std::vector<std::string>& command : commands) {
    SCOPED_TRACE(command.front() + " " + command.back());
    expect_one_line(Running(command, "/dev/full").wait(), {"standard output", "No space left on device"});
  }
}

/// Files of more than `bytes` cannot be written in this object's life, as on a full disk.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(FullDisk, AFileThatDoesNotFitIsNotLeftHalfWritten) {
  const Scratch scratch;
  const std::string results = scratch.path("out.json"), page = scratch.path("out.html");
  ASSERT_EQ(run_small({"--json", results}).code, 0);
  const std::string whole = read_file(results);
  {
    const SmallDisk disk(4096);
    const Ran ran = run_small({"--compare", "baseline", "--json", results});
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("out.json: cannot write: File too large"));
    expect_one_line(warpsieve({"report", results, "-o", page}), {"out.html: cannot write: File too large"});
    expect_one_line(warpsieve({"trace", "record", "vecadd", "--scale", "small", "-o", scratch.path("t.wst")}),
                    {"t.wst", "File too large"});
  }
  EXPECT_EQ(read_file(results), whole) << "what was there stays";
  EXPECT_FALSE(std::filesystem::exists(page));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("t.wst")));
}

TEST(FullDisk, ASweepGoesOnWhereItStopped) {
  const Scratch scratch;
  const std::string file =
      scratch.write("s.toml", "scale = \"small\"\nschemes = [\"baseline\", \"cmd\"]\nworkloads = [\"vecadd\"]\n");
  const std::vector<std::string> command = {"sweep", "run", file, "-o", scratch.path("out"), "--jobs", "1"};
  {
    const SmallDisk disk(2048);
    const Ran ran = warpsieve(command);
    EXPECT_NE(ran.code, 0);
    EXPECT_THAT(ran.err, HasSubstr("File too large"));
  }
  std::vector<std::string> again = command;
  again.push_back("--retry-failed");
  EXPECT_EQ(warpsieve(again).code, 0);
  EXPECT_EQ(warpsieve({"sweep", "merge", scratch.path("out")}).code, 0);
}

TEST(Outputs, ThatCannotBeWrittenAreFoundBeforeTheWork) {
  const Scratch scratch;
  const std::string file = scratch.write("file", ""), below = file + "/x";
  const std::string results = scratch.path("out.json");
  ASSERT_EQ(run_small({"-s", "baseline", "--json", results}, "vecadd").code, 0);
  expect_one_line(run_small({"--json", below}), {below, "cannot write: Not a directory"});
  expect_one_line(warpsieve({"report", results, "-o", below}), {below, "cannot write: Not a directory"});
  expect_one_line(warpsieve({"report", results, "-o", scratch.path("")}), {"cannot write"});
  expect_one_line(warpsieve({"trace", "record", "vecadd", "--scale", "small", "-o", below}),
                  {below, "Not a directory"});
  const std::string sweep = scratch.write("s.toml", "schemes = [\"baseline\"]\nworkloads = [\"vecadd\"]\n");
  expect_one_line(warpsieve({"sweep", "run", sweep, "-o", below}), {below});
}

/// A named pipe and its reader, who waits from the start and is content with the first end of file. Another one,
/// without end, comes then: a writer that opened the pipe too early ends, and the test fails instead of waiting for
/// ever.
class NamedPipe {
 public:
  NamedPipe() {
    EXPECT_EQ(mkfifo(path().c_str(), 0600), 0);
    reader_ = fork();
    if (reader_ != 0) return;
    execlp("sh", "sh", "-c", "cat \"$0\" > \"$1\"; : > \"$1.end\"; exec cat <> \"$0\" > /dev/null", path().c_str(),
           scratch_.path("got").c_str(), nullptr);
    _exit(127);
  }
  ~NamedPipe() {
    kill(reader_, SIGKILL);
    waitpid(reader_, nullptr, 0);
  }
  NamedPipe(const NamedPipe&) = delete;
  NamedPipe& operator=(const NamedPipe&) = delete;
  std::string path() const { return scratch_.path("pipe"); }
  /// All that came until the first end of file.
  std::string got() const {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!std::filesystem::exists(scratch_.path("got.end")) && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return read_file(scratch_.path("got"));
  }

 private:
  Scratch scratch_;
  pid_t reader_ = 0;
};

TEST(Outputs, ReachTheReaderOfANamedPipe) {
  const Scratch scratch;
  const std::string results = scratch.path("out.json"), accesses = scratch.write("d.txt", "0 40 R\n");
  ASSERT_EQ(run_small({"-s", "baseline", "--json", results}, "vecadd").code, 0);
  for (const auto& [command, first] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"run", "-w", "vecadd", "--scale", "small", "-s", "baseline", "--json"}, "{"},
           {{"report", results, "-o"}, "<!"},
           {{"bench", "--quick", "--only", "dram_idle", "--json"}, "{"},
           {{"dram", "--trace", accesses, "--commands"}, "#"},
           {{"trace", "record", "vecadd", "--scale", "small", "-o"}, ""}}) {
    SCOPED_TRACE(command.front());
    const NamedPipe pipe;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the reader is in open()
    std::vector<std::string> arguments = command;
    arguments.push_back(pipe.path());
    const Ran ran = warpsieve(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const std::string got = pipe.got();
    EXPECT_GT(got.size(), 10u);
    EXPECT_EQ(got.substr(0, first.size()), first);
  }
}

TEST(Outputs, ANamedPipeWithoutAReaderIsWaitedForUntilCtrlC) {
  const Scratch scratch;
  const std::string results = scratch.path("out.json"), pipe = scratch.path("pipe");
  ASSERT_EQ(run_small({"-s", "baseline", "--json", results}, "vecadd").code, 0);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Running report({"report", results, "-o", pipe});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(report.id(), SIGINT);
  const Ran ran = report.wait();
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("interrupted"));
}

TEST(Outputs, WhatIsWrittenDirectlyIsOneDocument) {
  const Scratch scratch;
  const std::string graph = scratch.write("g.graph", "4 3\n2\n1 3\n2 4\n3\n");
  const std::vector<std::string> two = {"run",      "-w", "vecadd", "--scale",   "small",    "--compare",
                                        "baseline", "-s", "cmd",    "--latency", "measured", "--json"};
  const std::vector<std::string> later_fails = {"run", "-w", "bfs,cfd", "--scale", "small", "-i", graph, "--json"};
  const std::vector<std::string> bench = {"bench", "--quick", "--only", "dram_", "--json"};
  for (const auto& [command, key, results, code, table] :
       std::vector<std::tuple<std::vector<std::string>, const char*, unsigned, int, const char*>>{
           {two, "runs", 2, 0, "IPC change"},
           {later_fails, "runs", 1, 2, "IPC change"},
           {bench, "rows", 3, 0, "goal"}}) {
    SCOPED_TRACE(command.front());
    const NamedPipe pipe;
    std::vector<std::string> piped = command, printed = command;
    piped.push_back(pipe.path());
    printed.push_back("/dev/stdout");
    const Ran ran = warpsieve(piped);
    EXPECT_EQ(ran.code, code) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr(table));
    const json through = json::parse(pipe.got());
    EXPECT_EQ(through[key].size(), results);
    const Ran shown = warpsieve(printed);
    EXPECT_EQ(shown.code, code);
    EXPECT_THAT(shown.err, HasSubstr(table)) << "beside the output";
    EXPECT_EQ(json::parse(shown.out)[key].size(), results);
  }
}

TEST(Outputs, NothingStandsBehindWhatStandardOutputGets) {
  const Scratch scratch;
  const std::string results = scratch.path("out.json"), accesses = scratch.write("d.txt", "0 40 R\n");
  ASSERT_EQ(run_small({"-s", "baseline", "--json", results}, "vecadd").code, 0);
  const Ran page = warpsieve({"report", results, "-o", "/dev/stdout"});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_THAT(page.out, ::testing::EndsWith("</html>\n"));
  EXPECT_THAT(page.err, HasSubstr("/dev/stdout: 1 runs, "));
  const Ran dram = warpsieve({"dram", "--trace", accesses, "--commands", "/dev/stdout"});
  EXPECT_EQ(dram.code, 0) << dram.err;
  EXPECT_THAT(dram.out, ::testing::EndsWith(" RD 0 0\n"));
  EXPECT_THAT(dram.err, HasSubstr("row hits"));
}

TEST(CtrlC, GivesAPipeWhatIsFinished) {
  const Scratch scratch;
  const NamedPipe pipe;
  // A run of no time, then one of many seconds.
  const std::string suite = scratch.write("s.toml", R"(
[[run]]
workload = "vecadd"
elements = 1024
[[run]]
workload = "gather"
)");
  Running run({"run", "--suite", suite, "-p", "cmd", "-s", "cmd", "--json", pipe.path()});
  std::this_thread::sleep_for(std::chrono::milliseconds(3000));
  kill(run.id(), SIGINT);
  const Ran ran = run.wait();
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("vecadd"));
  const json all = json::parse(pipe.got());
  ASSERT_EQ(all.at("runs").size(), 1u);
  EXPECT_EQ(all["runs"][0]["workload"], "vecadd");
}

TEST(Outputs, ThatAreInputsAreRefusedAndStayAsTheyAre) {
  const Scratch scratch;
  const std::string results = scratch.path("out.json"), trace = scratch.path("t.wst");
  const std::string graph = scratch.write("g.graph", "2 1\n2\n1\n"), accesses = scratch.write("d.txt", "0 40 R\n");
  const std::string machine = scratch.write("m.toml", "[l2]\nsets = 16\n");
  ASSERT_EQ(run_small({"-s", "baseline", "--json", results}, "vecadd").code, 0);
  ASSERT_EQ(warpsieve({"trace", "record", "vecadd", "--scale", "small", "-o", trace}).code, 0);
  for (const auto& [file, command] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {results, {"report", results, "-o", scratch.path("./out.json")}},
           {graph, {"run", "-w", "bfs", "-i", graph, "--json", graph}},
           {machine, {"run", "-w", "bfs", "-p", machine, "--json", machine}},
           {trace, {"run", "-w", "trace:" + trace, "--json", trace}},
           {graph, {"trace", "record", "bfs", "--input", graph, "-o", graph}},
           {accesses, {"dram", "--trace", accesses, "--commands", accesses}}}) {
    const std::string before = read_file(file);
    expect_one_line(warpsieve(command), {"cannot write: it is the input " + file});
    EXPECT_EQ(read_file(file), before);
  }
}

TEST(CtrlC, KeepsWhatEndedBeforeItsTurn) {
  const Scratch scratch;
  const std::string file = scratch.path("out.json");
  const std::string suite = scratch.write("s.toml", R"(
[[run]]
workload = "gather"
[[run]]
workload = "vecadd"
elements = 1024
)");
  Running run({"run", "--suite", suite, "-p", "cmd", "-s", "cmd", "--jobs", "2", "--json", file});  // half a minute
  std::this_thread::sleep_for(std::chrono::milliseconds(3000));
  kill(run.id(), SIGINT);
  const Ran ran = run.wait();
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("vecadd"));
  const json all = json::parse(read_file(file));
  ASSERT_EQ(all.at("runs").size(), 1u);
  EXPECT_EQ(all["runs"][0]["workload"], "vecadd");
}

TEST(CtrlC, InClaimsKeepsWhatIsFinishedAndEndsWith130) {
  const Scratch scratch;
  const std::string dir = scratch.path("claims");
  const auto results = [&] {
    std::size_t n = 0;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir, ignored))
      n += entry.path().parent_path().filename() == "results" && entry.path().filename().string()[0] != '.';
    return n;
  };
  Running claims({"claims", "--paper", "rata", "--run", dir});
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(300);
  while (results() == 0 && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_GT(results(), 0u);
  kill(claims.id(), SIGINT);
  const Ran ran = claims.wait();
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("interrupted"));
  EXPECT_GT(results(), 0u) << "a later call runs only what is missing";
}

TEST(CtrlC, InBenchAndWorkloadsShowsWhatIsFinishedAndEndsWith130) {
  const Scratch scratch;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"bench", "--only", "m"},  // memory of the largest workload: takes minutes
        {"workloads"},
        {"trace", "record", "sssp", "--size", "vertices=1048576", "--size", "arcs=4194304", "-o",
         scratch.path("t.wst")}}) {
    SCOPED_TRACE(command.front());
    Running run(command);
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    kill(run.id(), SIGINT);  // to this process alone, not to children of its own
    const Ran ran = run.wait();
    EXPECT_EQ(ran.code, 130) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("interrupted"));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
  EXPECT_FALSE(std::filesystem::exists(scratch.path("t.wst")));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path("")), {}), 0) << "no parts are left";
}

TEST(Mistyped, OptionsNameTheNearest) {
  expect_one_line(run_small({"--wrokload", "bfs"}), {"unknown option --wrokload of 'run', did you mean --workload?"});
  expect_one_line(warpsieve({"run", "--lst"}), {"unknown option --lst of 'run', did you mean --list?"});
  expect_one_line(warpsieve({"run", "-w", "bfs", "--jsn=out.json"}),
                  {"unknown option --jsn", "did you mean --json?"});
  expect_one_line(warpsieve({"sweep", "run", "x.toml", "--job", "2"}),
                  {"--job of 'sweep' 'run', did you mean --jobs?"});
  expect_one_line(warpsieve({"--versoin"}), {"unknown option --versoin, did you mean --version?"});
  expect_one_line(warpsieve({"run", "bfs"}), {"bfs"});
  expect_one_line(warpsieve({"workloads", "-w", "bfs"}), {"unknown option -w of 'workloads'\n"});
  expect_one_line(warpsieve({"run", "-wbfs", "-x3"}), {"unknown option -x of 'run'\n"});
}

TEST(Mistyped, NumbersThatDoNotFitAreRefused) {
  for (const char* number : {"-1", "1.5", "99999999999999999999", "0x10", "", "7 "})
    expect_one_line(run_small({"--seed", number}), {"--seed", std::string("'") + number + "'", "whole number"});
  EXPECT_EQ(run_small({"-s", "baseline", "--seed", "18446744073709551615"}, "vecadd").code, 0);
  for (const char* number : {"0", "-1", "99999999999999999999999", "two"})
    expect_one_line(warpsieve({"sweep", "run", "x.toml", "--jobs", number}), {"--jobs"});
  expect_one_line(warpsieve({"claims", "--paper", "rata"}), {"--paper goes with --results or --run"});
}

}  // namespace
}  // namespace warpsieve::tb
