// dedup: the filter of regions without mapped lines, model and RTL in lock step: which reads need no metadata, how
// long they take, and what happens without the bit.
#include <gtest/gtest.h>

#include "world.h"

namespace warpsieve::dedup {
namespace {

DedupUnitParams region_unit(bool region = true) {
  DedupUnitParams params = quick_unit();  // regions of four lines
  params.config.region = region;
  return params;
}
TEST(DedupRegion, ReadsOfARegionWithoutMappedLinesNeedNoMetadata) {
  World world(region_unit(), control_in_shadow(), {});
  wait(world, 20);
  world.write(5, 0xf, pattern(1));  // resident
  wait(world, 20);                  // its updates are counted
  const std::uint64_t before = lookups(world);
  world.take_dram_log();
  for (const std::uint32_t line : {0u, 4u, 5u, 7u}) {
    world.read(line, 0x6);
    const auto log = world.take_dram_log();
    ASSERT_EQ(log.size(), 1u);
    EXPECT_EQ(log[0].kind, DramKind::home_read);
    EXPECT_EQ(log[0].line, line);
    EXPECT_EQ(log[0].mask, 0x6u);
  }
  EXPECT_EQ(lookups(world), before);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
}

TEST(DedupRegion, FirstMappedLineOpensItsRegionOnly) {
  for (const bool inter : {false, true}) {
    World world(region_unit(), control_in_shadow(), {});
    wait(world, 20);
    world.write(12, 0xf, pattern(2));
    EXPECT_EQ(world.write(6, 0xf, inter ? pattern(2) : flat(9)).outcome, inter ? Outcome::inter : Outcome::intra);
    wait(world, 20);
    for (std::uint32_t line = 0; line < 16; ++line) {
      const std::uint64_t before = lookups(world);
      world.read(line, 0xf);
      wait(world, 20);
      EXPECT_EQ(lookups(world) != before, line / 4 == 1) << line;
    }
    EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  }
}

TEST(DedupRegion, ReadThatWaitedForItsWriteLooksItUp) {
  World world(region_unit(), control_in_shadow(), {});
  wait(world, 20);
  world.offer_write(6, 0x3, flat(9));
  world.until_taken();
  wait(world, 2);  // in process
  world.offer_read(6, 0xf);
  world.until_taken();
  world.drain();
  world.check_all();
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
}

/// Cycles from a read to its request at the DRAM port.
unsigned read_cycles(bool region) {
  DedupUnitParams params = region_unit(region);
  params.metadata_cycles = 20;
  World world(params, control_in_shadow(), {.max_latency = 1});
  world.write(9, 0xf, pattern(3));
  world.read(8, 0xf);  // metadata are cached
  wait(world, 40);
  world.offer_read(8, 0xf);
  unsigned cycles = 0;
  for (world.take_dram_log(); world.take_dram_log().empty(); ++cycles) world.step();
  return cycles;
}
TEST(DedupRegion, ClearRegionTakesThreeCyclesWhateverTheMetadataTake) {
  EXPECT_EQ(read_cycles(true), 4u);    // accepted, filter, home, in the register
  EXPECT_EQ(read_cycles(false), 26u);  // metadata after 20 cycles
}

TEST(DedupRegion, WarmResetOpensAllRegionsUntilAColdOne) {
  DedupUnitParams params = region_unit();
  params.config.fresh = false;
  World world(params, control_in_shadow(), {});
  wait(world, 20);
  for (std::uint32_t line = 0; line < 16; line += 4) {
    const std::uint64_t before = lookups(world);
    world.read(line, 0xf);
    EXPECT_GT(lookups(world), before) << line;
  }
}

/// The 64 regions are one word, cleared in the first cycle. What a memory shows of a word that is just written is not
/// known; here it is the opposite of what the word held. So after a warm reset, which leaves ones, a filter that
/// believed it in the first cycle of the next one would not look up.
TEST(DedupRegion, RegionsAreOpenWhileTheyAreCleared) {
  for (const bool fresh : {false, true}) {
    for (const unsigned wait : {0u, 1u}) {
      auto block = make_dedup(tiny_dedup, {.region = true, .fresh = fresh, .total_lines = 18, .spare_lines = 2},
                              Backend::shadow);
      for (const unsigned ticks : {3u, wait}) {
        block->reset();
        for (unsigned k = 0; k < ticks; ++k) block->tick();
      }
      ASSERT_TRUE(block->rd().push({3, 0xf, 0}));
      bool asked = false;
      for (unsigned k = 0; k < 8; ++k) {
        block->tick();
        asked |= block->meta_req(meta_type).front() != nullptr;
      }
      EXPECT_EQ(asked, !fresh || wait == 0);
    }
  }
}

TEST(DedupRegion, ForgottenRegionReturnsOldData) {
  const auto mapped = [](World& world) {
    wait(world, 20);
    world.write(6, 0xf, flat(9));
    world.read(6, 0xf);
  };
  World world(region_unit(), {}, {});
  mapped(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  World broken(region_unit(), {}, {}, {.forget_region = true});
  mapped(broken);
  EXPECT_FALSE(broken.errors.empty());
}

TEST(DedupRegion, FilterNeedsRegionBits) {
  EXPECT_THROW(make_dedup({}, {.region = true}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_dedup({.region_bits = 21}, {.region = true}, Backend::model), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::dedup
