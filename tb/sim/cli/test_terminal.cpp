// The table of `run` on terminals of any width: dropped columns, explained columns, colours, progress.
#include <gmock/gmock.h>

#include "terminal.h"

namespace warpsieve::tb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A quick run with figures in every column, some wide.
std::vector<std::string> wide_run(std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {
      "run", "-w",  "backprop,kmeans", "--scale",      "small",    "--set", "gpu.image_in_l2=0", "--set", "l2.sets=4",
      "-s",  "esd", "--compare",       "baseline,bcd", "--repeat", "2"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// The lines of the table: all before the first empty one.
std::vector<std::string> table_of(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  lines.erase(std::find(lines.begin(), lines.end(), ""), lines.end());
  return lines;
}

std::size_t widest(const std::vector<std::string>& lines) {
  std::size_t out = 0;
  for (const std::string& line : lines) out = std::max(out, width_of(line));
  return out;
}

constexpr const char* kKinds[] = {"write", "data-read", "read-only", "metadata", "dedup-read", "verify-read"};

TEST(Width, IsAHundredColumnsWhereThereIsNoTerminal) {
  const Ran ran = warpsieve(wide_run());
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::vector<std::string> table = table_of(ran.out);
  EXPECT_EQ(table.size(), 7u) << "a title and two workloads under three schemes";
  EXPECT_LE(widest(table), 100u);
  for (const char* title : {"workload", "scheme", "IPC", "IPC change", "off-chip", "change", "data"})
    EXPECT_THAT(table.front(), HasSubstr(title)) << "never dropped";
  EXPECT_THAT(ran.out, HasSubstr("not shown in 100 columns: "));
  EXPECT_THAT(ran.out, HasSubstr("verify-read; --wide shows all\n")) << "the last kind goes first";
}

TEST(Width, WideShowsAllColumns) {
  const Ran ran = warpsieve(wide_run({"--wide"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::vector<std::string> table = table_of(ran.out);
  EXPECT_GT(widest(table), 100u);
  for (const char* title : kKinds) EXPECT_THAT(table.front(), HasSubstr(title));
  EXPECT_THAT(ran.out, Not(HasSubstr("not shown")));
}

TEST(Width, IsThatOfTheTerminal) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  std::size_t shown = 0;
  for (const unsigned short columns : {80, 110, 160}) {
    SCOPED_TRACE(columns);
    const Shown ran = on_terminal(wide_run({"--color=never", "--quiet"}), columns);
    ASSERT_EQ(ran.code, 0) << ran.text;
    const std::vector<std::string> table = table_of(ran.text);
    EXPECT_LE(widest(table), columns);
    std::size_t kinds = 0;
    bool before = true;
    for (const char* title : kKinds) {
      const bool there = table.front().find(title) != std::string::npos;
      EXPECT_TRUE(before || !there) << title << " stays while one before it is dropped";
      kinds += there;
      before = there;
    }
    EXPECT_GE(kinds, shown) << "a wider terminal shows as much";
    shown = kinds;
  }
  EXPECT_EQ(shown, std::size(kKinds));
  // cycles go last.
  EXPECT_THAT(table_of(on_terminal(wide_run({"--color=never", "--quiet"}), 60).text).front(),
              Not(HasSubstr("cycles")));
}

TEST(Width, ColumnsThatAreZeroGoFirst) {
  const Ran one = run_small({"-s", "baseline"}, "vecadd");
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("\nnot shown in 100 columns: dedup-read (0); --wide shows all\n"));
  EXPECT_THAT(table_of(one.out).front(), HasSubstr("metadata")) << "no more than needed";
  const Ran two = run_small({"-s", "l2_5mb", "--compare", "baseline", "--repeat", "3"}, "vecadd");
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_THAT(two.out, HasSubstr("metadata (0), dedup-read (0); --wide shows all\n"));
  EXPECT_THAT(table_of(two.out).front(), HasSubstr("read-only")) << "has figures, and stays";
}

TEST(Explain, HasALineWithUnitAndDirectionForEachColumn) {
  const Ran alone = warpsieve({"run", "--explain"});
  ASSERT_EQ(alone.code, 0) << alone.err;
  const std::vector<std::string> lines = lines_of(alone.out);
  ASSERT_EQ(lines.size(), 15u) << "a title and 14 columns";
  EXPECT_THAT(lines[0], AllOf(HasSubstr("unit"), HasSubstr("better"), HasSubstr("meaning")));
  for (const auto& [title, words] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"cycles", {"core cycles", "lower"}},
           {"IPC ", {"warp instr./cycle", "higher"}},
           {"IPC change", {"%", "higher"}},
           {"off-chip", {"32-byte requests", "lower"}},
           {"verify-read", {"32-byte requests", "compare contents"}},
           {"data ", {"golden memory"}}}) {
    const auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.starts_with(title); });
    ASSERT_NE(line, lines.end()) << title;
    for (const std::string& word : words) EXPECT_THAT(*line, HasSubstr(word));
    EXPECT_LE(width_of(*line), 120u);
  }
  const Ran with = run_small({"--explain"}, "vecadd");
  EXPECT_EQ(with.code, 0);
  EXPECT_THAT(with.out, AllOf(HasSubstr("vecadd"), HasSubstr(alone.out)));
}

TEST(Explain, ALineSaysWhatTheTableMeans) {
  EXPECT_THAT(
      run_small({"--compare", "baseline"}, "vecadd").out,
      HasSubstr("\nchanges are against baseline: more IPC and fewer off-chip requests are better; clean: every "
                "byte read matched a golden memory; --explain: what each column means\n"));
  EXPECT_THAT(run_small({}, "vecadd").out, HasSubstr("\nclean: every byte read matched"));
}

TEST(Averages, AreThereForEveryScheme) {
  const Ran ran = run_small({"--compare", "baseline,dedup,l2_5mb", "-s", "cmd"}, "vecadd,bfs,kmeans");
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* scheme : {"dedup", "l2_5mb", "cmd"})
    EXPECT_THAT(ran.out, ::testing::ContainsRegex("IPC of " + std::string(scheme) +
                                                  " relative to baseline, 3 workloads: mean [0-9.]+, geometric mean "
                                                  "[0-9.]+, median [0-9.]+\n"));
}

TEST(Colour, MarksBetterWorseAndNoise) {
  const auto last_row = [](const std::string& workload, std::vector<std::string> more) {
    std::vector<std::string> all = {
        "run",   "-w",        workload,        "--scale", "small", "--set", "gpu.image_in_l2=0",
        "--set", "l2.sets=4", "--color=always"};
    all.insert(all.end(), more.begin(), more.end());
    const Ran ran = warpsieve(all);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return table_of(ran.out).back();
  };
  const std::string green = "\033\\[32m *", red = "\033\\[31m *", grey = "\033\\[90m *", end = "[0-9.]+ %\033\\[0m";
  // Slow metadata cost IPC; fewer requests are better all the same.
  const std::vector<std::string> slow = {"--set", "cmd.metadata_cycles=2000"};
  std::vector<std::string> cmd = {"-s", "cmd", "--compare", "baseline"},
                           baseline = {"-s", "baseline", "--compare", "cmd"};
  cmd.insert(cmd.end(), slow.begin(), slow.end());
  baseline.insert(baseline.end(), slow.begin(), slow.end());
  EXPECT_THAT(last_row("kmeans", cmd), ::testing::ContainsRegex(red + "-" + end + ".*" + green + "-" + end));
  EXPECT_THAT(last_row("kmeans", baseline), ::testing::ContainsRegex(green + "\\+" + end + ".*" + red + "\\+" + end));
  EXPECT_THAT(last_row("pagerank", {"-s", "dedup", "--compare", "baseline", "--repeat", "3"}),
              ::testing::ContainsRegex(grey + "~ [-+][0-9.]+ ±" + end));
}

TEST(Colour, IsWhereATerminalHasIt) {
  const std::vector<std::string> run = {
      "run",   "-w",        "kmeans", "--scale", "small",     "--set",    "gpu.image_in_l2=0",
      "--set", "l2.sets=4", "-s",     "cmd",     "--compare", "baseline", "--quiet"};
  const auto with = [&](const std::string& more) {
    std::vector<std::string> all = run;
    all.push_back(more);
    return all;
  };
  const auto plain = Not(HasSubstr("\033["));
  EXPECT_THAT(warpsieve(run).out, plain) << "no terminal";
  EXPECT_THAT(warpsieve(with("--color=always")).out, HasSubstr("\033["));
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  EXPECT_THAT(on_terminal(run, 100).text, HasSubstr("\033["));
  EXPECT_THAT(on_terminal(run, 100, {{"NO_COLOR", "1"}}).text, plain);
  EXPECT_THAT(on_terminal(run, 100, {{"TERM", "dumb"}}).text, plain);
  EXPECT_THAT(on_terminal(with("--color=never"), 100).text, plain);
  EXPECT_THAT(on_terminal(with("--color=always"), 100, {{"NO_COLOR", "1"}}).text, HasSubstr("\033["))
      << "the command line says it later";
  const Ran bad = warpsieve(with("--color=red"));
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("'red': expected auto, always or never"));
}

TEST(ProgressLine, IsOnATerminalAndGoneAtTheEnd) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const std::vector<std::string> run = {"run", "-w",  "kmeans",    "--scale",  "full",
                                        "-s",  "cmd", "--compare", "baseline", "--color=never"};
  const Shown shown = on_terminal(run, 100);
  ASSERT_EQ(shown.code, 0) << shown.text;
  EXPECT_THAT(shown.text, ::testing::ContainsRegex("\\[#* *\\] [0-9]+ %, [01]/2 runs, kmeans "));
  EXPECT_THAT(shown.text, ::testing::ContainsRegex(" s left|[0-9]:[0-9][0-9] left")) << "known after the first run";
  const auto table = shown.text.find("workload");
  ASSERT_NE(table, std::string::npos);
  EXPECT_EQ(shown.text.substr(table - 4, 4), "\r\033[K") << "nothing of it is left";
  EXPECT_EQ(shown.text.find(" runs, ", table), std::string::npos);
  std::vector<std::string> quiet = run;
  quiet.push_back("--quiet");
  EXPECT_THAT(on_terminal(quiet, 100).text, ::testing::StartsWith("workload"));
}

TEST(ProgressLine, OfASweepCountsPoints) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const Scratch scratch;
  const std::string file =
      scratch.write("s.toml", "scale = \"full\"\nschemes = [\"baseline\", \"cmd\"]\nworkloads = [\"kmeans\"]\n");
  const Shown shown = on_terminal({"sweep", "run", file, "-o", scratch.path("out"), "--jobs", "1"}, 100);
  ASSERT_EQ(shown.code, 0) << shown.text;
  EXPECT_THAT(shown.text, ::testing::ContainsRegex("\\[#* *\\] (0|50) %, [01]/2 points, 1 running"));
  const Shown quiet = on_terminal({"sweep", "run", file, "-o", scratch.path("other"), "--jobs", "2", "-q"}, 100);
  EXPECT_THAT(quiet.text, ::testing::StartsWith("s: 2 of 2 points done"));
}

TEST(OldNames, OfInputStillWorkAndAreNotInTheHelp) {
  const Scratch scratch;
  const std::string graph = scratch.write("g.graph", "4 3\n2\n1 3\n2 4\n3\n");
  for (const char* name : {"--graph", "--mesh", "--points"}) EXPECT_EQ(run_small({name, graph}).code, 0) << name;
  EXPECT_EQ(run_small({"--graph=" + graph}).code, 0);
  const std::string help = warpsieve({"run", "--help"}).out;
  for (const char* name : {"--graph", "--mesh", "--points"}) EXPECT_THAT(help, Not(HasSubstr(name)));
}

}  // namespace
}  // namespace warpsieve::tb
