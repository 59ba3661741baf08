// dedup: the search for a slot to borrow, model and RTL in lock step. It takes a bounded number of candidates,
// wherever the only lines that can lend are, and it knows of every line that starts or stops to be one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "world.h"

namespace warpsieve::dedup {
namespace {

constexpr std::uint32_t kTotal = 256, kSpare = 8, kGroup = 16;  // lines; those of a group of point `tiny`: 2^(8/2)
constexpr unsigned kRing = 2;                                   // its free_entries
constexpr std::uint64_t kMost = kRing + 1 + kGroup;             // candidates of a borrow
constexpr std::uint64_t kWrites = 12;  // lookups of the writes of borrow() itself, in candidates, at most

DedupUnitParams wide_unit() {
  DedupUnitParams params = quick_unit();
  params.config.total_lines = kTotal;
  params.config.spare_lines = kSpare;
  return params;
}

/// `user` shares the content of `owner`; then `owner` is written and borrows a slot. Returns where it was written.
std::uint32_t borrow(World& world, std::uint32_t owner, std::uint32_t user) {
  world.write(owner, 0xf, pattern(owner));
  EXPECT_EQ(world.write(user, 0xf, pattern(owner)).outcome, Outcome::inter);
  world.take_dram_log();
  const DoneEvent event = world.write(owner, 0xf, pattern(300 + owner));
  EXPECT_EQ(event.outcome, Outcome::unique_borrowed);
  EXPECT_TRUE(event.scanned);
  for (const DramReq& request : world.take_dram_log())
    if (request.kind == DramKind::write) return request.line;
  return kTotal;
}

/// The ring is full of lines that are in use again.
void fill_ring(World& world) {
  for (unsigned k = 0; k < kRing; ++k) world.write(2 + k, 0xf, flat(k));
  for (unsigned k = 0; k < kRing; ++k) world.write(2 + k, 0xf, pattern(100 + k));
}

/// The spare lines lend their slots, one after the other. The users of the shared slots can lend from then on.
void use_up_spare_lines(World& world, std::uint32_t first_user) {
  for (unsigned k = 0; k < kSpare; ++k) {
    fill_ring(world);
    EXPECT_EQ(borrow(world, 4 + k, first_user + k), kTotal - kSpare + k);
  }
}

TEST(DedupSlots, BorrowLooksAtABoundedNumberOfCandidatesWhereverTheLenderIs) {
  for (const std::uint32_t lender : {32u, 47u, 100u, 176u, 223u}) {
    World world(wide_unit(), control_in_shadow(), {});
    use_up_spare_lines(world, lender);
    fill_ring(world);
    // The search goes on at line 0; the lines up to the first user cannot lend.
    const std::uint64_t before = lookups(world);
    EXPECT_EQ(borrow(world, 20, lender + kSpare), lender);
    const std::uint64_t candidates = (lookups(world) - before) / 3;  // type, mask and lent flag of each
    EXPECT_LE(candidates, kMost + kWrites);
    EXPECT_GE(candidates, kRing + 1 + lender % kGroup);
    world.check_all();
    EXPECT_THAT(world.errors, ::testing::IsEmpty()) << lender;
  }
}

TEST(DedupSlots, LineThatGrowsToAWholeOneIsFound) {
  for (const bool inter : {false, true}) {
    World world(wide_unit(), control_in_shadow(), {});
    use_up_spare_lines(world, 180);
    fill_ring(world);
    // 51 is mapped or intra in two steps. It enters no ring.
    if (inter) {
      world.write(60, 0x3, pattern(7));
      EXPECT_EQ(world.write(51, 0x3, pattern(7)).outcome, Outcome::inter);
      world.write(61, 0xf, pattern(7));
      EXPECT_EQ(world.write(51, 0xc, pattern(7)).outcome, Outcome::inter);
    } else {
      world.write(51, 0x3, flat(77));
      EXPECT_EQ(world.write(51, 0xc, flat(77)).outcome, Outcome::intra);
    }
    EXPECT_EQ(borrow(world, 22, 200), 51u) << inter;
    world.check_all();
    EXPECT_THAT(world.errors, ::testing::IsEmpty()) << inter;
  }
}

/// 51 leaves its home to 52 while both are partly written, and then grows to a whole intra line: its home stays in
/// use.
TEST(DedupSlots, LineThatGrowsWhileItsHomeIsLentIsNotFound) {
  World world(wide_unit(), control_in_shadow(), {});
  use_up_spare_lines(world, 180);
  world.write(51, 0x3, pattern(7));
  EXPECT_EQ(world.write(52, 0x3, pattern(7)).outcome, Outcome::inter);
  EXPECT_EQ(world.write(51, 0x3, flat(77)).outcome, Outcome::intra);
  EXPECT_EQ(world.write(51, 0xc, flat(77)).outcome, Outcome::intra);
  fill_ring(world);
  EXPECT_EQ(borrow(world, 22, 200), 180u);
  // 52 leaves it, too: now 51 can lend, and is in the ring.
  world.write(52, 0x3, flat(78));
  world.write(24, 0xf, pattern(24));
  EXPECT_EQ(world.write(202, 0xf, pattern(24)).outcome, Outcome::inter);
  world.take_dram_log();
  EXPECT_FALSE(world.write(24, 0xf, pattern(324)).scanned);
  const auto log = world.take_dram_log();
  ASSERT_FALSE(log.empty());
  EXPECT_EQ(log.back().line, 51u);
  world.check_all();
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

/// A line that returns home cannot lend any more: the group of 51 has none, and is passed over.
TEST(DedupSlots, LineThatReturnsHomeIsNotFound) {
  World world(wide_unit(), control_in_shadow(), {});
  use_up_spare_lines(world, 180);
  fill_ring(world);
  world.write(51, 0xf, flat(77));  // the ring is full: only the counts know it
  world.write(51, 0xf, pattern(50));
  const std::uint64_t before = lookups(world);
  EXPECT_EQ(borrow(world, 22, 200), 180u);
  EXPECT_LT((lookups(world) - before) / 3, kMost + kWrites);
  world.check_all();
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

/// After a warm reset the counts are not known: all lines are visited in turn, as many as it takes.
TEST(DedupSlots, WithoutCountsAllLinesAreVisited) {
  DedupUnitParams params = wide_unit();
  params.config.fresh = false;
  World world(params, control_in_shadow(), {});
  use_up_spare_lines(world, 180);
  fill_ring(world);
  const std::uint64_t before = lookups(world);
  EXPECT_EQ(borrow(world, 22, 200), 180u);
  EXPECT_GT((lookups(world) - before) / 3, 180u);
  world.check_all();
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

}  // namespace
}  // namespace warpsieve::dedup
