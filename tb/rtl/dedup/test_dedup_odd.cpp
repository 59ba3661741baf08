// dedup at the point of the mutation tests, model and RTL in lock step: what needs more lines, larger counts or other
// regions than the smallest point has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "checked_world.h"

namespace warpsieve::dedup {
namespace {

TEST(DedupOdd, EveryCountUpToTheLargestIsUsed) {
  CheckedWorld world(odd_unit());
  world.write(0, 0xf, pattern(1));
  for (unsigned users = 1; users < 15; ++users) {  // four bits of count, with the reference
    EXPECT_EQ(world.write(users, 0xf, pattern(1)).outcome, Outcome::inter) << users;
  }
  const DoneEvent more = world.write(15, 0xf, pattern(1));
  EXPECT_EQ(more.outcome, Outcome::unique_home);
  EXPECT_TRUE(more.saturated);
}

TEST(DedupOdd, OnlyFullSharersMayJoinAtTheLimit) {  // 3 spare lines: one partly written line may be mapped
  CheckedWorld world(odd_unit());
  world.write(3, 0x3, pattern(1));
  EXPECT_EQ(world.write(5, 0x3, pattern(1)).outcome, Outcome::inter);
  unsigned next = 3;
  for (const unsigned mask : {0xeu, 0xdu, 0xbu, 0x7u, 0xfu}) {
    const unsigned line = 2 * (next++);
    world.write(line, mask, pattern(mask));
    const DoneEvent event = world.write(line + 1, mask, pattern(mask));
    EXPECT_EQ(event.outcome, mask == 0xf ? Outcome::inter : Outcome::unique_home) << mask;
    EXPECT_EQ(event.partial_limit, mask != 0xf) << mask;
  }
}

TEST(DedupOdd, LimitCountsPartlyWrittenSharersOnlyAndForgetsThoseThatLeave) {
  for (unsigned mask = 1; mask <= 0xf; ++mask) {
    CheckedWorld world(odd_unit());
    world.write(3, mask, pattern(1));
    EXPECT_EQ(world.write(5, mask, pattern(1)).outcome, Outcome::inter) << mask;
    EXPECT_NE(world.write(5, mask, pattern(2)).outcome, Outcome::inter) << mask;  // leaves
    for (const std::uint32_t line : {7u, 9u}) {
      world.write(line - 1, 0x6, pattern(line));
      const DoneEvent event = world.write(line, 0x6, pattern(line));
      EXPECT_EQ(event.outcome, line == 7 ? Outcome::inter : Outcome::unique_home) << mask << ' ' << line;
      EXPECT_EQ(event.partial_limit, line == 9) << mask << ' ' << line;
    }
  }
}

TEST(DedupOdd, IntraDuplicateIsCompletedInTheSectorsThatItHas) {
  for (unsigned sector = 0; sector < 4; ++sector) {
    CheckedWorld world(odd_unit());
    const unsigned part = 1u << sector;
    EXPECT_EQ(world.write(3, 0xf & ~part, flat(7)).outcome, Outcome::intra);
    const DoneEvent event = world.write(3, part, pattern(2), 0, {0xff0, 0xff0, 0xff0, 0xff0});
    EXPECT_TRUE(event.passed);
    EXPECT_EQ(event.written, 0xf);
    const std::vector<DramReq> log = world.take_dram_log();
    ASSERT_EQ(log.size(), 1u);
    ByteMask bytes{~0u, ~0u, ~0u, ~0u};
    bytes[sector] = 0xff0;
    EXPECT_EQ(log[0].bytes, bytes);
  }
}

TEST(DedupOdd, MappedLineIsCompletedFromTheSectorsThatItHas) {
  for (unsigned sector = 0; sector < 4; ++sector) {
    DedupUnitParams params = odd_unit();
    params.config.spare_lines = 8;
    CheckedWorld world(params);
    const unsigned mask = 0xf & ~(1u << sector), part = 1u << (sector + 1) % 4;
    world.write(3, mask, pattern(1));
    EXPECT_EQ(world.write(5, mask, pattern(1)).outcome, Outcome::inter);
    const DoneEvent event = world.write(5, part, pattern(2), 0, {0xff0, 0xff0, 0xff0, 0xff0});
    EXPECT_TRUE(event.passed);
    EXPECT_EQ(event.read, mask);
    EXPECT_EQ(event.written, mask);
  }
}

/// Bytes that a write leaves out: from the value of an intra line, and from the slot of a mapped one. Both are tried
/// with each bit set, and the world checks what is read.
TEST(DedupOdd, EveryOldByteIsKeptUnderAPartialWrite) {
  LineData ones = pattern(1);
  for (auto& byte : ones) byte = static_cast<std::uint8_t>(~byte);
  for (unsigned written = 0; written < 32; written += 5) {
    const std::uint32_t bytes = 1u << written;
    for (const bool inverted : {false, true}) {
      CheckedWorld world(odd_unit());
      EXPECT_EQ(world.write(3, 0xf, flat(inverted ? 0x00ff55aa : 0xff00aa55)).outcome, Outcome::intra);
      EXPECT_TRUE(world.write(3, 0xf, pattern(2), 0, {bytes, bytes, bytes, bytes}).passed);
      world.read(3, 0xf);
      const LineData& shared = inverted ? ones : pattern(1);
      world.write(7, 0xf, shared);
      EXPECT_EQ(world.write(9, 0xf, shared).outcome, Outcome::inter);
      EXPECT_TRUE(world.write(9, 0xf, pattern(2), 0, {bytes, bytes, bytes, bytes}).passed);
      world.read(9, 0xf);
      world.read(7, 0xf);
    }
  }
}

TEST(DedupOdd, ScanGivesOneSpareLineAfterAnother) {
  DedupUnitParams params = odd_unit();
  params.config.spare_lines = 8;  // four partly written lines may be mapped: an owner and its user, twice
  CheckedWorld world(params);
  const std::uint32_t first = params.config.total_lines - params.config.spare_lines;
  for (unsigned k = 0; k < 2; ++k) {
    const std::uint32_t owner = 2 * k, user = 2 * k + 1;
    world.write(owner, 0x3, pattern(10 + k));
    EXPECT_EQ(world.write(user, 0x3, pattern(10 + k)).outcome, Outcome::inter);
    world.take_dram_log();
    const DoneEvent event =
        world.write(owner, 0x3, pattern(20 + k));  // the user's home is not full: it lends nothing
    EXPECT_EQ(event.outcome, Outcome::unique_borrowed);
    EXPECT_TRUE(event.scanned);
    const auto log = world.take_dram_log();
    EXPECT_TRUE(std::ranges::any_of(log, [&](const DramReq& r) {
      return r.kind == DramKind::write && r.line == first + k;
    })) << k;
  }
}

/// The spare lines but the last hold data, and the free lines on record are in use again. Line `lends` and the last
/// of an odd number can lend, and only a search finds them. Which line each of two borrows takes.
std::vector<std::uint32_t> searched(std::uint32_t total, std::uint32_t lends) {
  DedupUnitParams params = odd_unit();
  params.config.total_lines = total;
  params.config.spare_lines = 9;
  CheckedWorld world(params);
  const std::uint32_t first = params.config.total_lines - params.config.spare_lines;
  for (std::uint32_t line = first; line + 1 < params.config.total_lines; ++line)
    world.write(line, 0x3, pattern(line));
  const std::uint32_t on_record = 8;
  for (unsigned k = 0; k < 5; ++k) world.write(on_record + k, 0xf, flat(k));  // as many as the record takes
  world.write(lends, 0xf, flat(9));                                           // dropped: only the search finds it
  for (unsigned k = 0; k < 5; ++k) world.write(on_record + k, 0xf, pattern(50 + k));
  std::vector<std::uint32_t> taken;
  for (unsigned k = 0; k < 2; ++k) {
    const std::uint32_t owner = 2 * k, user = 2 * k + 1;
    world.write(owner, 0x3, pattern(10 + k));
    EXPECT_EQ(world.write(user, 0x3, pattern(10 + k)).outcome, Outcome::inter);
    world.take_dram_log();
    const DoneEvent event = world.write(owner, 0x3, pattern(20 + k));
    EXPECT_EQ(event.outcome, Outcome::unique_borrowed);
    EXPECT_TRUE(event.scanned);
    for (const DramReq& r : world.take_dram_log())
      if (r.kind == DramKind::write) taken.push_back(r.line);
  }
  return taken;
}

/// It begins in the group of the first spare line, wraps to the only one of it that can lend, and then goes to the
/// last group, whose only line is the last.
TEST(DedupOdd, SearchWalksTheGroupThatItIsInAndThenTheLastOne) {
  EXPECT_THAT(searched(33, 16), ::testing::ElementsAre(16, 32));
}

/// It begins in the last group, takes the last line, and goes on to the first group: no line beyond the last is asked
/// for.
TEST(DedupOdd, SearchTakesTheLastLineAndWraps) { EXPECT_THAT(searched(49, 15), ::testing::ElementsAre(48, 15)); }

/// After a reset the spare lines are the only ones that can lend, and the counts of their groups are written from the
/// configuration alone. Every second one is used at first, and the scan is always at such a line: each borrow
/// searches. A count that is too low sends the search away from a line that can lend, one that is too high keeps it
/// in a group without any.
TEST(DedupOdd, SearchesTakeEachSpareLineOnce) {
  for (std::uint32_t group = 1; group <= 8; ++group) {
    for (const std::uint32_t spare : {2u, 4u, 6u, 8u, 10u, 16u, 32u, 35u}) {
      DedupUnitParams params = odd_unit();
      params.config.total_lines = 32 * group + std::min(spare, 32u) + (spare == 32 ? 0 : group % 5);
      params.config.spare_lines = spare;
      const std::uint32_t first = params.config.total_lines - spare, owner = 0, user = 1;
      CheckedWorld world(params);
      unsigned content = 0;
      std::vector<std::uint32_t> taken, spares;
      for (std::uint32_t line = first; line < params.config.total_lines; ++line) {
        if ((line - first) % 2)
          spares.push_back(line);
        else
          world.write(line, 0xf, pattern(++content));
      }
      while (taken.size() < spares.size()) {
        world.write(owner, 0x3, pattern(++content));
        EXPECT_EQ(world.write(user, 0x3, pattern(content)).outcome, Outcome::inter);
        world.take_dram_log();
        EXPECT_EQ(world.write(owner, 0x3, pattern(++content)).outcome, Outcome::unique_borrowed);
        for (const DramReq& r : world.take_dram_log())
          if (r.kind == DramKind::write) taken.push_back(r.line);
        world.write(user, 0x3, pattern(++content));
        world.write(owner, 0x3, pattern(++content));  // both are at home
        world.write(taken.back(), 0xf, pattern(++content));
      }
      EXPECT_EQ(taken, spares) << "group " << group << " spare " << spare;
    }
  }
}

/// A group after the other fills with lines that can lend, and empties again. Only a search finds them, and a line
/// borrows at each count from 27 down to 1. A count that is wrong leads it to a group without a line, or past one.
TEST(DedupOdd, BorrowsAtEveryCountOfLenders) {
  DedupUnitParams params = odd_unit();
  params.config.total_lines = 1000;
  params.config.spare_lines = 8;
  CheckedWorld world(params);
  const std::uint32_t group_lines = 32, on_record = 5, owner = 960, user = 961;
  const unsigned part = 0x3;  // lines that lend nothing themselves
  unsigned content = 0;
  const auto own = [&](std::uint32_t line, unsigned mask = 0xf) {
    return world.write(line, mask, pattern(++content));
  };
  for (std::uint32_t line = 992; line < 1000; ++line) own(line);
  for (const std::uint32_t group : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 9u, 18u, 28u}) {
    const std::uint32_t first = group * group_lines;
    for (std::uint32_t k = 0; k < group_lines; ++k) world.write(first + k, 0xf, flat(group + k));
    for (std::uint32_t k = 0; k < on_record; ++k) own(first + k);
    for (std::uint32_t k = on_record; k < group_lines; ++k) {
      own(owner, part);
      EXPECT_EQ(world.write(user, part, pattern(content)).outcome, Outcome::inter);
      world.take_dram_log();
      const DoneEvent event = own(owner, part);
      EXPECT_EQ(event.outcome, Outcome::unique_borrowed);
      EXPECT_TRUE(event.scanned);
      const auto log = world.take_dram_log();
      EXPECT_TRUE(std::ranges::any_of(
          log, [&](const DramReq& r) { return r.kind == DramKind::write && r.line == first + k; }))
          << "group " << group << " line " << k;
      own(user, part);
      own(owner, part);  // both are at home, and the line that lent is on record
      own(first + k);    // and can lend no more
    }
  }
}

/// Whether a read of this line asks for metadata.
bool looks_up(Dedup& d, std::uint32_t line) {
  EXPECT_TRUE(d.rd().push({line, 0x1, 40}));
  unsigned requests = 0;
  for (unsigned k = 0; k < 12; ++k) {
    d.tick();
    for (unsigned m = 0; m < kMetas; ++m) {
      if (!d.meta_req(m).front()) continue;
      d.meta_req(m).pop();
      ++requests;
    }
  }
  return requests > 0;
}

TEST(DedupOdd, ReadsLookUpUntilTheFilterIsCleared) {
  const auto d = make_dedup(odd_dedup, {.region = true, .total_lines = 20, .spare_lines = 2}, Backend::shadow);
  for (unsigned k = 0; k < 700; ++k) d->tick();
  d->reset();  // all bits are clear in the memory, but it does not count until they were cleared again
  EXPECT_TRUE(looks_up(*d, 3));
  for (unsigned k = 0; k < 700; ++k) d->tick();
  EXPECT_FALSE(looks_up(*d, 3));
}

/// A reset opens every region over live memory, and closes every one over the initial image: in all words of the
/// filter.
TEST(DedupOdd, EveryWordOfTheFilterIsWrittenAfterAReset) {
  const std::uint32_t word_lines = 128;  // 64 regions of two lines
  for (const bool fresh : {false, true}) {
    for (std::uint32_t line = 3; line < 1000; line += word_lines) {
      const auto d = make_dedup(odd_dedup, {.region = true, .fresh = fresh, .total_lines = 1024, .spare_lines = 16},
                                Backend::shadow);
      for (unsigned k = 0; k < 700; ++k) d->tick();
      EXPECT_EQ(looks_up(*d, line), !fresh) << line;
    }
  }
}

/// Nothing is on offer at any port meanwhile. The model need not know it: it may be idle while it waits for answers.
TEST(DedupOdd, BusyWhileTheFilterIsClearedAndWhileAReadWaitsForMetadata) {
  const auto d = make_dedup(odd_dedup, {.total_lines = 20, .spare_lines = 2}, Backend::rtl);
  EXPECT_FALSE(d->idle());
  for (unsigned k = 0; k < 700; ++k) d->tick();
  EXPECT_TRUE(d->idle());
  ASSERT_TRUE(d->rd().push({2, 0x1, 40}));
  for (unsigned k = 0; k < 30; ++k) {
    d->tick();
    for (unsigned m = 0; m < kMetas; ++m) {
      if (d->meta_req(m).front()) d->meta_req(m).pop();
    }
    EXPECT_FALSE(d->idle()) << k;
  }
}

TEST(DedupOdd, EachRegionIsOpenedByItsOwnLinesOnly) {
  DedupUnitParams params = odd_unit();
  params.config.total_lines = 300;
  params.config.spare_lines = 12;
  params.config.region = true;
  CheckedWorld world(params);
  const unsigned lines = 2, regions = 72;  // 64 regions to a word of the filter
  wait(world, 700);
  std::vector<unsigned> order(regions);
  for (unsigned r = 0; r < regions; ++r) order[r] = r;
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  std::vector<bool> open(regions);
  for (unsigned done = 0; done < regions; ++done) {
    EXPECT_EQ(world.write(lines * order[done], 0xf, flat(done)).outcome, Outcome::intra);
    open[order[done]] = true;
    wait(world, 200);  // the updates of the write are counted, too
    for (unsigned r = 0; r < regions; ++r) {
      const std::uint64_t before = lookups(world);
      world.read(lines * r + 1, 0xf);
      EXPECT_EQ(lookups(world) != before, open[r]) << "region " << r << " after " << done;
    }
  }
}

}  // namespace
}  // namespace warpsieve::dedup
