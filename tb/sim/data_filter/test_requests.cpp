// The SM's side: kinds of misses, what replaces what, and when the request controller asks for whole lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using ::testing::HasSubstr;
using List = std::vector<std::pair<unsigned, unsigned>>;

std::map<unsigned, Pattern> noisy(const List& list) {
  std::map<unsigned, Pattern> lines;
  for (const auto& access : list) lines[access.first] = noise;
  return lines;
}
/// One warp's loads of lines that are in the L2.
struct ListRun : SchemeRun {
  ListRun(const std::string& scheme, const List& list, const std::vector<std::string>& set = {},
          const std::vector<std::string>& machine = {})
      : SchemeRun(scheme_of(scheme, set), kernel_on(noisy(list), {loads(list)}), fermi(machine)) {
    EXPECT_TRUE(result.clean) << result.integrity.dump();
  }
};

struct Kinds {
  std::uint64_t hits, first, again, invalid;
  bool operator==(const Kinds&) const = default;
  friend std::ostream& operator<<(std::ostream& o, const Kinds& k) {
    return o << k.hits << " hits " << k.first << " FM " << k.again << " SM " << k.invalid << " HI";
  }
};
Kinds kinds(SchemeRun& r) {
  return {r.stat("critical.hits"), r.stat("critical.first_misses"), r.stat("critical.subsequent_misses"),
          r.stat("critical.hit_invalid")};
}

TEST(Misses, SubsetOfWhatTheLineHoldsHits) {
  ListRun r("df_trunc", {{4, 0x6}, {4, 0x2}, {4, 0x4}, {4, 0x6}, {4, 0x7}});
  EXPECT_EQ(kinds(r), (Kinds{3, 1, 0, 1}));
  EXPECT_EQ(r.stat("l1.stale_hits"), 0u);
  EXPECT_EQ(r.stat("dpc.asked_sub_blocks"), 2u + 3u);
}

TEST(Misses, WhatIsFetchedAfterHitButInvalidReplaces) {
  const List back_and_forth{{4, 0x1}, {4, 0x2}, {4, 0x1}, {4, 0x2}};
  ListRun replace("df_trunc", back_and_forth);
  EXPECT_EQ(kinds(replace), (Kinds{0, 1, 0, 3}));
  ListRun append("df_trunc", back_and_forth, {"dpc.append=1"});
  EXPECT_EQ(kinds(append), (Kinds{2, 1, 0, 1}));
}

TEST(Misses, LoadsOfALineThatIsFetchedAgainWaitAndAreReplayed) {
  // Warp 0 gets sub-block 0 and asks for 1; warp 1 wants 2 while that is under way, warp 2 wants 1.
  WarpBuilder zero = loads({{4, 0x1}, {4, 0x2}}), two = loads({{4, 0x1}, {4, 0x4}}),
              one = loads({{4, 0x1}, {4, 0x2}});
  SchemeRun r(scheme_of("df_trunc"), kernel_on({{4, noise}}, {zero, two, one}), fermi());
  EXPECT_TRUE(r.result.clean);
  EXPECT_EQ(r.stat("critical.merged"), 2u);      // all three want sub-block 0 first
  EXPECT_EQ(r.stat("critical.waits"), 2u + 1u);  // both wait for warp 0's; then warp 2's waits for warp 1's
  EXPECT_EQ(r.stat("l1.replays"), 3u);
  EXPECT_EQ(kinds(r), (Kinds{0, 1, 0, 3}));
}

TEST(Misses, AStoreUnderWayKeepsTheLineOut) {
  WarpBuilder warp;
  const auto first = warp.load(word_lanes(4, 0x1), 4);
  warp.store({{0, 4 * 128 + 4}}, 4, [](unsigned, unsigned) { return std::uint8_t{7}; });
  warp.load(word_lanes(4, 0x1), 4, {first});
  SchemeRun r(scheme_of("df_trunc"), kernel_on({{4, noise}}, {warp}), fermi());
  EXPECT_TRUE(r.result.clean);
  EXPECT_EQ(kinds(r), (Kinds{0, 2, 0, 0}));
  EXPECT_EQ(r.stat("l1.stale_hits"), 0u);
}

TEST(Misses, AnAtomicDropsTheLineAndAStoreUpdatesIt) {
  WarpBuilder warp;
  const auto first = warp.load(word_lanes(4, 0x3), 4);
  auto at = warp.store({{0, 4 * 128 + 4}}, 4, [](unsigned, unsigned) { return std::uint8_t{7}; }, {first});
  at = warp.alu(200, {at});
  at = warp.load(word_lanes(4, 0x3), 4, {at});
  WarpBuilder atomic;
  at = atomic.alu(400);
  atomic.trace.instrs.back().mask = 0xffffffffu;
  const auto added = atomic.atomic({{0, 4 * 128 + 8}}, simt::AtomicOp::add_u32, [](unsigned) { return 1u; });
  atomic.trace.instrs[added].sources = 1;
  atomic.trace.instrs[added].source[0] = at;
  atomic.load(word_lanes(4, 0x3), 4, {added});
  SchemeRun r(scheme_of("df_trunc"), kernel_on({{4, noise}}, {warp, atomic}), fermi());
  EXPECT_TRUE(r.result.clean);
  EXPECT_EQ(kinds(r), (Kinds{1, 2, 0, 0}));
  EXPECT_EQ(r.stat("l1.stale_hits"), 0u);
}

TEST(Control, SubsequentMissAsksForTheRest) {
  const std::vector<WarpBuilder> warps{loads({{4, 0x1}}), loads({{4, 0x2}, {4, 0xf}})};
  SchemeRun without(scheme_of("df_trunc"), kernel_on({{4, noise}}, warps), fermi());
  EXPECT_EQ(kinds(without), (Kinds{0, 1, 1, 1}));
  SchemeRun with(scheme_of("df_trunc+rc"), kernel_on({{4, noise}}, warps), fermi());
  EXPECT_TRUE(with.result.clean);
  EXPECT_EQ(kinds(with), (Kinds{1, 1, 1, 0}));
  EXPECT_EQ(with.stat("critical.requests_again"), 1u);
  EXPECT_EQ(with.stat("critical.ica_128"), 1u);
}

TEST(Control, MoreThanNineTenthsFullRequestsMakeAllRequestsFull) {
  // 14 of 16 are 87.5 %: not over; 15 of 16 are 93.75 %.
  for (const unsigned full : {14u, 15u}) {
    List list;
    for (unsigned i = 0; i < full; ++i) list.emplace_back(i, 0xf);
    list.emplace_back(40, 0x1);
    list.emplace_back(40, 0x8);
    ListRun r("df_man+rc", list);
    EXPECT_EQ(r.stat("critical.requests_fdr"), full == 15 ? 1u : 0u);
    EXPECT_EQ(r.stat("critical.requests_demanded"), full);
    ListRun without("df_man", list);
    EXPECT_EQ(without.stat("critical.requests_fdr"), 0u);
  }
  List list;
  for (unsigned i = 0; i < 5; ++i) list.emplace_back(i, 0xf);
  list.emplace_back(40, 0x1);
  ListRun lower("df_trunc+rc", list, {"dpc.fdr_percent=30"});  // 5 of 16: 31.25 %
  EXPECT_EQ(lower.stat("critical.requests_fdr"), 1u);
  ListRun shorter("df_trunc+rc", list, {"dpc.window=5"});
  EXPECT_EQ(shorter.stat("critical.requests_fdr"), 1u);
}

TEST(Control, FullRequestsKeepThemselvesFullUnlessTheWindowRecordsTheNeed) {
  // 15 whole lines, then lines of which one sub-block is needed.
  List list;
  for (unsigned i = 0; i < 15; ++i) list.emplace_back(i, 0xf);
  for (unsigned i = 20; i < 60; ++i) list.emplace_back(i, 0x2);
  ListRun held("df_trunc+rc", list);
  EXPECT_EQ(held.stat("critical.requests_fdr"), 40u) << "what was fetched in full counts as full (D13)";
  // The window is over with 15 ones; one line of need 0010 is enough to end that: 15 of 16, then 14.
  ListRun need("df_trunc+rc", list, {"dpc.window_need=1"});
  EXPECT_EQ(need.stat("critical.requests_fdr"), 2u);
}

TEST(Control, PartialRequestsThatTheReplyAnswersWithTheWholeLineAreNoFullRequests) {
  // Noise does not compress better beside zeros: DF-MAN sends the lines as they are (D5).
  List list;
  for (unsigned i = 0; i < 40; ++i) list.emplace_back(i, 0x2);
  list.emplace_back(39, 0xd);  // all of it is there
  ListRun r("df_man+rc", list);
  EXPECT_EQ(kinds(r), (Kinds{1, 40, 0, 0}));
  EXPECT_EQ(r.stat("critical.requests_partial"), 40u);
  EXPECT_EQ(r.stat("critical.requests_fdr"), 0u);
  EXPECT_GE(r.stat("critical.ca_32"), 40u);
  EXPECT_EQ(r.stat("critical.ca_128"), 0u);
}

TEST(Control, MoreThanHalfInconsistentLinesMakeRequestsOfTheirSizeFull) {
  // Each line: two sub-blocks (a consistent event of 64 bytes when they are there), then the other two (HI: an
  // inconsistent one). Eight of sixteen are not more than half; one more is.
  List list;
  for (unsigned i = 0; i < 8; ++i) {
    list.emplace_back(i, 0x3);
    list.emplace_back(i, 0xc);
  }
  ListRun half("df_trunc+rc", list);
  EXPECT_EQ(half.stat("critical.ica_64"), 8u);
  EXPECT_EQ(half.stat("critical.ca_64"), 8u);
  EXPECT_EQ(half.stat("critical.requests_ica"), 0u);
  list.emplace_back(7, 0x3);
  list.emplace_back(9, 0x1);   // 32 bytes: consults the window of 64 (D11)
  list.emplace_back(10, 0x7);  // 96 bytes: a window of its own
  ListRun over("df_trunc+rc", list);
  EXPECT_EQ(over.stat("critical.requests_ica"), 1u);
  ListRun strict("df_trunc+rc", list, {"dpc.ica_percent=75"});
  EXPECT_EQ(strict.stat("critical.requests_ica"), 0u);
}

TEST(Errors, OneWayL1IsRefused) {
  try {
    ListRun("df_trunc", {{4, 1}}, {}, {"l1.ways=1"});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("df_trunc: l1.ways = 1: expected at least 2"));
  }
}

TEST(Errors, RtlOfASizeThatIsNotCompiledIsRefused) {
  EXPECT_THROW(SchemeRun(scheme_of("df_trunc", {"dpc.table_sets=64"}, Backend::rtl), kernel_on({}, {loads({{4, 1}})}),
                         fermi()),
               std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::tb
