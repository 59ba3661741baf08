// warpsieve dram against bounds worked out by hand, the command trace through the independent checker, and
// what it says of broken traces. Default channel: tRCD = tCL = tRP = 20, tRAS 50, tRRD 10, tCCD 4 (2 between
// groups), burst 2, a refresh of 126 cycles every 11,862.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "program.h"
#include "sim/memsys/dram_checker.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

struct DramRun : ::testing::Test {
  /// Runs the trace, checks every command, returns the figures.
  json figures(const std::string& trace, std::vector<std::string> more = {}) {
    const std::string commands = scratch.path("commands");
    std::vector<std::string> arguments = {
        "dram", "--trace", scratch.write("trace", trace), "--json", "--commands", commands, "--config", "plain"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = warpsieve(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    if (ran.code != 0) return {};
    EXPECT_EQ(check_dram_trace(memsys::load_profile("plain").dram, parse(read_file(commands))), "");
    return json::parse(ran.out);
  }
  static std::vector<memsys::DramCommand> parse(const std::string& text) {
    std::vector<memsys::DramCommand> out;
    std::istringstream lines(text);
    std::string line, kind;
    while (std::getline(lines, line)) {
      if (line[0] == '#') continue;
      memsys::DramCommand c;
      std::istringstream(line) >> c.cycle >> kind >> c.bank >> c.row;
      const std::vector<std::string> names = {"ACT", "PRE", "PREA", "RD", "WR", "REF"};
      c.kind = static_cast<memsys::DramCommandKind>(std::find(names.begin(), names.end(), kind) - names.begin());
      out.push_back(c);
    }
    return out;
  }
  static constexpr double kRefresh = 1.0 / (1.0 - 126.0 / 11862.0);  ///< time that refreshes take away
  Scratch scratch;
};

TEST_F(DramRun, AWriteToTheLastRowOfALargeMapNeedsNoMoreMemoryThanARead) {
  for (const auto& [map, address] :
       {std::pair{"o5,c6,g2,b2,r30", "1fffffffffe0"}, {"o5,c6,g2,b2,r33", "ffffffffffe0"}})
    for (const char kind : {'R', 'W'}) {
      const Ran ran = warpsieve_in(
          rlim_t{1} << 30,
          {"dram", "--trace", scratch.write("far", fmt::format("0 {} {}\n", address, kind)), "--map", map});
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_EQ(ran.err, "");
    }
}

TEST_F(DramRun, StreamsReachThePeakWithin2Percent) {
  for (const char kind : {'R', 'W'}) {
    std::string trace;
    for (unsigned i = 0; i < 200000; ++i) trace += fmt::format("0 {:x} {}\n", i * 32, kind);
    for (const char* map : {"o5,c6,g2,b2,r15", "o5,g2,c6,b2,r15"}) {
      const json r = figures(trace, {"--map", map});
      EXPECT_GT(r["gbytes_per_second"].get<double>(), 28.0 / kRefresh * 0.98) << kind << map;
      EXPECT_LT(r["gbytes_per_second"].get<double>(), 28.0 / kRefresh);
      EXPECT_EQ(r["data_bus_cycles"], 400000);
    }
  }
}

TEST_F(DramRun, StreamInOneBankGroupReachesHalfThePeakLessRowChanges) {
  std::string trace;  // one bank: 64 columns at tCCD, then a row change (to precharge 4, + tRP + tRCD)
  for (unsigned i = 0; i < 64000; ++i) trace += fmt::format("0 {:x} R\n", ((i / 64) << 15) | (i % 64 * 32));
  const double per_row = 63 * 4 + 4 + 20 + 20;
  const json r = figures(trace);
  EXPECT_NEAR(r["command_cycles"].get<double>() / (1000 * per_row * kRefresh), 1.0, 0.02);
  EXPECT_GE(r["row_hits"], 63000 - 120);  // a refresh closes the row
}

TEST_F(DramRun, RandomReadsAreLimitedByTrrdWithin2Percent) {
  std::string trace;
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 100000; ++i) trace += fmt::format("0 {:x} R\n", (random() & 0x1ffffff) * 32);
  const json r = figures(trace);
  EXPECT_NEAR(r["command_cycles"].get<double>() / (1e6 * kRefresh), 1.0, 0.02);
}

TEST_F(DramRun, RowConflictsComeEveryTrasPlusTrpWithin2Percent) {
  std::string trace;
  for (unsigned i = 0; i < 20000; ++i) trace += fmt::format("0 {:x} R\n", i << 15);
  EXPECT_NEAR(figures(trace)["command_cycles"].get<double>() / (20000 * 70.0 * kRefresh), 1.0, 0.02);
  // tRC-limited when that is the longer one
  const double c = [&] {
    const Ran ran =
        warpsieve({"dram", "--trace", scratch.path("trace"), "--json", "--config", "plain", "--set", "dram.tRC=90"});
    return json::parse(ran.out)["command_cycles"].get<double>();
  }();
  EXPECT_NEAR(c / (20000 * 90.0 * kRefresh), 1.0, 0.02);
}

TEST_F(DramRun, SparseReadsTakeExactlyTheirCommands) {
  const std::vector<std::string> no_refresh = {"--set", "dram.tREFI=1000000"};
  std::string hits, misses;
  for (unsigned i = 0; i < 64; ++i) hits += fmt::format("{} {:x} R\n", 1000 + 500 * i, i * 32);
  for (unsigned i = 0; i < 64; ++i) misses += fmt::format("{} {:x} R\n", 1000 + 500 * i, i << 15);
  // the command goes out one cycle after the request: hit tCL + burst, closed + tRCD, conflict + tRP
  EXPECT_DOUBLE_EQ(figures(hits, no_refresh)["average_read_latency_cycles"], (63 * 23 + 43) / 64.0);
  EXPECT_DOUBLE_EQ(figures(misses, no_refresh)["average_read_latency_cycles"], (63 * 63 + 43) / 64.0);
  const json r = figures(hits, no_refresh);
  EXPECT_EQ(r["command_cycles"], 1000 + 500 * 63 + 23);
  EXPECT_EQ(r["row_hits"], 63);
}

TEST_F(DramRun, IdleTimeCostsNothingAndEveryRefreshCounts) {
  const std::string path = scratch.write("idle", "0 0 R\n500000000000000 20 R\n# a comment\n\n");
  const Ran ran =
      warpsieve({"dram", "--json", "--config", "plain", "--trace", path});  // refresh by refresh: 4 x 10^10 of them
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["refreshes"], 500000000000000 / 11862);
  // Counted at once or one by one (a command list is written): the same figures.
  const std::string shorter = scratch.write("shorter", "0 0 R\n1000100 20 R\n1023722 8040 R\n3000000 20 R\n");
  const Ran at_once = warpsieve({"dram", "--json", "--config", "plain", "--trace", shorter});
  EXPECT_EQ(json::parse(at_once.out), figures(read_file(shorter)));
}

TEST_F(DramRun, ReadsOfQueuedWritesAreAnsweredFromTheQueue) {
  const json r = figures("0 0 R\n0 40 W\n0 40 R\n");
  EXPECT_EQ(r["forwarded_reads"], 1);
  EXPECT_EQ(r["bursts"], 2);
}

TEST_F(DramRun, TextOutputNamesItsUnits) {
  const Ran ran = warpsieve({"dram", "--config", "gddr6", "--trace", scratch.write("t", "0 0x0 R\n")});
  EXPECT_EQ(ran.code, 0);
  for (const char* s : {"1 reads, 0 writes of 32 bytes", "52 command cycles at 1750 MHz", "52.00 command cycles",
                        "GB/s", "0 of 1 bursts"})
    EXPECT_THAT(ran.out, HasSubstr(s));
}

TEST_F(DramRun, BrokenInputIsOneLine) {
  const auto bad = [&](const std::string& trace, std::vector<std::string> more,
                       const std::vector<std::string>& says) {
    std::vector<std::string> arguments = {"dram", "--trace", scratch.write("t", trace)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = warpsieve(arguments);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    for (const std::string& s : says) EXPECT_THAT(ran.err, HasSubstr(s));
  };
  bad("0 0 R\n0 zz R\n", {}, {"/t:2:", "hexadecimal", "zz"});
  bad("0 0 R\n0 10 R\n", {}, {"/t:2:", "multiple of 32"});
  bad("0 0 X\n", {}, {"/t:1:", "R or W", "X"});
  bad("0 0\n", {}, {"/t:1:", "R or W"});
  bad("-1 0 R\n", {}, {"/t:1:", "cycle"});
  bad("0 0 R 7\n", {}, {"/t:1:", "7"});
  bad("0 40000000 R\n", {}, {"/t:1:", "below 0x40000000"});
  bad("# nothing\n", {}, {"found none"});
  bad("0 0 R\n", {"--map", "o5,c6,g2,b2"}, {"row (r) is missing"});
  bad("0 0 R\n", {"--map", "o5,c7,g2,b2,r15"}, {"column (c) has 7 bits", "6"});
  bad("0 0 R\n", {"--map", "o5,x6"}, {"'x'"});
  bad("0 0 R\n", {"--config", "ddr9"}, {"ddr9"});
  bad("0 0 R\n", {"--set", "l2.sets=4"}, {"l2.sets"});
  bad("0 0 R\n", {"--set", "dram.tCl=4"}, {"dram.tCL"});
  bad("0 0 R\n", {"--commands", "/nonexistent/x"}, {"/nonexistent/x", "cannot write"});
  EXPECT_EQ(warpsieve({"dram", "--trace", "/nonexistent/trace"}).code, 2);
}

}  // namespace
}  // namespace warpsieve::tb
