// SectorPredictor: what it must remember, against a list of the last requests; the exact history counts its
// errors (and throws when the filter forgets what it must not).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

#include "schemes/justit/sector_predictor.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using schemes::make_sector_predictor;
using schemes::PredictorSizes;

constexpr PredictorSizes kPaper{4096, 2, 3, 1, 512}, kSmall{1024, 2, 3, 1, 128};

TEST(SectorPredictor, FirstRequestIsNewSecondIsSeen) {
  for (const unsigned hashes : {2u, 3u}) {
    Stats stats;
    PredictorSizes sizes = kPaper;
    sizes.hashes = hashes;
    const auto predictor = make_sector_predictor(sizes, Backend::model, "p", stats);
    EXPECT_FALSE(predictor->seen(10, 7, 2));
    EXPECT_FALSE(predictor->seen(11, 7, 3));  // another sector of the line
    EXPECT_TRUE(predictor->seen(12, 7, 2));
    predictor->forget();
    EXPECT_FALSE(predictor->seen(13, 7, 2));
    EXPECT_EQ(stats.value("justit.predictions"), 4u);
    EXPECT_EQ(stats.value("justit.predicted_again"), 1u);
    EXPECT_EQ(stats.value("justit.false_positives"), 0u);
  }
}

TEST(SectorPredictor, ThresholdIsTheNumberOfRequestsBefore) {
  for (const unsigned threshold : {0u, 1u, 2u}) {
    Stats stats;
    PredictorSizes sizes = kPaper;
    sizes.threshold = threshold;
    const auto predictor = make_sector_predictor(sizes, Backend::model, "p", stats);
    for (unsigned n = 0; n < 4; ++n) EXPECT_EQ(predictor->seen(n, 1, 0), n >= threshold) << threshold << " " << n;
  }
}

TEST(SectorPredictor, RequestsOfTheLastPeriodAreAlwaysSeenInModelAndRtl) {
  std::uint64_t certain = 0, older = 0;
  check_property("1-1 predictor", 20, [&] {
    const auto pick = [](unsigned n) { return static_cast<unsigned>(*rc::gen::inRange(0, static_cast<int>(n))); };
    Stats stats;
    const bool textbook = pick(3) == 0;
    PredictorSizes sizes = kSmall;
    if (textbook) sizes = {512, 3, 1 + pick(2), 1, 64 + pick(100)};
    const auto predictor = make_sector_predictor(sizes, textbook ? Backend::model : Backend::shadow, "p", stats);
    std::minstd_rand random(pick(1u << 30));
    const unsigned pool = 50 + pick(2000), gap = 1 + pick(3);
    std::deque<std::pair<unsigned, unsigned>> last;
    Cycle now = 0;
    for (unsigned i = 0; i < 1500; ++i) {
      now += 1 + random() % gap;
      if (random() % 200 == 0) now += random() % 300;
      const std::pair key(static_cast<unsigned>(random() % pool), static_cast<unsigned>(random() % 4));
      const bool seen = predictor->seen(now, key.first, key.second);
      const bool recent = std::find(last.begin(), last.end(), key) != last.end();
      RC_ASSERT(seen || !recent);
      certain += recent;
      older += seen && !recent;
      last.push_back(key);
      if (last.size() > sizes.period) last.pop_front();
    }
    RC_ASSERT(stats.value("justit.false_positives") <= stats.value("justit.predicted_again"));
  });
  EXPECT_GT(certain, 1000u);
  EXPECT_GT(older, 0u);  // the history reaches to two periods back
}

TEST(SectorPredictor, FalsePositivesOfDistinctSectorsAreAsTheTextbookSays) {
  Stats stats;
  const auto predictor = make_sector_predictor(kPaper, Backend::model, "p", stats);
  const unsigned n = 40000;
  for (unsigned i = 0; i < n; ++i) predictor->seen(2 * i, i * 2654435761u >> 2, i % 4);
  // Every "seen" is false: the sectors are distinct. 9.09 % is the average over a period (rtl/bloom_predictor).
  EXPECT_EQ(stats.value("justit.predicted_again"), stats.value("justit.false_positives"));
  EXPECT_NEAR(static_cast<double>(stats.value("justit.false_positives")) / n, 0.0909, 0.01);
}

TEST(SectorPredictor, SizesOutOfRangeOrWithoutRtlAreErrors) {
  Stats stats;
  const auto make = [&](const PredictorSizes& sizes, Backend backend) {
    return make_sector_predictor(sizes, backend, "p", stats);
  };
  EXPECT_NO_THROW(make(kPaper, Backend::rtl));
  EXPECT_THROW(make({2048, 2, 3, 1, 512}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make({4096, 2, 2, 1, 512}, Backend::shadow), std::invalid_argument);
  for (const PredictorSizes& bad :
       {PredictorSizes{1000, 2, 3, 1, 512}, {1000, 2, 2, 1, 512}, {4096, 2, 3, 3, 512}, {4096, 2, 2, 3, 512}})
    EXPECT_THROW(make(bad, Backend::model), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::tb
