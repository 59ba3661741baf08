// plru_tree: model and RTL in lock step, and both against a recursive definition of the tree.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "blocks/common/plru_tree.h"
#include "support/property.h"

namespace warpsieve::common {
namespace {

/// The definition, written as recursion over way ranges: independent of heap numbering and masks.
class TreeReference {
 public:
  explicit TreeReference(unsigned ways) : ways_(ways) {
    while (span_ < ways) span_ *= 2;
  }
  void touch(unsigned way) {
    for (unsigned low = 0, span = span_; span > 1; span /= 2) {
      const bool upper = way >= low + span / 2;
      point_up_[{low, span}] = !upper;
      if (upper) low += span / 2;
    }
  }
  unsigned victim() const {
    unsigned low = 0;
    for (unsigned span = span_; span > 1; span /= 2) {
      const auto node = point_up_.find({low, span});
      if (low + span / 2 < ways_ && node != point_up_.end() && node->second) low += span / 2;
    }
    return low;
  }

 private:
  unsigned ways_, span_ = 1;
  std::map<std::pair<unsigned, unsigned>, bool> point_up_;
};

class PlruWays : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Points, PlruWays, ::testing::Values(2u, 3u, 5u, 6u, 16u),
                         [](const auto& info) { return "Ways" + std::to_string(info.param); });

TEST_P(PlruWays, ResetVictimIsWayZeroAndATouchShowsOneCycleLater) {
  auto plru = make_plru_tree(GetParam(), Backend::shadow);
  plru->reset();
  EXPECT_EQ(plru->victim(), 0u);
  plru->touch(0);
  EXPECT_EQ(plru->victim(), 0u);
  plru->tick();
  EXPECT_NE(plru->victim(), 0u);
  const unsigned victim = plru->victim();
  plru->tick();  // no touch: nothing changes
  EXPECT_EQ(plru->victim(), victim);
  plru->reset();
  EXPECT_EQ(plru->victim(), 0u);
}

TEST_P(PlruWays, ReplacingTheVictimEachTimeVisitsEveryWay) {
  auto plru = make_plru_tree(GetParam(), Backend::shadow);
  plru->reset();
  std::set<unsigned> seen;
  for (unsigned i = 0; i < 2 * GetParam(); ++i) {
    seen.insert(plru->victim());
    plru->touch(plru->victim());
    plru->tick();
  }
  EXPECT_EQ(seen.size(), GetParam());
  EXPECT_EQ(*seen.rbegin(), GetParam() - 1);
}

// Every sequence of touches of a length that reaches every state of the small trees.
TEST(PlruTree, ExhaustiveTouchSequencesUpToSixWays) {
  for (const unsigned ways : {2u, 3u, 5u, 6u}) {
    const unsigned length = ways <= 3 ? 8 : 5;
    std::uint64_t sequences = 1;
    for (unsigned i = 0; i < length; ++i) sequences *= ways;
    auto plru = make_plru_tree(ways, Backend::shadow);
    for (std::uint64_t sequence = 0; sequence < sequences; ++sequence) {
      plru->reset();
      TreeReference reference(ways);
      std::uint64_t rest = sequence;
      for (unsigned i = 0; i < length; ++i, rest /= ways) {
        const unsigned way = rest % ways;
        plru->touch(way);
        plru->tick();
        reference.touch(way);
        ASSERT_EQ(plru->victim(), reference.victim()) << ways << " ways, sequence " << sequence << " step " << i;
        ASSERT_NE(plru->victim(), way);
      }
    }
  }
}

TEST_P(PlruWays, RandomTouchesFollowTheRecursiveTree) {
  const unsigned ways = GetParam();
  tb::check_property("plru touches", 400, [&] {
    auto plru = make_plru_tree(ways, Backend::shadow);
    plru->reset();
    TreeReference reference(ways);
    // ways itself stands for a cycle without a touch
    for (const unsigned way : *rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(0u, ways + 1))) {
      if (way < ways) {
        plru->touch(way);
        reference.touch(way);
      }
      plru->tick();
      RC_ASSERT(plru->victim() == reference.victim());
      RC_ASSERT(plru->victim() < ways);
      RC_ASSERT(way == ways || plru->victim() != way);
    }
  });
}

TEST(PlruSets, SetsAreIndependent) {
  PlruSets plru(3, 4);
  plru.touch(1, 0);
  EXPECT_EQ(plru.victim(0), 0u);
  EXPECT_EQ(plru.victim(1), 2u);
  EXPECT_EQ(plru.victim(2), 0u);
}

TEST(PlruTree, UnknownNumberOfWaysIsRefused) { EXPECT_THROW(make_plru_tree(7, Backend::rtl), std::invalid_argument); }

}  // namespace
}  // namespace warpsieve::common
