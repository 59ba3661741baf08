// gpu.launch_sample: launches that are not simulated leave what they wrote, and count nowhere.
#include <gtest/gtest.h>

#include "sim/schemes/random_traces.h"
#include "support/property.h"
#include "toy.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

/// Launch n stores its number to line n, and loads what the launch before it stored.
ToyWorkload chain_of_launches(unsigned launches) {
  ToyWorkload w(1 << 14);
  for (unsigned n = 0; n < launches; ++n) {
    WarpBuilder a;
    if (n > 0) a.load_line((n - 1) * 128u, {});
    a.store_line(n * 128u, static_cast<std::uint8_t>(n + 1));
    w.add({a});
  }
  return w;
}

TEST(LaunchSample, TakesTheFirstAndTheLastOfSoManyInTurn) {
  const auto simulated = [](unsigned each, unsigned launches) {
    ToyWorkload w = chain_of_launches(launches);
    ToyRun run(tiny({set("gpu.launch_sample", each)}), w);
    EXPECT_TRUE(run.result.clean);
    const std::size_t kernels = run.result.stats["kernels"].size();
    EXPECT_EQ(kernels + run.result.stats.value("launches_not_simulated", 0u), launches);
    EXPECT_EQ(run.stat("l1.store_requests"), kernels) << "a launch has one store, the others count nowhere";
    EXPECT_EQ(run.result.stats.contains("launches_not_simulated"), kernels != launches);
    return kernels;
  };
  EXPECT_EQ(simulated(1, 10), 10u);
  EXPECT_EQ(simulated(4, 7), 1u);   // 0
  EXPECT_EQ(simulated(4, 8), 2u);   // 7
  EXPECT_EQ(simulated(4, 9), 3u);   // 8
  EXPECT_EQ(simulated(4, 17), 5u);  // 15, 16
  EXPECT_EQ(simulated(100, 10), 1u);
}

/// A simulated launch reads what those before it wrote, through the L2: the golden memory checks every byte.
TEST(LaunchSample, KeepsEveryByteOfRandomKernels) {
  check_property("launch sample", 60, [] {
    const auto pick = [](unsigned low, unsigned high) { return *rc::gen::inRange(low, high + 1); };
    ToyWorkload w(1 << 14);
    const unsigned launches = pick(1, 12), each = pick(1, 5);
    for (unsigned n = 0; n < launches; ++n) {
      WarpBuilder a;
      for (unsigned i = 0, steps = pick(1, 8); i < steps; ++i) {
        const unsigned line = pick(0, 20);
        switch (pick(0, 2)) {
          case 0: a.load_line(line * 128u, {}); break;
          case 1: a.store_line(line * 128u, static_cast<std::uint8_t>(pick(0, 255))); break;
          default: a.atomic({{0, 127 * 128u + 4 * line}}, simt::AtomicOp::add_u32, [](unsigned) { return 5u; });
        }
      }
      w.add({a});
      if (pick(0, 3) == 0) w.kernels.back().before = {{kBase + pick(0, 2000), std::vector<std::uint8_t>(200, 3)}};
    }
    ToyRun run(tiny({set("gpu.launch_sample", each), set("gpu.host_copies", pick(0, 1)), "l2.sets=1", "l2.ways=2"}),
               w);
    RC_ASSERT(run.result.clean);
    RC_ASSERT(run.result.stats["kernels"].size() + run.result.stats.value("launches_not_simulated", 0u) == launches);
  });
}

}  // namespace
}  // namespace warpsieve::tb
