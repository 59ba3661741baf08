// dedup: what each kind of write does and where each kind of read finds its data, at every point in
// lock step, plus the latencies the unit charges.
#include <gtest/gtest.h>

#include <algorithm>

#include "checked_world.h"

namespace warpsieve::dedup {
namespace {

DedupUnitParams small_odd_unit() {  // point `odd` over as few lines as `tiny`
  DedupUnitParams p = tiny_unit();
  p.dedup = odd_dedup;
  p.store = {.sets = 2,
             .ways = 3,
             .hash_bits = 128,
             .ref_bits = 10,
             .count_bits = 4,
             .domain_bits = 1,
             .ref_sets = 4,
             .ref_ways = 3};
  for (auto& cache : p.caches) cache.index_bits = 10;
  return p;
}
DedupUnitParams paper_unit() {  // the paper's blocks over a small memory
  DedupUnitParams p;
  p.config.total_lines = 18;
  p.config.spare_lines = 2;
  return p;
}
/// 64 hash entries and a 16-entry ring: nothing is evicted or dropped.
DedupUnitParams roomy_unit() {
  DedupUnitParams p = tiny_unit();
  p.dedup.index_bits = 6;
  p.dedup.free_entries = 16;
  p.store.sets = p.store.ways = p.store.ref_ways = 8;
  p.store.ref_sets = 16;
  return p;
}

struct Point {
  const char* name;
  DedupUnitParams params;
};
class DedupPoints : public ::testing::TestWithParam<Point> {
 protected:
  World world{GetParam().params, control_in_shadow(), {}};
  /// Kinds and lines of the data requests to DRAM since the last call.
  std::vector<std::pair<DramKind, std::uint32_t>> dram() {
    std::vector<std::pair<DramKind, std::uint32_t>> out;
    for (const DramReq& req : world.take_dram_log()) out.emplace_back(req.kind, req.line);
    return out;
  }
  using Log = std::vector<std::pair<DramKind, std::uint32_t>>;
  void TearDown() override { EXPECT_TRUE(world.errors.empty()) << world.errors.front(); }
};
INSTANTIATE_TEST_SUITE_P(All, DedupPoints,
                         ::testing::Values(Point{"tiny", tiny_unit()}, Point{"odd", small_odd_unit()},
                                           Point{"paper", paper_unit()}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(DedupPoints, UntouchedLineIsReadAtHome) {
  world.read(3, 0x6);
  EXPECT_EQ(dram(), (Log{{DramKind::home_read, 3}}));
}

TEST_P(DedupPoints, FirstUniqueWriteGoesHome) {
  const DoneEvent event = world.write(3, 0x9, pattern(1));
  EXPECT_EQ(event.outcome, Outcome::unique_home);
  EXPECT_EQ(event.written, 0x9);
  EXPECT_EQ(event.read, 0);
  EXPECT_FALSE(event.no_entry);
  EXPECT_EQ(dram(), (Log{{DramKind::write, 3}}));
  world.read(3, 0xf);
  EXPECT_EQ(dram(), (Log{{DramKind::home_read, 3}}));
}

TEST_P(DedupPoints, IntraWriteAndItsReadTouchNoDram) {
  EXPECT_EQ(world.write(3, 0xf, flat(0x3f800000)).outcome, Outcome::intra);
  EXPECT_EQ(world.read(3, 0xf), flat(0x3f800000));
  EXPECT_EQ(world.sources(), std::vector<Source>{Source::intra});
  EXPECT_TRUE(dram().empty());
}

TEST_P(DedupPoints, IntraOfPartOfTheLineKeepsTheRestAtHome) {
  world.write(3, 0x2, flat(5));
  dram();
  world.read(3, 0xf);
  EXPECT_EQ(dram(), (Log{{DramKind::home_read, 3}}));
  EXPECT_EQ(world.sources(), std::vector<Source>{Source::intra});
}

TEST_P(DedupPoints, DuplicateWriteIsRemovedAndReadFromTheReference) {
  world.write(3, 0xf, pattern(1));
  dram();
  EXPECT_EQ(world.write(5, 0xf, pattern(1)).outcome, Outcome::inter);
  EXPECT_TRUE(dram().empty());
  world.read(5, 0xf);
  EXPECT_EQ(dram(), (Log{{DramKind::slot_read, 3}}));
  world.l2_hold(3, 0xf);
  world.read(5, 0xf);
  EXPECT_EQ(world.sources(), std::vector<Source>{Source::copy});
  EXPECT_TRUE(dram().empty());
}

TEST_P(DedupPoints, EachContextCopiesTheSectorsThatTheL2Has) {
  world.write(3, 0xf, pattern(1));
  EXPECT_EQ(world.write(5, 0xf, pattern(1)).outcome, Outcome::inter);
  const unsigned contexts = world.unit().params().dedup.contexts;
  for (const unsigned held : {0x1u, 0x2u, 0x3u, 0x4u, 0x6u, 0x9u, 0xbu, 0xcu}) {
    world.l2_drop(3);
    world.l2_hold(3, held);
    dram();
    world.hold_probe = true;
    for (unsigned c = 0; c < contexts; ++c) {
      world.offer_read(5, 0xf);
      world.until_taken();
    }
    for (int k = 0; k < 200; ++k) world.step();  // every context waits for its probe
    world.hold_probe = false;
    world.drain();
    const Log missing = dram();
    EXPECT_EQ(missing, Log(contexts, {DramKind::slot_read, 3})) << held;
  }
}

/// Whatever the cycle in which the answer without data comes: the intra reply under it is sent once.
TEST(Dedup, ProbeAnswerWithoutDataMeetsAnIntraReply) {
  CheckedWorld world;
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.write(7, 0xf, flat(7));
  for (int gap = 0; gap < 24; ++gap) {
    world.hold_probe = true;
    world.offer_read(5, 0xf);
    world.until_taken();
    wait(world, 60);  // the probe of line 3 is at the L2
    world.l2_drop(3);
    world.l2_drop(7);
    world.offer_read(7, 0xf);
    world.until_taken();
    wait(world, gap);
    world.hold_probe = false;
    world.drain();
  }
  EXPECT_GE(world.intras, 24u);
}

TEST_P(DedupPoints, SameSectorsUnderAnotherMaskAreNoDuplicate) {
  world.write(3, 0xf, pattern(1));
  EXPECT_EQ(world.write(5, 0x7, pattern(1)).outcome, Outcome::unique_home);
}

TEST_P(DedupPoints, SameContentAgainIsSilent) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  dram();
  EXPECT_EQ(world.write(3, 0xf, pattern(1)).outcome, Outcome::silent);
  EXPECT_EQ(world.write(5, 0x4, pattern(1)).outcome, Outcome::silent);
  EXPECT_EQ(dram(), (Log{{DramKind::dedup_read, 3}}));  // eq. 1 failed for the second
}

TEST_P(DedupPoints, LoneResidentLineIsRewrittenInPlaceWithItsNewSectorsOnly) {
  world.write(3, 0xf, pattern(1));
  dram();
  const DoneEvent event = world.write(3, 0x4, pattern(2));
  EXPECT_EQ(event.outcome, Outcome::unique_in_place);
  EXPECT_EQ(event.read, 0xb);
  EXPECT_EQ(event.written, 0x4);
  EXPECT_EQ(dram(), (Log{{DramKind::dedup_read, 3}, {DramKind::write, 3}}));
  EXPECT_FALSE(event.no_entry);
  EXPECT_EQ(world.write(5, 0xf, world.content(3)).outcome, Outcome::inter);  // the new entry works
}

TEST_P(DedupPoints, OldSectorsOfAnIntraLineComeFromTheMap) {
  world.write(3, 0x3, flat(5));
  dram();
  const DoneEvent event = world.write(3, 0x6, pattern(1));
  EXPECT_EQ(event.outcome, Outcome::unique_home);
  EXPECT_EQ(event.read, 0);
  EXPECT_EQ(event.written, 0x7);
  EXPECT_EQ(dram(), (Log{{DramKind::write, 3}}));
}

TEST_P(DedupPoints, OverwrittenReferenceBorrowsTheHomeOfItsSharer) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));  // 5's home is free
  dram();
  const DoneEvent event = world.write(3, 0xf, pattern(2));
  EXPECT_EQ(event.outcome, Outcome::unique_borrowed);
  EXPECT_FALSE(event.scanned);
  EXPECT_EQ(dram(), (Log{{DramKind::write, 5}}));
  world.read(3, 0xf);
  world.read(5, 0xf);
  EXPECT_EQ(dram(), (Log{{DramKind::slot_read, 5}, {DramKind::slot_read, 3}}));
}

TEST_P(DedupPoints, LoneBorrowerStaysInItsSlot) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.write(3, 0xf, pattern(2));
  dram();
  const DoneEvent event = world.write(3, 0x1, pattern(3));
  EXPECT_EQ(event.outcome, Outcome::unique_kept);
  EXPECT_EQ(event.written, 0x1);
  EXPECT_EQ(dram(), (Log{{DramKind::dedup_read, 5}, {DramKind::write, 5}}));
}

TEST_P(DedupPoints, LenderOfASlotBorrowsInTurnFromTheSpareLines) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.write(3, 0xf, pattern(2));  // in the home of 5
  dram();
  const DoneEvent event = world.write(5, 0xf, pattern(3));  // leaves 3's home alone: free, 5's is not
  EXPECT_EQ(event.outcome, Outcome::unique_kept);           // stays where it was: the home of 3
  EXPECT_EQ(dram(), (Log{{DramKind::write, 3}}));
}

/// Decision C12: whose home is left by its last user lends it only when no sector hosts the line's own old data.
TEST_P(DedupPoints, ALineThatLacksAnySectorLendsNothingWhenItsSlotIsLeft) {
  for (unsigned lacks = 0; lacks < 4; ++lacks) {
    const unsigned mask = 0xf & ~(1u << lacks);
    World fresh(GetParam().params, control_in_shadow(), {});
    fresh.write(3, mask, pattern(1));
    EXPECT_EQ(fresh.write(5, mask, pattern(1)).outcome, Outcome::inter);
    fresh.write(3, mask, flat(7));     // intra; 5 uses its home
    fresh.write(5, mask, pattern(2));  // nobody does
    fresh.write(9, 0xf, pattern(3));
    EXPECT_EQ(fresh.write(11, 0xf, pattern(3)).outcome, Outcome::inter);
    fresh.take_dram_log();
    EXPECT_EQ(fresh.write(9, 0xf, pattern(4)).outcome, Outcome::unique_borrowed);
    for (const DramReq& request : fresh.take_dram_log()) EXPECT_NE(request.line, 3u) << "lacks sector " << lacks;
    for (const unsigned line : {3u, 5u, 9u, 11u}) fresh.read(line, 0xf);
    EXPECT_TRUE(fresh.errors.empty()) << fresh.errors.front();
  }
}

/// 5 is alone in 3's home and grows, while 7 uses 5's home: neither place can take the sector that 5 adds.
TEST_P(DedupPoints, ALineThatGrowsInABorrowedSlotMovesWhileItsHomeIsLent) {
  DedupUnitParams params = GetParam().params;
  params.config.spare_lines = 8;  // four partly written lines may share
  params.config.total_lines += 6;
  World fresh(params, control_in_shadow(), {});
  fresh.write(5, 0x1, pattern(1));
  EXPECT_EQ(fresh.write(7, 0x1, pattern(1)).outcome, Outcome::inter);
  fresh.write(3, 0x1, pattern(2));
  EXPECT_EQ(fresh.write(5, 0x1, pattern(2)).outcome, Outcome::inter);
  EXPECT_EQ(fresh.write(3, 0x1, pattern(3)).outcome, Outcome::unique_borrowed);
  fresh.take_dram_log();
  EXPECT_EQ(fresh.write(5, 0x2, pattern(4)).outcome, Outcome::unique_borrowed);
  for (const DramReq& request : fresh.take_dram_log())
    EXPECT_TRUE(request.kind != DramKind::write || (request.line != 3 && request.line != 5)) << request.line;
  for (const unsigned line : {3u, 5u, 7u}) fresh.read(line, 0xf);
  EXPECT_TRUE(fresh.errors.empty()) << fresh.errors.front();
}

TEST_P(DedupPoints, BorrowerGoesHomeOnceItsHomeIsFree) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.write(3, 0xf, pattern(2));
  world.write(5, 0xf, flat(1));  // the last user of 3's home leaves
  dram();
  const DoneEvent event = world.write(3, 0xf, pattern(3));
  EXPECT_EQ(event.outcome, Outcome::unique_home);
  EXPECT_EQ(dram(), (Log{{DramKind::write, 3}}));
}

TEST_P(DedupPoints, OwnerMayJoinTheUsersOfItsOwnHome) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.write(3, 0xf, flat(1));
  EXPECT_EQ(world.write(3, 0xf, pattern(1)).outcome, Outcome::inter);
  dram();
  world.read(3, 0xf);
  EXPECT_EQ(dram(), (Log{{DramKind::slot_read, 3}}));
  world.write(5, 0xf, flat(2));
  EXPECT_EQ(world.write(3, 0xf, pattern(3)).outcome, Outcome::unique_home);  // alone there: home again
}

TEST_P(DedupPoints, EmptyRingIsServedFromTheFirstSpareLine) {
  world.write(3, 0x3, pattern(1));
  EXPECT_EQ(world.write(5, 0x3, pattern(1)).outcome, Outcome::inter);  // partly written: its home is not free
  dram();
  const DoneEvent event = world.write(3, 0x3, pattern(2));
  EXPECT_EQ(event.outcome, Outcome::unique_borrowed);
  EXPECT_TRUE(event.scanned);
  EXPECT_EQ(dram(), (Log{{DramKind::write, 16}}));
  world.read(3, 0xf);
  world.read(5, 0xf);
}

TEST_P(DedupPoints, SecondPartlyWrittenSharerIsTurnedAwayByTheLimit) {  // 2 spare lines: one may join
  world.write(3, 0x3, pattern(1));
  EXPECT_EQ(world.write(5, 0x3, pattern(1)).outcome, Outcome::inter);
  const DoneEvent event = world.write(6, 0x3, pattern(1));
  EXPECT_EQ(event.outcome, Outcome::unique_home);
  EXPECT_TRUE(event.partial_limit);
  EXPECT_TRUE(event.no_entry);
}

TEST_P(DedupPoints, WriteBehindAWriteOfTheSameLineMergesAndBothAreForwarded) {
  world.offer_write(3, 0x1, pattern(1));
  world.until_taken();
  world.offer_write(3, 0x2, pattern(2));  // in the cycle in which the sequencer takes the first
  world.until_taken();
  world.offer_read(3, 0x7);
  world.until_taken();
  world.drain();
  EXPECT_EQ(world.forwards, 1u);
  EXPECT_EQ(world.stats().outcomes[static_cast<unsigned>(Outcome::unique_home)], 1u);  // one write, not two
  EXPECT_EQ(dram(), (Log{{DramKind::write, 3}, {DramKind::home_read, 3}}));  // sector 2 waited for the commit
}

TEST(Dedup, SaturatedCountMakesTheNextDuplicateUnique) {
  World world(roomy_unit(), {}, {});
  for (unsigned line = 0; line < 7; ++line) world.write(line, 0xf, pattern(1));  // count_bits 3: 7
  const DoneEvent event = world.write(7, 0xf, pattern(1));
  EXPECT_EQ(event.outcome, Outcome::unique_home);
  EXPECT_TRUE(event.saturated);
  EXPECT_TRUE(event.no_entry);
  world.write(2, 0xf, flat(1));  // one leaves
  EXPECT_EQ(world.write(7, 0xf, pattern(1)).outcome, Outcome::inter);
  EXPECT_TRUE(world.errors.empty());
}

TEST(Dedup, EvictedEntryLeavesItsOwnerCorrectAndAlone) {
  World world(tiny_unit(), {}, {});
  bool evicted = false;
  for (unsigned line = 0; line < 12; ++line) evicted |= world.write(line, 0xf, pattern(line)).evicted;
  EXPECT_TRUE(evicted);  // 4 entries
  for (unsigned line = 0; line < 12; ++line) {
    EXPECT_EQ(world.write(line, 0xf, pattern(50 + line)).outcome, Outcome::unique_in_place);
  }
  world.check_all();
  EXPECT_TRUE(world.errors.empty());
}

// A reference that turns intra leaves a flag behind, and nobody waits for it. With its memory silent the cache parks
// two and keeps a third, the fourth stays in the port: the fifth write must wait for it.
TEST(Dedup, LentFlagThatTheCacheDoesNotTakeHoldsUpTheNextOne) {
  constexpr unsigned kReferences = 6;
  DedupUnitParams params = small_odd_unit();
  params.hash_cycles_per_chunk = params.metadata_cycles = 0;
  params.hasher.steps_per_cycle = 4;
  World world(params, control_in_shadow(), {});
  constexpr unsigned kContents[kReferences] = {1, 2, 3, 4, 5, 6};
  for (unsigned k = 0; k < kReferences; ++k) {
    EXPECT_FALSE(world.write(k, 0xf, pattern(kContents[k])).evicted) << k;
    EXPECT_EQ(world.write(8 + k, 0xf, pattern(kContents[k])).outcome, Outcome::inter) << k;
  }
  world.hold_lent = true;
  unsigned done = 0;
  for (unsigned cycle = 0, next = 0; cycle < 1000; ++cycle) {
    if (world.taken() && next < kReferences) world.offer_write(next, 0xf, flat(0x100 + next)), ++next;
    world.step();
    done += world.done_now().has_value();
  }
  EXPECT_EQ(done, 3u);
  world.hold_lent = false;
  world.drain();
  for (unsigned k = 0; k < kReferences; ++k) {  // no flag was lost: the home is not overwritten
    EXPECT_EQ(world.write(k, 0xf, pattern(20 + k)).outcome, Outcome::unique_borrowed) << k;
  }
  world.check_all();
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
}

TEST(Dedup, BypassLevelSkipsTheHash) {
  DedupUnitParams params = tiny_unit();
  params.config.bypass_level = 1;  // always at least one in the buffer: the one in process
  World world(params, {}, {});
  EXPECT_TRUE(world.write(3, 0xf, pattern(1)).no_entry);
  EXPECT_EQ(world.write(5, 0xf, pattern(1)).outcome, Outcome::unique_home);
  EXPECT_EQ(world.stats().hashed_chunks, 0u);
}

TEST(Dedup, WithoutCacheAssistedReadNothingIsProbed) {
  DedupUnitParams params = tiny_unit();
  params.config.car = false;
  World world(params, {}, {});
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.l2_hold(3, 0xf);
  world.read(5, 0xf);
  EXPECT_EQ(world.copies, 0u);
  EXPECT_EQ(world.slot_reads, 1u);
}

// ---- latencies -----------------------------------------------------------------------------------

/// Cycles from the acceptance of a read of line 3 to its request at the DRAM, everything cached.
unsigned home_read_cycles(unsigned metadata_cycles) {
  DedupUnitParams params = tiny_unit();
  params.metadata_cycles = metadata_cycles;
  World world(params, {}, {});
  world.read(3, 0xf);  // fills the caches
  world.hold_dram = true;
  world.offer_read(3, 0xf);
  world.until_taken();
  const std::uint64_t start = world.cycle();
  for (int k = 0; k < 200 && !world.unit().dram().front(); ++k) world.step();
  return static_cast<unsigned>(world.cycle() - start);
}
TEST(DedupLatency, HomeReadTakesFourCyclesPlusTheMetadata) {
  EXPECT_EQ(home_read_cycles(0), 4u + 3u);  // the cache's own latency
  EXPECT_EQ(home_read_cycles(20), 4u + 20u);
}

unsigned write_cycles(unsigned cycles_per_chunk, unsigned mask) {
  DedupUnitParams params = tiny_unit();
  params.hash_cycles_per_chunk = cycles_per_chunk;
  World world(params, {}, {.max_latency = 1});
  world.write(3, mask, pattern(1));
  const std::uint64_t start = world.cycle();
  world.write(3, mask, pattern(2));
  return static_cast<unsigned>(world.cycle() - start);
}
TEST(DedupLatency, DigestTakes76CyclesPerChunk) {
  // 194 cycles are the hasher's own for a whole line (3 chunks), 66 for one sector (1 chunk).
  EXPECT_EQ(write_cycles(76, 0xf) - write_cycles(0, 0xf), 3 * 76u - 194u);
  EXPECT_EQ(write_cycles(76, 0x1) - write_cycles(0, 0x1), 76u - 66u);
}

/// Cycles from one write's end to the next one's, the mean of the last 48 of `lines` writes that wait in a buffer of
/// 32: the lines of 8 or 16 hashers end close together, so their number is a multiple of that.
/// Everything is cached, latencies are the paper's.
double write_interval(const LineData (&contents)[2], unsigned hash_units = 32) {
  DedupUnitParams params;
  params.config.total_lines = 130;
  params.config.spare_lines = 2;
  params.dedup.hash_units = hash_units;
  World world(params, {}, {.max_latency = 1});
  constexpr unsigned lines = 64;
  world.write(127, 0xf, contents[0]);  // the metadata of all lines are in its sectors, or miss once
  std::vector<std::uint64_t> done;
  const auto step = [&] {
    world.step();
    if (world.done_now()) done.push_back(world.cycle());
  };
  for (unsigned line = 0; line < lines; ++line) {
    LineData data = contents[1];
    if (data[0] != data[4]) data[0] = static_cast<std::uint8_t>(line), data[5] = 0xa5;
    world.offer_write(line, 0xf, data);
    for (int k = 0; k < 5000 && !world.taken(); ++k) step();
  }
  for (int k = 0; k < 20000 && done.size() < lines; ++k) step();
  EXPECT_EQ(done.size(), lines);
  return static_cast<double>(done[lines - 1] - done[lines - 49]) / 48;
}
TEST(DedupLatency, BufferedWritesArePreparedSideBySide) {
  const LineData flat_lines[2] = {flat(1), flat(2)}, unique_lines[2] = {flat(1), pattern(3)};
  EXPECT_DOUBLE_EQ(write_interval(flat_lines), 5);
  EXPECT_NEAR(write_interval(unique_lines, 1), 231, 2);
  EXPECT_NEAR(write_interval(unique_lines, 8), 231.0 / 8, 0.3);
  EXPECT_NEAR(write_interval(unique_lines, 16), 231.0 / 16, 0.2);  // the hashers limit, not the commits
  EXPECT_NEAR(write_interval(unique_lines), 8, 0.25);              // the commits do
}

TEST(DedupLatency, ForwardAnswersTwoCyclesAfterTheRead) {
  World world(tiny_unit(), {}, {});
  world.offer_write(3, 0xf, pattern(1));
  world.until_taken();
  for (int k = 0; k < 8; ++k) world.step();  // past the step that loads the line
  world.offer_read(3, 0x1);
  world.until_taken();
  EXPECT_EQ(world.unit().l2().front(), nullptr);  // cycle 1: banks
  world.step();
  ASSERT_NE(world.unit().l2().front(), nullptr);  // cycle 2
  EXPECT_EQ(world.unit().l2().front()->source, Source::forward);
}

/// Reads of lines 2 and 3 taken per cycle, offered in every cycle; all sectors of metadata they need are cached.
double read_rate(World& world) {
  DedupUnit& unit = world.unit();
  unsigned taken = 0;
  constexpr unsigned warm = 200, counted = 10000;
  for (unsigned cycle = 0; cycle < warm + counted; ++cycle) {
    const bool ok = unit.rd().push({2 + cycle % 2, 0xf, 0});
    taken += ok && cycle >= warm;
    if (unit.dram().front()) unit.dram().pop();
    if (unit.l2().front()) unit.l2().pop();
    for (unsigned k = 0; k < kMetas; ++k) EXPECT_EQ(unit.meta_mem_req(k).front(), nullptr) << cycle;
    unit.tick();
  }
  return static_cast<double>(taken) / counted;
}
/// The rates that the RTL's header states, and of home reads with the caches' own 3 cycles, from which rtl/README.md
/// has them; with the paper's 20, too.
TEST_P(DedupPoints, ReadsFlowOnePerCycleWhileContextsAreFree) {
  for (const unsigned m : {3u, 20u}) {
    DedupUnitParams params = GetParam().params;
    params.metadata_cycles = m;
    params.config.car = false;  // no copies from the L2
    const auto rate = [&](const LineData* content) {
      World quiet(params, control_in_shadow(), {});
      quiet.write(0, 0xf, pattern(1));
      for (const std::uint32_t line : {2, 3}) {
        if (content) quiet.write(line, 0xf, *content);
        quiet.read(line, 0xf);
      }
      return read_rate(quiet);
    };
    const LineData duplicate = pattern(1), intra = flat(7);
    const double contexts = params.dedup.contexts;
    EXPECT_NEAR(rate(nullptr), std::min(1.0, contexts / (5 + m)), 0.001);
    EXPECT_NEAR(rate(&duplicate), std::min(1.0, contexts / (7 + 2 * m)), 0.001);
    EXPECT_NEAR(rate(&intra), std::min(0.5, contexts / (7 + 2 * m)), 0.001);
  }
}

/// rtl/dedup/wave.json5, cycle by cycle, in RTL and model: line 5 was never written, line 3 waits in the write
/// buffer, its lookups unanswered.
TEST(DedupLatency, TheWaveformOfTheReadmeIsTrue) {
  const auto d = make_dedup(odd_dedup, {.total_lines = 20, .spare_lines = 2}, Backend::shadow);
  OutPort<metadata_cache::MetaReq>&type = d->meta_req(meta_type), &mask = d->meta_req(meta_mask);
  ASSERT_TRUE(d->wr().push({3, 0xf, pattern(1), 0}));
  for (int k = 0; k < 12; ++k) {
    d->tick();
    if (type.front()) type.pop();
    if (mask.front()) mask.pop();
  }
  const std::uint32_t id = 0;  // of the context
  for (unsigned cycle = 0; cycle < 12; ++cycle) {
    SCOPED_TRACE(cycle);
    EXPECT_EQ(d->rd().ready(), cycle != 3);
    if (cycle == 1) {
      EXPECT_TRUE(d->rd().push({5, 0x1, 40}));
    }
    if (cycle == 2) {
      EXPECT_TRUE(d->rd().push({3, 0x1, 41}));
    }
    for (auto* port : {&type, &mask}) {
      ASSERT_EQ(port->front() != nullptr, cycle == 3);
      if (!port->front()) continue;
      EXPECT_EQ(*port->front(), (metadata_cache::MetaReq{false, 5, 0, id}));
      port->pop();
    }
    if (cycle == 6) {
      EXPECT_TRUE(d->meta_rsp(meta_type).push({0, id, false}));
      EXPECT_TRUE(d->meta_rsp(meta_mask).push({0, id, false}));
    }
    ASSERT_EQ(d->l2().front() != nullptr, cycle == 4 || cycle == 5);
    if (d->l2().front()) {
      EXPECT_EQ(*d->l2().front(), (L2Rsp{41, 0x1, Source::forward, masked(pattern(1), 0x1)}));
    }
    if (cycle == 5) d->l2().pop();
    ASSERT_EQ(d->dram().front() != nullptr, cycle == 9 || cycle == 10);
    if (d->dram().front()) {
      EXPECT_EQ(*d->dram().front(), (DramReq{DramKind::home_read, 5, 0x1, 40, {}}));
    }
    if (cycle == 10) d->dram().pop();
    d->tick();
  }
}

// ---- configuration -------------------------------------------------------------------------------

TEST(Dedup, UnknownPointAndBadConfigurationAreRefused) {
  EXPECT_THROW(make_dedup({.line_bits = 9}, {.total_lines = 20, .spare_lines = 2}, Backend::rtl),
               std::invalid_argument);
  EXPECT_THROW(make_dedup(tiny_dedup, {.total_lines = 300, .spare_lines = 2}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_dedup(tiny_dedup, {.total_lines = 20, .spare_lines = 20}, Backend::model), std::invalid_argument);
  DedupUnitParams params = tiny_unit();
  params.store.count_bits = 4;
  EXPECT_THROW(DedupUnit(params, {}), std::invalid_argument);
}

TEST(Dedup, ShadowNoticesAModelThatOverwritesASharedSlot) {  // a deliberately wrong model is caught by the comparison
  World world(tiny_unit(), control_in_shadow(), {}, {.overwrite_shared_slot = true});
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  EXPECT_THROW(world.write(3, 0xf, pattern(2)), std::runtime_error);
}

}  // namespace
}  // namespace warpsieve::dedup
