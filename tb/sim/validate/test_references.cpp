// Reference files and the verdicts that come of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/params.h"
#include "validate/validate.h"

namespace warpsieve::tb {
namespace {

using ::testing::HasSubstr;
using namespace warpsieve::validate;

std::string traces_file(const std::string& row, const std::string& machine = "l2_hits = \"all\"") {
  return R"(experiment = "traces"
cycles_limit = 20
cycles_goal = 10
counts = 2
[trace.s]
arguments = "stream 8 4 5"
quick = true
[trace.long]
arguments = "stream 8 4 6"
[[machine]]
name = "small"
profile = "plain"
source = "by hand"
)" + machine +
         "\n[[machine.row]]\n" + row;
}

constexpr const char* kH100 = "result = \"nvidia_h100_80gb_hbm3\"";

std::string hardware_file(const std::string& result, const std::string& row) {
  return "experiment = \"hardware\"\n[[machine]]\nname = \"a\"\nprofile = \"h100\"\n" + result + "\n" +
         (row.empty() ? "" : "[[row]]\n" + row + "\n");
}

GroupResult measured(const std::string& text, bool quick = false) {
  TraceFolder traces;
  const std::vector<Group> all = groups({parse_reference(text, "x.toml")});
  EXPECT_EQ(all.size(), 1u);
  return all.at(0).measure(quick, traces);
}

const Row& row_named(const GroupResult& result, const std::string& what) {
  for (const Row& row : result.rows)
    if (row.what == what) return row;
  throw std::runtime_error("no row " + what);
}

TEST(References, BuiltInFilesHaveAllMachines) {
  std::vector<std::string> names;
  for (const Group& group : builtin_groups()) names.push_back(group.experiment + "/" + group.name);
  EXPECT_EQ(names, (std::vector<std::string>{"accelsim/qv100", "accelsim/rtx3070", "accelsim/rtx2060s",
                                             "latency/volta", "latency/turing", "latency/ampere", "hardware/h100",
                                             "hardware/h200", "dram/dram"}));
  std::size_t rows = 0;
  for (const Reference& reference : read_builtin_references())
    for (const TraceMachine& machine : reference.trace_machines) rows += machine.rows.size();
  EXPECT_EQ(rows, 26u + 20u + 20u);
}

TEST(References, ACountOutsideOfItsToleranceFailsAndAReasonMakesItKnown) {
  const GroupResult right = measured(traces_file("trace = \"s\"\nl2_accesses = 640\ndram_reads = 640\nl1_hit = 0"));
  ASSERT_EQ(right.rows.size(), 3u);
  for (const Row& row : right.rows) EXPECT_EQ(row.verdict(), Verdict::pass) << row.what;
  const GroupResult wrong = measured(traces_file("trace = \"s\"\nl2_accesses = 660\ndram_reads = 640"));
  EXPECT_EQ(row_named(wrong, "s L2 accesses").verdict(), Verdict::fail);
  EXPECT_EQ(row_named(wrong, "s DRAM reads").verdict(), Verdict::pass);
  const GroupResult known =
      measured(traces_file("trace = \"s\"\nl2_accesses = 660\nreason.l2_accesses = \"made up\""));
  EXPECT_EQ(row_named(known, "s L2 accesses").verdict(), Verdict::known);
  EXPECT_EQ(row_named(known, "s L2 accesses").reason, "made up");
}

TEST(References, CyclesHaveALimitAndAGoal) {
  const double cycles = row_named(measured(traces_file("trace = \"s\"\ncycles = 1")), "s cycles").ours;
  const auto against = [&](double factor) {
    return measured(traces_file("trace = \"s\"\ncycles = " + std::to_string(cycles * factor)));
  };
  EXPECT_EQ(row_named(against(1.05), "s cycles").verdict(), Verdict::pass);
  EXPECT_EQ(row_named(against(1.05), "traces with cycles within 10 %").ours, 100);
  EXPECT_EQ(row_named(against(1.18), "s cycles").verdict(), Verdict::pass);  // 15 % below
  EXPECT_EQ(row_named(against(1.18), "traces with cycles within 10 %").ours, 0);
  EXPECT_EQ(row_named(against(1.18), "traces with cycles within 10 %").verdict(), Verdict::fail);
  EXPECT_EQ(row_named(against(1.3), "s cycles").verdict(), Verdict::fail);
}

TEST(References, QuickLeavesOutWhatIsNotMarked) {
  const std::string text =
      traces_file("trace = \"s\"\ndram_reads = 640\n[[machine.row]]\ntrace = \"long\"\ndram_reads = 768");
  EXPECT_EQ(measured(text, true).rows.size(), 1u);
  EXPECT_EQ(measured(text, false).rows.size(), 2u);
}

TEST(References, HitRatesOfReadsAndOfAll) {
  // 640 sectors read, then written where they are: no read hits, all writes do.
  const std::string row = "trace = \"s\"\nl2_hit = 0";
  std::string text = traces_file(row, "l2_hits = \"reads\"");
  const auto rmw = [](std::string t) { return t.replace(t.find("stream 8 4 5"), 12, "rmw 8 4 5"); };
  EXPECT_EQ(row_named(measured(rmw(text)), "s L2 hit rate").ours, 0);
  EXPECT_EQ(row_named(measured(rmw(traces_file(row))), "s L2 hit rate").ours, 50);
}

TEST(References, MistakesNameFileAndLine) {
  const std::pair<std::string, const char*> wrong[] = {
      {"experiment = \"x\"", "x.toml:1: experiment: expected traces, curves or hardware"},
      {"experiment = ", "x.toml:1: "},
      {traces_file("trace = \"t\"\ncycles = 1"), "x.toml:15: trace: 't': expected long or s"},
      {traces_file("trace = \"s\""), "x.toml:15: expected cycles or another figure"},
      {traces_file("trace = \"s\"\ncycles = \"1\""), "x.toml:17: cycles: expected a number"},
      {traces_file("trace = \"s\"\ncycles = -1"), "cycles: expected a number that is not negative"},
      {traces_file("trace = \"s\"\ncycels = 1"), "x.toml:17: unknown key 'cycels', did you mean cycles"},
      {traces_file("trace = \"s\"\ncycles = 1\nreason.cycles = \"\""), "cycles: expected a text"},
      {traces_file("trace = \"s\"\ncycles = 1\nreason = \"x\""), "reason: expected reason.cycles"},
      {traces_file("trace = \"s\"\ncycles = 1", "l2_hits = \"some\""), "l2_hits: 'some': expected reads or all"},
      {traces_file("trace = \"s\"\ncycles = 1", "l2_hits = \"all\"\nset = [\"l1.wys=4\"]"), "x.toml:10: "},
      {"experiment = \"curves\"", "x.toml:1: expected [[machine]]"},
      {"experiment = \"curves\"\n[[machine]]\nname = \"a\"\nprofile = \"nope\"", "x.toml:2: unknown profile 'nope'"},
      {"experiment = \"curves\"\n[[machine]]\nname = \"a\"\nprofile = \"cmd\"\n[[machine.check]]\ncurve = \"l2\"\n"
       "shape = \"round\"\ntolerance = 1",
       "shape: 'round': expected rising, falling or to_peak"},
      {"experiment = \"curves\"\n[[machine]]\nname = \"a\"\nprofile = \"cmd\"\n[[machine.row]]\nwhat = \"w\"\n"
       "curve = \"l3\"\nat = \"1\"",
       "x.toml:5: curve: 'l3': expected "},
      {"experiment = \"curves\"\n[[machine]]\nname = \"a\"\nprofile = \"cmd\"\n[[machine.row]]\nwhat = \"w\"\n"
       "curve = \"l2\"\nat = \"read\"\nreference = 1\nlimit = \"activate\"",
       "expected reference or limit, not both"},
      {hardware_file("result = \"gtx\"", ""),
       "x.toml:2: result: 'gtx': expected nvidia_h100_80gb_hbm3 or nvidia_h200"},
      {hardware_file(kH100, ""), "x.toml:1: expected [[row]]"},
      {hardware_file(kH100, "curve = \"l3\"\nat = [1]\ntolerance = 1"), "x.toml:6: curve: 'l3': expected "},
      {hardware_file(kH100, "curve = \"stores.partial\"\nat = [1, 3]\ntolerance = 1"),
       "x.toml:8: at: expected a point of stores.partial"},
      {hardware_file(kH100, "curve = \"stores.partial\"\nat = 1\ntolerance = 1"),
       "x.toml:6: at: expected a list of numbers"}};
  for (const auto& [text, message] : wrong) {
    try {
      parse_reference(text, "x.toml");
      ADD_FAILURE() << text;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message)) << text;
    }
  }
}

TEST(References, RowsOfHardwareHaveTheMeasuredPoints) {
  const std::string text =
      hardware_file(kH100,
                    "curve = \"latency.l1_cached\"\nat = [16384, 1073741824]\nfitted = true\ntolerance = 5\n"
                    "reason = \"made up\"\n[[row]]\ncurve = \"shared.all_warps\"\nat = [2]\ntolerance = 5\n"
                    "quick = true\n") +
      "[[machine]]\nname = \"b\"\nprofile = \"h200\"\nresult = \"nvidia_h200\"\n";
  const Reference reference = parse_reference(text, "x.toml");
  ASSERT_EQ(reference.gpu_machines.size(), 2u);
  for (const GpuMachine& machine : reference.gpu_machines) {
    ASSERT_EQ(machine.rows.size(), 3u);
    EXPECT_NEAR(machine.rows[0].reference, 34, 0.5);
    EXPECT_GT(machine.rows[1].reference, 500);
    EXPECT_NEAR(machine.rows[2].reference, 2, 0.1);
    EXPECT_EQ(machine.rows[0].fitted, machine.name == "a") << "nothing is fitted to the second machine";
    EXPECT_FALSE(machine.rows[2].fitted);
  }
  TraceFolder traces;
  const GroupResult result = groups({reference}).at(1).measure(true, traces);
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_EQ(result.rows[0].what, "shared.all_warps at 2");
  EXPECT_EQ(result.rows[0].verdict(), Verdict::pass);
}

/// What validates a profile was not used to fit it: most rows pass, and those that do not say why.
TEST(References, MostRowsOfHardwareNeedNoReason) {
  std::size_t rows = 0, reasons = 0;
  for (const Reference& reference : read_builtin_references())
    for (const GpuMachine& machine : reference.gpu_machines)
      for (const GpuRow& row : machine.rows) {
        ++rows;
        reasons += !row.reason.empty();
        EXPECT_LE(row.tolerance, 15) << row.curve;
      }
  EXPECT_GE(rows, 60u);
  EXPECT_LT(reasons * 5, rows * 2);
}

TEST(References, APointThatACurveLacksIsNamed) {
  EXPECT_THROW(measured("experiment = \"curves\"\n[[machine]]\nname = \"a\"\nprofile = \"cmd-quarter\"\n"
                        "curves = [\"random\"]\n[[machine.row]]\nwhat = \"w\"\ncurve = \"random\"\nat = \"nothing\"\n"
                        "reference = 1\ntolerance = 1\nsource = \"s\""),
               ConfigError);
}

}  // namespace
}  // namespace warpsieve::tb
