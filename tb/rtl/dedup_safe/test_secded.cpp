// dedup_safe with check bits: wrong bits in any of its tables change no byte, or close it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "rtl_points/dedup_safe/dedup_safe.h"
#include "safe_world.h"
#include "support/wrong_bits.h"

namespace warpsieve::dedup_safe {
namespace {

using Guarded = SafeWorld<Vdedup_safe_guarded>;
constexpr SafeKnobs kKnobs{.verify = true, .bytes = true};

TEST(DedupSafeSecded, SingleWrongBitsChangeNoByteOverWarmResets) {
  Guarded world(20261201, kKnobs);
  tb::WrongBits bits(1);
  world.watch = [&] { bits.next(world.top(), false); };
  ASSERT_TRUE(world.until_open());
  for (unsigned n = 0; n < 200 && world.errors.empty(); ++n) {
    for (unsigned k = 0; k < 200; ++k) world.step();
    world.l2_resets();
    world.warm = true;
    world.step(false);
    world.warm = false;
    ASSERT_TRUE(world.until_open());
    if (n % 20 == 0) world.check_all();
  }
  world.check_all();
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
  EXPECT_FALSE(world.top().fatal_o);
  for (unsigned table = 16; table <= 20; ++table) EXPECT_GT(world.register_at(table), 50u) << table;
  EXPECT_EQ(world.register_at(0), 17u);  // open, awake
  EXPECT_GT(world.duplicates, 100u);
}

/// Two wrong bits in a table, in traffic: it closes, no reply is wrong, and only a cold reset opens it.
TEST(DedupSafeSecded, ALostWordClosesItUntilAColdReset) {
  std::array<unsigned, 6> lost{};
  Guarded world(20261202, kKnobs);
  std::mt19937 random(2);
  for (unsigned n = 0; n < 400 && world.errors.empty(); ++n) {
    tb::WrongBits bits(n);
    unsigned begins = 100 + static_cast<unsigned>(random() % 600);
    unsigned table = 0;
    world.watch = [&] {
      auto& t = world.top();
      t.flip_table_i = 0;
      if (begins && --begins) return;
      do {
        bits.next(t, true);
      } while (table && t.flip_table_i != table);
      table = t.flip_table_i;  // one of them per round
    };
    ASSERT_TRUE(world.until_open());
    for (unsigned k = 0; k < 4000 && !world.top().fatal_o; ++k) world.step();
    if (world.top().fatal_o) {
      ++lost[table];
      const std::uint64_t reads = world.reads, writes = world.writes;
      world.step();  // the guard closes
      const std::uint64_t last = world.reads + world.writes;
      EXPECT_LE(last, reads + writes + 2);
      for (unsigned k = 0; k < 300; ++k) {
        world.step();
        EXPECT_TRUE(world.top().fatal_o && world.top().busy_o);
        EXPECT_FALSE(world.top().open_o || world.top().drained_o);
        if (k == 100) world.warm = true;  // a warm reset does not help
        if (k == 101) {
          world.warm = false;
          world.l2_resets();
        }
      }
      EXPECT_EQ(world.reads + world.writes, last);
      EXPECT_EQ(world.register_at(0) & 0x25, 0x20u);  // lost, neither open nor drained
    }
    world.watch = nullptr;
    world.top().flip_table_i = 0;
    world.cold_reset(n % 2);
    EXPECT_FALSE(world.top().fatal_o);
    ASSERT_TRUE(world.until_open());
    if (n % 10 == 0) world.check_all();  // every line is at home
  }
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
  for (unsigned table = 1; table < 6; ++table) EXPECT_GT(lost[table], 10u) << table;
}

}  // namespace
}  // namespace warpsieve::dedup_safe
