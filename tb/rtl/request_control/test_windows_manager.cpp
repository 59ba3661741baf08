// windows_manager: what enters which window, thresholds, order, timing; random events against a naive recount.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "blocks/request_control/sub_blocks.h"
#include "blocks/request_control/windows_manager.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::request_control {
namespace {

constexpr WindowsParams windows_min{1, 0, 99}, windows_odd{5, 40, 70}, windows_paper{16, 50, 90};

class Paper : public ::testing::Test {
 protected:
  void SetUp() override { windows->reset(); }
  void reply(std::uint8_t map, bool inconsistent, unsigned times = 1) {
    for (unsigned i = 0; i < times; ++i) {
      EXPECT_TRUE(windows->reply().push({map, inconsistent}));
      windows->tick();
    }
  }
  void evict(std::uint8_t map, bool inconsistent, unsigned times = 1) {
    for (unsigned i = 0; i < times; ++i) {
      EXPECT_TRUE(windows->evict().push({map, inconsistent}));
      windows->tick();
    }
  }
  std::array<bool, 3> ica() const { return windows->verdicts().ica_over; }
  bool fdr() const { return windows->verdicts().fdr_over; }
  using Ica = std::array<bool, 3>;
  std::unique_ptr<WindowsManager> windows = make_windows_manager(windows_paper, Backend::shadow);
};

TEST_F(Paper, EmptyWindowsAreBelowEveryLimit) { EXPECT_EQ(windows->verdicts(), Verdicts{}); }

TEST_F(Paper, IcaIsOverAtNineOfSixteenNotAtEight) {
  reply(0b0011, true, 8);
  EXPECT_EQ(ica(), (Ica{false, false, false}));
  reply(0b0011, true);
  EXPECT_EQ(ica(), (Ica{true, false, false}));
}

TEST_F(Paper, FdrIsOverAtFifteenOfSixteenNotAtFourteen) {
  evict(0b1111, false, 14);
  EXPECT_FALSE(fdr());
  evict(0b1111, false);
  EXPECT_TRUE(fdr());
  evict(0b0111, false);
  EXPECT_TRUE(fdr());
  evict(0b0111, false);
  EXPECT_FALSE(fdr());
}

TEST_F(Paper, AnEventShowsInTheNextCycle) {
  reply(0b1111, true, 8);
  windows->reply().push({0b1111, true});
  EXPECT_EQ(ica(), (Ica{false, false, false}));
  windows->tick();
  EXPECT_EQ(ica(), (Ica{false, false, true}));
}

TEST_F(Paper, EverySizeHasItsOwnWindow) {
  for (unsigned map = 1; map < 16; ++map) {
    windows->reset();
    reply(static_cast<std::uint8_t>(map), true, 16);
    const unsigned size = count(static_cast<std::uint8_t>(map));
    EXPECT_EQ(ica(), (Ica{size <= 2, size == 3, size == 4})) << map;
    EXPECT_EQ(fdr(), map == 15);
    // Consistent events of other sizes leave it alone; those of its size push it out.
    for (unsigned other = 1; other < 16; ++other) {
      if (count(static_cast<std::uint8_t>(other)) == std::max(2u, size)) continue;
      reply(static_cast<std::uint8_t>(other), false, 16);
      EXPECT_EQ(ica(), (Ica{size <= 2, size == 3, size == 4})) << map << " " << other;
    }
  }
}

TEST_F(Paper, ThirtyTwoBytesEnterOnlyWhenInconsistentAndThenAsSixtyFour) {
  reply(0b0100, true, 9);
  EXPECT_EQ(ica(), (Ica{true, false, false}));
  reply(0b0100, false, 40);
  EXPECT_EQ(ica(), (Ica{true, false, false}));
  reply(0b0110, false, 8);  // eight of the nine ones are older than the last eight zeros
  EXPECT_EQ(ica(), (Ica{false, false, false}));
}

TEST_F(Paper, TheOldestEventLeavesFirst) {
  reply(0b0111, true, 9);
  reply(0b0111, false, 7);
  EXPECT_TRUE(ica()[1]);  // full, nothing left yet
  reply(0b0111, true);    // a one out, a one in
  EXPECT_TRUE(ica()[1]);
  reply(0b0111, false);
  EXPECT_FALSE(ica()[1]);
}

TEST_F(Paper, OfTwoEventsInOneCycleTheReplyIsTheOlder) {
  for (const bool reply_bit : {true, false}) {
    windows->reset();
    reply(0b0011, true, 8);
    windows->reply().push({0b0101, reply_bit});
    windows->evict().push({0b1010, !reply_bit});
    windows->tick();
    EXPECT_TRUE(ica()[0]);  // nine ones of ten
    reply(0b0011, false, 6);
    EXPECT_TRUE(ica()[0]);   // window full: 8 ones, the pair, 6 zeros
    reply(0b0011, true, 8);  // the first eight leave, eight enter: 9
    EXPECT_TRUE(ica()[0]);
    reply(0b0011, false);  // the reply's bit leaves
    EXPECT_EQ(ica()[0], !reply_bit);
    reply(0b0011, false);  // the eviction's bit leaves
    EXPECT_FALSE(ica()[0]);
  }
}

TEST_F(Paper, TwoEventsOfDifferentSizesInOneCycleEnterTheirWindows) {
  for (unsigned i = 0; i < 9; ++i) {
    windows->reply().push({0b1110, true});
    windows->evict().push({0b1111, true});
    windows->tick();
  }
  EXPECT_EQ(ica(), (Ica{false, true, true}));
  EXPECT_FALSE(fdr());  // every second event is partial
}

TEST_F(Paper, ResetEmptiesTheWindows) {
  reply(0b1111, true, 16);
  windows->reset();
  EXPECT_EQ(windows->verdicts(), Verdicts{});
  reply(0b1111, true, 8);
  EXPECT_EQ(windows->verdicts(), Verdicts{});
}

TEST(WindowsManager, ParametersOutOfRangeOrWithoutRtlAreRefused) {
  EXPECT_THROW(make_windows_manager({0, 50, 90}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_windows_manager({16, 101, 90}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_windows_manager({16, 50, 101}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_windows_manager({32, 50, 90}, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(make_windows_manager({32, 50, 90}, Backend::model));
}

/// All events of a window, counted anew each time.
struct Recount {
  const WindowsParams& params;
  std::array<std::deque<bool>, 4> events{};  // 64, 96, 128 bytes, FDR
  void enter(const LineEvent& event) {
    unsigned size = count(event.map);
    if (size == 1 && event.inconsistent) size = 2;
    if (size > 1) events[size - 2].push_front(event.inconsistent);
    events[3].push_front(event.map == 15);
  }
  bool over(unsigned window, unsigned percent) const {
    unsigned ones = 0;
    for (unsigned i = 0; i < params.window && i < events[window].size(); ++i) ones += events[window][i];
    return 100 * ones > percent * params.window;
  }
  Verdicts verdicts() const {
    const unsigned p = params.ica_percent;
    return {{over(0, p), over(1, p), over(2, p)}, over(3, params.fdr_percent)};
  }
};

void random_events(const WindowsParams& params, std::uint32_t seed, unsigned cycles) {
  std::minstd_rand random(seed);
  auto windows = make_windows_manager(params, Backend::shadow);
  Recount recount{params};
  unsigned offer = 50, ones = 50, full = 20;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    if (random() % 100 == 0) {
      offer = random() % 101;
      ones = random() % 101;
      full = random() % 101;
    }
    for (InPort<LineEvent>* port : {&windows->reply(), &windows->evict()}) {
      if (random() % 100 >= offer) continue;
      const auto map = static_cast<std::uint8_t>(random() % 100 < full ? 15 : 1 + random() % 15);
      const LineEvent event{map, random() % 100 < ones};
      port->push(event);
      recount.enter(event);
    }
    windows->tick();
    for (auto& events : recount.events) {
      while (events.size() > params.window) events.pop_back();
    }
    if (!(windows->verdicts() == recount.verdicts())) {
      throw std::runtime_error("recount: " + describe(recount.verdicts()) +
                               ", block: " + describe(windows->verdicts()));
    }
  }
}

class WindowsPoints : public ::testing::TestWithParam<WindowsParams> {};
INSTANTIATE_TEST_SUITE_P(Points, WindowsPoints, ::testing::Values(windows_min, windows_odd, windows_paper),
                         [](const auto& info) { return "W" + std::to_string(info.param.window); });

TEST_P(WindowsPoints, RandomEventsInLockStepEqualANaiveRecount) {
  tb::check_property("windows_manager recount", 40, [&] {
    random_events(GetParam(), *rc::gen::inRange(1u, 1u << 30), *rc::gen::inRange(1u, 2000u));
  });
}

TEST_P(WindowsPoints, LongRandomEventsInLockStep) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for a million transactions";
  random_events(GetParam(), 7, 350000);
  tb::report_transactions(350000);
}

TEST(WindowsManager, DescribesEventsAndVerdictsAndIsAlwaysIdle) {
  EXPECT_EQ(describe(LineEvent{.map = 5, .inconsistent = true}), "map 0b0101 inconsistent true");
  EXPECT_EQ(describe(Verdicts{.ica_over = {true, false, true}, .fdr_over = true}), "ica over 101 fdr over 1");
  for (const Backend backend : {Backend::model, Backend::rtl, Backend::shadow}) {
    auto windows = make_windows_manager({}, backend);
    windows->reset();
    ASSERT_TRUE(windows->reply().push({.map = 5}));
    EXPECT_TRUE(windows->idle());
  }
}

}  // namespace
}  // namespace warpsieve::request_control
