// bloom_predictor: choices, latencies and the change of arrays by hand, the measured false-positive rate, then
// random streams in lock step of model and RTL with the promise about the last `period` requests checked.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

#include "blocks/bloom_predictor/bloom_hash.h"
#include "blocks/bloom_predictor/bloom_predictor.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::bloom_predictor {
namespace {

class Small : public ::testing::Test {
 protected:
  void SetUp() override {
    predictor->reset();
    tick(params.clear_cycles());
  }
  void tick(unsigned times = 1) {
    while (times--) predictor->tick();
  }
  Choice ask(std::uint64_t line, std::uint8_t sectors) {
    EXPECT_TRUE(predictor->req().push({line, sectors}));
    tick();
    EXPECT_EQ(predictor->rsp().front(), nullptr);
    tick();
    const auto* rsp = predictor->rsp().front();
    if (!rsp) throw std::runtime_error("no response after two ticks");
    const Choice choice = rsp->choice;
    predictor->rsp().pop();
    tick();
    return choice;
  }
  /// `count` one-sector requests to lines never used elsewhere, back to back.
  void others(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      EXPECT_TRUE(predictor->req().push({0x100000000u + 977 * next_other++, 1}));
      if (predictor->rsp().front()) predictor->rsp().pop();
      tick();
    }
    for (int i = 0; i < 3; ++i) {
      if (predictor->rsp().front()) predictor->rsp().pop();
      tick();
    }
  }
  PredictorParams params = small_predictor;
  std::unique_ptr<BloomPredictor> predictor = make_bloom_predictor(params, Backend::shadow);
  std::uint64_t next_other = 0;
};

TEST_F(Small, NotReadyWhileBothArraysAreClearedAfterReset) {
  predictor->reset();
  for (unsigned i = 0; i < params.clear_cycles(); ++i) {
    EXPECT_FALSE(predictor->req().ready()) << i;
    EXPECT_FALSE(predictor->idle());
    tick();
  }
  EXPECT_TRUE(predictor->req().ready());
  EXPECT_TRUE(predictor->idle());
}

TEST_F(Small, FirstAccessBypassesAndTheSecondIsKept) {
  EXPECT_EQ(ask(0x1234, 0b0100), Choice::bypass);
  EXPECT_EQ(ask(0x1234, 0b0100), Choice::shared_memory);
  EXPECT_EQ(ask(0x1234, 0b0100), Choice::shared_memory);
}

TEST_F(Small, SectorsOfALineAreIndependent) {
  for (const unsigned sectors : {0b0001u, 0b0010u, 0b0100u, 0b1000u}) EXPECT_EQ(ask(0x77, sectors), Choice::bypass);
  for (const unsigned sectors : {0b0001u, 0b0010u, 0b0100u, 0b1000u}) {
    EXPECT_EQ(ask(0x77, sectors), Choice::shared_memory);
  }
}

TEST_F(Small, RequestsOfSeveralSectorsGoToL1AndAreNotRecorded) {
  for (unsigned sectors = 0; sectors < 16; ++sectors) {
    if (std::has_single_bit(sectors)) continue;
    EXPECT_EQ(ask(0x55, static_cast<std::uint8_t>(sectors)), Choice::l1);
  }
  EXPECT_EQ(ask(0x55, 0b0001), Choice::bypass);
  EXPECT_EQ(ask(0x55, 0b0011), Choice::l1);
}

TEST_F(Small, ChoicesThatAreNotEnabledBecomeL1) {
  predictor->enable(false, true);
  EXPECT_EQ(ask(1, 1), Choice::l1);
  EXPECT_EQ(ask(1, 1), Choice::shared_memory);
  predictor->enable(true, false);
  EXPECT_EQ(ask(2, 1), Choice::bypass);
  EXPECT_EQ(ask(2, 1), Choice::l1);
  predictor->enable(false, false);
  EXPECT_EQ(ask(3, 1), Choice::l1);
  EXPECT_EQ(ask(3, 1), Choice::l1);
}

TEST_F(Small, TheSameSectorBackToBackIsSeenFromTheSecondOn) {
  for (unsigned i = 0; i < 6; ++i) {
    if (i < 4) {
      ASSERT_TRUE(predictor->req().push({9, 1}));
    }
    ASSERT_EQ(predictor->rsp().front() != nullptr, i >= 2);
    if (i >= 2) {
      EXPECT_EQ(predictor->rsp().front()->choice, i == 2 ? Choice::bypass : Choice::shared_memory) << i;
      predictor->rsp().pop();
    }
    tick();
  }
}

TEST_F(Small, FourRequestsBackToBackAnswerInOrderTwoCyclesLater) {
  const PredictReq requests[] = {{9, 0b0001}, {9, 0b0001}, {9, 0b0011}, {5, 0b0010}};
  const Choice choices[] = {Choice::bypass, Choice::shared_memory, Choice::l1, Choice::bypass};
  for (unsigned cycle = 0; cycle < 7; ++cycle) {
    if (cycle < 4) {
      ASSERT_TRUE(predictor->req().push(requests[cycle]));
    }
    const auto* rsp = predictor->rsp().front();
    ASSERT_EQ(rsp != nullptr, cycle >= 2 && cycle < 6) << cycle;
    if (rsp) {
      EXPECT_EQ(rsp->choice, choices[cycle - 2]) << cycle;
      predictor->rsp().pop();
    }
    tick();
  }
}

TEST_F(Small, ThreeUnansweredRequestsHoldOffTheFourth) {
  unsigned taken = 0;
  for (int i = 0; i < 10; ++i) {
    taken += predictor->req().push({1, 1});
    tick();
  }
  EXPECT_EQ(taken, 3u);
}

TEST_F(Small, NeverHeldOffByChangesOfArraysAndBackgroundClears) {
  for (unsigned i = 0; i < 10 * params.period; ++i) {
    ASSERT_TRUE(predictor->req().push({i * 31, 1})) << i;
    if (predictor->rsp().front()) predictor->rsp().pop();
    tick();
  }
}

TEST_F(Small, SectorSeenWithinThePeriodIsKeptWhereverTheArraysChange) {
  for (unsigned phase = 0; phase < 3 * params.period; phase += 5) {
    predictor->reset();
    tick(params.clear_cycles());
    others(phase);
    ask(0x42, 1);
    others(params.period - 1);
    ASSERT_EQ(ask(0x42, 1), Choice::shared_memory) << phase;
  }
}

TEST_F(Small, SectorIsForgottenAfterTwoPeriodsAndTheClear) {
  unsigned forgotten = 0;
  for (unsigned run = 0; run < 100; ++run) {
    ask(0x4200 + 3 * run, 1);
    others(2 * params.period + params.clear_cycles());
    forgotten += ask(0x4200 + 3 * run, 1) == Choice::bypass;
  }
  EXPECT_GT(forgotten, 80u);  // all but the false positives
}

TEST_F(Small, FlushForgetsAndARequestOfItsCycleIsAnsweredFromTheOldContents) {
  ask(5, 1);
  ask(6, 1);
  predictor->flush();
  ASSERT_TRUE(predictor->req().push({5, 1}));
  tick();
  EXPECT_FALSE(predictor->req().ready());
  tick();
  EXPECT_EQ(predictor->rsp().front()->choice, Choice::shared_memory);
  predictor->rsp().pop();
  tick(params.clear_cycles() - 1);
  EXPECT_TRUE(predictor->req().ready());
  EXPECT_EQ(ask(5, 1), Choice::bypass);
  EXPECT_EQ(ask(6, 1), Choice::bypass);
}

TEST_F(Small, FlushInTheSecondArraysTurnEmptiesBoth) {
  others(params.period + params.period / 2);  // the second array is the active one
  ask(5, 1);
  predictor->flush();
  tick(params.clear_cycles() + 1);
  EXPECT_EQ(ask(5, 1), Choice::bypass);
  others(params.period + params.clear_cycles());
  ask(8, 1);
  EXPECT_EQ(ask(8, 1), Choice::shared_memory);
}

/// Answers of `requests` distinct sectors back to back: the share that is taken for seen, over whole periods.
double measured_false_positives(const PredictorParams& params, unsigned periods) {
  auto predictor = make_bloom_predictor(params, Backend::model);
  std::minstd_rand random(11);
  for (unsigned i = 0; i < params.clear_cycles(); ++i) predictor->tick();
  const unsigned round = params.period + params.clear_cycles();  // requests from one change of arrays to the next
  std::uint64_t positives = 0, tests = 0, line = 0;
  for (unsigned i = 0; i < round * (periods + 1); ++i) {
    line += 1 + random() % 1000;  // never again
    predictor->req().push({line, static_cast<std::uint8_t>(1u << random() % 4)});
    if (const auto* rsp = predictor->rsp().front()) {
      if (i >= round) {  // the first active array starts empty
        positives += rsp->choice == Choice::shared_memory;
        ++tests;
      }
      predictor->rsp().pop();
    }
    predictor->tick();
  }
  return static_cast<double>(positives) / static_cast<double>(tests);
}

/// The active array holds period .. 2 x period + clear_cycles - 1 keys, each equally long.
double expected_false_positives(const PredictorParams& params) {
  double sum = 0;
  const unsigned round = params.period + params.clear_cycles();
  for (unsigned i = 0; i < round; ++i) sum += false_positive_rate(params.counters, params.period + i);
  return sum / round;
}

TEST(BloomPredictor, FalsePositiveRateIsTheTextbooksAtFullSpeed) {
  for (const PredictorParams& params : {paper_predictor, small_predictor, large_predictor}) {
    const double measured = measured_false_positives(params, 60), theory = expected_false_positives(params);
    std::printf("false positives, m %u, period %u: measured %.4f, textbook %.4f; at the end of a period %.4f\n",
                params.counters, params.period, measured, theory,
                false_positive_rate(params.counters, 2 * params.period + params.clear_cycles()));
    EXPECT_NEAR(measured / theory, 1.0, 0.1) << params.counters;
  }
}

TEST(BloomPredictor, PaperPointStaysBelowFifteenPercentAtTheEndOfAPeriodWithoutTheClear) {
  EXPECT_LT(false_positive_rate(4096, 1024), 0.15);  // J6
  EXPECT_EQ(paper_predictor.storage_bits(), 2u * 8 * 1024);
  EXPECT_EQ(paper_predictor.clear_cycles(), 65u);
}

TEST(BloomPredictor, UnknownPointAndBadParametersAreRefused) {
  EXPECT_THROW(make_bloom_predictor({.counters = 2048}, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(make_bloom_predictor({.counters = 2048}, Backend::model));
  EXPECT_THROW(make_bloom_predictor({.counters = 3000}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_bloom_predictor({.counters = 64, .lanes = 16}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_bloom_predictor({.threshold = 3}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_bloom_predictor({.period = 0}, Backend::model), std::invalid_argument);
}

// ---- random streams ------------------------------------------------------------------------------

struct Traffic {
  unsigned requests, offer, accept, flush_per_mille, lines, multi;
  bool enables;  // both choices enabled throughout; else they change
  std::uint32_t seed;
};

struct Counts {
  unsigned kept = 0, bypassed = 0;
};

/// Throws when a sector whose last `threshold` requests or more are all among the last `period` is not seen.
Counts drive(BloomPredictor& predictor, const PredictorParams& params, const Traffic& traffic) {
  std::minstd_rand random(traffic.seed);
  const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
  const std::uint64_t line_mask = (std::uint64_t{1} << params.line_bits) - 1;
  struct Open {
    bool one_sector, must_be_seen;
  };
  std::deque<Open> open;
  std::deque<std::uint64_t> recent;  // sectors of the last `period` one-sector requests since the flush
  std::optional<PredictReq> req;
  Counts counts;
  unsigned started = 0, stalled = 0;
  predictor.enable(true, true);
  while (started < traffic.requests || req || !open.empty()) {
    if (++stalled > 5000) throw std::runtime_error("no progress");
    if (!req && started < traffic.requests && chance(traffic.offer)) {
      const std::uint64_t line = random() % traffic.lines * 0x9e3779b97f4a7c15u >> 9 & line_mask;
      req = PredictReq{line, static_cast<std::uint8_t>(chance(traffic.multi) ? random() % 16 : 1u << random() % 4)};
      ++started;
    }
    if (const auto* rsp = predictor.rsp().front(); rsp && chance(traffic.accept)) {
      if (open.empty()) throw std::runtime_error("response nobody waits for");
      const Open& head = open.front();
      if (!head.one_sector && rsp->choice != Choice::l1) throw std::runtime_error("several sectors, not L1");
      if (traffic.enables && head.must_be_seen && rsp->choice != Choice::shared_memory) {
        throw std::runtime_error("sector forgotten within the period");
      }
      counts.kept += rsp->choice == Choice::shared_memory;
      counts.bypassed += rsp->choice == Choice::bypass;
      open.pop_front();
      predictor.rsp().pop();
    }
    if (req && predictor.req().push(*req)) {
      const bool one = std::has_single_bit(static_cast<unsigned>(req->sectors));
      const std::uint64_t key = req->line << 4 | req->sectors;
      const auto times = static_cast<unsigned>(std::count(recent.begin(), recent.end(), key));
      open.push_back({one, one && times >= params.threshold});
      if (one) {
        recent.push_back(key);
        if (recent.size() > params.period) recent.pop_front();
      }
      req.reset();
      stalled = 0;
    }
    if (random() % 1000 < traffic.flush_per_mille) {
      predictor.flush();
      recent.clear();
    }
    if (!traffic.enables) predictor.enable(chance(50), chance(50));
    (void)predictor.idle();
    predictor.tick();
  }
  return counts;
}

struct Point {
  const char* name;
  PredictorParams params;
};
const Point points[] = {{"odd", odd_predictor},
                        {"zero", zero_predictor},
                        {"small", small_predictor},
                        {"paper", paper_predictor},
                        {"large", large_predictor}};

/// Above a threshold of 0 is what was inserted now: nothing is new, nothing bypasses.
bool plausible(const PredictorParams& params, const Counts& total, unsigned least) {
  return total.kept > least && (params.threshold == 0 ? total.bypassed == 0 : total.bypassed > least);
}

Traffic any_traffic(const PredictorParams& params, std::minstd_rand& random, unsigned requests) {
  const auto percent = [&](unsigned low) { return low + static_cast<unsigned>(random()) % (101 - low); };
  const unsigned spread = random() % 3 == 0 ? 4 : random() % 2 ? params.period : 4 * params.period;
  return {requests,
          percent(20),
          percent(20),
          random() % 3 ? 0 : static_cast<unsigned>(random()) % 8,
          1 + static_cast<unsigned>(random()) % spread,
          static_cast<unsigned>(random()) % 40,
          random() % 4 != 0,
          static_cast<std::uint32_t>(random() | 1)};
}

class BloomPredictorPoints : public ::testing::TestWithParam<Point> {};
INSTANTIATE_TEST_SUITE_P(Points, BloomPredictorPoints, ::testing::ValuesIn(points),
                         [](const auto& info) { return info.param.name; });

TEST_P(BloomPredictorPoints, RandomTrafficForgetsNothingWithinThePeriodInLockStep) {
  const PredictorParams params = GetParam().params;
  Counts total;
  auto predictor = make_bloom_predictor(params, Backend::shadow);
  tb::check_property("bloom_predictor remembers the period", 60, [&] {
    std::minstd_rand random(*rc::gen::inRange(1u, 1u << 30));
    predictor->reset();
    const unsigned requests = *rc::gen::inRange(1u, std::clamp(4 * params.period, 800u, 2048u));
    const Counts counts = drive(*predictor, params, any_traffic(params, random, requests));
    total.kept += counts.kept;
    total.bypassed += counts.bypassed;
  });
  EXPECT_TRUE(plausible(params, total, 100)) << total.kept << " kept, " << total.bypassed << " bypassed";
}

TEST_P(BloomPredictorPoints, OneMillionRequestsInLockStep) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for one million requests";
  const PredictorParams params = GetParam().params;
  std::minstd_rand random(8);
  auto predictor = make_bloom_predictor(params, Backend::shadow);
  Counts total;
  for (int run = 0; run < 100; ++run) {
    predictor->reset();
    const Counts counts = drive(*predictor, params, any_traffic(params, random, 10000));
    total.kept += counts.kept;
    total.bypassed += counts.bypassed;
  }
  EXPECT_TRUE(plausible(params, total, 10000)) << total.kept << " kept, " << total.bypassed << " bypassed";
  tb::report_transactions(1000 * 1000);
}

/// Each counter of both arrays alone: helpers raise the other two of a key, so that the answer shows the one; then
/// the key again and again, past the greatest count and over changes of roles.
TEST(BloomPredictor, EveryCounterOfBothArraysCountsAndSaturatesInLockStep) {
  const PredictorParams params = odd_predictor;
  const BloomHash hash(params.counters, params.line_bits + 2, params.seed);
  const auto names = [&](std::uint64_t key, std::uint32_t place) {
    const auto places = hash(key);
    return std::find(places.begin(), places.end(), place) != places.end();
  };
  auto predictor = make_bloom_predictor(params, Backend::shadow);
  Choice last{};
  const auto ask = [&](std::uint64_t key) {
    EXPECT_TRUE(predictor->req().push({key >> 2, static_cast<std::uint8_t>(1u << (key & 3))}));
    if (const auto* rsp = predictor->rsp().front()) {
      last = rsp->choice;
      predictor->rsp().pop();
    }
    predictor->tick();
  };
  const auto drain = [&] {
    for (int i = 0; i < 3; ++i) {
      if (const auto* rsp = predictor->rsp().front()) {
        last = rsp->choice;
        predictor->rsp().pop();
      }
      predictor->tick();
    }
  };
  for (std::uint32_t counter = 0; counter < params.counters; ++counter) {
    std::uint64_t key = 0;
    while (!names(key, counter)) ++key;
    std::vector<std::uint64_t> helpers;
    for (const auto place : hash(key)) {
      std::uint64_t helper = 0;
      while (helper < 256 && (!names(helper, place) || names(helper, counter))) ++helper;
      if (place != counter && helper < 256) helpers.push_back(helper);
    }
    ASSERT_EQ(helpers.size(), 2u);
    for (unsigned phase = 0; phase <= 2 * params.period; phase += 2) {
      predictor->flush();
      for (unsigned i = 0; i <= params.clear_cycles(); ++i) predictor->tick();
      for (unsigned i = 0; i < phase; ++i) ask(helpers[i % 2]);
      for (unsigned i = 0; i < params.threshold; ++i) {
        for (const auto helper : helpers) ask(helper);
      }
      drain();
      for (unsigned i = 0; i < 4; ++i) {
        ask(key);
        drain();
        ASSERT_EQ(last == Choice::shared_memory, i >= params.threshold) << counter << " phase " << phase;
      }
      for (unsigned i = 0; i < 3 * params.period; ++i) ask(key);
      drain();
    }
  }
}

/// A key asked in one of the cycles of a background clear is not taken into the array being cleared: the `threshold`
/// requests after the clear are all that this array knows of it when it is the one that is tested.
TEST(BloomPredictor, KeysOfTheClearCyclesAreNotTakenIntoTheArrayBeingCleared) {
  const PredictorParams params = odd_predictor;
  const BloomHash hash(params.counters, params.line_bits + 2, params.seed);
  for (std::uint64_t key = 0; key < 256; key += 3) {
    const auto mine = hash(key);
    std::uint64_t filler = 0;
    while (std::ranges::any_of(hash(filler), [&](auto p) { return std::ranges::find(mine, p) != mine.end(); }))
      ++filler;
    for (unsigned at = 0; at <= params.clear_cycles(); ++at) {  // the last one is taken
      auto predictor = make_bloom_predictor(params, Backend::shadow);
      for (unsigned i = 0; i < params.clear_cycles(); ++i) predictor->tick();
      std::vector<std::uint64_t> keys(params.period, filler);
      for (unsigned i = 0; i <= params.clear_cycles(); ++i) keys.push_back(i == at ? key : filler);
      keys.push_back(key);                                                  // taken
      for (unsigned i = 2; i < params.period; ++i) keys.push_back(filler);  // the roles change
      keys.push_back(key);
      std::vector<Choice> choices;
      for (unsigned i = 0; choices.size() < keys.size(); ++i) {
        if (i < keys.size()) {
          EXPECT_TRUE(predictor->req().push({keys[i] >> 2, static_cast<std::uint8_t>(1u << (keys[i] & 3))}));
        }
        if (const auto* rsp = predictor->rsp().front()) {
          choices.push_back(rsp->choice);
          predictor->rsp().pop();
        }
        predictor->tick();
      }
      ASSERT_EQ(choices.back(), at == params.clear_cycles() ? Choice::shared_memory : Choice::bypass)
          << key << ' ' << at;
    }
  }
}

TEST(BloomPredictor, DescribesRequestsAndAnswers) {
  EXPECT_EQ(describe(PredictReq{.line = 0x12, .sectors = 5}), "line 0x12 sectors 0b0101");
  EXPECT_EQ(describe(PredictRsp{Choice::l1}), "L1");
  EXPECT_EQ(describe(PredictRsp{Choice::shared_memory}), "shared memory");
  EXPECT_EQ(describe(PredictRsp{static_cast<Choice>(3)}), "choice 3");
}

/// With one array that is simply cleared each period, a sector seen shortly before the clear is forgotten; the
/// bench must notice.
TEST(BloomPredictor, PredictorThatForgetsAtEachPeriodIsCaught) {
  struct OneArray final : BloomPredictor {
    struct Req final : InPort<PredictReq> {
      explicit Req(OneArray& owner) : o(owner) {}
      bool ready() const override { return o.inner->req().ready(); }
      bool push(const PredictReq& req) override {
        const bool taken = o.inner->req().push(req);
        if (taken && ++o.count % odd_predictor.period == 0) o.inner->flush();
        return taken;
      }
      OneArray& o;
    };
    OneArray() { connect_ports(*this, in, inner->rsp()); }
    void enable(bool b, bool s) override { inner->enable(b, s); }
    void flush() override { inner->flush(); }
    void reset() override { inner->reset(); }
    void tick() override { inner->tick(); }
    bool idle() const override { return inner->idle(); }
    std::unique_ptr<BloomPredictor> inner = make_bloom_predictor(odd_predictor, Backend::model);
    Req in{*this};
    unsigned count = 0;
  } forgetful;
  EXPECT_THROW(drive(forgetful, odd_predictor, {500, 100, 100, 0, 2, 0, true, 5}), std::runtime_error);
}

}  // namespace
}  // namespace warpsieve::bloom_predictor
