// The DRAM rows of `validate`: the traces are the recorded ones, and the channel agrees with other simulators.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "validate/dram_rows.h"
#include "validate/dram_traces.h"

namespace warpsieve::tb {
namespace {

using namespace validate;

// Values of the recorded traces: chance must fall as it fell there.
TEST(DramTraces, AreTheRecordedOnes) {
  const auto expect = [](const char* pattern, std::size_t i, std::uint64_t cycle, std::uint64_t address, bool write) {
    const auto trace = dram_trace(pattern, i + 1);
    ASSERT_EQ(trace.size(), i + 1) << pattern;
    EXPECT_EQ(trace[i].cycle, cycle) << pattern;
    EXPECT_EQ(trace[i].address, address) << pattern;
    EXPECT_EQ(trace[i].write, write) << pattern;
  };
  expect("stream", 1300, 0, 0x7a80, false);
  expect("random", 1300, 0, 0x894060, false);
  expect("conflict", 1300, 0, 0x28a0000, false);
  expect("idle", 1300, 260000, 0x894060, false);
  expect("rw50", 1300, 0, 0x207a6b20, true);
  expect("ronly", 1300, 0, 0xa280, false);
  expect("wonly", 1300, 0, 0xa280, true);
  expect("wstream", 1300, 0, 0x20007a80, true);
  expect("alt", 1300, 0, 0x5140, false);
  expect("bgi", 1300, 0, 0xa0a0, false);
  expect("mix64", 1300, 0, 0x31c002c0, false);
  expect("load40", 1300, 52000, 0x207a6b20, true);
  expect("load20", 1300, 26000, 0x207a6b20, true);
}

TEST(DramTraces, SeedsDifferAndAreRepeatable) {
  const auto addresses = [](std::uint32_t seed) {
    std::vector<std::uint64_t> out;
    for (const auto& access : dram_trace("mix64", 1000, seed)) out.push_back(access.address);
    return out;
  };
  EXPECT_EQ(addresses(1), addresses(1));
  EXPECT_NE(addresses(1), addresses(2));
}

TEST(DramTraces, EveryPatternIsMadeAndOthersAreErrors) {
  for (const std::string_view pattern : dram_patterns())
    for (const auto& access : dram_trace(pattern, 5000)) {
      ASSERT_EQ(access.address % 32, 0u) << pattern;
      ASSERT_LT(access.address, 1u << 30) << pattern;
    }
  EXPECT_THROW(dram_trace("streams", 10), std::invalid_argument);
}

TEST(DramRows, CyclesAndLatenciesAgreeWithAnotherSimulator) {
  const Rows rows = dram_rows(false);
  std::set<std::string> seen;
  for (const Row& row : rows) {
    EXPECT_EQ(row.verdict(), Verdict::pass)
        << row.what << ": " << row.ours << ", " << row.source << " " << row.reference;
    seen.insert(row.what.substr(0, row.what.find_first_of(" ,")));
  }
  for (const std::string_view pattern : dram_patterns()) EXPECT_TRUE(seen.contains(std::string(pattern))) << pattern;
  EXPECT_EQ(rows.size(), 19u);  // 16 traces, of which three have a latency
}

TEST(DramRows, QuickLeavesLongTracesOut) {
  const Rows quick = dram_rows(true);
  EXPECT_EQ(quick.size(), 14u);
  for (const Row& row : quick) EXPECT_EQ(row.what.find("mix64"), std::string::npos);
}

}  // namespace
}  // namespace warpsieve::tb
