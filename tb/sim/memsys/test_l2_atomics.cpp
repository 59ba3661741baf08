// The atomic unit of an L2 slice: how many cycles packets take that find it free or busy (l2.atomic_ops,
// l2.atomic_same_address). One SM, one controller, command clock = core clock, so that cycles can be added up.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "toy.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using simt::AtomicOp;

struct AtomicOutcome {
  Cycle cycles;
  std::uint64_t stalls;
};

AtomicOutcome run(ToyWorkload w, std::vector<std::string> set) {
  set.insert(set.end(), {"dram.command_mhz=1365", "dram.latency=0", "dram.tREFI=1000000", "noc.input_queue=64"});
  ToyRun run(tiny(set), w);
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  return {run.result.cycles, run.stat("l2.stall_cycles")};
}

/// The line is brought first; then `warps` warps have `each` atomics of 32 lanes on it, all on one word or each lane
/// on its own.
ToyWorkload atomics(bool one_word, unsigned warps = 1, unsigned each = 1) {
  ToyWorkload w(4096);
  WarpBuilder warm;
  warm.load_line(0);
  w.add({warm});
  WarpBuilder a;
  WarpBuilder::Lanes lanes;
  for (unsigned l = 0; l < 32; ++l) lanes.emplace_back(l, one_word ? 64 : 4 * l);
  for (unsigned i = 0; i < each; ++i) a.atomic(lanes, AtomicOp::add_u32, [](unsigned lane) { return lane; });
  w.add(std::vector<WarpBuilder>(warps, a));
  return w;
}

std::vector<std::string> unit(unsigned ops, unsigned same) {
  return {fmt::format("l2.atomic_ops={}", ops), fmt::format("l2.atomic_same_address={}", same)};
}

Cycle cycles(bool one_word, unsigned ops, unsigned same) { return run(atomics(one_word), unit(ops, same)).cycles; }

TEST(AtomicUnit, OnePacketTakesItsLaneOperations) {
  const Cycle today = cycles(false, 0, 0), one_sector = cycles(true, 0, 0);
  EXPECT_EQ(cycles(false, 32, 0), today);
  EXPECT_EQ(cycles(false, 8, 0), today + 3);
  EXPECT_EQ(cycles(false, 5, 0), today + 6);
  EXPECT_EQ(cycles(false, 1, 0), today + 31);
  EXPECT_EQ(cycles(true, 1, 0), one_sector + 31);
}

TEST(AtomicUnit, OneAddressTakesAnOperationAfterTheOtherAndManyDoNot) {
  const Cycle today = cycles(false, 0, 0), one_sector = cycles(true, 0, 0);
  EXPECT_EQ(cycles(false, 0, 1), today);
  EXPECT_EQ(cycles(true, 0, 1), one_sector + 31);
  EXPECT_EQ(cycles(false, 16, 1), today + 1);
  EXPECT_EQ(cycles(true, 16, 1), one_sector + 31);
  EXPECT_EQ(cycles(true, 16, 2), one_sector + 63);
}

/// A lane per packet, so that the network is not what limits: `n` atomics at one operation of 3 cycles each.
TEST(AtomicUnit, PacketsThatFindItBusyWaitAndAreCounted) {
  const auto lanes = [](unsigned n) {
    ToyWorkload w(4096);
    WarpBuilder warm, a;
    warm.load_line(0);
    for (unsigned i = 0; i < n; ++i) a.atomic({{0, 0}}, AtomicOp::add_u32, [](unsigned) { return 1u; });
    w.add({warm});
    w.add({a});
    return w;
  };
  const AtomicOutcome short_run = run(lanes(8), unit(0, 3)), long_run = run(lanes(24), unit(0, 3));
  EXPECT_EQ(long_run.cycles - short_run.cycles, 16u * 3);
  EXPECT_EQ(run(lanes(24), unit(0, 0)).stalls, 0u);
  EXPECT_GT(long_run.stalls, short_run.stalls);
}

TEST(AtomicUnit, ThroughputIsWhatTheParameterSays) {
  constexpr unsigned kWarps = 8, kEach = 8, kPackets = kWarps * kEach;
  for (const unsigned ops : {1u, 2u, 4u}) {
    for (const bool one_word : {false, true}) {
      const Cycle all = run(atomics(one_word, kWarps, kEach), unit(ops, 0)).cycles;
      const Cycle half = run(atomics(one_word, kWarps, kEach / 2), unit(ops, 0)).cycles;
      EXPECT_EQ(all - half, kPackets / 2 * 32 / ops) << ops << one_word;
    }
  }
  // One address: an operation per cycle. Many: what the request network brings, 5 flits per packet.
  for (const bool one_word : {false, true}) {
    const Cycle all = run(atomics(one_word, kWarps, kEach), unit(8, 1)).cycles;
    const Cycle half = run(atomics(one_word, kWarps, kEach / 2), unit(8, 1)).cycles;
    EXPECT_EQ(all - half, kPackets / 2 * (one_word ? 32 : 5)) << one_word;
  }
}

TEST(AtomicUnit, AtomicsThatWaitedForTheirFillQueueBeforeIt) {
  const auto cold = [](std::vector<std::string> set) {
    ToyWorkload w(4096);
    WarpBuilder a;
    for (unsigned i = 0; i < 4; ++i) a.atomic({{0, 0}}, AtomicOp::add_u32, [](unsigned) { return 1u; });
    w.add({a});
    return run(std::move(w), std::move(set)).cycles;
  };
  // The fill performs all four. The last reply leaves 40 cycles later instead of behind three of 2 flits.
  EXPECT_EQ(cold(unit(0, 10)) - cold(unit(0, 0)), 39u - 3 * 2);
}

TEST(AtomicUnit, LoadsPassWhileItIsBusyUnlessAnAtomicIsBeforeThem) {
  const auto load_behind = [](unsigned atomics, std::vector<std::string> set) {
    ToyWorkload w(4096);
    WarpBuilder warm, a;
    warm.load_line(0);
    warm.load_line(256);
    for (unsigned i = 0; i < atomics; ++i) a.atomic({{0, 0}}, AtomicOp::add_u32, [](unsigned) { return 1u; });
    a.load({{0, 256}}, 4);
    w.add({warm});
    w.add({a});
    return run(std::move(w), std::move(set)).stalls;
  };
  EXPECT_EQ(load_behind(1, unit(0, 40)), 0u);
  EXPECT_GT(load_behind(2, unit(0, 40)), 30u);
}

TEST(AtomicUnit, AMachineWhoseAtomicsLookLikeADeadlockIsAnError) {
  EXPECT_NO_THROW(tiny({"gpu.patience=1025", "l2.atomic_same_address=32"}));
  EXPECT_THROW(tiny({"gpu.patience=1024", "l2.atomic_same_address=32"}), ConfigError);
}

}  // namespace
}  // namespace warpsieve::tb
