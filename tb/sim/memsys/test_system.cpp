// SM, L1 and crossbar on hand-made traces: exact latencies and hand-computed statistics.
// One SM, one controller, command clock = core clock, dram.latency = 0, so that every figure can be
// added up:  launch 0 | issue 1 | LSU 2 | crossbar grant 3 | 30 | L2 33 | ...
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/around.h"
#include "support/tree.h"
#include "toy.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using simt::Op;
using ::testing::HasSubstr;

Cycle cycles_of(const std::vector<WarpBuilder>& warps, const Profile& profile = even()) {
  ToyWorkload w(1 << 16);
  w.add(warps);
  ToyRun run(profile, w);
  EXPECT_TRUE(run.result.clean);
  return run.result.cycles;
}

TEST(Sm, TenDependentAluInstructionsTake41Cycles) {
  WarpBuilder a;
  a.alu(10);
  EXPECT_EQ(cycles_of({a}), 1u + 9 * 4 + 4);
}

TEST(Sm, TenIndependentAluInstructionsTake14Cycles) {
  WarpBuilder a;
  for (int i = 0; i < 10; ++i) a.alu();
  EXPECT_EQ(cycles_of({a}), 10u + 4);
  EXPECT_EQ(cycles_of({a, a, a, a}), 10u + 4);     // one scheduler each
  EXPECT_EQ(cycles_of({a, a, a, a, a}), 20u + 4);  // two warps share a scheduler
}

TEST(Sm, LatenciesOfTheOtherUnits) {
  for (const auto& [op, latency] : {std::pair{Op::sfu, 16u}, {Op::shared, 24u}, {Op::constant, 8u}}) {
    WarpBuilder a;
    a.alu(1, {a.op(op)});
    EXPECT_EQ(cycles_of({a}), 1u + latency + 4);
  }
}

TEST(Sm, ScoreboardWaitsOnlyForItsOwnSources) {
  WarpBuilder a;
  const auto slow = a.op(Op::sfu);  // 1 -> 17
  a.alu();                          // 2 -> 6
  a.alu(1, {slow});                 // 17 -> 21
  EXPECT_EQ(cycles_of({a}), 21u);
}

TEST(Sm, BarrierOpensOneCycleAfterTheLastWarp) {
  WarpBuilder slow, fast;
  slow.alu(5);     // 1, 5, 9, 13, 17
  slow.barrier();  // 18
  slow.alu();      // 19 -> 23
  fast.barrier();  // 1
  fast.alu();      // 19 -> 23
  EXPECT_EQ(cycles_of({slow, fast}), 23u);
  ToyWorkload w(4096);
  w.add({slow, fast});
  ToyRun run(even(), w);
  EXPECT_EQ(run.stat("sm.barriers"), 1u);
  EXPECT_EQ(run.stat("sm.warp_instructions"), 5u + 1 + 1 + 2);
  EXPECT_EQ(run.stat("sm.issue_cycles"), 7u);  // 1 (both), 5, 9, 13, 17, 18, 19 (both)
}

TEST(Sm, WarpsThatEndedDoNotHoldUpABarrier) {
  WarpBuilder ends, waits, empty;
  ends.alu();
  waits.barrier();
  waits.alu();
  EXPECT_EQ(cycles_of({waits, ends, empty}), 6u);
}

TEST(Sm, OccupancyLimitsBlocksByThreadsRegistersSharedMemoryAndSlots) {
  const auto run = [](std::uint32_t warps, std::uint32_t registers, std::uint32_t shared, unsigned blocks) {
    ToyWorkload w(4096);
    WarpBuilder a;
    auto last = a.op(Op::sfu);
    for (int i = 0; i < 6; ++i) last = a.op(Op::sfu, {last});  // 7 x 16 cycles
    w.add(std::vector<WarpBuilder>(warps, a));
    for (unsigned i = 1; i < blocks; ++i) w.block(std::vector<WarpBuilder>(warps, a));
    w.kernels[0].registers = registers;
    w.kernels[0].shared_bytes = shared;
    ToyRun r(even(), w);
    EXPECT_EQ(r.stat("sm.blocks"), blocks);
    return r.result.cycles > 2 * 112;  // a second wave
  };
  EXPECT_FALSE(run(8, 32, 0, 4));  // 1,024 threads
  EXPECT_TRUE(run(8, 32, 0, 5));
  EXPECT_FALSE(run(1, 256, 0, 8));  // 65,536 registers
  EXPECT_TRUE(run(1, 256, 0, 9));
  EXPECT_FALSE(run(1, 16, 32768, 2));  // 64 KB
  EXPECT_TRUE(run(1, 16, 32768, 3));
  EXPECT_FALSE(run(1, 16, 0, 32));  // 32 blocks
  EXPECT_TRUE(run(1, 16, 0, 33));
}

TEST(Sm, BlockThatNeverFitsIsAnError) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.alu();
  w.add({a}).shared_bytes = 65537;
  EXPECT_THROW(ToyRun(even(), w), std::invalid_argument);
}

/// Blocks of 32 threads that tell how many registers each thread needs, as the spill model's do.
ToyWorkload spilled(std::uint32_t registers, const std::vector<std::uint32_t>& per_block) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.alu(10);
  w.add({a}).registers = registers;
  for (std::size_t i = 1; i < per_block.size(); ++i) w.block({a});
  for (std::size_t i = 0; i < per_block.size(); ++i) w.kernels[0].blocks[i].registers = per_block[i];
  return w;
}

TEST(Sm, BlockThatNeedsMoreRegistersThanTheOneBeforeWaitsForRoom) {
  // 8 x 32 registers are taken; 28 x 32 more do not fit into 1,024, 24 x 32 do.
  const Profile machine = even({"sm.registers=1024"});
  ToyWorkload waits = spilled(32, {8, 28, 8}), fits = spilled(32, {8, 24, 8});
  ToyRun late(machine, waits), soon(machine, fits);
  EXPECT_EQ(late.stat("sm.blocks"), 3u);
  EXPECT_TRUE(late.result.clean);
  EXPECT_GT(late.result.cycles, soon.result.cycles);
  ToyWorkload never = spilled(32, {8, 33});
  EXPECT_THROW(ToyRun(machine, never), std::invalid_argument);
}

TEST(Sm, WhatABlockNeedsWithItsSpillsDecidesWhetherItFits) {
  ToyWorkload w = spilled(64, {32});  // 2,048 registers without spills
  EXPECT_EQ(ToyRun(even({"sm.registers=1024"}), w).stat("sm.blocks"), 1u);
  ToyWorkload never = spilled(8, {33});
  EXPECT_THROW(ToyRun(even({"sm.registers=1024"}), never), std::invalid_argument);
}

TEST(Sm, AddressOutsideOfDeviceMemoryIsAnError) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.load_line(4096 - 64);
  w.add({a});
  EXPECT_THROW(ToyRun(even(), w), std::out_of_range);
}

TEST(Memory, LoadMissTakes195Cycles) {
  // L2 at 33, controller 93, path 94, activate 95, reads 115 119 123 127, last data 149, reply 159,
  // grant 160, tail of 5 flits 194, result 195.
  WarpBuilder a;
  a.load_line(0);
  EXPECT_EQ(cycles_of({a}), 195u);
}

TEST(Memory, OneSectorMissTakes180Cycles) {
  // one burst: data 137, reply 147, grant 148, 2 flits 179, result 180
  WarpBuilder a;
  a.load({{0, 0}}, 4);
  EXPECT_EQ(cycles_of({a}), 180u);
}

TEST(Memory, L1HitTakes29CyclesFromIssue) {
  WarpBuilder a;
  a.load_line(0, {a.load_line(0)});  // issue 195, LSU 196, + 28
  EXPECT_EQ(cycles_of({a}), 195u + 29);
}

TEST(Memory, L2HitTakes169CyclesAfterTheFlushOfTheL1) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.load_line(0);
  w.add({a});
  w.add({a});
  ToyRun run(even(), w);
  // issue 1, LSU 2, L2 33, reply 133, grant 134, 168, 169
  EXPECT_EQ(run.result.cycles, 195u + 169u);
  EXPECT_EQ(run.stat("l1.hit_sectors"), 0u);
  EXPECT_EQ(run.stat("l2.read_hits"), 4u);
  EXPECT_EQ(run.stat("l2.read_misses"), 4u);
  EXPECT_EQ(run.stat("dram.requests_read_only"), 4u);
  EXPECT_EQ(run.stat("l1.miss_latency_sum"), (194u - 2) + (168u - 2));
}

TEST(Memory, LineFillFetchesTheWholeLineAtTheFirstMiss) {
  const auto run = [](bool line_fill) {
    ToyWorkload w(4096);
    WarpBuilder a;
    const auto first = a.load({{0, 32}}, 4);    // sector 1 misses
    a.alu(1, {a.load({{0, 96}}, 4, {first})});  // sector 3 hits only when the line came
    w.add({a});
    Profile profile = even();
    profile.l1.line_fill = line_fill;
    ToyRun r(profile, w);
    EXPECT_TRUE(r.result.clean);
    return std::pair{r.stat("l1.miss_sectors"), r.stat("l1.hit_sectors")};
  };
  EXPECT_EQ(run(true), (std::pair<std::uint64_t, std::uint64_t>{4, 1}));
  EXPECT_EQ(run(false), (std::pair<std::uint64_t, std::uint64_t>{2, 0}));
}

TEST(Memory, CoalescerMakesOneRequestPerLineAndSector) {
  ToyWorkload w(1 << 16);
  WarpBuilder a;
  a.load_line(0);  // 1 line, 4 sectors
  WarpBuilder::Lanes spread, pairs;
  for (unsigned l = 0; l < 32; ++l) spread.emplace_back(l, 4096 + 128 * l);
  for (unsigned l = 0; l < 32; ++l) pairs.emplace_back(l, 16384 + 64 * l);
  a.load(spread, 4);               // 32 lines, 1 sector each
  a.load(pairs, 8);                // 16 lines, 2 sectors each
  a.load({{3, 32768 + 120}}, 16);  // straddles two lines
  a.load({}, 4);                   // no lane
  w.add({a});
  ToyRun run(even(), w);
  EXPECT_EQ(run.stat("sm.line_requests"), 1u + 32 + 16 + 2);
  EXPECT_EQ(run.stat("l1.load_sectors"), 4u + 32 + 32 + 2);
  EXPECT_EQ(run.stat("sm.loads"), 5u);
  EXPECT_EQ(run.stat("sm.warp_instructions"), 5u);
  EXPECT_EQ(run.stat("sm.thread_instructions"), 32u + 32 + 32 + 1);
  EXPECT_EQ(run.stat("noc.request_flits"), 51u);
  EXPECT_EQ(run.stat("noc.reply_flits"), 5u + 32 * 2 + 16 * 3 + 2 * 2);  // 8 + 64 bytes: 3 flits
}

TEST(Memory, LoadsOfALineOnItsWayMergeInTheL1) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.load({{0, 0}}, 4);
  a.load({{0, 0}, {1, 32}}, 4);
  w.add({a});
  ToyRun run(even(), w);
  EXPECT_EQ(run.stat("l1.miss_sectors"), 2u);
  EXPECT_EQ(run.stat("l1.merged_sectors"), 1u);
  EXPECT_EQ(run.stat("l2.read_sectors"), 2u);
}

TEST(Memory, L1ReplacesTheLeastRecentlyUsedLine) {
  ToyWorkload w(4096);
  WarpBuilder a;
  auto last = a.load_line(0);
  for (simt::Addr at : {128, 0, 256, 0, 128}) last = a.load_line(at, {last});  // 2 ways: 256 replaces 128
  w.add({a});
  ToyRun run(even({"l1.sets=1", "l1.ways=2"}), w);
  EXPECT_EQ(run.stat("l1.hit_sectors"), 8u);
  EXPECT_EQ(run.stat("l1.miss_sectors"), 16u);
}

TEST(Memory, StoresAreWrittenThroughAndUpdateAHitOnly) {
  ToyWorkload w(4096);
  WarpBuilder a;
  const auto l = a.load({{0, 0}}, 4);
  a.alu(1, {l});
  a.store({{0, 0}, {1, 64}}, 4, [](unsigned, unsigned b) { return static_cast<std::uint8_t>(b); }, {l});
  a.load({{0, 0}}, 4);
  w.add({a});
  ToyRun run(even(), w);
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("l1.store_sectors"), 2u);
  EXPECT_EQ(run.stat("l1.store_hit_sectors"), 1u);
  EXPECT_EQ(run.stat("l1.hit_sectors"), 1u);
  EXPECT_EQ(run.stat("l1.stale_hits"), 1u);           // the copy is newer than the L2 until the store arrives there
  EXPECT_EQ(run.stat("noc.request_flits"), 1u + 3u);  // 8 + 2 x 32 bytes
  EXPECT_EQ(run.stat("noc.reply_flits"), 2u + 1u);
}

TEST(Memory, FillThatAStoreOvertookIsNotKept) {
  ToyWorkload w(4096);
  WarpBuilder a;
  const auto l = a.load({{0, 0}}, 4);
  a.store({{0, 0}}, 4, [](unsigned, unsigned) { return std::uint8_t{9}; });  // while the load is under way
  a.load({{0, 0}}, 4, {l});
  w.add({a});
  ToyRun run(even(), w);
  EXPECT_EQ(run.stat("l1.hit_sectors"), 0u);
  EXPECT_EQ(run.stat("l1.miss_sectors"), 2u);
}

TEST(Memory, LoadBehindAStoreDoesNotJoinTheReadThatTheStoreOvertook) {
  for (const bool atomic : {false, true}) {
    WarpBuilder warp;
    warp.load_line(0);
    if (atomic)
      warp.atomic({{0, 0}}, simt::AtomicOp::add_u32, [](unsigned) { return 1u; });
    else
      warp.store({{0, 0}}, 4, [](unsigned, unsigned) { return std::uint8_t{7}; });
    warp.load({{0, 0}}, 4);
    warp.load({{8, 32}}, 4);  // behind it in the LSU
    ToyWorkload w(4096);
    w.add({warp});
    ToyRun run(even(), w);
    EXPECT_TRUE(run.result.clean);
    EXPECT_EQ(run.stat("l1.load_requests"), 3u);
    EXPECT_EQ(run.stat("l1.merged_sectors"), 0u) << atomic;
    EXPECT_EQ(run.stat("l1.miss_sectors"), 4u + 1u) << atomic;  // sector 0 twice
    EXPECT_EQ(run.stat("l1.hit_sectors"), 1u) << atomic;        // sector 1, when the first read is back
  }
}

TEST(Gpu, HostWritesReachMemoryAndAreNotCounted) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.load_line(0);
  w.add({a});
  w.add({a}).before = {{kBase + 100, std::vector<std::uint8_t>(500, 0x77)}};
  ToyRun run(even(), w);
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("l2.write_sectors"), 0u);
  EXPECT_EQ(run.stat("l2.requests"), 2u);
  EXPECT_EQ(run.result.cycles, 195u + 169u);  // bytes 100.. are dirty in the L2; line 0 is still a hit
}

TEST(Gpu, EverySectorIsReadBack) {
  ToyWorkload w(1000);
  WarpBuilder a;
  a.alu();
  w.add({a});
  ToyRun run(tiny({"gpu.controllers=3"}), w);
  EXPECT_EQ(run.gpu.golden().checks(Source::read_back), 32u);  // 1,000 bytes: 8 lines
}

/// Changes one byte of everything it reads of one line.
class LyingPath final : public PathAround {
 public:
  explicit LyingPath(PathOwner& host) : PathAround(std::make_unique<schemes::BaselinePath>(host)) {}
  void on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* data) override {
    std::uint8_t copy[kSectorBytes];
    std::memcpy(copy, data, kSectorBytes);
    copy[3] ^= ++count_ == 2;
    inner_->on_dram_read(now, cookie, copy);
  }

 private:
  int count_ = 0;
};
/// Never takes a read.
class DeafPath final : public ControllerPath {
 public:
  bool push_read(Cycle, unsigned, const ReadRequest&) override { return false; }
  bool push_write(Cycle, unsigned, const WriteRequest&) override { return false; }
  void on_dram_read(Cycle, std::uint64_t, const std::uint8_t*) override {}
  Cycle tick(Cycle) override { return kNever; }
  bool idle() const override { return true; }
  std::string describe() const override { return "deaf"; }
};
template <class Path>
class TestScheme final : public Scheme {
 public:
  std::string name() const override { return "test"; }
  std::unique_ptr<ControllerPath> make_path(unsigned, PathOwner& host, Stats&) override {
    if constexpr (std::is_same_v<Path, DeafPath>)
      return std::make_unique<Path>();
    else
      return std::make_unique<Path>(host);
  }
  std::unique_ptr<L2VictimPort> make_victim_port(unsigned, unsigned, Stats&) override { return nullptr; }
};

/// Asks the L2 for the line itself whenever a read arrives for the line after next.
class ProbingPath final : public PathAround {
 public:
  explicit ProbingPath(PathOwner& host) : PathAround(std::make_unique<schemes::BaselinePath>(host)), host_(host) {}
  bool push_read(Cycle now, unsigned slice, const ReadRequest& r) override {
    if (r.line >= 2 && !(r.tag & L2Slice::kReadBackTag)) {
      LineData data;
      const SectorMask found = host_.probe(now, LocalLine{r.line - 2}, 0xf, data);
      host_.check(now, LocalLine{r.line - 2}, found, data, Source::cache_assisted);
    }
    return inner_->push_read(now, slice, r);
  }

 private:
  PathOwner& host_;
};

TEST(L2, ProbeFindsValidCleanSectorsOnly) {
  ToyWorkload w(4096);
  WarpBuilder a;
  const auto l = a.load({{0, 0}, {1, 32}, {2, 64}}, 4);  // sectors 0..2 of line 0
  const auto s = a.store({{0, 32}}, 4, [](unsigned, unsigned) { return std::uint8_t{1}; }, {l});  // 1 is dirty
  a.load_line(256, {a.load_line(2048, {s})});  // line 2 probes line 0
  w.add({a});
  TestScheme<ProbingPath> scheme;
  Gpu gpu(even(), scheme, w);
  EXPECT_TRUE(gpu.run().clean);
  EXPECT_EQ(gpu.stats().value("l2.probes"), 2u);      // for 2048 (finds nothing) and for 256
  EXPECT_EQ(gpu.stats().value("l2.probe_hits"), 2u);  // sectors 0 and 2
  EXPECT_EQ(gpu.golden().checks(Source::cache_assisted), 2u);
}

TEST(Golden, OneFlippedByteIsFoundWithItsAddress) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.load_line(0);
  w.add({a});
  TestScheme<LyingPath> scheme;
  Gpu gpu(even(), scheme, w);
  const Result result = gpu.run();
  EXPECT_FALSE(result.clean);
  ASSERT_FALSE(gpu.golden().first().empty());
  EXPECT_EQ(gpu.golden().first()[0].address, kBase + 32 + 3);
  EXPECT_EQ(gpu.golden().first()[0].source, Source::dram);
}

TEST(Gpu, DeadlockSaysWhoWaitsForWhom) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.load_line(0);
  w.add({a});
  TestScheme<DeafPath> scheme;
  Gpu gpu(even(), scheme, w);
  try {
    gpu.run();
    FAIL() << "no deadlock reported";
  } catch (const Deadlock& e) {
    EXPECT_THAT(e.what(), HasSubstr("SM 0: 1 blocks, 1 packets under way"));
    EXPECT_THAT(e.what(), HasSubstr("l2 slice 0: 1 MSHRs in use, 1 reads and 0 evictions wait for the controller"));
    EXPECT_THAT(e.what(), HasSubstr("read of line 0 is first"));
  }
}

TEST(Profile, BuiltInProfilesAreTheMachinesOfTheirNames) {
  const Profile cmd = load_profile("cmd"), quarter = load_profile("cmd-quarter");
  EXPECT_EQ(cmd.sms, 80u);
  EXPECT_EQ(cmd.controllers, 8u);
  EXPECT_EQ(cmd.controllers * 2 * cmd.l2.sets * cmd.l2.ways * 128, 4u << 20);
  EXPECT_EQ(quarter.sms, 20u);
  EXPECT_EQ(quarter.controllers * 2 * quarter.l2.sets * quarter.l2.ways * 128, 1u << 20);
  EXPECT_EQ(cmd.l1.sets * cmd.l1.ways * 128, 64u << 10);
  const Profile dpc = load_profile("dpc"), small = load_profile("dpc-quarter");
  EXPECT_EQ(dpc.sms, 56u);
  EXPECT_EQ(dpc.l1.sets * dpc.l1.ways * 128, 16u << 10);
  EXPECT_EQ(2 * dpc.l2.sets * dpc.l2.ways * 128, 128u << 10);  // per controller
  EXPECT_EQ(dpc.noc.topology, kMeshTopology);
  EXPECT_EQ(small.sms * 4, dpc.sms);
  EXPECT_EQ(small.controllers * 4, dpc.controllers);
  EXPECT_THROW(load_profile("dpc", {"gpu.sms=57"}), ConfigError);        // 64 nodes
  EXPECT_THROW(load_profile("dpc", {"noc.mesh_width=3"}), ConfigError);  // 4 controllers in a row
  EXPECT_THROW(load_profile("cdm"), ConfigError);
  for (const char* name : {"/no/such.toml", "/", "/dev/null"}) EXPECT_THROW(load_profile(name), BadInput);
  EXPECT_THROW(load_profile("cmd", {"dram.write_low=60"}), ConfigError);
  EXPECT_EQ(load_profile(tb::in_sources("sim_cpp/configs/cmd-quarter.toml")).sms, 20u);
}

}  // namespace
}  // namespace warpsieve::tb
