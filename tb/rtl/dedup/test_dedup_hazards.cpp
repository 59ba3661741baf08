// dedup: every guard is needed. Each test removes one guard (DedupFaults, model only) and expects the
// oracle to notice; with the guard the same traffic is correct.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>

#include "support/md5_collisions.h"
#include "world.h"

namespace warpsieve::dedup {
namespace {

/// Random worlds of many kinds until one fails; the number of worlds it took, or nothing.
struct Found {
  unsigned worlds;
  std::string error;
};
std::optional<Found> find_corruption(const DedupFaults& faults, unsigned worlds, unsigned operations) {
  for (unsigned k = 0; k < worlds; ++k) {
    Knobs knobs{.accept_percent = k % 3 == 2 ? 40u : 100u, .max_latency = k % 2 ? 40u : 3u, .seed = 1000 + k};
    knobs.patterns = 1 + k % 3;
    knobs.flat_percent = k % 4 == 3 ? 20 : 3;
    knobs.fresh_percent = 5 + 15 * (k % 2);
    knobs.full_percent = k % 5 > 1 ? 40 : 95;
    knobs.read_percent = 70;
    knobs.gap = k % 7 < 3 ? 30 : 0;
    knobs.hot_percent = k % 3 == 0 ? 0 : 85;
    DedupUnitParams params = quick_unit();
    if (k % 2) {  // more writes in process
      params.dedup.buffer_entries = 6;
      params.dedup.lookups = 3;
      params.dedup.hash_units = 2;
    }
    if (k % 4 > 1) {  // lines spread over the whole space: metadata miss
      params.config.total_lines = 1u << params.dedup.line_bits;
      knobs.stride = (params.config.total_lines - params.config.spare_lines) / 16;
    }
    World world(params, {}, knobs, faults);
    stress(world, operations);
    if (!world.errors.empty()) return Found{k + 1, world.errors.front()};
  }
  return std::nullopt;
}

struct Guard {
  const char* name;
  DedupFaults faults;
};
class DedupGuards : public ::testing::TestWithParam<Guard> {};
INSTANTIATE_TEST_SUITE_P(Removed, DedupGuards,
                         ::testing::Values(Guard{"hold", {.skip_hold = true}},
                                           Guard{"own_release", {.release_any = true}},
                                           Guard{"metadata_before_done", {.drop_early = true}},
                                           Guard{"one_write_of_a_line", {.ahead_of_itself = true}},
                                           Guard{"resident_check", {.car_ignores_type = true}},
                                           Guard{"unmasked_home", {.unmasked_from_slot = true}},
                                           Guard{"move_out", {.overwrite_shared_slot = true}},
                                           Guard{"lent_flag", {.ignore_lent = true}},
                                           Guard{"slot_return", {.forget_free = true}},
                                           Guard{"borrowed_sectors", {.borrow_new_only = true}},
                                           Guard{"saturation", {.ignore_saturation = true}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(DedupGuards, RemovedGuardCorruptsOrStalls) {
  const auto found = find_corruption(GetParam().faults, 400, 300);
  ASSERT_TRUE(found) << "removing the guard had no effect";
  fmt::print("[ found    ] {} after {} worlds: {}\n", GetParam().name, found->worlds, found->error);
}

TEST(DedupHazards, SameTrafficWithAllGuardsIsCorrect) {
  const auto found = find_corruption({}, 400, 300);
  EXPECT_FALSE(found) << found->error;
}

// ---- hazard 1: a reference that others still use is overwritten -----------------------------------

void overwrite_reference(World& world) {
  world.write(3, 0xf, pattern(1));  // 3 becomes the reference
  EXPECT_EQ(world.write(5, 0xf, pattern(1)).outcome, Outcome::inter);
  world.write(3, 0xf, pattern(2));  // the writer moves, the content stays
  world.read(5, 0xf);
  world.read(3, 0xf);
}
TEST(DedupHazards, Hazard1SharedContentSurvivesItsOwnersWrite) {
  World world(quick_unit(), {}, {});
  overwrite_reference(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  World broken(quick_unit(), {}, {}, {.overwrite_shared_slot = true});
  overwrite_reference(broken);
  EXPECT_FALSE(broken.errors.empty());
}

void return_home_while_lent(World& world) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.write(3, 0xf, flat(7));  // 3 is intra, its home still holds what 5 reads
  world.write(3, 0xf, pattern(2));
  world.read(5, 0xf);
}
TEST(DedupHazards, Hazard1IntraOwnerDoesNotReturnToItsLentHome) {
  World world(quick_unit(), {}, {});
  return_home_while_lent(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  World broken(quick_unit(), {}, {}, {.ignore_lent = true});
  return_home_while_lent(broken);
  EXPECT_FALSE(broken.errors.empty());
}

/// 5 is read from its slot, home of 3, while the DRAM is busy; meanwhile 5 leaves the slot and 3 comes home.
void leave_during_read(World& world) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.write(3, 0xf, flat(7));
  world.hold_dram = true;
  world.offer_read(5, 0xf);
  world.until_taken();
  world.offer_read(9, 0xf);  // its request is first at the DRAM
  for (int k = 0; k < 200; ++k) world.step();
  world.offer_write(5, 0xf, flat(8));
  for (int k = 0; k < 200; ++k) world.step();
  world.offer_write(3, 0xf, pattern(4));
  for (int k = 0; k < 400; ++k) world.step();
  world.hold_dram = false;
  world.drain();
}
TEST(DedupHazards, Hazard1SlotIsNotReusedUnderAReadInProgress) {
  World world(quick_unit(), {}, {});
  leave_during_read(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  World broken(quick_unit(), {}, {}, {.skip_lock = true});
  leave_during_read(broken);
  EXPECT_FALSE(broken.errors.empty());
}

/// Four references with one sharer each are rewritten; ring and spare lines serve three of them.
void borrow_four(World& world) {
  world.write(0, 0x3, flat(5));  // intra, sectors 2 and 3 still host data: must not lend its slot
  for (unsigned k = 0; k < 4; ++k) {
    world.write(2 * k + 1, 0xf, pattern(10 + k));
    EXPECT_EQ(world.write(2 * k + 2, 0xf, pattern(10 + k)).outcome, Outcome::inter);
  }
  for (unsigned k = 0; k < 4; ++k) {
    const DoneEvent event = world.write(2 * k + 1, 0xf, pattern(20 + k));
    EXPECT_EQ(event.outcome, Outcome::unique_borrowed);
    EXPECT_EQ(event.scanned, k > 0);
  }
  for (unsigned line = 0; line < 9; ++line) world.read(line, 0xf);
}
TEST(DedupHazards, Hazard1PartlyWrittenLineDoesNotLendItsSlot) {
  DedupUnitParams params = quick_unit();
  params.dedup.free_entries = 1;
  params.dedup.index_bits = 5;
  params.store.sets = params.store.ref_ways = 8;
  params.store.ways = 4;
  World world(params, {}, {});
  borrow_four(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  World broken(params, {}, {}, {.lend_partial = true});
  borrow_four(broken);
  EXPECT_FALSE(broken.errors.empty());
}

/// 3 and 5 are partly written and share 3's home; 5's home has another user, so that 5 cannot return. 3 leaves, and
/// its other sectors stay at home. Then 5 is written where 3 is not.
void grow_in_a_slot(World& world) {
  world.write(5, 0x1, pattern(1));
  EXPECT_EQ(world.write(7, 0x1, pattern(1)).outcome, Outcome::inter);
  world.write(3, 0x1, pattern(2));
  EXPECT_EQ(world.write(5, 0x1, pattern(2)).outcome, Outcome::inter);
  EXPECT_EQ(world.write(3, 0x1, pattern(3)).outcome, Outcome::unique_borrowed);
  world.write(5, 0x2, pattern(4));
  for (const unsigned line : {3u, 5u, 7u}) world.read(line, 0xf);
}
DedupUnitParams partly_written_unit() {  // up to four partly written lines may share
  DedupUnitParams params = quick_unit();
  params.config.spare_lines = 8;
  params.config.total_lines += 6;
  params.dedup.index_bits = 6;
  params.store.sets = params.store.ways = params.store.ref_ways = 8;
  return params;
}
/// 3 is partly written and leaves its home, which 5 uses; then it looks for a place again.
void leave_a_partly_written_home(World& world) {
  world.write(3, 0x1, pattern(1));
  EXPECT_EQ(world.write(5, 0x1, pattern(1)).outcome, Outcome::inter);
  EXPECT_EQ(world.write(3, 0x1, pattern(2)).outcome, Outcome::unique_borrowed);
  world.write(3, 0x1, pattern(3));
  for (const unsigned line : {3u, 5u}) world.read(line, 0xf);
}
TEST(DedupHazards, Hazard1HomeOfAPartlyWrittenLineIsLentToo) {
  World world(partly_written_unit(), {}, {});
  leave_a_partly_written_home(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  World broken(partly_written_unit(), {}, {}, {.lend_whole_only = true});
  leave_a_partly_written_home(broken);
  EXPECT_FALSE(broken.errors.empty());
}

/// Few lines, few contents, mostly one mask: writes join, leave and grow in many orders. Small stores and counts in
/// some worlds, so that entries are evicted and counts saturate. How many of `worlds` went wrong.
unsigned wrong_worlds(const DedupFaults& faults, unsigned worlds, std::string* first = nullptr) {
  unsigned wrong = 0;
  for (unsigned k = 0; k < worlds; ++k) {
    std::mt19937 random(k);
    DedupUnitParams params = partly_written_unit();
    if (random() % 3 == 0) params.store.sets = params.store.ways = params.dedup.index_bits = 2;
    if (random() % 3 == 0) params.dedup.count_bits = params.store.count_bits = 2;
    if (random() % 3 == 0) params.dedup.free_entries = 1;
    if (random() % 3 == 0) params.config.spare_lines = 4;
    World world(params, {}, {}, faults);
    const unsigned lines = 3 + random() % 4, contents = 2 + random() % 4, flat_in = random() % 2 ? 6 : 1000;
    const unsigned usual = random() % 3 ? 1 + random() % 7 : 0xf, writes = 8 + random() % 24;
    for (unsigned i = 0; i < writes; ++i) {
      const unsigned mask = random() % 8 ? usual : 1 + random() % 15, content = random() % contents;
      world.write(random() % lines, mask, random() % flat_in ? pattern(content) : flat(content));
    }
    world.check_all();
    if (world.errors.empty()) continue;
    if (first && !wrong) *first = fmt::format("world {}: {}", k, world.errors.front());
    ++wrong;
  }
  return wrong;
}
TEST(DedupHazards, Hazard1PartlyWrittenLinesShareAndPartInAnyOrder) {
  const char* more = std::getenv("WARPSIEVE_LONG");
  const unsigned worlds = more ? 200'000 : 4000;
  std::string first;
  EXPECT_EQ(wrong_worlds({}, worlds, &first), 0u) << first;
  const unsigned wrong = wrong_worlds({.grow_in_slot = true}, 4000);
  fmt::print("[ found    ] growth_in_slot in {} of 4000 worlds\n", wrong);
  EXPECT_GT(wrong, 0u);
}
TEST(DedupHazards, Hazard1LineThatGrowsLeavesASlotWhoseOwnerIsPartlyWritten) {
  World world(partly_written_unit(), {}, {});
  grow_in_a_slot(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  World broken(partly_written_unit(), {}, {}, {.grow_in_slot = true});
  grow_in_a_slot(broken);
  EXPECT_FALSE(broken.errors.empty());
}

/// Two writes of 3 one behind the other: the second is in the buffer while the first is in process. The first moves
/// 3 out of its home, which 5 uses; what was known of 3 before says that 3 is at home.
void write_twice(World& world) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.offer_write(3, 0xf, pattern(2));
  world.until_taken();
  world.step();
  world.step();
  // 3 is now in process, its next write becomes another entry.
  world.offer_write(3, 0xf, pattern(3));
  world.until_taken();
  world.drain();
  world.check_all();
}
TEST(DedupHazards, SecondWriteOfALineIsNotLookedAtBeforeTheFirstIsDone) {
  World world(quick_unit(), {}, {});
  write_twice(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  World broken(quick_unit(), {}, {}, {.ahead_of_itself = true});
  write_twice(broken);
  EXPECT_FALSE(broken.errors.empty());
}

// ---- hazard 2: sectors outside the mask -----------------------------------------------------------

void read_unmasked(World& world) {
  world.write(2, 0x3, flat(9));  // intra, sectors 2 and 3 untouched
  world.read(2, 0xf);
  world.write(6, 0x5, pattern(1));
  world.write(7, 0x5, pattern(1));  // mapped, sectors 1 and 3 untouched
  world.read(7, 0xf);
}
TEST(DedupHazards, Hazard2UnmaskedSectorsAreReadAtHome) {
  World world(quick_unit(), {}, {});
  read_unmasked(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  World broken(quick_unit(), {}, {}, {.unmasked_from_slot = true});
  read_unmasked(broken);
  EXPECT_FALSE(broken.errors.empty());
}

// ---- hazard 3: the L2's line of the reference is not the slot's content ---------------------------

void copy_of_moved_reference(World& world) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.write(3, 0xf, pattern(2));  // 3 lives elsewhere; the slot at 3's home belongs to 5 alone
  world.l2_hold(3, 0xf);            // clean, and not what 5 holds
  world.read(5, 0xf);
}
TEST(DedupHazards, Hazard3NoCopyFromReferenceThatIsNotResident) {
  World world(quick_unit(), {}, {});
  copy_of_moved_reference(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  EXPECT_EQ(world.copies, 0u);
  World broken(quick_unit(), {}, {}, {.car_ignores_type = true});
  copy_of_moved_reference(broken);
  EXPECT_FALSE(broken.errors.empty());
}

/// While the write of 4 is in process, 3's newer content waits in the buffer and was forwarded to the L2.
void copy_while_reference_is_buffered(World& world) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.take_dram_log();
  world.hold_dram = true;  // the write of 4 stops at its DRAM write
  world.offer_write(4, 0xf, pattern(3));
  world.until_taken();
  for (int k = 0; k < 200; ++k) world.step();
  world.offer_write(3, 0xf, pattern(2));
  world.until_taken();
  world.l2_hold(3, 0xf);  // by forwarding
  world.offer_read(5, 0xf);
  world.until_taken();
  for (int k = 0; k < 200; ++k) world.step();
  world.hold_dram = false;
  world.drain();
}
TEST(DedupHazards, Hazard3NoCopyWhileReferenceWaitsInWriteBuffer) {
  World world(quick_unit(), {}, {});
  copy_while_reference_is_buffered(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  EXPECT_EQ(world.copies, 0u);
  World broken(quick_unit(), {}, {}, {.car_ignores_buffer = true, .car_ignores_late_write = true});
  copy_while_reference_is_buffered(broken);
  EXPECT_FALSE(broken.errors.empty());
}

/// 3 is written, and forwarded to the L2, after type[3] was found resident and before the probe answers.
void write_during_probe(World& world) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.hold_probe = true;
  world.offer_read(5, 0xf);
  world.until_taken();
  for (int k = 0; k < 200; ++k) world.step();  // the probe is on its way
  world.l2_drop(3);
  world.offer_write(3, 0xf, pattern(2));
  world.until_taken();
  world.l2_hold(3, 0xf);
  for (int k = 0; k < 400; ++k) world.step();  // long enough to commit, were it not for the lock
  world.hold_probe = false;
  world.drain();
}
TEST(DedupHazards, Hazard3CopyIsDroppedWhenReferenceIsWrittenDuringTheProbe) {
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {  // the L2 is read early or late, by seed
    World world(quick_unit(), {}, {.seed = seed});
    write_during_probe(world);
    EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  }
  unsigned late_write = 0, ref_lock = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    World broken(quick_unit(), {}, {.seed = seed}, {.car_ignores_late_write = true});
    write_during_probe(broken);
    late_write += !broken.errors.empty();
    World unlocked(quick_unit(), {}, {.seed = seed}, {.skip_ref_lock = true});
    write_during_probe(unlocked);
    ref_lock += !unlocked.errors.empty();
  }
  EXPECT_GT(late_write, 0u);
  EXPECT_GT(ref_lock, 0u);
}

TEST(DedupHazards, CopyIsTakenWhenReferenceIsResidentAndClean) {  // or the tests above prove nothing
  World world(quick_unit(), {}, {});
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.l2_hold(3, 0x7);
  EXPECT_EQ(world.read(5, 0xf), pattern(1));
  EXPECT_EQ(world.copies, 1u);
  EXPECT_EQ(world.slot_reads, 1u);  // sector 3
  EXPECT_TRUE(world.errors.empty());
}

// ---- hazard 5: MD5 collides on purpose -------------------------------------------------------------

TEST(DedupHazards, Hazard5PublishedMd5CollisionCorruptsAndTheOracleReportsIt) {
  for (const tb::CollisionPair& pair : tb::collision_pairs()) {
    ASSERT_NE(pair.first, pair.second);
    // The trailing mask byte does not help: both messages leave MD5 in the same state.
    ASSERT_EQ(md5::line_digest(pair.mask, pair.first), md5::line_digest(pair.mask, pair.second)) << pair.name;
    World world(quick_unit(), {}, {});
    world.write(3, pair.mask, pair.first);
    EXPECT_EQ(world.write(5, pair.mask, pair.second).outcome, Outcome::inter) << pair.name;
    EXPECT_EQ(masked(world.read(5, 0xf), pair.mask), masked(pair.first, pair.mask))
        << pair.name;  // the wrong message
    ASSERT_EQ(world.errors.size(), 1u) << pair.name;
    EXPECT_NE(world.errors.front().find("line 5"), std::string::npos);
  }
}

TEST(DedupHazards, Hazard5NoCorruptionWithoutInterDetection) {
  DedupUnitParams params = quick_unit();
  params.config.hash = false;
  World world(params, {}, {});
  const tb::CollisionPair pair = tb::collision_pairs().front();
  world.write(3, pair.mask, pair.first);
  EXPECT_EQ(world.write(5, pair.mask, pair.second).outcome, Outcome::unique_home);
  EXPECT_EQ(world.read(5, 0xf), pair.second);
  EXPECT_TRUE(world.errors.empty());
}

}  // namespace
}  // namespace warpsieve::dedup
