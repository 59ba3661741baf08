// dedup_safe: no write that was taken is lost by a reset of what is around the unit, at whatever moment it comes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "blocks/dedup_safe/metadata_image.h"
#include "rtl_points/dedup/dedup_unit.h"
#include "rtl_points/dedup_safe/dedup_safe.h"
#include "safe_world.h"
#include "support/long_run.h"
#include "support/wrong_bits.h"

namespace warpsieve::dedup_safe {
namespace {

constexpr SafeKnobs kSecure{.verify = true, .bytes = true};

/// A reset at a random moment of traffic, so many times; all lines are read back now and then.
template <class V>
void survives_warm_resets(std::uint32_t seed, unsigned resets, const SafeKnobs& knobs) {
  SafeWorld<V> world(seed, knobs);
  ASSERT_TRUE(world.until_open());
  std::mt19937 random(seed + 1);
  for (unsigned n = 0; n < resets && world.errors.empty(); ++n) {
    for (std::uint64_t left = random() % 400; left; --left) world.step();
    world.warm = true;
    if (random() % 2) world.l2_resets();  // else its requests are still on offer in the first cycle
    world.step(random() % 2);
    world.l2_resets();
    for (std::uint64_t left = random() % 30; left; --left) world.step(false);
    world.warm = false;
    if (random() % 8 == 0) {  // and once more, while the first is still being worked off
      world.step(false);
      world.warm = true;
      world.step(false);
      world.warm = false;
    }
    world.drain = random() % 8 == 0;
    for (std::uint64_t left = random() % 30; left && !world.top().open_o; --left) world.step(false);
    world.drain = false;
    if (!world.until_open()) break;
    if (n % 20 == 0)
      world.check_all();
    else
      world.check_line(world.any_line());
  }
  world.check_all();
  EXPECT_THAT(world.errors, ::testing::IsEmpty()) << "seed " << seed;
  if (resets >= 300) {
    EXPECT_GT(world.requests_while_dropping, resets / 5);
    EXPECT_GT(world.copies, 10u);
    for (unsigned outcome = 0; outcome < 7; ++outcome) EXPECT_GT(world.outcomes[outcome], 0u) << outcome;
  }
  EXPECT_GT(world.commits, resets);
  EXPECT_EQ(world.flags[6], 0u);  // no digests of 128 bits are equal by chance: a collision is a wrong copy
  tb::report_transactions(world.reads + world.writes);
}

TEST(DedupSafe, AThousandWarmResetsLoseNothing) { survives_warm_resets<Vdedup_safe_odd>(20240601, 1000, {}); }
TEST(DedupSafe, NorWithTheSecureOptions) { survives_warm_resets<Vdedup_safe_secure>(20240602, 1000, kSecure); }
TEST(DedupSafe, NorWhenEverythingIsSlow) {
  survives_warm_resets<Vdedup_safe_odd>(20240603, 300, {.accept = 15, .latency = 60, .read = 60, .write = 60});
  survives_warm_resets<Vdedup_safe_secure>(
      20240604, 300, {.accept = 15, .latency = 60, .read = 60, .write = 60, .verify = true, .bytes = true});
}
TEST(DedupSafe, NoRatioOfTheClocksStopsTheAnswersOfDram) {
  for (unsigned ratio = 1; ratio <= 9; ++ratio)
    survives_warm_resets<Vdedup_safe_secure>(
        20240620 + ratio, 30, {.ratio = ratio, .read = 60, .write = 60, .verify = true, .bytes = true});
}
TEST(DedupSafe, NorDoManyMore) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 40,000 resets";
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    survives_warm_resets<Vdedup_safe_odd>(seed, 2000, {.accept = 100 - 8 * seed, .latency = 5 * seed});
    SafeKnobs knobs = kSecure;
    knobs.accept = 100 - 8 * seed;
    knobs.latency = 5 * seed;
    survives_warm_resets<Vdedup_safe_secure>(seed, 2000, knobs);
  }
}

/// While it is open it is dedup_unit: the same inputs, and every output alike in every cycle.
// clang-format off
#define FOR_INPUTS(X) \
  X(cfg_car_i) X(cfg_hash_i) X(cfg_verify_i) X(cfg_region_i) X(cfg_pass_i) X(cfg_bypass_level_i) \
  X(cfg_total_lines_i) X(cfg_spare_lines_i) X(cfg_hash_key_i) X(rd_valid_i) X(rd_line_i) X(rd_mask_i) X(rd_tag_i) \
  X(wr_valid_i) X(wr_line_i) X(wr_mask_i) X(wr_bytes_i) X(wr_data_i) X(wr_domain_i) X(l2_ready_i) X(dram_ready_i) \
  X(dram_rsp_valid_i) X(dram_rsp_tag_i) X(dram_rsp_data_i) X(probe_ready_i) X(probe_rsp_valid_i) X(probe_rsp_id_i) \
  X(probe_rsp_mask_i) X(probe_rsp_data_i) X(type_mem_req_ready_i) X(type_mem_rsp_valid_i) X(type_mem_rsp_sector_i) \
  X(type_mem_rsp_data_i) X(mask_mem_req_ready_i) X(mask_mem_rsp_valid_i) X(mask_mem_rsp_sector_i) \
  X(mask_mem_rsp_data_i) X(addr_mem_req_ready_i) X(addr_mem_rsp_valid_i) X(addr_mem_rsp_sector_i) \
  X(addr_mem_rsp_data_i) X(lent_mem_req_ready_i) X(lent_mem_rsp_valid_i) X(lent_mem_rsp_sector_i) X(lent_mem_rsp_data_i) \
  X(flip_table_i) X(flip_i)
/// Outputs that always mean something, and those that do with the valid of their stream.
#define FOR_OUTPUTS(X) \
  X(rd_ready_o) X(wr_ready_o) X(l2_valid_o) X(dram_valid_o) X(dram_rsp_ready_o) X(probe_valid_o) X(probe_rsp_ready_o) \
  X(done_valid_o) X(type_mem_req_valid_o) X(type_mem_rsp_ready_o) X(mask_mem_req_valid_o) X(mask_mem_rsp_ready_o) \
  X(addr_mem_req_valid_o) X(addr_mem_rsp_ready_o) X(lent_mem_req_valid_o) X(lent_mem_rsp_ready_o) X(busy_o)
#define FOR_PAYLOADS(X) \
  X(l2_valid_o, l2_tag_o) X(l2_valid_o, l2_mask_o) X(l2_valid_o, l2_source_o) X(dram_valid_o, dram_kind_o) \
  X(dram_valid_o, dram_line_o) X(dram_valid_o, dram_mask_o) X(dram_valid_o, dram_tag_o) X(probe_valid_o, probe_line_o) \
  X(probe_valid_o, probe_mask_o) X(probe_valid_o, probe_id_o) X(done_valid_o, done_line_o) \
  X(done_valid_o, done_outcome_o) X(done_valid_o, done_flags_o) X(done_valid_o, done_read_o) \
  X(done_valid_o, done_verify_o) X(done_valid_o, done_written_o) X(type_mem_req_valid_o, type_mem_req_write_o) \
  X(type_mem_req_valid_o, type_mem_req_sector_o) X(mask_mem_req_valid_o, mask_mem_req_write_o) \
  X(mask_mem_req_valid_o, mask_mem_req_sector_o) X(addr_mem_req_valid_o, addr_mem_req_write_o) \
  X(addr_mem_req_valid_o, addr_mem_req_sector_o) X(lent_mem_req_valid_o, lent_mem_req_write_o) \
  X(lent_mem_req_valid_o, lent_mem_req_sector_o)
// clang-format on
/// Of the sectors of 32 bytes in `mask`.
template <class Port>
bool same_bits(const Port& a, const Port& b, unsigned mask) {
  for (unsigned word = 0; word < sizeof(a) / 4; ++word)
    if ((mask >> word / 8 & 1) && a[word] != b[word]) return false;
  return true;
}
/// Bits go wrong in both, alike, with `wrong`; the registers count what the unit corrects.
template <class Safe, class Unit>
void is_the_unit_while_open(std::uint32_t seed, const SafeKnobs& knobs, bool wrong = false) {
  SafeWorld<Safe> world(seed, knobs);
  RtlClock<Unit> unit("dedup_unit");
  auto& a = world.top();
  auto& b = unit.top();
  b.cfg_fresh_i = 1;
  bool compare = false;
  std::string difference;
  std::array<std::uint64_t, 5> corrected{};
  unsigned level = 0, highest = 0;  // as a register's setup cycle sees it
  tb::WrongBits bits(seed);
  const auto same = [&](const char* name, std::uint64_t of_safe, std::uint64_t of_unit) {
    if (of_safe != of_unit && difference.empty())
      difference = fmt::format("cycle {}: {}: {} instead of {}", world.cycle, name, of_safe, of_unit);
  };
  world.watch = [&] {
    if (compare) {
#define SAME(name) same(#name, a.name, b.name);
#define SAME_WITH(valid, name) \
  if (a.valid) same(#name, a.name, b.name);
      FOR_OUTPUTS(SAME)
      FOR_PAYLOADS(SAME_WITH)
#define SAME_SECTOR(port) \
  if (a.port##_valid_o && a.port##_write_o) same(#port, same_bits(a.port##_data_o, b.port##_data_o, 0xff), 1);
      SAME_SECTOR(type_mem_req)
      SAME_SECTOR(mask_mem_req)
      SAME_SECTOR(addr_mem_req)
      SAME_SECTOR(lent_mem_req)
      if (a.l2_valid_o) same("l2_data_o", same_bits(a.l2_data_o, b.l2_data_o, a.l2_mask_o), 1);
      if (a.dram_valid_o && a.dram_kind_o == 3) {
        same("dram_data_o", same_bits(a.dram_data_o, b.dram_data_o, a.dram_mask_o), 1);
        for (unsigned sector = 0; sector < 4; ++sector)
          if (a.dram_mask_o >> sector & 1) same("dram_bytes_o", a.dram_bytes_o[sector], b.dram_bytes_o[sector]);
      }
    }
    for (unsigned table = 0; table < 5; ++table) corrected[table] += b.corrected_o >> table & 1;
    if (a.psel_i && !a.penable_i) level = b.level_o;
    if (wrong && compare) bits.next(a, false);
#define COPY(name) b.name = a.name;
    FOR_INPUTS(COPY)
    unit.tick();
  };
  FOR_INPUTS(COPY)
  unit.reset();
  ASSERT_TRUE(world.until_open());
  compare = true;
  for (unsigned k = 0; k < 20000 && difference.empty(); ++k) {
    world.step();
    if (k % 50) continue;
    const unsigned status = world.register_at(0);
    EXPECT_EQ(status, level << 16 | 17u);  // open, awake
    highest = std::max(highest, level);
  }
  EXPECT_EQ(highest, 3u);
  EXPECT_EQ(difference, "");
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
  EXPECT_GT(world.commits, 300u);
  ASSERT_TRUE(world.until_rest());
  for (unsigned table = 0; table < 5; ++table) {
    EXPECT_EQ(world.register_at(16 + table), std::min<std::uint64_t>(corrected[table], 255)) << table;
    EXPECT_EQ(corrected[table] > 0, wrong) << table;
  }
}
TEST(DedupSafe, IsTheUnitWhileItIsOpen) {
  is_the_unit_while_open<Vdedup_safe_odd, Vdedup_unit_odd>(20240608, {});
  is_the_unit_while_open<Vdedup_safe_odd, Vdedup_unit_odd>(20240610, {.total = 1024, .spare = 24, .used = 1000});
  is_the_unit_while_open<Vdedup_safe_secure, Vdedup_unit_secure>(20240609, kSecure);
  is_the_unit_while_open<Vdedup_safe_guarded, Vdedup_unit_guarded>(20261131, kSecure, true);
}

TEST(DedupSafe, ADrainAnswersEverythingAndThenNothingMoves) {
  SafeWorld<Vdedup_safe_odd> world(20240605, {});
  ASSERT_TRUE(world.until_open());
  for (unsigned n = 0; n < 100 && world.errors.empty(); ++n) {
    for (unsigned k = 0; k < 60; ++k) world.step();
    world.drain = true;
    unsigned waited = 0;
    while (!world.top().drained_o && ++waited < 20000) world.step();  // the L2 goes on asking
    ASSERT_TRUE(world.top().drained_o);
    const std::uint64_t reads = world.reads, writes = world.writes, commits = world.commits;
    for (unsigned k = 0; k < 20; ++k) {
      world.step();
      EXPECT_FALSE(world.top().busy_o || world.top().open_o || world.top().dram_valid_o || world.top().l2_valid_o);
      EXPECT_TRUE(world.top().drained_o);
    }
    EXPECT_EQ(std::tuple(reads, writes, commits), std::tuple(world.reads, world.writes, world.commits));
    world.drain = false;
    world.step(false);
    EXPECT_TRUE(world.top().open_o);
  }
  world.check_all();
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

template <class V>
void cold_resets_put_lines_home(std::uint32_t seed, const SafeKnobs& knobs) {
  SafeWorld<V> world(seed, knobs);
  std::mt19937 random(7);
  for (unsigned n = 0; n < 60 && world.errors.empty(); ++n) {
    ASSERT_TRUE(world.until_open());
    EXPECT_EQ(world.images, 3 * (n + 1));  // 30 lines: a sector each of type, mask and lent
    world.check_all();
    for (std::uint64_t left = random() % 400; left; --left) world.step();
    world.cold_reset(n % 2);
  }
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}
TEST(DedupSafe, AColdResetInTrafficPutsEveryLineHome) {
  cold_resets_put_lines_home<Vdedup_safe_odd>(20240605, {});
  cold_resets_put_lines_home<Vdedup_safe_secure>(20240606, kSecure);
  cold_resets_put_lines_home<Vdedup_safe_odd>(20240604, {.sleep = true, .supply = 40});
}

TEST(DedupSafe, WritesTheImageOfEveryTable) {
  std::mt19937 random(1);
  for (unsigned n = 0; n < 200; ++n) {
    const unsigned total = n % 4 ? 2 + static_cast<unsigned>(random() % 1023) : 1024;
    const unsigned spare = 1 + static_cast<unsigned>(random() % (total - 1));
    SafeWorld<Vdedup_safe_odd> world(n, {.total = total, .spare = spare, .used = 1});
    ASSERT_TRUE(world.until_open());
    const auto same = [&](unsigned k, const ImageParams& params) {
      for (unsigned number = 0; number <= (total - 1) / params.entries(); ++number)
        EXPECT_THAT(world.sector(k, number),
                    ::testing::ElementsAreArray(image_sector(params, total, spare, number).data))
            << k << " " << number << ": " << spare << " of " << total;
    };
    same(0, {2, 1, 10, 32});
    same(1, {4, 15, 10, 32});
    same(3, {1, 0, 10, 32});
  }
}

/// Asleep it reads what is in DRAM, whatever happens, and it wakes for a write.
template <class V>
void sleeps_until_the_first_write(std::uint32_t seed, SafeKnobs knobs) {
  knobs.sleep = true;
  SafeWorld<V> world(seed, knobs);
  std::mt19937 random(seed);
  const auto some_warm_resets = [&](bool writes) {
    for (unsigned n = 0; n < 3; ++n) {
      for (std::uint64_t left = random() % 200; left; --left) world.step(true, writes);
      if (random() % 2) world.l2_resets();
      world.warm = true;
      world.step(false);
      world.l2_resets();
      world.warm = false;
      ASSERT_TRUE(world.until_open());
    }
  };
  for (unsigned n = 0; n < 60 && world.errors.empty(); ++n) {
    ASSERT_TRUE(world.until_open());
    some_warm_resets(false);
    world.check_all();
    EXPECT_FALSE(world.top().power_o);
    EXPECT_EQ(world.register_at(0), 1u);  // open, asleep
    for (unsigned k = 0; n % 2 && k < 60; ++k) world.step();
    ASSERT_TRUE(world.until_rest());
    some_warm_resets(true);
    for (unsigned k = 0; k < 300; ++k) world.step();
    world.check_all();
    EXPECT_TRUE(world.top().power_o);
    EXPECT_EQ(world.register_at(0), 17u);
    EXPECT_GT(world.commits, 0u);
    world.cold_reset(n % 2);
    EXPECT_FALSE(world.top().power_o);
  }
  EXPECT_GT(world.requests_while_dropping, 10u);
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}
TEST(DedupSafe, SleepsUntilTheFirstWrite) {
  sleeps_until_the_first_write<Vdedup_safe_odd>(20240630, {.supply = 25});
  sleeps_until_the_first_write<Vdedup_safe_odd>(20240632, {.accept = 10, .latency = 60, .read = 90, .write = 60});
  sleeps_until_the_first_write<Vdedup_safe_secure>(20240631, kSecure);
}
TEST(DedupSafe, AsleepAReadReachesDramInTheNextCycle) {
  SafeWorld<Vdedup_safe_odd> world(5, {.accept = 100, .sleep = true});
  ASSERT_TRUE(world.until_open());
  auto& t = world.top();
  unsigned taken = 0;
  world.watch = [&] { taken += t.rd_valid_i && t.rd_ready_o; };
  for (unsigned k = 0; k < 20; ++k) {
    const unsigned before = taken;
    EXPECT_EQ(t.dram_valid_o != 0, before != 0 && taken == k);
    world.offer_read(k % 26);
    world.step(false);
  }
  EXPECT_EQ(taken, 20u);  // one per cycle
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

// 1,024 lines: 16 sectors of masks, the longest table.
TEST(DedupSafe, OpensWhenTheLongestImageIsWritten) {
  SafeWorld<Vdedup_safe_odd> world(3, {.total = 1024, .spare = 100, .used = 924, .accept = 100});
  ASSERT_TRUE(world.until_open());
  EXPECT_EQ(world.cycle, 1024u / 64 + 3);
  EXPECT_EQ(world.images, 8u + 16 + 4);
  for (unsigned line : {0u, 511u, 923u}) world.check_line(line);
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

/// Numbers of events by register, of those that the world counts.
template <class V>
std::array<std::uint64_t, 16> counted(const SafeWorld<V>& world) {
  return {0,
          world.reads,
          world.writes,
          world.commits,
          world.intra,
          world.duplicates,
          world.unique,
          world.flags[6],
          world.flags[3],
          world.flags[0],
          world.flags[4],
          world.flags[7],
          world.l2_replies};
}

template <class V>
void registers_count(std::uint32_t seed, const SafeKnobs& knobs) {
  SafeWorld<V> world(seed, knobs);
  ASSERT_TRUE(world.until_open());
  const auto check = [&](unsigned word, std::uint64_t happened) {
    EXPECT_EQ(world.register_at(word), std::min<std::uint64_t>(happened, 255)) << "register " << word;
  };
  for (unsigned k = 0; k < 3000; ++k) world.step();
  ASSERT_TRUE(world.until_rest());
  EXPECT_EQ(world.register_at(0), 17u);  // open, awake
  for (unsigned word = 1; word <= 12; ++word) check(word, counted(world)[word]);
  check(15, 0);
  EXPECT_GT(world.commits, 10u);
  for (unsigned n = 0; n < 300; ++n) {
    for (unsigned k = 0; k < 60; ++k) world.step();
    world.l2_resets();
    world.warm = true;
    world.step(false);
    world.warm = false;
    EXPECT_EQ(world.top().open_o, 0);
    if (n == 0) {
      EXPECT_EQ(world.register_at(0) & 3, 2u);  // dropping
    }
    ASSERT_TRUE(world.until_open());
    if (n == 19) {
      check(15, 20);
      // Replies and reads that were dropped.
      EXPECT_GT(world.register_at(13), 0u);
      EXPECT_GT(world.register_at(14), 0u);
    }
  }
  world.drain = true;
  while (!world.top().drained_o) world.step(false);
  EXPECT_EQ(world.register_at(0), 20u);  // drained, awake
  world.drain = false;
  for (unsigned k = 0; k < 100000; ++k) world.step();
  ASSERT_TRUE(world.until_rest());
  for (unsigned word : {1, 2, 3, 4, 5, 6, 12, 15})
    EXPECT_EQ(world.register_at(word), 255u) << word;  // they stop there
  for (unsigned address = 0; address < 256; ++address) {
    EXPECT_EQ(world.refuses(address, false), address % 4 || address > 80) << address;
    if (address) {
      EXPECT_TRUE(world.refuses(address, true)) << address;
    }
  }
  world.write_register(0, 2);  // not bit 0
  EXPECT_EQ(world.register_at(2), 255u);
  world.write_register(0, 1);
  for (unsigned word = 1; word < 21; ++word) EXPECT_EQ(world.register_at(word), 0u) << word;
  const std::uint64_t before = world.writes;  // and they go on counting, whatever pwdata_i holds
  world.top().pwdata_i = 1;
  while (world.writes < before + 20) world.step();
  ASSERT_TRUE(world.until_rest());
  EXPECT_EQ(world.register_at(2), world.writes - before);
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

constexpr unsigned kOften[] = {1, 2, 3, 4, 5, 6, 8, 9, 10, 12};  // registers whose events traffic brings at point odd

/// A clear in a cycle with events counts these. It comes at random moments, until each event was beside one.
TEST(DedupSafe, AClearCountsTheEventsOfItsCycle) {
  SafeWorld<Vdedup_safe_odd> world(20261131, {.accept = 100, .latency = 4, .read = 90, .write = 90});
  ASSERT_TRUE(world.until_open());
  std::array<std::uint64_t, 16> before{}, beside{};
  world.watch = [&] {
    const auto& t = world.top();
    if (t.psel_i && !t.penable_i) before = counted(world);
    if (t.psel_i && t.penable_i && t.pwrite_i) {
      const auto now = counted(world);
      for (unsigned word = 1; word < 16; ++word) beside[word] += now[word] - before[word];
    }
  };
  const auto missing = [&] {
    return std::any_of(std::begin(kOften), std::end(kOften), [&](unsigned word) { return beside[word] == 0; });
  };
  std::mt19937 random(1);
  for (unsigned n = 0; n < 60000 && missing(); ++n) {
    for (std::uint64_t left = random() % 40; left; --left) world.step();
    const auto kept = beside;
    world.write_register(0, 1);
    if (kept == beside) continue;
    const auto at_clear = before;
    ASSERT_TRUE(world.until_rest());
    for (const unsigned word : kOften)
      ASSERT_EQ(world.register_at(word), std::min<std::uint64_t>(counted(world)[word] - at_clear[word], 255)) << word;
  }
  for (const unsigned word : kOften) EXPECT_GT(beside[word], 0u) << word;
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

TEST(DedupSafe, EveryCounterStopsAtItsEnd) {
  SafeWorld<Vdedup_safe_odd> world(20261130, {.read = 60, .write = 60});
  ASSERT_TRUE(world.until_open());
  const auto full = [&] {  // not 7 and 11, which need options, and not 10: borrowed slots are rarely searched for
    for (const unsigned word : {1, 2, 3, 4, 5, 6, 8, 9, 12, 13, 14, 15})
      if (world.register_at(word) != 255) return false;
    return true;
  };
  unsigned n = 0;
  for (; n < 4000 && !full(); ++n) {
    for (unsigned k = 0; k < 60; ++k) world.step();
    world.l2_resets();
    world.warm = true;
    world.step(false);
    world.warm = false;
    ASSERT_TRUE(world.until_open());
  }
  EXPECT_LT(n, 4000u);
  for (unsigned k = 0; k < 3000; ++k) world.step();
  EXPECT_TRUE(full());
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

TEST(DedupSafe, RegistersCountWhatHappened) {
  registers_count<Vdedup_safe_odd>(20240607, {});
  registers_count<Vdedup_safe_secure>(20240608, kSecure);
}

}  // namespace
}  // namespace warpsieve::dedup_safe
