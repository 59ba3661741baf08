// dedup: writes of some bytes of a sector (DedupParams::byte_masks), model and RTL in lock step: where the bytes go,
// what is read for that, which entry of the hash store leaves, what reads see meanwhile. Each guard is removed once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "checked_world.h"

namespace warpsieve::dedup {
namespace {

constexpr ByteMask kSome{0x00ff00f0, 1, 0x80000000, 0x0000ffff};

unsigned requests_of(const std::vector<DramReq>& log, DramKind kind) {
  return static_cast<unsigned>(
      std::count_if(log.begin(), log.end(), [&](const DramReq& r) { return r.kind == kind; }));
}

TEST(DedupBytes, UntouchedLineTakesThemAtHomeAndStaysUntouched) {
  CheckedWorld world;
  const DoneEvent event = world.write(3, 0x5, pattern(1), 0, kSome);
  EXPECT_EQ(event.outcome, Outcome::unique_home);
  EXPECT_TRUE(event.passed);
  EXPECT_TRUE(event.no_entry);
  EXPECT_EQ(event.written, 0x5);
  const std::vector<DramReq> log = world.take_dram_log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(log[0].line, 3u);
  EXPECT_EQ(log[0].bytes, (ByteMask{kSome[0], ~0u, kSome[2], ~0u}));
  EXPECT_EQ(world.stats().hashed_chunks, 0u);
  // The line is still untouched: the whole of it goes home again, and old sectors are none.
  EXPECT_EQ(world.write(3, 0x1, pattern(2)).read, 0);
}

TEST(DedupBytes, ReferenceThatIsOverwrittenIsNotFoundAgain) {
  CheckedWorld world;
  world.write(3, 0xf, pattern(1));
  const DoneEvent event = world.write(3, 0x2, pattern(2), 0, kSome);
  EXPECT_EQ(event.outcome, Outcome::unique_in_place);
  EXPECT_EQ(event.read, 0);
  EXPECT_EQ(world.write(5, 0xf, pattern(1)).outcome, Outcome::unique_home);
  World broken(quick_unit(), {}, {}, {.keep_entry = true});
  broken.write(3, 0xf, pattern(1));
  broken.write(3, 0x2, pattern(2), 0, kSome);
  EXPECT_EQ(broken.write(5, 0xf, pattern(1)).outcome, Outcome::inter);
  broken.check_all();
  EXPECT_FALSE(broken.errors.empty());
}

TEST(DedupBytes, SharedReferenceMovesAndKeepsItsOtherBytes) {
  CheckedWorld world;
  world.write(3, 0xf, pattern(1));
  EXPECT_EQ(world.write(5, 0xf, pattern(1)).outcome, Outcome::inter);
  world.take_dram_log();
  const DoneEvent event = world.write(3, 0x3, pattern(2), 0, {~0u, 0xff, 0, 0});
  EXPECT_EQ(event.outcome, Outcome::unique_borrowed);
  EXPECT_EQ(event.read, 0xe);  // all but the sector that was written as a whole
  EXPECT_EQ(event.written, 0xf);
  EXPECT_EQ(requests_of(world.take_dram_log(), DramKind::dedup_read), 1u);
}

TEST(DedupBytes, IntraDuplicateIsCompletedFromItsValue) {
  CheckedWorld world;
  world.write(3, 0xf, flat(7));
  world.take_dram_log();
  const DoneEvent event = world.write(3, 0x1, pattern(2), 0, kSome);
  EXPECT_EQ(event.outcome, Outcome::unique_home);
  EXPECT_EQ(event.written, 0xf);
  EXPECT_EQ(event.read, 0);
  EXPECT_EQ(world.take_dram_log().size(), 1u);
}

TEST(DedupBytes, MappedLineIsCompletedFromItsSlotAndItsHome) {
  DedupUnitParams params = quick_unit();
  params.config.spare_lines = 8;
  params.config.total_lines += 6;
  CheckedWorld world(params);
  world.write(3, 0x3, pattern(1));
  EXPECT_EQ(world.write(5, 0x3, pattern(1)).outcome, Outcome::inter);
  world.take_dram_log();
  const DoneEvent event = world.write(5, 0x6, pattern(2), 0, kSome);  // sector 2 is at home
  EXPECT_TRUE(event.passed);
  EXPECT_EQ(event.read, 0x7);
  const std::vector<DramReq> log = world.take_dram_log();
  EXPECT_EQ(requests_of(log, DramKind::dedup_read), 2u);
  EXPECT_EQ(log[0].line, 3u);
  EXPECT_EQ(log[1].line, 5u);
}

TEST(DedupBytes, PartlyWrittenIntraDuplicateGoesHomeWithItsValue) {
  CheckedWorld world;
  world.write(3, 0x5, flat(7));
  world.take_dram_log();
  const DoneEvent event = world.write(3, 0x3, pattern(2), 0, kSome);
  EXPECT_TRUE(event.passed);
  EXPECT_EQ(event.read, 0);
  EXPECT_EQ(event.written, 0x7) << "and sector 2, which was in the map only";
  EXPECT_EQ(world.take_dram_log().size(), 1u);
  EXPECT_EQ(world.write(3, 0xf, pattern(3)).outcome, Outcome::unique_home) << "untouched since";
}

TEST(DedupBytes, PartlyWrittenIntraDuplicateWhoseHomeIsLentBorrowsAnother) {
  CheckedWorld world;
  EXPECT_EQ(world.write(3, 0xf, flat(7)).outcome, Outcome::intra);
  world.write(1, 0xf, pattern(1));
  EXPECT_EQ(world.write(2, 0xf, pattern(1)).outcome, Outcome::inter);
  EXPECT_EQ(world.write(1, 0xf, pattern(2)).outcome, Outcome::unique_borrowed);  // its home stays with 2
  world.take_dram_log();
  const DoneEvent event = world.write(3, 0x3, pattern(4), 0, kSome);
  EXPECT_EQ(event.outcome, Outcome::unique_borrowed) << "1 took the home of 3, not a spare line";
  EXPECT_EQ(event.read, 0) << "the value is all of its old content";
  EXPECT_EQ(event.written, 0xf);
}

TEST(DedupBytes, SectorsPassOnlyWhenToldTo) {
  for (const bool pass : {false, true}) {
    DedupUnitParams params = quick_unit();
    params.config.pass = pass;
    CheckedWorld world(params);
    world.write(3, 0xf, pattern(1));
    const DoneEvent event = world.write(3, 0x1, pattern(2));
    EXPECT_EQ(event.passed, pass);
    EXPECT_EQ(event.read, pass ? 0 : 0xe);
    EXPECT_EQ(event.outcome, Outcome::unique_in_place);
  }
}

TEST(DedupBytes, FewSectorsMayBeAnIntraDuplicate) {
  DedupUnitParams params = quick_unit();
  params.config.pass = true;
  CheckedWorld world(params);
  const auto write = [&](std::uint32_t line, std::uint8_t mask, const LineData& data) {
    world.take_dram_log();
    return world.write(line, mask, data);
  };
  EXPECT_EQ(write(3, 0x3, flat(7)).outcome, Outcome::intra);
  EXPECT_TRUE(world.take_dram_log().empty());
  // The other half: the first one comes from the map, without a read.
  const DoneEvent whole = write(3, 0xc, flat(7));
  EXPECT_EQ(whole.outcome, Outcome::intra);
  EXPECT_FALSE(whole.passed);
  EXPECT_TRUE(world.take_dram_log().empty());
  // No duplicate any more. It has a map, so it is completed from there and written as unique content.
  const DoneEvent other = write(3, 0x1, pattern(2));
  EXPECT_FALSE(other.passed);
  EXPECT_TRUE(other.no_entry);
  EXPECT_EQ(other.read, 0);
  EXPECT_EQ(other.written, 0xf);
  // An untouched line that is none goes home as it is.
  const DoneEvent home = write(5, 0x3, pattern(3));
  EXPECT_TRUE(home.passed);
  EXPECT_EQ(home.written, 0x3);
  // A resident line: all sectors again.
  EXPECT_EQ(write(6, 0xf, pattern(4)).outcome, Outcome::unique_home);
  EXPECT_TRUE(write(6, 0x1, pattern(5)).passed) << "old sectors would have to be read";
  EXPECT_EQ(write(6, 0x7, flat(1)).outcome, Outcome::intra) << "untouched since";
}

/// 3 is written as a whole behind a write that waits for the DRAM, then bytes of it: they stay pending, because the
/// first write of the line is in process.
void write_bytes_behind(World& world) {
  world.hold_dram = true;
  for (const std::uint32_t line : {1u, 3u}) {
    world.offer_write(line, 0xf, pattern(line));
    world.until_taken();
    for (int k = 0; k < 60; ++k) world.step();
  }
  world.offer_write(3, 0x1, pattern(9), 0, kSome);
  world.until_taken();
}
void let_go(World& world) {
  for (int k = 0; k < 200; ++k) world.step();
  world.hold_dram = false;
  world.drain();
  world.check_all();
}
void read_of_a_pending_sector(World& world) {
  write_bytes_behind(world);
  world.offer_read(3, 0x3);
  world.until_taken();
  let_go(world);
}
TEST(DedupBytes, ReadWaitsForThePendingBytesOfItsSector) {
  CheckedWorld world(odd_unit());
  read_of_a_pending_sector(world);
  for (const DedupFaults& faults : {DedupFaults{.forward_some_bytes = true}, DedupFaults{.overtake_bytes = true}}) {
    World broken(odd_unit(), {}, {}, faults);
    read_of_a_pending_sector(broken);
    EXPECT_FALSE(broken.errors.empty());
  }
}

/// The write that comes after the read must not be seen by it, nor wait for longer than the read's own write.
TEST(DedupBytes, NoWriteMergesIntoTheEntryThatAReadWaitsFor) {
  const auto write_after_read = [](World& world) {
    write_bytes_behind(world);
    world.offer_read(3, 0x1);
    world.until_taken();
    world.offer_write(3, 0x1, pattern(11), 0, {0xffff0000, 0, 0, 0});
    let_go(world);
  };
  CheckedWorld world(odd_unit());
  write_after_read(world);
  EXPECT_TRUE(world.taken());
  World broken(odd_unit(), {}, {}, {.merge_under_read = true});
  write_after_read(broken);
  EXPECT_FALSE(broken.errors.empty());
}

TEST(DedupBytes, WritesOfALineMergeByteByByte) {
  CheckedWorld world(odd_unit());
  write_bytes_behind(world);
  for (const ByteMask& bytes : {ByteMask{0xff0, 0xf, 0, 0}, ByteMask{0xff, ~0u, 0, 0}}) {
    world.offer_write(3, 0x3, pattern(bytes[0]), 0, bytes);
    world.until_taken();
  }
  let_go(world);
  EXPECT_EQ(world.stats().passed, 1u);
}

// ---- guards ---------------------------------------------------------------------------------------

/// Random worlds with byte masks until one fails: how many it took, or nothing.
std::optional<unsigned> worlds_until_wrong(const DedupFaults& faults, unsigned worlds, std::string* error) {
  for (unsigned k = 0; k < worlds; ++k) {
    Knobs knobs{.accept_percent = k % 3 == 2 ? 40u : 100u, .max_latency = k % 2 ? 40u : 3u, .seed = 500 + k};
    knobs.patterns = 1 + k % 3;
    knobs.some_percent = 20 + 30 * (k % 3);
    knobs.flat_percent = k % 4 == 3 ? 30 : 5;
    knobs.full_percent = k % 5 > 1 ? 40 : 90;
    knobs.read_percent = 60;
    knobs.hot_percent = k % 3 == 0 ? 0 : 85;
    DedupUnitParams params = quick_unit();
    params.config.pass = k % 2;
    if (k % 4 > 1) {
      params.dedup.buffer_entries = 6;
      params.dedup.lookups = 3;
      params.dedup.hash_units = 2;
    }
    World world(params, {}, knobs, faults);
    stress(world, 300);
    if (world.errors.empty()) continue;
    *error = world.errors.front();
    return k + 1;
  }
  return std::nullopt;
}

struct ByteGuard {
  const char* name;
  DedupFaults faults;
};
class DedupByteGuards : public ::testing::TestWithParam<ByteGuard> {};
INSTANTIATE_TEST_SUITE_P(Removed, DedupByteGuards,
                         ::testing::Values(ByteGuard{"forwarded_bytes", {.forward_some_bytes = true}},
                                           ByteGuard{"wait_for_bytes", {.overtake_bytes = true}},
                                           ByteGuard{"closed_to_merges", {.merge_under_read = true}},
                                           ByteGuard{"masks_to_dram", {.write_all_bytes = true}},
                                           ByteGuard{"entry_leaves", {.keep_entry = true}},
                                           ByteGuard{"move_out", {.overwrite_shared_slot = true}}),
                         [](const auto& info) { return std::string(info.param.name); });
TEST_P(DedupByteGuards, RemovedGuardCorrupts) {
  std::string error;
  const auto found = worlds_until_wrong(GetParam().faults, 400, &error);
  ASSERT_TRUE(found) << "removing the guard had no effect";
  fmt::print("[ found    ] {} after {} worlds: {}\n", GetParam().name, *found, error);
}
TEST(DedupBytes, SameTrafficWithAllGuardsIsCorrect) {
  std::string error;
  EXPECT_FALSE(worlds_until_wrong({}, 400, &error)) << error;
}

}  // namespace
}  // namespace warpsieve::dedup
