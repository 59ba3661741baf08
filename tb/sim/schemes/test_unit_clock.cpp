// sieve.unit_clock: several ticks of the deduplication unit in a cycle.
#include <gtest/gtest.h>

#include <string>

#include "support.h"

namespace warpsieve::tb {
namespace {

/// Ticks of the unit in a cycle change its time alone: the same lines are shared.
TEST(UnitClock, AFasterUnitDoesTheSameWorkInFewerCycles) {
  std::uint64_t cycles[4], inter[4];
  for (const unsigned k : {0u, 1u, 2u, 3u}) {
    Steps steps;
    for (unsigned n = 0; n < 12; ++n) steps.store(2 * n, ramp(n % 3)).load(40 + 2 * n).load(2 * n);
    SchemeRun run(scheme_of("sieve", {"sieve.sleep=0", "sieve.unit_clock=" + std::to_string(1u << k)}),
                  steps.workload());
    EXPECT_TRUE(run.result.clean);
    cycles[k] = run.result.cycles;
    inter[k] = run.stat("dedup.writes_inter");
  }
  EXPECT_GT(inter[0], 0u);
  for (const unsigned k : {1u, 2u, 3u}) {
    EXPECT_EQ(inter[k], inter[0]);
    EXPECT_LT(cycles[k], cycles[k - 1]);
  }
}

}  // namespace
}  // namespace warpsieve::tb
