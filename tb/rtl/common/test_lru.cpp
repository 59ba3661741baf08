// lru: the combinational RTL against the C++ order, and both against the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <numeric>

#include "blocks/common/lru.h"
#include "blocks/common/lru_rtl.h"
#include "support/property.h"

namespace warpsieve::common {
namespace {

/// Runs one touch and one victim search on both and compares; returns what both say.
LruRtlResult step(LruRtl& rtl, LruSets& model, unsigned way, std::uint64_t eligible) {
  const auto before = model.order(0);
  const LruRtlResult got = rtl.eval(before, way, eligible);
  LruRtlResult expected{{}, model.victim(0, eligible)};  // the victim is read from the order before the touch
  model.touch(0, way);
  expected.order.assign(model.order(0).begin(), model.order(0).end());
  EXPECT_EQ(got.order, expected.order);
  EXPECT_EQ(got.victim, expected.victim);
  return expected;
}

TEST(LruSets, TouchMovesToTheFrontAndTheOthersKeepTheirOrder) {
  LruSets lru(2, 5);
  lru.touch(1, 3);
  lru.touch(1, 1);
  lru.touch(1, 4);
  EXPECT_EQ(std::vector<std::uint8_t>(lru.order(1).begin(), lru.order(1).end()),
            (std::vector<std::uint8_t>{4, 1, 3, 0, 2}));
  EXPECT_EQ(lru.victim(1), 2u);
  EXPECT_EQ(lru.victim(1, 0b01010), 3u);
  EXPECT_EQ(lru.victim(1, 0), std::nullopt);
  EXPECT_EQ(lru.victim(0), 4u);  // the other set is untouched
  lru.reset();
  EXPECT_EQ(lru.victim(1), 4u);
}

class LruWays : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Points, LruWays, ::testing::Values(1u, 2u, 3u, 6u, 16u),
                         [](const auto& info) { return "Ways" + std::to_string(info.param); });

TEST_P(LruWays, AllWaysTouchedInTurnLeaveTheFirstAsVictim) {
  const unsigned ways = GetParam();
  auto rtl = make_lru_rtl(ways);
  LruSets model(1, ways);
  for (unsigned way = 0; way < ways; ++way) step(*rtl, model, way, ~std::uint64_t{0} >> (64 - ways));
  EXPECT_EQ(rtl->eval(model.order(0), 0, ~std::uint64_t{0} >> (64 - ways)).victim, 0u);
  EXPECT_EQ(rtl->eval(model.order(0), 0, 0).victim, std::nullopt);
}

// Every permutation, every touched way and every eligible set, for the sizes where that is small.
TEST(Lru, ExhaustiveUpToSixWays) {
  const std::size_t permutations[] = {1, 1, 2, 6, 24, 120, 720};
  for (const unsigned ways : {1u, 2u, 3u, 6u}) {
    auto rtl = make_lru_rtl(ways);
    std::vector<std::uint8_t> order(ways);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::size_t checked = 0;
    do {
      for (unsigned way = 0; way < ways; ++way) {
        for (std::uint64_t eligible = 0; eligible < std::uint64_t{1} << ways; ++eligible) {
          LruSets model(1, ways);
          model.set_order(0, order);
          step(*rtl, model, way, eligible);
          ++checked;
        }
      }
      ASSERT_FALSE(HasFailure()) << ways << " ways";
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_EQ(checked, permutations[ways] * ways << ways);
  }
}

// Independent reference: a list of ways ordered by the time of their last touch.
TEST_P(LruWays, RandomTouchesFollowTheListOfLastUses) {
  const unsigned ways = GetParam();
  tb::check_property("lru touches", 400, [&] {
    auto rtl = make_lru_rtl(ways);
    LruSets model(1, ways);
    std::list<unsigned> recent;
    for (unsigned way = 0; way < ways; ++way) recent.push_back(way);
    const auto touches = *rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(0u, ways));
    for (const unsigned way : touches) {
      const auto eligible = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << ways);
      std::optional<unsigned> victim;
      for (const unsigned candidate : recent) {
        if (eligible >> candidate & 1) victim = candidate;
      }
      recent.remove(way);
      recent.push_front(way);
      const auto result = step(*rtl, model, way, eligible);
      RC_ASSERT(std::equal(recent.begin(), recent.end(), result.order.begin()));
      RC_ASSERT(result.victim == victim);
      RC_ASSERT(!::testing::Test::HasFailure());
    }
  });
}

TEST(LruRtl, UnknownNumberOfWaysIsRefused) { EXPECT_THROW(make_lru_rtl(7), std::invalid_argument); }

}  // namespace
}  // namespace warpsieve::common
