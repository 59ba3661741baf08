// The cluster port by itself: latencies, the shared link, statistics of replication, conservation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using ::testing::HasSubstr;

TEST(ClusterPort, AddsOneCycleEachWay) {
  WarpBuilder a;
  a.load_line(0);
  EXPECT_EQ(ClusterRun("baseline", two_sms(), one_warp_each({a})).result.cycles, 195u + 2);
  WarpBuilder b;
  b.load_line(0);
  ToyWorkload w = one_warp_each({b});
  w.add({b});
  EXPECT_EQ(ClusterRun("baseline", two_sms(), w).result.cycles, 195u + 2 + 169 + 2);
}

TEST(ClusterPort, AddsOneCycleEachWayOnTheMesh) {
  WarpBuilder a;
  a.load_line(0);
  const auto mesh = [](const char* cluster) {
    return two_sms({cluster, "noc.topology=1", "noc.mesh_width=2", "noc.mesh_height=2"});
  };
  const Cycle alone = ClusterRun("baseline", mesh("noc.cluster=1"), one_warp_each({a})).result.cycles;
  EXPECT_EQ(ClusterRun("baseline", mesh("noc.cluster=2"), one_warp_each({a})).result.cycles, alone + 2);
}

TEST(ClusterPort, SmsOfAClusterShareOneLinkOf32BytesPerCycle) {
  // 2 x 32 lines that the L2 holds, 5 flits each: the second kernel needs one cycle per flit on a shared link.
  const auto cycles = [](const char* cluster) {
    std::vector<WarpBuilder> warps(2);
    for (unsigned sm = 0; sm < 2; ++sm)
      for (unsigned i = 0; i < 32; ++i) warps[sm].load_line((sm * 32 + i) * 128);
    ToyWorkload w = one_warp_each(warps);
    w.kernels.push_back(w.kernels[0]);
    ClusterRun run("baseline", two_sms({cluster, "gpu.controllers=2"}), w);
    EXPECT_TRUE(run.result.clean);
    return run.result.stats["kernels"][1]["cycles"].get<Cycle>();
  };
  const Cycle shared = cycles("noc.cluster=2"), own = cycles("noc.cluster=1");
  EXPECT_GE(shared, 64u * 5);
  EXPECT_LE(shared, 64u * 5 + 180);
  EXPECT_LT(own, 32u * 5 + 180);
}

TEST(ClusterPort, OneRequestPerCycleEntersTheLinkInTurns) {
  // 4 SMs send a one-flit request in the same cycle; the last reaches the L2 three cycles after the first.
  WarpBuilder a, b, c, d;
  a.load({{0, 0}}, 4);
  b.load({{0, 256}}, 4);
  c.load({{0, 512}}, 4);
  d.load({{0, 768}}, 4);
  const auto sum = [](const std::vector<WarpBuilder>& warps) {
    ToyWorkload w = one_warp_each(warps);
    w.kernels.push_back(w.kernels[0]);
    ClusterRun run("baseline", two_sms({"gpu.sms=4", "noc.cluster=4", "l1.line_fill=0"}), w);
    return run.result.stats["kernels"][1]["cycles"].get<Cycle>();
  };
  // L2 hit of one sector: 169 - 3 flits + 2; the slice takes one request per cycle, as fast as the link; 2-flit
  // replies leave it every second cycle: 3 x 2 cycles from the first to the last.
  EXPECT_EQ(sum({a}), 168u);
  EXPECT_EQ(sum({a, b, c, d}), 168u + 3 * 2);
}

TEST(ClusterPort, AnUnevenLastClusterWorks) {
  WarpBuilder a;
  a.load_line(0);
  a.store_line(4096, 1);
  std::vector<WarpBuilder> warps(5, a);
  ClusterRun run("rata", two_sms({"gpu.sms=5", "noc.cluster=2"}), one_warp_each(warps));
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  EXPECT_EQ(run.stat("sm.blocks"), 5u);
}

TEST(ClusterPort, FetchesOfPrivateMemoryAreNoMissesAndAreNotLookedUp) {  // R2, R12
  WarpBuilder a;  // the L1 has one line: the global one drives the spill out, its reload comes from memory
  a.local_store(0, ~0u, [](unsigned lane) { return lane; });
  a.local_load(0, ~0u, {a.load_line(0, {a.alu()})});
  const Profile machine = two_sms({"l1.sets=1", "l1.ways=1", "local.slots=1"});
  for (const char* scheme : {"baseline", "rata", "rata_ideal"}) {
    ClusterRun run(scheme, machine, one_warp_each({a}));
    EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
    EXPECT_EQ(run.stat("local.fetches"), 1u) << scheme;
    EXPECT_EQ(run.stat("cluster.primary_misses"), 1u) << scheme;
    EXPECT_EQ(run.stat("cluster.lookups"), scheme == std::string("baseline") ? 0u : 1u) << scheme;
  }
  ClusterRun fast("rata", machine, one_warp_each({a})),
      slow("rata", machine, one_warp_each({a}), {"rata.lookup_cycles=2"});
  EXPECT_EQ(fast.stat("rata.allocations"), 1u);
  EXPECT_EQ(slow.result.cycles, fast.result.cycles + 2);  // of the global load
}

// SM 1 loads the line of SM 0 long after it, SM 2 a line of its own, SM 3 the same at the same time.
TEST(Replication, IsCountedAtPrimaryMissesInTheCycleOfTheMiss) {
  std::vector<WarpBuilder> warps(4);
  warps[0].load_line(0);
  warps[1].load_line(0, {wait_until(warps[1], 401)});
  warps[2].load_line(0, {wait_until(warps[2], 801)});
  warps[2].load_line(1024);
  warps[3].load_line(1024, {wait_until(warps[3], 805)});
  for (const char* scheme : {"baseline", "rata", "rata_ideal"}) {
    ClusterRun run(scheme, two_sms({"gpu.sms=4", "noc.cluster=4"}), one_warp_each(warps));
    EXPECT_EQ(run.stat("cluster.primary_misses"), 5u) << scheme;
    EXPECT_EQ(run.stat("cluster.replicated_misses"), 2u) << scheme;
    EXPECT_EQ(run.stat("cluster.in_flight_misses"), 1u) << scheme;
    EXPECT_EQ(run.stat("cluster.merged_misses"), 0u) << scheme;
  }
}

TEST(Replication, PeersOfOtherClustersDoNotCount) {
  std::vector<WarpBuilder> warps(4);
  warps[0].load_line(0);
  warps[2].load_line(0, {wait_until(warps[2], 401)});
  ClusterRun run("baseline", two_sms({"gpu.sms=4", "noc.cluster=2"}), one_warp_each(warps));
  EXPECT_EQ(run.stat("cluster.primary_misses"), 2u);
  EXPECT_EQ(run.stat("cluster.replicated_misses"), 0u);
}

TEST(Replication, TheMergedViewCountsLoadsThatJoinOneOnItsWay) {
  std::vector<WarpBuilder> warps(2);
  warps[0].load_line(0);
  const auto late = wait_until(warps[1], 401);
  warps[1].load_line(0, {late});
  warps[1].load({{0, 64}}, 4, {late});
  ClusterRun run("baseline", two_sms(), one_warp_each(warps));
  EXPECT_EQ(run.stat("cluster.primary_misses"), 2u);
  EXPECT_EQ(run.stat("cluster.merged_misses"), 1u);
  EXPECT_EQ(run.stat("cluster.merged_replicated"), 1u);
}

TEST(ClusterPort, SchemesThatNeedClustersSayWhatIsMissing) {
  WarpBuilder a;
  a.load_line(0);
  try {
    ClusterRun run("rata", two_sms({"noc.cluster=1"}), one_warp_each({a}));
    FAIL();
  } catch (const ConfigError& e) {
    EXPECT_THAT(e.what(), HasSubstr("rata: noc.cluster = 1: expected at least 2"));
  }
}

TEST(L1, PseudoLruReplacesAnotherWayThanLru) {
  // 4 ways filled 0 1 2 3, then 0 is used: the tree points away from 0 to the other half, to 2 (the older pair
  // there points to its lower way); LRU takes 1.
  const auto misses = [](const char* replacement, unsigned last) {
    ToyWorkload w(1 << 14);
    WarpBuilder a;
    std::uint32_t before = a.load_line(0);
    for (const simt::Addr line : {1u, 2u, 3u, 0u, 4u, last}) before = a.load_line(line * 128, {before});
    w.add({a});
    ToyRun run(tiny({"l1.sets=1", "l1.ways=4", replacement}), w);
    EXPECT_TRUE(run.result.clean);
    return run.stat("l1.miss_sectors") / 4;
  };
  EXPECT_EQ(misses("l1.replacement=0", 1), 6u);
  EXPECT_EQ(misses("l1.replacement=0", 2), 5u);
  EXPECT_EQ(misses("l1.replacement=1", 1), 5u);
  EXPECT_EQ(misses("l1.replacement=1", 2), 6u);
}

TEST(L1, PseudoLruNeedsTwoTo64Ways) {
  EXPECT_THROW(tiny({"l1.replacement=1", "l1.ways=1"}), ConfigError);
  EXPECT_THROW(tiny({"l1.replacement=1", "l1.ways=65"}), ConfigError);
}

}  // namespace
}  // namespace warpsieve::tb
