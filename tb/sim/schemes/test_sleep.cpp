// Under sieve a controller's unit is off until the first write reaches it (decision C30).
#include <gtest/gtest.h>

#include "support.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

const Pattern kSleepP = ramp(3);

/// Loads of lines that nothing wrote.
Steps reads_only() { return Steps().load(0).load(2).load(4).load(1).load(0); }
/// And then a line is written back, and what follows.
Steps reads_and_writes() {
  return reads_only().store(6, kSleepP).load(8).load(6).store(10, kSleepP).load(12).load(10).load(6);
}

TEST(Sleep, WithoutAWriteTheUnitStaysOff) {
  SchemeRun run(scheme_of("sieve"), reads_only().workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.woken"), 0u);
  EXPECT_EQ(run.stat("type_cache.requests"), 0u);
  EXPECT_EQ(run.stat("dedup.writes"), 0u);
}
TEST(Sleep, AWriteWakesItAndIsDone) {
  for (const Backend backend : {Backend::model, Backend::shadow}) {
    SchemeRun run(scheme_of("sieve", {"sieve.verify=1"}, backend), reads_and_writes().workload());
    EXPECT_TRUE(run.result.clean);
    EXPECT_EQ(run.stat("dedup.woken"), 1u);
    EXPECT_EQ(run.stat("dedup.writes"), 2u);
    EXPECT_EQ(run.stat("dedup.writes_inter"), 1u);
  }
}
TEST(Sleep, ToWakeTakesTheCyclesOfItsParameterOnce) {
  std::uint64_t cycles[2];
  for (const unsigned k : {0u, 1u}) {
    SchemeRun run(scheme_of("sieve", {"sieve.wake_cycles=" + std::to_string(1000 + 3000 * k)}),
                  reads_and_writes().workload());
    EXPECT_TRUE(run.result.clean);
    cycles[k] = run.result.cycles;
  }
  EXPECT_NEAR(static_cast<double>(cycles[1] - cycles[0]), 3000, 30);
}
TEST(Sleep, SwitchedOffItIsTheSameWork) {
  SchemeRun on(scheme_of("sieve"), reads_and_writes().workload());
  SchemeRun off(scheme_of("sieve", {"sieve.sleep=0"}), reads_and_writes().workload());
  EXPECT_TRUE(off.result.clean);
  EXPECT_EQ(on.requests(), off.requests());
  EXPECT_FALSE(off.gpu.stats().has("dedup.woken"));
  SchemeRun paper(scheme_of("cmd"), reads_only().workload());
  EXPECT_FALSE(paper.gpu.stats().has("dedup.woken"));
}
/// Nothing of the unit stands in the way: no more cycles than without a unit, but for the skid buffer's one per read.
TEST(Sleep, ReadsTakeOneCycleMoreThanWithoutAUnitAtMost) {
  SchemeRun none(scheme_of("baseline"), reads_only().workload());
  SchemeRun asleep(scheme_of("sieve"), reads_only().workload());
  SchemeRun awake(scheme_of("sieve", {"sieve.sleep=0"}), reads_only().workload());
  EXPECT_LE(asleep.result.cycles, none.result.cycles + 5);
  EXPECT_LE(asleep.result.cycles, awake.result.cycles);
}

}  // namespace
}  // namespace warpsieve::tb
