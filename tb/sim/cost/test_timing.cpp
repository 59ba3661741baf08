// The rule from paths to cycles, and the latencies that come from it.
#include <cmath>

#include "cost/area.h"
#include "cost/cacti/recorded.h"
#include "cost/timing.h"
#include "support.h"

namespace warpsieve::cost {
namespace {

using ::testing::HasSubstr;

TEST(Timing, AClockOf1365MhzIs83Point1Fo4At16Nm) {
  // 732.6 ps over 99.14 ps x 16 / 180
  EXPECT_NEAR(period_fo4(1365), 83.13, 0.01);
  EXPECT_NEAR(period_fo4(700), 83.13 * 1365 / 700, 0.02);
  EXPECT_NEAR(period_fo4(1365, 8), 2 * period_fo4(1365), 1e-9);
}

TEST(Timing, TheFastNetlistCountsWhereOnlyItMeetsTheClock) {
  Synthesis netlist;
  netlist.fo4 = 84;
  EXPECT_EQ(paced_fo4(netlist, 1365), 84);  // no other is recorded
  netlist.fast_fo4 = 48;
  EXPECT_EQ(paced_fo4(netlist, 1365), 48);
  EXPECT_EQ(paced_fo4(netlist, 1000), 84);  // meets a slower clock itself
  netlist.fast_fo4 = 83.5;
  EXPECT_EQ(paced_fo4(netlist, 1365), 84);  // neither meets it
}

TEST(Timing, APathTakesWholeClocksAndAtLeastOne) {
  const double period = period_fo4(1365);
  EXPECT_EQ(path_cycles(0, 1365), 1u);
  EXPECT_EQ(path_cycles(period - 0.01, 1365), 1u);
  EXPECT_EQ(path_cycles(period + 0.01, 1365), 2u);
  EXPECT_EQ(path_cycles(2 * period + 0.01, 1365), 3u);
  EXPECT_EQ(path_cycles(period + 0.01, 700), 1u);  // a slower machine has room
}

TEST(Timing, TheLibrarysFo4IsTheOneOfTheBaseline) {
  const auto s = synthesis("dedup", "dedup", "paper");
  ASSERT_TRUE(s);
  EXPECT_NEAR(s->ns / s->fo4, Library::kFo4, 0.001 * Library::kFo4);
}

TEST(Timing, LatenciesOfCmdAreTheBlocksOwnClocksTimesTheRule) {
  const auto found = measured_latencies("cmd", 1365);
  ASSERT_EQ(found.size(), 2u);
  const auto hasher = synthesis("md5", "line_hasher", "s1");
  EXPECT_EQ(found[0].parameter, "cmd.hash_cycles_per_chunk");
  EXPECT_EQ(found[0].value, 64 * path_cycles(paced_fo4(*hasher, 1365), 1365));
  EXPECT_THAT(found[0].basis, HasSubstr("64 clocks"));
  unsigned slowest = 0;
  for (const char* point : {"type", "mask", "address", "lent"})
    slowest = std::max(slowest,
                       3 * path_cycles(paced_fo4(*synthesis("metadata_cache", "metadata_cache", point), 1365), 1365));
  EXPECT_EQ(found[1].parameter, "cmd.metadata_cycles");
  EXPECT_EQ(found[1].value, slowest);
  EXPECT_EQ(measured_latencies("cmd", 100000)[0].value, 64 * path_cycles(hasher->fo4, 100000));
  EXPECT_GT(measured_latencies("cmd", 100000)[0].value, 64 * 50u);
}

TEST(Timing, SieveHasItsOwnParameterForTheSameCaches) {
  const auto found = measured_latencies("sieve", 1365);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].parameter, "sieve.metadata_cycles");
  EXPECT_EQ(found[0].value, measured_latencies("cmd", 1365)[1].value);
}

TEST(Timing, SchemesWithoutSuchBlocksHaveNoneAndUnknownOnesAreRefused) {
  EXPECT_TRUE(measured_latencies("baseline", 1365).empty());
  EXPECT_THROW(measured_latencies("cdm", 1365), CostError);
}

TEST(Timing, ABlockThatMissesTheClockIsNamedInTheAreaReport) {
  Recorded sweep;
  Machine fast = *find_machine("cmd");
  fast.core_mhz = 5000;
  const AreaReport r = area_of(scheme_blocks("cmd"), fast, sweep, 16);
  bool named = false;
  for (const std::string& note : r.notes) named = named || note.starts_with("dedup@paper: its worst path of");
  EXPECT_TRUE(named);
  EXPECT_GT(r.blocks[1].cycles, 1u);
  for (const std::string& note : area_of(scheme_blocks("cmd"), *find_machine("cmd"), sweep, 16).notes)
    EXPECT_THAT(note, Not(HasSubstr("dedup@paper: its worst path")));
}

}  // namespace
}  // namespace warpsieve::cost
