// counting_bloom: insert, remove, lookup by hand, then random streams in lock step of model and RTL, with the
// filter's promise checked against a plain multiset.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

#include "blocks/bloom_predictor/bloom_hash.h"
#include "blocks/bloom_predictor/counting_bloom.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::bloom_predictor {
namespace {

class Cell : public ::testing::Test {
 protected:
  void SetUp() override { filter->reset(); }
  void insert(std::uint64_t key) {
    filter->insert(key);
    filter->tick();
  }
  void remove(std::uint64_t key) {
    filter->remove(key);
    filter->tick();
  }
  bool find(std::uint64_t key) {
    EXPECT_TRUE(filter->lookup().push({key}));
    filter->tick();
    const auto* rsp = filter->rsp().front();
    if (!rsp) throw std::runtime_error("no response after one tick");
    const bool found = rsp->found;
    filter->rsp().pop();
    filter->tick();
    EXPECT_TRUE(filter->idle());
    return found;
  }
  std::unique_ptr<CountingBloom> filter = make_counting_bloom(cell_filter, Backend::shadow);
};

TEST_F(Cell, InsertedKeyIsFoundFromTheNextCycleUntilItIsRemoved) {
  EXPECT_FALSE(find(0x12345678));
  filter->insert(0x12345678);
  ASSERT_TRUE(filter->lookup().push({0x12345678}));
  filter->tick();
  EXPECT_FALSE(filter->rsp().front()->found);  // a lookup does not see the insert of its own cycle
  filter->rsp().pop();
  filter->tick();
  EXPECT_TRUE(find(0x12345678));
  remove(0x12345678);
  EXPECT_FALSE(find(0x12345678));
}

TEST_F(Cell, KeyInsertedTwiceIsFoundUntilRemovedTwice) {
  insert(7);
  insert(7);
  remove(7);
  EXPECT_TRUE(find(7));
  remove(7);
  EXPECT_FALSE(find(7));
}

TEST_F(Cell, InsertAndRemoveOfOneKeyInOneCycleCancel) {
  filter->insert(9);
  filter->remove(9);
  filter->tick();
  EXPECT_FALSE(find(9));
  insert(9);
  filter->insert(9);
  filter->remove(9);
  filter->tick();
  EXPECT_TRUE(find(9));
  remove(9);
  EXPECT_FALSE(find(9));
}

TEST_F(Cell, RemovingAnAbsentKeyChangesNothingBelowZero) {
  remove(5);
  insert(5);
  EXPECT_TRUE(find(5));
}

TEST_F(Cell, FourteenInsertsAreCountedAndTheFifteenthSticks) {
  for (int i = 0; i < 14; ++i) insert(3);
  for (int i = 0; i < 14; ++i) remove(3);
  EXPECT_FALSE(find(3));
  for (int i = 0; i < 15; ++i) insert(3);
  for (int i = 0; i < 30; ++i) remove(3);
  EXPECT_TRUE(find(3));
  filter->clear();
  filter->tick();
  EXPECT_FALSE(find(3));
}

TEST_F(Cell, ClearWinsOverInsertAndRemoveOfItsCycle) {
  insert(1);
  filter->clear();
  filter->insert(2);
  filter->tick();
  EXPECT_FALSE(find(1));
  EXPECT_FALSE(find(2));
}

TEST_F(Cell, LookupsFlowOnePerCycleAndTwoUnansweredHoldOffTheThird) {
  insert(1);
  for (unsigned i = 0; i < 10; ++i) {
    ASSERT_TRUE(filter->lookup().push({i % 2}));
    ASSERT_EQ(filter->rsp().front() != nullptr, i >= 1);
    if (i >= 1) {
      EXPECT_EQ(filter->rsp().front()->found, i % 2 == 0);
      filter->rsp().pop();
    }
    filter->tick();
  }
  unsigned taken = 0;
  for (unsigned i = 0; i < 5; ++i) {
    taken += filter->lookup().push({1});
    filter->tick();
  }
  EXPECT_EQ(taken, 1u);
}

TEST_F(Cell, ResetEmptiesTheFilterAndDropsResponses) {
  insert(1);
  ASSERT_TRUE(filter->lookup().push({1}));
  filter->tick();
  filter->reset();
  EXPECT_TRUE(filter->idle());
  EXPECT_FALSE(find(1));
}

TEST(BloomHash, AKeyNamesThreeCountersInDifferentBanksAndAllCountersAreNamedAlike) {
  const BloomHash hash(64, 32, 1);
  std::vector<unsigned> named(64);
  for (std::uint32_t key = 0; key < 65536; ++key) {
    const auto places = hash(key * 2654435761u);
    EXPECT_TRUE(places[0] / 16 < places[1] / 16 && places[1] / 16 < places[2] / 16 && places[2] < 64);
    for (const auto place : places) ++named[place];
  }
  for (const unsigned n : named) EXPECT_NEAR(n, 65536 * 3 / 64, 250);  // over four standard deviations
}

TEST(CountingBloom, FalsePositiveRateIsTheTextbooks) {
  std::minstd_rand random(1);
  unsigned positives = 0, tests = 0;
  for (int run = 0; run < 200; ++run) {
    auto filter = make_counting_bloom(cell_filter, Backend::model);
    for (int i = 0; i < 16; ++i) {
      filter->insert(static_cast<std::uint32_t>(random() * 2654435761u) | 1u);
      filter->tick();
    }
    for (int i = 0; i < 200; ++i) {
      filter->lookup().push({static_cast<std::uint32_t>(random() * 2654435761u) & ~1u});  // never inserted
      filter->tick();
      positives += filter->rsp().front()->found;
      filter->rsp().pop();
      ++tests;
    }
    filter->tick();
  }
  const double measured = static_cast<double>(positives) / tests, theory = false_positive_rate(64, 16);
  RecordProperty("measured", std::to_string(measured));
  EXPECT_NEAR(measured / theory, 1.0, 0.1) << measured << " against " << theory;
}

TEST(CountingBloom, UnknownPointAndBadParametersAreRefused) {
  EXPECT_THROW(make_counting_bloom({.counters = 128}, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(make_counting_bloom({.counters = 128}, Backend::model));
  EXPECT_THROW(make_counting_bloom({.counters = 48}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_counting_bloom({.counters = 4}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_counting_bloom({.counter_bits = 0}, Backend::model), std::invalid_argument);
}

// ---- random streams ------------------------------------------------------------------------------

struct FilterTraffic {
  unsigned cycles, insert, remove, lookup, accept, clear_per_mille;
  unsigned keys;
  bool legal;  // only keys that are inside are removed
  std::uint32_t seed;
};

/// Returns how many inserted keys were found; throws when one was not.
unsigned drive(CountingBloom& filter, const CountingBloomParams& params, const FilterTraffic& traffic) {
  std::minstd_rand random(traffic.seed);
  const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
  const std::uint64_t mask = params.key_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << params.key_bits) - 1;
  const auto any_key = [&] { return (random() % traffic.keys * 0x9e3779b97f4a7c15u >> 7) & mask; };
  std::vector<std::uint64_t> inside;
  struct Open {
    bool must_be_found;
  };
  std::deque<Open> open;
  unsigned found = 0;
  for (unsigned cycle = 0; cycle < traffic.cycles; ++cycle) {
    if (chance(traffic.lookup)) {
      const std::uint64_t key = any_key();
      const bool must = std::find(inside.begin(), inside.end(), key) != inside.end();
      if (filter.lookup().push({key})) open.push_back({must});
    }
    if (const auto* rsp = filter.rsp().front(); rsp && chance(traffic.accept)) {
      if (traffic.legal && open.front().must_be_found && !rsp->found) throw std::runtime_error("lost key");
      found += open.front().must_be_found;
      open.pop_front();
      filter.rsp().pop();
    }
    const bool clear = random() % 1000 < traffic.clear_per_mille;
    std::optional<std::uint64_t> in, out;
    if (chance(traffic.insert)) in = any_key();
    if (chance(traffic.remove)) {
      if (!traffic.legal)
        out = any_key();
      else if (!inside.empty())
        out = inside[random() % inside.size()];
    }
    if (in) filter.insert(*in);
    if (out) filter.remove(*out);
    if (clear) filter.clear();
    if (out && traffic.legal) inside.erase(std::find(inside.begin(), inside.end(), *out));
    if (in) inside.push_back(*in);
    if (clear) inside.clear();
    (void)filter.idle();
    filter.tick();
  }
  return found;
}

struct FilterPoint {
  const char* name;
  CountingBloomParams params;
};
const FilterPoint filter_points[] = {{"min", min_filter}, {"odd", odd_filter}, {"cell", cell_filter}};

FilterTraffic any_traffic(std::minstd_rand& random, unsigned cycles) {
  const auto percent = [&] { return 5 + static_cast<unsigned>(random()) % 96; };
  return {cycles,
          percent(),
          percent(),
          percent(),
          percent(),
          static_cast<unsigned>(random()) % 20,
          1 + static_cast<unsigned>(random()) % 60,
          random() % 4 != 0,
          static_cast<std::uint32_t>(random() | 1)};
}

class CountingBloomPoints : public ::testing::TestWithParam<FilterPoint> {};
INSTANTIATE_TEST_SUITE_P(Points, CountingBloomPoints, ::testing::ValuesIn(filter_points),
                         [](const auto& info) { return info.param.name; });

TEST_P(CountingBloomPoints, RandomTrafficNeverLosesAKeyInLockStep) {
  unsigned found = 0;
  tb::check_property("counting_bloom keeps keys", 100, [&] {
    std::minstd_rand random(*rc::gen::inRange(1u, 1u << 30));
    auto filter = make_counting_bloom(GetParam().params, Backend::shadow);
    filter->reset();
    found += drive(*filter, GetParam().params, any_traffic(random, *rc::gen::inRange(1u, 500u)));
  });
  EXPECT_GT(found, 500u);
}

/// Each counter alone: the other two of a key are held at their greatest value by helpers, so that the lookup shows
/// the one. Counted up to every value and down again; the greatest one sticks.
TEST_P(CountingBloomPoints, EveryCounterCountsUpAndDownToEveryValueAndSticksAtTheGreatest) {
  const CountingBloomParams params = GetParam().params;
  const BloomHash hash(params.counters, params.key_bits, params.seed);
  const std::uint64_t keys = std::uint64_t{1} << std::min(params.key_bits, 11u);
  const unsigned full = (1u << params.counter_bits) - 1;
  const auto names = [&](std::uint64_t key, std::uint32_t place) {
    const auto places = hash(key);
    return std::find(places.begin(), places.end(), place) != places.end();
  };
  auto filter = make_counting_bloom(params, Backend::shadow);
  unsigned tried = 0;
  for (std::uint32_t counter = 0; counter < params.counters; ++counter) {
    std::uint64_t key = 0;
    while (key < keys && !names(key, counter)) ++key;
    std::vector<std::uint64_t> helpers;
    for (const auto place : hash(key)) {
      if (place == counter) continue;
      std::uint64_t helper = 0;
      while (helper < keys && (!names(helper, place) || names(helper, counter))) ++helper;
      if (helper < keys) helpers.push_back(helper);
    }
    if (key == keys || helpers.size() != 2) continue;
    ++tried;
    for (unsigned count = 1; count <= full; ++count) {
      filter->clear();
      filter->tick();
      for (unsigned i = 0; i < full; ++i) {
        for (const auto helper : helpers) {
          filter->insert(helper);
          filter->tick();
        }
      }
      const auto found = [&] {
        filter->lookup().push({key});
        filter->tick();
        const bool yes = filter->rsp().front()->found;
        filter->rsp().pop();
        filter->tick();
        return yes;
      };
      ASSERT_FALSE(found()) << counter;
      for (unsigned i = 0; i < count; ++i) {
        filter->insert(key);
        ASSERT_EQ(found(), i > 0) << counter;  // the lookup of the same cycle comes before
      }
      for (unsigned i = count; i-- > 0;) {
        filter->remove(key);
        ASSERT_TRUE(found()) << counter;
        ASSERT_EQ(found(), i > 0 || count == full) << counter << ' ' << count << ' ' << i;
      }
    }
  }
  if (params.key_bits > 2) {
    EXPECT_EQ(tried, params.counters);
  }
}

TEST_P(CountingBloomPoints, OneMillionCyclesInLockStep) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for one million cycles";
  std::minstd_rand random(3);
  auto filter = make_counting_bloom(GetParam().params, Backend::shadow);
  unsigned found = 0;
  for (int run = 0; run < 1000; ++run) {
    filter->reset();
    found += drive(*filter, GetParam().params, any_traffic(random, 1000));
  }
  EXPECT_GT(found, 10000u);
  tb::report_transactions(1000 * 1000);
}

}  // namespace
}  // namespace warpsieve::bloom_predictor
