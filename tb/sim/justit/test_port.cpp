// The four systems of the JUSTIT paper, step by step: who keeps what, when it is there, what stores and wider
// loads do to it.
#include <gtest/gtest.h>

#include "support.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

const char* const kSystems[] = {"lamar", "lamar+bypass", "lamar+shm", "justit"};

SchemeRun run(const std::string& scheme, const Chain& chain, std::uint32_t shared = 0,
              std::vector<std::string> set = {}, const std::vector<std::string>& machine = {}) {
  return {scheme_of(scheme, std::move(set)), chain_workload(chain, shared), tiny(machine)};
}
Cycle cycles(const std::string& scheme, const Chain& chain, const std::vector<std::string>& machine = {}) {
  return run(scheme, chain, 0, {}, machine).result.cycles;
}

TEST(OneSectorLoads, FirstSecondAndThirdLoadInEachSystem) {
  struct Expected {
    const char* scheme;
    std::uint64_t asked, l1_hits, bypasses, shm_fills, shm_hits, l1_fills, shm_lookups;
  };
  // lamar: fill, hit, hit. +bypass: no fill, fill, hit. +shm: fill, hit, hit. Both: no fill, shared memory, hit
  // there.
  for (const Expected& e : {Expected{"lamar", 1, 2, 0, 0, 0, 1, 0},
                            {"lamar+bypass", 2, 1, 1, 0, 0, 1, 0},
                            {"lamar+shm", 1, 2, 0, 0, 0, 1, 3},
                            {"justit", 2, 0, 1, 1, 1, 0, 3 + 1}}) {
    SchemeRun r = run(e.scheme, Chain().load(one(3, 1)).load(one(3, 1)).load(one(3, 1)));
    EXPECT_TRUE(r.result.clean);
    EXPECT_EQ(r.stat("justit.one_sector_loads"), 3u) << e.scheme;
    EXPECT_EQ(r.stat("l1.miss_sectors"), e.asked) << e.scheme;
    EXPECT_EQ(r.stat("l1.hit_sectors"), e.l1_hits) << e.scheme;
    EXPECT_EQ(r.stat("justit.bypasses"), e.bypasses) << e.scheme;
    EXPECT_EQ(r.stat("justit.shm_fills"), e.shm_fills) << e.scheme;
    EXPECT_EQ(r.stat("justit.shm_hits"), e.shm_hits) << e.scheme;
    EXPECT_EQ(r.stat("l1.fill_sectors"), e.l1_fills) << e.scheme;
    EXPECT_EQ(r.stat("justit.shm_lookups"), e.shm_lookups) << e.scheme;
    EXPECT_EQ(r.stat("justit.shm_stale_hits"), 0u) << e.scheme;
  }
}

TEST(OneSectorLoads, UnderShmASectorThatLeftTheL1ComesBackToSharedMemory) {
  // One line of L1: the load of line 8 replaces line 3, whose second load is then known to the predictor.
  const Chain chain = Chain().load(one(3, 1)).load(two(8, 0, 1)).load(one(3, 1)).load(one(3, 1)).load(two(8, 0, 1));
  SchemeRun r = run("lamar+shm", chain, 0, {}, {"l1.sets=1", "l1.ways=1"});
  EXPECT_EQ(r.stat("justit.shm_fills"), 1u);
  EXPECT_EQ(r.stat("justit.shm_hits"), 1u);
  EXPECT_EQ(r.stat("l1.hit_sectors"), 2u);  // line 8 stayed
  EXPECT_EQ(r.stat("l1.miss_sectors"), 1u + 2 + 1);
}

TEST(Latency, SharedMemoryHitTakesTwoCyclesMoreThanSharedMemory) {
  const Chain seen = Chain().load(one(3, 1)).load(one(3, 1));
  const Chain again = Chain(seen).load(one(3, 1));
  // The third load issues when the second is done, reaches the L1 in the next cycle and has its data later.
  EXPECT_EQ(cycles("justit", again) - cycles("justit", seen), 1u + 2 + 24);
  EXPECT_EQ(cycles("lamar", again) - cycles("lamar", seen), 1u + 28);
  const std::vector<std::string> slow = {"sm.shared_latency=40"};
  EXPECT_EQ(cycles("justit", again, slow) - cycles("justit", seen, slow), 1u + 2 + 40);
}

TEST(Latency, SecondOfTwoSharedMemoryHitsWaitsForTheTwoCyclesOfTheFirst) {
  const WarpBuilder::Lanes pair = {{0, 3 * 128}, {1, 9 * 128}};
  const Chain seen = Chain().load(pair).load(pair), again = Chain(seen).load(pair);
  // Requests at t and t + 1; shared memory is free for the second at t + 2.
  EXPECT_EQ(cycles("justit", again) - cycles("justit", seen), 1u + 2 + 2 + 24);
  EXPECT_EQ(run("justit", again).stat("justit.shm_wait_cycles"), 1u);
}

TEST(Bypass, OneFetchAnswersTheLoadsThatCameMeanwhileAndFillsNothing) {
  ToyWorkload w(1 << 16);
  WarpBuilder a;
  a.alu(1, {a.load(one(5, 2), 4)});
  WarpBuilder late;  // when the data is there for long
  late.load(one(5, 2), 4, {late.alu(1000)});
  w.add({a, a, late});
  // With threshold 2 the third request is the first that counts as seen.
  SchemeRun r(scheme_of("justit", {"justit.threshold=2"}), std::move(w), tiny());
  EXPECT_EQ(r.stat("justit.bypasses"), 1u);
  EXPECT_EQ(r.stat("justit.bypass_merges"), 1u);
  EXPECT_EQ(r.stat("l1.merged_sectors"), 1u);
  EXPECT_EQ(r.stat("l1.miss_sectors"), 2u);  // the late one again: nothing was kept
  EXPECT_EQ(r.stat("l1.fills"), 2u);
  EXPECT_EQ(r.stat("l1.hit_sectors"), 0u);
  EXPECT_EQ(r.stat("justit.shm_fills"), 1u);
}

TEST(Bypass, SecondRequestThatMeetsTheFetchKeepsTheSector) {
  ToyWorkload w(1 << 16);
  WarpBuilder a;
  a.load(one(5, 2), 4);
  w.add({a, a});
  SchemeRun r(scheme_of("justit"), std::move(w), tiny());
  EXPECT_EQ(r.stat("l1.miss_sectors"), 1u);
  EXPECT_EQ(r.stat("justit.bypasses"), 1u);
  EXPECT_EQ(r.stat("justit.shm_fills"), 1u);
}

TEST(Bypass, WiderLoadThatMeetsTheFetchTakesTheSectorIntoTheL1) {
  ToyWorkload w(1 << 16);
  WarpBuilder a, b;
  a.load(one(5, 2), 4);
  b.load(two(5, 2, 3), 4);
  b.load(two(5, 2, 3), 4, {b.alu(1000)});
  w.add({a, b});
  SchemeRun r(scheme_of("justit"), std::move(w), tiny());
  EXPECT_EQ(r.stat("l1.miss_sectors"), 2u);
  EXPECT_EQ(r.stat("l1.merged_sectors"), 1u);
  EXPECT_EQ(r.stat("l1.hit_sectors"), 2u);
}

TEST(SharedMemory, StoreUpdatesTheBytesItWrites) {
  SchemeRun r = run("justit", Chain().load(one(3, 1)).load(one(3, 1)).store(one(3, 1), 77).load(one(3, 1)));
  EXPECT_EQ(r.stat("justit.shm_stores"), 1u);
  EXPECT_EQ(r.stat("justit.shm_hits"), 1u);
  EXPECT_EQ(r.stat("justit.shm_stale_hits"), 0u);
  EXPECT_TRUE(r.result.clean);
}

TEST(SharedMemory, StoreToAnAbsentSectorAllocatesNothing) {
  SchemeRun r = run("justit", Chain().store(one(3, 1), 77).load(one(3, 1)));
  EXPECT_EQ(r.stat("justit.shm_stores"), 0u);
  EXPECT_EQ(r.stat("justit.shm_hits"), 0u);
}

TEST(SharedMemory, AtomicDropsTheSector) {
  SchemeRun r =
      run("justit", Chain().load(one(3, 1)).load(one(3, 1)).wait().atomic(one(3, 1)).wait().load(one(3, 1)));
  EXPECT_EQ(r.stat("justit.shm_dropped"), 1u);
  EXPECT_EQ(r.stat("justit.shm_hits"), 0u);
  EXPECT_EQ(r.stat("justit.shm_fills"), 2u);
  EXPECT_TRUE(r.result.clean);
}

TEST(SharedMemory, LoadOfSeveralSectorsFillsTheL1AndDropsTheLine) {
  const Chain chain =
      Chain().load(one(3, 1)).load(one(3, 1)).load(one(3, 2)).load(one(3, 2)).load(two(3, 0, 1)).load(one(3, 1));
  SchemeRun r = run("justit", chain);
  EXPECT_EQ(r.stat("justit.shm_fills"), 2u);
  EXPECT_EQ(r.stat("justit.shm_dropped"), 2u);   // sectors 1 and 2
  EXPECT_EQ(r.stat("l1.miss_sectors"), 4u + 2);  // the wide load asks for both
  EXPECT_EQ(r.stat("l1.hit_sectors"), 1u);
  EXPECT_EQ(r.stat("justit.shm_hits"), 0u);
}

TEST(SharedMemory, WideLoadThatHitsInTheL1DropsNothing) {
  const Chain chain = Chain().load(two(3, 0, 1)).load(one(3, 2)).load(one(3, 2)).load(two(3, 0, 1)).load(one(3, 2));
  SchemeRun r = run("justit", chain);
  EXPECT_EQ(r.stat("justit.shm_dropped"), 0u);
  EXPECT_EQ(r.stat("justit.shm_hits"), 1u);
  EXPECT_EQ(r.stat("l1.hit_sectors"), 2u);
}

TEST(SharedMemory, IsEmptyAfterAKernelAndThePredictorRemembersUnlessTold) {
  for (const bool forget : {false, true}) {
    ToyWorkload w(1 << 16);
    for (int kernel = 0; kernel < 2; ++kernel) w.add({Chain().load(one(3, 1)).load(one(3, 1)).warp()});
    SchemeRun r(scheme_of("justit", {std::string("justit.forget_per_kernel=") + (forget ? "1" : "0")}), std::move(w),
                tiny());
    EXPECT_EQ(r.stat("l1.miss_sectors"), forget ? 4u : 3u);
    EXPECT_EQ(r.stat("justit.bypasses"), forget ? 2u : 1u);
    EXPECT_EQ(r.stat("justit.shm_hits"), forget ? 0u : 1u);
    EXPECT_EQ(r.stat("justit.shm_fills"), 2u);
  }
}

/// Blocks of 256 threads and 32 registers: 6 by threads, 4 by registers on the justit machine.
TEST(SpareBytes, FollowTheOccupancyOfEachKernel) {
  struct Case {
    std::uint32_t shared, registers, sets;
  };
  for (const Case& c : {Case{0, 32, 49152 / 144},                    // nothing allocated
                        Case{10000, 32, (49152 - 4 * 10000) / 144},  // 4 blocks by registers and by shared memory
                        Case{4000, 32, (49152 - 4 * 4000) / 144},    // 4 by registers
                        Case{4000, 16, (49152 - 6 * 4000) / 144},    // 6 by threads
                        Case{20000, 16, (49152 - 2 * 20000) / 144},  // 2 by shared memory
                        Case{49152, 16, 0}, Case{49152 - 144, 16, 1}}) {
    ToyWorkload w(1 << 16);
    w.add(std::vector<WarpBuilder>(8, Chain().load(one(3, 1)).warp()));
    w.kernels[0].shared_bytes = c.shared;
    w.kernels[0].registers = c.registers;
    SchemeRun r(scheme_of("justit"), std::move(w), load_profile("justit", {"gpu.sms=1"}));
    EXPECT_EQ(r.stat("justit.shm_sets"), c.sets) << c.shared << " " << c.registers;
    EXPECT_EQ(r.result.stats["kernels"][0]["spare_shared_bytes"].get<unsigned>() / 144, c.sets);
  }
}

TEST(SpareBytes, FollowTheOccupancyThatSpillsAllow) {
  // 32 registers per thread without spills: 4 blocks; with 16: 6 by threads.
  ToyWorkload w(1 << 16);
  w.add(std::vector<WarpBuilder>(8, Chain().load(one(3, 1)).warp())).shared_bytes = 4000;
  w.kernels[0].blocks[0].registers = 16;
  SchemeRun r(scheme_of("justit"), std::move(w), load_profile("justit", {"gpu.sms=1"}));
  EXPECT_EQ(r.stat("justit.shm_sets"), (49152u - 6 * 4000) / 144);
  EXPECT_EQ(r.result.stats["kernels"][0]["spare_shared_bytes"], 49152 - 6 * 4000);
}

TEST(SpareBytes, KernelsAreMeasuredOneByOne) {
  ToyWorkload w(1 << 16);
  for (const std::uint32_t shared : {49152u, 0u}) {
    w.add({Chain().load(one(3, 1)).load(one(3, 1)).load(one(3, 1)).warp()}).shared_bytes = shared;
  }
  SchemeRun r(scheme_of("justit"), std::move(w), load_profile("justit", {"gpu.sms=1"}));
  EXPECT_EQ(r.stat("justit.shm_sets"), 341u);
  // Without room: bypass, L1 (nowhere else to go), L1 hit. With: shared memory (the history is there), two hits.
  EXPECT_EQ(r.stat("justit.bypasses"), 1u);
  EXPECT_EQ(r.stat("l1.hit_sectors"), 1u);
  EXPECT_EQ(r.stat("justit.shm_fills"), 1u);
  EXPECT_EQ(r.stat("justit.shm_hits"), 2u);
}

TEST(SpareBytes, OneSetHoldsFourSectors) {
  Chain chain;
  for (int round = 0; round < 2; ++round)
    for (unsigned line = 0; line < 5; ++line) chain.load(one(line, 0));
  chain.load(one(4, 0)).load(one(0, 0));
  SchemeRun r = run("justit", chain, 0, {}, {"sm.shared_bytes=144"});
  EXPECT_EQ(r.stat("justit.shm_fills"), 5u + 1);
  EXPECT_EQ(r.stat("justit.shm_evictions"), 2u);
  EXPECT_EQ(r.stat("justit.shm_hits"), 1u);  // line 4; line 0 was the oldest
}

TEST(Lamar, FetchesOnlySectorsOnAMachineThatFetchesLines) {
  const Chain chain = Chain().load(one(3, 1));
  EXPECT_EQ(run("baseline", chain, 0, {}, {"l1.line_fill=1"}).stat("l1.miss_sectors"), 4u);
  for (const char* scheme : kSystems)
    EXPECT_EQ(run(scheme, chain, 0, {}, {"l1.line_fill=1"}).stat("l1.miss_sectors"), 1u) << scheme;
}

TEST(Blocks, AreCountedByWhatBecameOfThem) {
  // One set of one way: lines 0, 8, ... follow each other.
  Chain chain;
  chain.load(one(0, 0));                                     // singular
  chain.load(one(1, 1)).load(one(1, 1)).load(one(1, 1));     // multiple
  chain.load(one(2, 2)).load(one(2, 3)).load(two(2, 0, 3));  // extended to three sectors
  chain.load(two(3, 0, 1));                                  // two sectors at once
  chain.load({{0, 4 * 128}, {1, 4 * 128 + 32}, {2, 4 * 128 + 64}, {3, 4 * 128 + 96}});
  chain.load(one(0, 0)).store(one(0, 0), 1);  // back again, stored to, there until the end
  SchemeRun r = run("lamar", chain, 0, {}, {"l1.sets=1", "l1.ways=1"});
  EXPECT_EQ(r.stat("l1_blocks.ended"), 6u);
  EXPECT_EQ(r.stat("l1_blocks.singular"), 2u);
  EXPECT_EQ(r.stat("l1_blocks.singular_stored"), 1u);
  EXPECT_EQ(r.stat("l1_blocks.multiple"), 1u);
  EXPECT_EQ(r.stat("l1_blocks.extended"), 1u);
  EXPECT_EQ(r.stat("l1_blocks.returned"), 1u);
  EXPECT_EQ(r.stat("l1_blocks.sectors_1"), 3u);
  EXPECT_EQ(r.stat("l1_blocks.sectors_2"), 1u);
  EXPECT_EQ(r.stat("l1_blocks.sectors_3"), 1u);
  EXPECT_EQ(r.stat("l1_blocks.sectors_4"), 1u);
}

TEST(Blocks, StoreThatEvictsEndsTheBlockOfTheSectorsItHits) {
  const Chain chain =
      Chain().load(two(3, 0, 1)).store(one(3, 0), 5).load(one(3, 1)).store(one(3, 1), 6).load(one(3, 1));
  SchemeRun keeps = run("lamar", chain), evicts = run("lamar", chain, 0, {}, {"l1.store_evicts=1"});
  EXPECT_EQ(keeps.stat("l1.miss_sectors"), 2u);
  EXPECT_EQ(keeps.stat("l1_blocks.ended"), 1u);
  EXPECT_EQ(evicts.stat("l1.miss_sectors"), 3u);
  EXPECT_EQ(evicts.stat("l1.store_hit_sectors"), 2u);
  EXPECT_EQ(evicts.stat("l1_blocks.ended"), 2u);
  EXPECT_EQ(evicts.stat("l1_blocks.singular"), 1u);
  EXPECT_TRUE(evicts.result.clean);
}

TEST(Blocks, LineThatAReplyOnItsWayBringsBackIsABlockOfItsOwn) {
  // One line in the L1: line 1 drives line 0 out, whose second sector comes after that.
  for (const bool again : {false, true}) {
    WarpBuilder warp;
    warp.load(one(0, 0), 4);
    warp.alu(10);
    warp.load(one(1, 0), 4);
    warp.alu(10);
    const auto back = warp.load(one(0, 1), 4);
    if (again) warp.load(one(0, 1), 4, {back});
    ToyWorkload w(1 << 16);
    w.add({warp});
    SchemeRun r(scheme_of("lamar"), std::move(w), tiny({"l1.sets=1", "l1.ways=1"}));
    EXPECT_EQ(r.stat("l1.emptied_lines"), 3u);
    EXPECT_EQ(r.stat("l1_blocks.ended"), 3u);
    EXPECT_EQ(r.stat("l1_blocks.returned"), 1u);
    EXPECT_EQ(r.stat("l1_blocks.singular"), again ? 1u : 2u);
    EXPECT_EQ(r.stat("l1_blocks.multiple"), again ? 1u : 0u);
    EXPECT_EQ(r.stat("l1_blocks.extended"), 1u);  // line 0 at first: both sectors were asked for
  }
}

TEST(Blocks, LoadThatAStoreOvertakesMakesNoBlock) {
  for (const bool again : {false, true}) {
    WarpBuilder warp;
    const auto dropped = warp.load(one(0, 0), 4);
    warp.store(one(0, 0), 4, [](unsigned, unsigned) { return std::uint8_t{1}; });
    if (again) warp.load(one(0, 0), 4, {dropped});
    ToyWorkload w(1 << 16);
    w.add({warp});
    SchemeRun r(scheme_of("lamar"), std::move(w), tiny());
    EXPECT_EQ(r.stat("l1.emptied_lines"), again ? 1u : 0u);
    EXPECT_EQ(r.stat("l1_blocks.ended"), again ? 1u : 0u);
    EXPECT_EQ(r.stat("l1_blocks.singular"), again ? 1u : 0u);
  }
}

TEST(Blocks, MeasuringChangesNothingElse) {
  const Chain chain = Chain().load(one(3, 1)).load(two(3, 1, 2)).store(one(3, 1), 5).load(one(3, 3));
  SchemeRun with = run("justit", chain), without = run("justit", chain, 0, {"justit.measure_blocks=0"});
  EXPECT_EQ(with.result.cycles, without.result.cycles);
  EXPECT_EQ(without.stat("l1_blocks.ended"), 0u);
  EXPECT_GT(with.stat("l1_blocks.ended"), 0u);
}

TEST(Parameters, BackendRulesNameAnSmAndSizesNeedRtl) {
  const Profile machine = tiny();
  const auto make = [&](std::vector<std::string> set, std::vector<std::string> rules) {
    const auto scheme = schemes::make_scheme(
        "justit",
        {.set = std::move(set), .backend = Backend::model, .backends = std::move(rules), .machine = &machine});
    ToyWorkload w = chain_workload(Chain().load(one(3, 1)));
    return Gpu(machine, *scheme, w).run().clean;
  };
  EXPECT_TRUE(make({}, {"bloom_predictor@sm0=shadow"}));
  EXPECT_TRUE(make({"justit.counters=2048"}, {}));
  EXPECT_THROW(make({}, {"bloom_predictor@sm1=rtl"}), ConfigError);
  EXPECT_THROW(make({"justit.counters=2048"}, {"bloom_predictor=rtl"}), std::invalid_argument);
  EXPECT_THROW(make({"justit.counters=100"}, {}), ConfigError);
  EXPECT_THROW(make({"justit.nothing=1"}, {}), ConfigError);
}

}  // namespace
}  // namespace warpsieve::tb
