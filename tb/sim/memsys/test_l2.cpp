// L2 on hand-made traces: order of reads, writes and atomics, allocation, eviction. The machine of test_system.cpp.
#include <gtest/gtest.h>

#include "toy.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using simt::AtomicOp;

TEST(L2, ReadDoesNotPassAnAtomicThatWaitsForAnotherSector) {
  const auto add = [](unsigned) { return 1u; };
  ToyWorkload w(4096);
  WarpBuilder a;
  const auto warm = a.load({{0, 32}}, 4);  // sector 1 comes into the L2
  const auto start = a.alu(1, {warm});
  a.atomic({{0, 0}}, AtomicOp::add_u32, add);   // waits for sector 0
  a.atomic({{0, 32}}, AtomicOp::add_u32, add);  // behind it
  const auto late = a.load({{0, 32}}, 4, {start});
  a.load({{0, 32}}, 4, {a.alu(1000, {late})});
  w.add({a});
  ToyRun run(even(), w);
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("l1.hit_sectors"), 1u);
  EXPECT_EQ(run.stat("l1.stale_hits"), 0u);  // what the L1 kept is what the atomic left
}

TEST(L2, FullSectorsAreAllocatedWithoutFetch) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.store_line(0, 1);
  w.add({a});
  ToyRun run(even(), w);
  EXPECT_EQ(run.stat("dram.reads"), 0u);
  EXPECT_EQ(run.stat("l2.write_sectors"), 4u);
  EXPECT_EQ(run.stat("l2.write_hits"), 0u);
}

TEST(L2, ReadOfAPartlyWrittenSectorFetchesAndMerges) {
  ToyWorkload w(4096);
  WarpBuilder a, b;
  a.store({{0, 4}}, 4, [](unsigned, unsigned) { return std::uint8_t{0xee}; });
  b.load({{0, 0}}, 4);
  w.add({a});
  w.add({b});
  ToyRun run(even(), w);
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("l2.read_misses"), 1u);
  EXPECT_EQ(run.stat("dram.reads"), 1u);
}

// A slice with one set of two ways; even lines only go to slice 0.
Profile two_l2_ways() { return even({"l2.sets=1", "l2.ways=2", "gpu.chunk_shift=7"}); }

TEST(L2, DirtyEvictionWritesOnlyDirtySectorsAndIsADataReadLater) {
  ToyWorkload w(1 << 14);
  WarpBuilder a, b, c;
  a.store({{0, 0}, {1, 8}, {2, 16}, {3, 24}}, 8,
          [](unsigned l, unsigned b) { return static_cast<std::uint8_t>(l * 8 + b); });
  b.load_line(256, {b.load_line(512)});  // lines 4 and 2 push line 0 out
  c.load_line(0);
  w.add({a});
  w.add({b});
  w.add({c});
  ToyRun run(two_l2_ways(), w);
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dram.requests_write"), 1u);
  EXPECT_EQ(run.stat("dram.requests_data_read"), 1u);  // sector 0 only: decision C17
  EXPECT_EQ(run.stat("dram.requests_read_only"), 4u + 4u + 3u);
  EXPECT_EQ(run.stat("l2.dirty_evictions"), 1u);
  EXPECT_EQ(run.stat("l2.evictions"), 2u);
  EXPECT_EQ(run.stat("l2.write_back_sectors"), 1u);
  EXPECT_EQ(run.stat("l2.merge_fetches"), 0u);
}

/// l2.fetch_sectors = 2: a sector that misses brings the other one of its 64 bytes, unless that is there.
TEST(L2, AMissFetchesTheOtherSectorOf64Bytes) {
  const auto reads = [](unsigned fetch, std::vector<simt::Addr> words) {
    ToyWorkload w(1 << 14);
    WarpBuilder a;
    std::vector<std::uint32_t> before;
    for (const simt::Addr at : words) before = {a.load({{0, at}}, 4, before)};
    w.add({a});
    Profile profile = two_l2_ways();
    profile.l2.fetch_sectors = fetch;
    ToyRun run(profile, w);
    EXPECT_TRUE(run.result.clean);
    EXPECT_EQ(run.stat("l2.read_misses") + (fetch == 2 ? run.stat("l2.pair_sectors") : 0), run.stat("dram.reads"));
    return std::pair(run.stat("l2.read_misses"), run.stat("dram.reads"));
  };
  using Counts = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(reads(1, {0}), Counts(1, 1));
  EXPECT_EQ(reads(2, {0}), Counts(1, 2));
  EXPECT_EQ(reads(2, {32}), Counts(1, 2));
  EXPECT_EQ(reads(1, {64, 96, 0, 32}), Counts(4, 4));
  EXPECT_EQ(reads(2, {64, 96, 0, 32}), Counts(2, 4)) << "the pairs are {0, 1} and {2, 3}";
}

TEST(L2, EvictionOfAPartlyWrittenSectorFetchesTheRest) {
  ToyWorkload w(1 << 14);
  WarpBuilder a, b;
  a.store({{0, 4}}, 4, [](unsigned, unsigned) { return std::uint8_t{0xee}; });
  b.load_line(256, {b.load_line(512)});
  w.add({a});
  w.add({b});
  ToyRun run(two_l2_ways(), w);
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("l2.merge_fetches"), 1u);
  EXPECT_EQ(run.stat("dram.requests_write"), 1u);
  EXPECT_EQ(run.stat("dram.requests_read_only"), 4u + 4u + 1u);
}

TEST(L2, ReadOfALineThatIsLeavingWaitsForIt) {
  ToyWorkload w(1 << 14);
  WarpBuilder a, b;
  a.store({{0, 4}}, 4, [](unsigned, unsigned) { return std::uint8_t{0xee}; });
  // line 0 leaves when line 4 comes and needs its fetch first; meanwhile it is read again
  b.load_line(512);
  b.load_line(256);
  b.load_line(0);
  w.add({a});
  w.add({b});
  ToyRun run(two_l2_ways(), w);
  EXPECT_TRUE(run.result.clean);
  EXPECT_GT(run.stat("l2.stall_cycles") + run.stat("l2.snoop_waits"), 0u);
}

TEST(L2, AtomicsOfOneWarpOnOneWordAllCount) {
  ToyWorkload w(4096);
  WarpBuilder a;
  WarpBuilder::Lanes same(32);
  for (unsigned l = 0; l < 32; ++l) same[l] = {l, 64};
  a.atomic(same, AtomicOp::add_u32, [](unsigned lane) { return lane + 1; });
  w.add({a, a});
  ToyRun run(even(), w);
  EXPECT_TRUE(run.result.clean);  // image compared with the functional sum
  EXPECT_EQ(run.stat("l2.atomics"), 64u);
  EXPECT_EQ(run.stat("l2.atomic_sectors"), 2u);
  EXPECT_EQ(run.stat("l1.atomic_requests"), 2u);
  EXPECT_EQ(run.stat("dram.reads"), 1u);
}

TEST(L2, StoreBehindAWaitingAtomicKeepsItsPlace) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.atomic({{0, 0}}, AtomicOp::add_u32, [](unsigned) { return 5u; });
  a.store({{0, 0}}, 4, [](unsigned, unsigned) { return std::uint8_t{1}; });  // final value: 0x01010101
  a.atomic({{0, 0}}, AtomicOp::max_u32, [](unsigned) { return 2u; });
  w.add({a});
  ToyRun run(even(), w);
  EXPECT_TRUE(run.result.clean);
}

TEST(L2, AllAtomicOperations) {
  for (const AtomicOp op :
       {AtomicOp::add_u32, AtomicOp::add_f32, AtomicOp::min_u32, AtomicOp::max_u32, AtomicOp::exch_u32}) {
    ToyWorkload w(4096);
    WarpBuilder a;
    a.atomic(WarpBuilder::row(128), op, [](unsigned lane) { return 0x3f800000u + lane; });
    w.add({a});
    EXPECT_TRUE(ToyRun(even(), w).result.clean);
  }
  std::uint32_t word = 7;
  auto* bytes = reinterpret_cast<std::uint8_t*>(&word);
  apply_atomic(AtomicOp::cas_u32, bytes, 9, 6);
  EXPECT_EQ(word, 7u);
  apply_atomic(AtomicOp::cas_u32, bytes, 9, 7);
  EXPECT_EQ(word, 9u);
}

}  // namespace
}  // namespace warpsieve::tb
