// Progress on standard error: when something is printed, what it says, and how far a list of runs is estimated to be.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>

#include "run/progress.h"
#include "scratch.h"
#include "sweep/progress.h"

namespace warpsieve::tb {
namespace {

using run::HowFar;
using run::ProgressLine;
using run::ProgressOutput;

/// A clock that the test moves, and a file in place of standard error.
class Progress : public ::testing::Test {
 protected:
  Progress() : to_(std::tmpfile()) {}
  ~Progress() override { std::fclose(to_); }
  std::function<double()> clock() {
    return [this] { return now_; };
  }
  std::string printed() {
    std::fflush(to_);
    std::rewind(to_);
    std::string text(4096, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), to_));
    return text;
  }
  double now_ = 100;
  std::FILE* to_;
};

const HowFar kQuarter{0.25, 90, "10/40 points, 2 running"};

TEST_F(Progress, ALogGetsALinePerMinuteAndShortCommandsNone) {
  {
    ProgressLine line(ProgressOutput::log, "s", to_, clock());
    line.say("s: 40 points");
    for (now_ = 100; now_ < 160; now_ += 0.5) line.show(kQuarter);
    EXPECT_EQ(printed(), "");
    line.show(kQuarter);
    for (now_ = 161; now_ < 220; now_ += 0.5) line.show(kQuarter);
    EXPECT_EQ(printed(), "warpsieve: s: 25 %, 10/40 points, 2 running, 1:30 left\n");
    now_ = 225;
    line.show({0.999, {}, ""});
    line.tell("4 points in 2 tasks");
  }
  EXPECT_EQ(printed(),
            "warpsieve: s: 25 %, 10/40 points, 2 running, 1:30 left\nwarpsieve: s: 99 %\n"
            "warpsieve: s: 4 points in 2 tasks\n");
}

TEST_F(Progress, ATerminalHasOneLineThatIsGoneAtTheEnd) {
  {
    ProgressLine line(ProgressOutput::terminal, "s", to_, clock());
    line.show(kQuarter);
    EXPECT_EQ(printed(), "") << "short commands print nothing";
    now_ += 1;
    line.show(kQuarter);
    const std::string first = "[#####               ] 25 %, 10/40 points, 2 running, 1:30 left";
    EXPECT_EQ(printed(), first);
    line.show({0.5, {}, "20/40 points"});
    EXPECT_EQ(printed(), first) << "not more often than it can be read";
    now_ += 1;
    line.show({0.5, {}, "20/40 points"});
    EXPECT_EQ(printed(), first + "\r\033[K[##########          ] 50 %, 20/40 points");
  }
  EXPECT_TRUE(printed().ends_with("20/40 points\r\033[K"));
}

TEST_F(Progress, QuietPrintsNothing) {
  ProgressLine line(run::progress_output(fileno(to_), true), "s", to_, clock());
  now_ += 1000;
  EXPECT_FALSE(line.due());
  line.show(kQuarter);
  line.say("s: 40 points");
  EXPECT_EQ(printed(), "");
}

TEST_F(Progress, OnlyATerminalIsATerminal) {
  EXPECT_EQ(run::progress_output(fileno(to_)), ProgressOutput::log);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(run::progress_output(ends[1]), ProgressOutput::log);
  close(ends[0]);
  close(ends[1]);
  const int control = posix_openpt(O_RDWR | O_NOCTTY);
  if (control < 0) GTEST_SKIP() << "no pseudo-terminals here (no devpts mounted)";
  ASSERT_TRUE(grantpt(control) == 0 && unlockpt(control) == 0);
  const int terminal = open(ptsname(control), O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  EXPECT_EQ(run::progress_output(terminal), ProgressOutput::terminal);
  EXPECT_EQ(run::progress_output(terminal, true), ProgressOutput::none);
  close(terminal);
  close(control);
}

TEST(SweepProgress, CountsPointsAndExtrapolates) {
  sweep::ProgressBar bar(ProgressOutput::none, "s", 40, 10);
  HowFar far = bar.how_far(0, 0, 2, 5);
  EXPECT_EQ(run::progress_text(far, true), "[#####               ] 25 %, 10/40 points, 2 running");
  far = bar.how_far(9, 1, 2, 50);  // 10 points in 50 s, 20 are left
  EXPECT_EQ(run::progress_text(far, false), "50 %, 20/40 points, 1 failed, 2 running, 1:40 left");
  far = bar.how_far(30, 0, 0, 150);
  EXPECT_EQ(run::progress_text(far, false), "100 %, 40/40 points");
}

TEST(SweepProgress, WeighsPointsByWhatTheyAreExpectedToTake) {
  sweep::ProgressBar bar(ProgressOutput::none, "s", 5, 1);
  bar.expect({1, 1, 1, 5});
  EXPECT_EQ(bar.how_far(2, 0, 1, 4).left_seconds, 12.0) << "6 of 8 are left, 2 took 4 s";
  EXPECT_EQ(bar.how_far(3, 0, 1, 6).left_seconds, 10.0);
}

TEST(SweepProgress, CountsDownWhileALongPointRuns) {
  sweep::ProgressBar bar(ProgressOutput::none, "s", 4, 0);
  bar.expect({1, 1, 6, 4});
  EXPECT_FALSE(bar.how_far(0, 0, 1, 1).left_seconds);
  EXPECT_EQ(bar.how_far(2, 0, 1, 4).left_seconds, 20.0) << "2 of 12 took 4 s";
  EXPECT_EQ(bar.how_far(2, 0, 1, 9).left_seconds, 15.0);
  EXPECT_EQ(bar.how_far(2, 0, 1, 40).left_seconds, 8.0) << "longer than expected: the last point is left whole";
  EXPECT_EQ(bar.how_far(3, 0, 1, 44).left_seconds, 22.0) << "8 of 12 took 44 s";
}

TEST(Durations, AreShort) {
  EXPECT_EQ(run::duration_text(0.2), "1 s");
  EXPECT_EQ(run::duration_text(187), "3:07");
  EXPECT_EQ(run::duration_text(8100), "2:15:00");
}

TEST(RunEstimate, KnowsNothingBeforeTheFirstRunEnds) {
  run::RunEstimate runs({"a", "a", "b", "b"}, 1);
  runs.start(0, 0);
  const HowFar far = runs.now(7);
  EXPECT_EQ(far.share, 0);
  EXPECT_FALSE(far.left_seconds);
  EXPECT_EQ(far.what, "0/4 runs");
}

TEST(RunEstimate, TakesTheTimesOfTheSameWorkloadElseOfAll) {
  run::RunEstimate runs({"a", "a", "b", "b"}, 1);
  runs.start(0, 0);
  runs.finish(0, 10, 0);
  runs.start(1, 10);
  HowFar far = runs.now(15);  // 10 s each: 15 of 40
  EXPECT_DOUBLE_EQ(far.share, 15.0 / 40);
  EXPECT_DOUBLE_EQ(*far.left_seconds, 25);
  runs.finish(1, 20, 0);
  runs.start(2, 20);
  runs.finish(2, 50, 0);  // b takes 30 s
  runs.start(3, 50);
  far = runs.now(60);
  EXPECT_DOUBLE_EQ(far.share, 60.0 / 80);
  EXPECT_DOUBLE_EQ(*far.left_seconds, 20);
  EXPECT_EQ(far.what, "3/4 runs");
  far = runs.now(95);  // longer than expected: never above 100 %
  EXPECT_DOUBLE_EQ(far.share, 1);
  runs.finish(3, 95, 0);
  EXPECT_DOUBLE_EQ(runs.now(95).share, 1);
}

TEST(RunEstimate, InstructionsSayItBetterThanTime) {
  run::RunEstimate runs({"a", "a"}, 1);
  runs.start(0, 0);
  runs.finish(0, 10, 1000);
  runs.start(1, 10);
  runs.reach(1, 250);  // a quarter after 10 s: 40 s in all
  const HowFar far = runs.now(20);
  EXPECT_DOUBLE_EQ(far.share, 20.0 / 50);
  EXPECT_DOUBLE_EQ(*far.left_seconds, 30);
}

TEST(RunEstimate, SeveralAtATimeShareWhatIsLeft) {
  run::RunEstimate runs({"a", "a", "a", "a"}, 2);
  runs.start(0, 0);
  runs.start(1, 0);
  runs.finish(1, 10, 0);
  runs.finish(0, 10, 0);
  EXPECT_DOUBLE_EQ(*runs.now(10).left_seconds, 10);
}

}  // namespace
}  // namespace warpsieve::tb
