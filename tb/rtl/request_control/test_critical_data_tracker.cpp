// critical_data_tracker: every class, both fill rules, races and latencies by hand; then an L1 with a disorderly
// memory in lock step of model and RTL, at every point.
#include <gtest/gtest.h>

#include "blocks/request_control/critical_data_tracker.h"
#include "blocks/request_control/sub_blocks.h"
#include "blocks/request_control/windows_manager.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"
#include "l1_stub.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::request_control {
namespace {

constexpr TrackerParams min_point{1, 1, false}, odd_point{5, 3, true}, small_point{8, 4, false},
    paper_point{128, 32, false};

struct Bench {
  explicit Bench(const TrackerParams& params, Backend backend = Backend::shadow)
      : tracker(make_critical_data_tracker(params, backend)) {
    tracker->reset();
    tracker->set_prediction(false, {});
  }
  /// One request alone: its answer comes exactly two ticks later.
  TrackerRsp ask(const TrackerReq& req) {
    EXPECT_TRUE(tracker->req().push(req));
    tracker->tick();
    EXPECT_EQ(tracker->rsp().front(), nullptr);
    tracker->tick();
    return answer();
  }
  TrackerRsp answer() {
    if (!tracker->rsp().front()) throw std::runtime_error("no answer");
    const TrackerRsp rsp = *tracker->rsp().front();
    tracker->rsp().pop();
    tracker->tick();
    return rsp;
  }
  TrackerDone fill(const TrackerFill& fill) {
    EXPECT_TRUE(tracker->fill().push(fill));
    tracker->tick();
    EXPECT_EQ(tracker->done().front(), nullptr);
    tracker->tick();
    return filled();
  }
  TrackerDone filled() {
    if (!tracker->done().front()) throw std::runtime_error("no answer to a fill");
    const TrackerDone done = *tracker->done().front();
    tracker->done().pop();
    tracker->tick();
    return done;
  }
  TrackerRsp first(std::uint8_t mask, unsigned mshr) { return ask({.mask = mask, .alloc = true, .mshr = mshr}); }
  TrackerRsp again(std::uint8_t mask, unsigned mshr) { return ask({.mask = mask, .mshr_hit = true, .mshr = mshr}); }
  TrackerRsp at_line(std::uint8_t mask, unsigned line, unsigned mshr) {
    return ask({.mask = mask, .line_hit = true, .line = line, .alloc = true, .mshr = mshr});
  }
  TrackerDone reply(unsigned mshr, unsigned line, std::uint8_t asked) {
    return fill({false, line, mshr, asked, asked});
  }
  std::unique_ptr<CriticalDataTracker> tracker;
};

constexpr TrackerRsp waits{Class::wait, 0, Reason::partial};
constexpr TrackerRsp hit{Class::hit, 0, Reason::partial};

TEST(CriticalDataTracker, FirstMissThenReplyMakesTheLineValidForASubsetOfIt) {
  Bench b(small_point);
  EXPECT_EQ(b.first(0b0110, 1), (TrackerRsp{Class::first, 0b0110, Reason::partial}));
  EXPECT_EQ(b.reply(1, 3, 0b0110), (TrackerDone{true, 0b0110, {0b0110, false}, false, {}}));
  for (unsigned mask = 1; mask < 16; ++mask) {
    Bench c(small_point);
    c.first(0b0110, 1);
    c.reply(1, 3, 0b0110);
    const TrackerRsp rsp = c.at_line(static_cast<std::uint8_t>(mask), 3, 0);
    EXPECT_EQ(rsp.kind, (mask & 0b1001) == 0 ? Class::hit : Class::invalid) << mask;
  }
}

TEST(CriticalDataTracker, SubsequentMissAsksOnlyWhatIsNotAskedAndTheLineWaitsForBoth) {
  Bench b(small_point);
  b.first(0b0001, 2);
  EXPECT_EQ(b.again(0b0001, 2), (TrackerRsp{Class::merged, 0, Reason::partial}));
  EXPECT_EQ(b.again(0b1001, 2), (TrackerRsp{Class::again, 0b1000, Reason::partial}));
  EXPECT_EQ(b.again(0b1001, 2), (TrackerRsp{Class::merged, 0, Reason::partial}));
  EXPECT_EQ(b.reply(2, 5, 0b0001), TrackerDone{});  // not valid yet
  EXPECT_EQ(b.again(0b0001, 2), (TrackerRsp{Class::merged, 0, Reason::partial}));
  EXPECT_EQ(b.reply(2, 5, 0b1000), (TrackerDone{true, 0b1001, {0b1001, true}, false, {}}));
  EXPECT_EQ(b.at_line(0b1001, 5, 0), hit);
}

TEST(CriticalDataTracker, OneMergedReplyAnswersBothMisses) {
  Bench b(small_point);
  b.first(0b0001, 0);
  b.again(0b0010, 0);
  EXPECT_EQ(b.reply(0, 0, 0b0011), (TrackerDone{true, 0b0011, {0b0011, true}, false, {}}));
}

TEST(CriticalDataTracker, AReplyThatBringsMoreThanAskedMakesAllOfItValidButAnswersOnlyWhatItAnswers) {
  Bench b(small_point);
  b.first(0b0001, 0);
  b.again(0b0010, 0);
  EXPECT_EQ(b.fill({false, 1, 0, 0b0001, 0b1111}), TrackerDone{});
  EXPECT_EQ(b.again(0b1100, 0), (TrackerRsp{Class::merged, 0, Reason::partial}));  // on its way already
  EXPECT_EQ(b.reply(0, 1, 0b0010), (TrackerDone{true, 0b1111, {0b1111, true}, false, {}}));
}

TEST(CriticalDataTracker, APartialRequestStaysOneWhenItsReplyBringsTheWholeLine) {
  Bench b(small_point);
  b.first(0b0010, 0);
  EXPECT_EQ(b.fill({false, 1, 0, 0b0010, 0b1111}), (TrackerDone{true, 0b1111, {0b0010, false}, false, {}}));
  EXPECT_EQ(b.at_line(0b1101, 1, 0), hit);  // what was brought is there
  b.first(0b0001, 0);
  EXPECT_EQ(b.reply(0, 1, 0b0001), (TrackerDone{true, 0b0001, {0b0001, false}, true, {0b0010, false}}));
  // An entry that brought more leaves nothing of it to the next fetch.
  EXPECT_EQ(b.at_line(0b0010, 1, 0).kind, Class::invalid);
}

TEST(CriticalDataTracker, WholeLinesBroughtForPartialRequestsKeepTheFdrWindowEmpty) {
  Bench b(small_point);
  const auto windows = make_windows_manager({}, Backend::shadow);
  windows->reset();
  const auto fetch = [&](std::uint8_t mask) {
    b.first(mask, 0);
    const TrackerDone done = b.fill({false, 2, 0, mask, 0b1111});
    windows->reply().push(done.fetched);
    if (done.evicted) windows->evict().push(done.old);
    windows->tick();
    return windows->verdicts();
  };
  for (unsigned i = 0; i < 40; ++i) EXPECT_EQ(fetch(static_cast<std::uint8_t>(1 + i % 14)), Verdicts{}) << i;
  for (unsigned i = 0; i < 7; ++i) EXPECT_FALSE(fetch(0b1111).fdr_over);  // seven replies, six evictions of sixteen
  EXPECT_TRUE(fetch(0b1111).fdr_over);                                    // fifteen
}

TEST(CriticalDataTracker, ARequestForWhatAnEarlierReplyBroughtAsksForIt) {
  Bench b(small_point);
  b.first(0b0001, 0);
  b.again(0b0010, 0);
  EXPECT_EQ(b.fill({false, 1, 0, 0b0001, 0b0111}), TrackerDone{});
  EXPECT_EQ(b.again(0b0100, 0), (TrackerRsp{Class::merged, 0, Reason::partial}));
  EXPECT_EQ(b.fill({false, 1, 0, 0b0010, 0b1111}), (TrackerDone{true, 0b1111, {0b0111, true}, false, {}}));
}

TEST(CriticalDataTracker, AWidenedMissLeavesOutWhatAnEarlierReplyBrought) {
  Bench b(small_point);
  b.first(0b0001, 0);
  b.again(0b0010, 0);
  EXPECT_EQ(b.fill({false, 1, 0, 0b0001, 0b0101}), TrackerDone{});
  b.tracker->set_prediction(true, {});
  EXPECT_EQ(b.again(0b1000, 0), (TrackerRsp{Class::again, 0b1000, Reason::again}));
}

TEST(CriticalDataTracker, HitButInvalidReplacesTheMapAndBlocksTheLineUntilTheReply) {
  Bench b(small_point);
  b.first(0b0001, 0);
  b.reply(0, 4, 0b0001);
  EXPECT_EQ(b.at_line(0b0110, 4, 3), (TrackerRsp{Class::invalid, 0b0110, Reason::partial}));
  EXPECT_EQ(b.at_line(0b0001, 4, 2), waits);
  EXPECT_EQ(b.at_line(0b0110, 4, 2), waits);
  EXPECT_EQ(b.reply(3, 4, 0b0110), (TrackerDone{true, 0b0110, {0b0110, true}, false, {}}));
  EXPECT_EQ(b.at_line(0b0110, 4, 2), hit);
  EXPECT_EQ(b.at_line(0b0001, 4, 2).kind, Class::invalid);  // replaced, not added
}

TEST(CriticalDataTracker, WithAppendTheRefetchAsksWhatIsMissingAndAddsIt) {
  Bench b(odd_point);
  b.first(0b0001, 0);
  b.reply(0, 4, 0b0001);
  EXPECT_EQ(b.at_line(0b0011, 4, 2), (TrackerRsp{Class::invalid, 0b0010, Reason::partial}));
  EXPECT_EQ(b.reply(2, 4, 0b0010), (TrackerDone{true, 0b0011, {0b0011, true}, false, {}}));
  EXPECT_EQ(b.at_line(0b0011, 4, 1), hit);
}

TEST(CriticalDataTracker, FillingALineEvictsItsContentOnceWithMapAndFlag) {
  Bench b(small_point);
  b.first(0b0001, 0);
  b.again(0b0100, 0);
  b.reply(0, 6, 0b0101);
  b.first(0b1000, 1);
  b.again(0b0010, 1);
  EXPECT_EQ(b.reply(1, 6, 0b1000), (TrackerDone{false, 0, {}, true, {0b0101, true}}));
  EXPECT_EQ(b.reply(1, 6, 0b0010), (TrackerDone{true, 0b1010, {0b1010, true}, false, {}}));
}

TEST(CriticalDataTracker, EvictionReportsAndInvalidatesTheLine) {
  Bench b(small_point);
  b.first(0b1100, 0);
  b.reply(0, 7, 0b1100);
  EXPECT_EQ(b.fill({true, 7, 0, 0, 0}), (TrackerDone{false, 0, {}, true, {0b1100, false}}));
  EXPECT_EQ(b.fill({true, 7, 0, 0, 0}), TrackerDone{});
}

TEST(CriticalDataTracker, WithoutAFreeEntryMissesWait) {
  Bench b(small_point);
  EXPECT_EQ(b.ask({.mask = 1}), waits);
  b.first(0b0001, 0);
  b.reply(0, 4, 0b0001);
  EXPECT_EQ(b.ask({.mask = 2, .line_hit = true, .line = 4}), waits);
  EXPECT_EQ(b.ask({.mask = 1, .line_hit = true, .line = 4}), hit);  // and the line is still valid
}

TEST(CriticalDataTracker, PredictionWidensFirstMissesByWindowAndSubsequentMissesAlways) {
  Bench b(small_point);
  b.tracker->set_prediction(true, {});
  EXPECT_EQ(b.first(0b0001, 0), (TrackerRsp{Class::first, 0b0001, Reason::partial}));
  EXPECT_EQ(b.again(0b0010, 0), (TrackerRsp{Class::again, 0b1110, Reason::again}));
  EXPECT_EQ(b.again(0b1000, 0), (TrackerRsp{Class::merged, 0, Reason::partial}));
  b.tracker->set_prediction(true, {{true, false, false}, false});
  EXPECT_EQ(b.first(0b0010, 1), (TrackerRsp{Class::first, 0b1111, Reason::ica}));
  EXPECT_EQ(b.first(0b0111, 2), (TrackerRsp{Class::first, 0b0111, Reason::partial}));
  b.tracker->set_prediction(true, {{false, true, false}, false});
  EXPECT_EQ(b.first(0b0111, 3), (TrackerRsp{Class::first, 0b1111, Reason::ica}));
  b.reply(0, 0, 0b0001);
  EXPECT_EQ(b.reply(0, 0, 0b1110), (TrackerDone{true, 0b1111, {0b1111, true}, false, {}}));
  EXPECT_EQ(b.reply(1, 1, 0b1111).fetched.map, 0b1111);
  EXPECT_EQ(b.reply(2, 2, 0b0111).fetched.map, 0b0111);
  b.tracker->set_prediction(true, {{}, true});
  EXPECT_EQ(b.at_line(0b1000, 2, 0), (TrackerRsp{Class::invalid, 0b1111, Reason::fdr}));
  EXPECT_EQ(b.first(0b1111, 1), (TrackerRsp{Class::first, 0b1111, Reason::demanded}));
}

TEST(CriticalDataTracker, ThesisFigure41RepliesReplaceEachOtherBackAndForth) {
  Bench b(small_point);
  b.first(0b0001, 0);
  b.reply(0, 0, 0b0001);
  for (unsigned i = 1; i <= 4; ++i) {
    const std::uint8_t need = i % 2 ? 0b0010 : 0b0001;
    EXPECT_EQ(b.at_line(need, 0, i % 2), (TrackerRsp{Class::invalid, need, Reason::partial}));
    EXPECT_EQ(b.reply(i % 2, 0, need), (TrackerDone{true, need, {need, true}, false, {}}));
  }
}

TEST(CriticalDataTracker, ARequestForTheEntryThatEndsInItsCycleWaits) {
  Bench b(small_point);
  b.first(0b0001, 0);
  b.tracker->fill().push({false, 2, 0, 0b0001, 0b0001});
  b.tracker->req().push({.mask = 0b0001, .mshr_hit = true, .mshr = 0});
  b.tracker->tick();
  b.tracker->req().push({.mask = 0b0010, .mshr_hit = true, .mshr = 0});  // the entry has ended
  b.tracker->tick();
  EXPECT_EQ(b.answer(), waits);
  EXPECT_EQ(b.answer(), waits);
  EXPECT_TRUE(b.filled().complete);
}

TEST(CriticalDataTracker, ARequestForTheLineThatIsFilledOrEvictedInItsCycleWaits) {
  Bench b(small_point);
  b.first(0b0001, 0);
  b.reply(0, 2, 0b0001);
  b.tracker->fill().push({true, 2, 0, 0, 0});
  b.tracker->req().push({.mask = 0b0001, .line_hit = true, .line = 2, .alloc = true, .mshr = 1});
  b.tracker->tick();
  b.tracker->tick();
  EXPECT_EQ(b.answer(), waits);
  EXPECT_TRUE(b.filled().evicted);
  EXPECT_EQ(b.at_line(0b0001, 2, 1), waits);
}

TEST(CriticalDataTracker, AHitInTheCycleAfterTheFillSeesTheNewMap) {
  Bench b(small_point);
  b.first(0b0001, 0);
  b.reply(0, 2, 0b0001);
  b.at_line(0b0110, 2, 1);
  b.tracker->fill().push({false, 2, 1, 0b0110, 0b0110});
  b.tracker->tick();
  b.tracker->req().push({.mask = 0b0100, .line_hit = true, .line = 2, .alloc = true, .mshr = 0});
  b.tracker->tick();
  b.tracker->tick();
  EXPECT_EQ(b.answer(), hit);
  EXPECT_TRUE(b.filled().complete);
}

TEST(CriticalDataTracker, AnEvictionInTheCycleAfterTheFillSeesTheNewMap) {
  Bench b(small_point);
  b.first(0b0011, 0);
  b.tracker->fill().push({false, 2, 0, 0b0011, 0b0111});
  b.tracker->tick();
  b.tracker->fill().push({true, 2, 0, 0, 0});
  b.tracker->tick();
  b.tracker->tick();
  EXPECT_EQ(b.filled(), (TrackerDone{true, 0b0111, {0b0011, false}, false, {}}));
  EXPECT_EQ(b.filled(), (TrackerDone{false, 0, {}, true, {0b0011, false}}));
}

/// The rule of the header, in RTL alone: the model has no assertions.
TEST(CriticalDataTracker, AFillBetweenAHitAndItsAnswerFailsAnAssertion) {
  const TrackerFill eviction{.evict = true, .line = 2}, reply{false, 2, 1, 1, 1};
  for (const std::uint8_t mask : {0b0001, 0b0100}) {  // a hit, an HI
    for (const TrackerFill& fill : {eviction, reply}) {
      Bench b(small_point, Backend::rtl);
      b.first(0b0001, 0);
      b.first(0b0001, 1);
      b.reply(0, 2, 0b0001);
      ASSERT_TRUE(b.tracker->req().push({.mask = mask, .line_hit = true, .line = 2, .alloc = true, .mshr = 2}));
      b.tracker->tick();
      ASSERT_TRUE(b.tracker->fill().push(fill));
      EXPECT_THROW(b.tracker->tick(), RtlAssertion);
    }
  }
}

TEST(CriticalDataTracker, OneRequestAndOneFillPerCycle) {
  Bench b(paper_point);
  for (unsigned cycle = 0; cycle < 40; ++cycle) {
    if (cycle < 32) {
      ASSERT_TRUE(b.tracker->req().push({.mask = 1, .alloc = true, .mshr = cycle}));
    }
    if (cycle >= 4 && cycle < 36) {
      ASSERT_TRUE(b.tracker->fill().push({false, cycle, cycle - 4, 1, 1}));
    }
    if (b.tracker->rsp().front()) {
      EXPECT_EQ(*b.tracker->rsp().front(), (TrackerRsp{Class::first, 1, Reason::partial}));
      b.tracker->rsp().pop();
    }
    if (b.tracker->done().front()) {
      EXPECT_EQ(*b.tracker->done().front(), (TrackerDone{true, 1, {1, false}, false, {}}));
      b.tracker->done().pop();
    }
    b.tracker->tick();
  }
  EXPECT_TRUE(b.tracker->idle());
}

TEST(CriticalDataTracker, ThreeAnswersWaitUnderBackPressureOnEachStream) {
  for (const TrackerParams& point : {small_point, odd_point}) {
    Bench b(point);
    for (unsigned i = 0; i < 3; ++i) {
      ASSERT_TRUE(b.tracker->req().push({.mask = static_cast<std::uint8_t>(1 + i), .alloc = true, .mshr = i}));
      ASSERT_TRUE(b.tracker->fill().push({true, i, 0, 0, 0}));
      b.tracker->tick();
    }
    for (unsigned i = 0; i < 5; ++i) {
      EXPECT_FALSE(b.tracker->req().push({.mask = 1}));
      EXPECT_FALSE(b.tracker->fill().push({true, 0, 0, 0, 0}));
      EXPECT_FALSE(b.tracker->idle());
      b.tracker->tick();
    }
    for (std::uint8_t i = 0; i < 3; ++i) {
      EXPECT_EQ(b.answer(), (TrackerRsp{Class::first, static_cast<std::uint8_t>(1 + i), Reason::partial}));
      EXPECT_EQ(b.filled(), TrackerDone{});
    }
    EXPECT_TRUE(b.tracker->idle());
  }
}

TEST(CriticalDataTracker, ResetForgetsLinesAndEntries) {
  Bench b(small_point);
  b.first(0b0001, 0);
  b.reply(0, 2, 0b0001);
  b.first(0b0001, 1);
  b.tracker->reset();
  EXPECT_EQ(b.at_line(0b0001, 2, 0), waits);
  EXPECT_EQ(b.again(0b0001, 1), waits);
}

TEST(CriticalDataTracker, ParametersOutOfRangeOrWithoutRtlAreRefused) {
  EXPECT_THROW(make_critical_data_tracker({0, 4, false}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_critical_data_tracker({4, 0, false}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_critical_data_tracker({128, 32, true}, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(make_critical_data_tracker({128, 32, true}, Backend::model));
}

/// rtl/request_control/wave.json5, cycle by cycle.
TEST(CriticalDataTracker, TheWaveformOfTheReadmeIsTrue) {
  Bench b(small_point);
  for (unsigned cycle = 0; cycle < 14; ++cycle) {
    CriticalDataTracker& t = *b.tracker;
    EXPECT_TRUE(t.req().ready() && t.fill().ready());
    if (cycle == 1) t.req().push({.mask = 0b0001, .alloc = true, .mshr = 2});
    if (cycle == 4) t.req().push({.mask = 0b1001, .mshr_hit = true, .mshr = 2});
    if (cycle == 10) t.req().push({.mask = 0b1000, .line_hit = true, .line = 5, .alloc = true, .mshr = 0});
    if (cycle == 6) t.fill().push({false, 5, 2, 0b0001, 0b0001});
    if (cycle == 7) t.fill().push({false, 5, 2, 0b1000, 0b1000});
    ASSERT_EQ(t.rsp().front() != nullptr, cycle == 3 || cycle == 6 || cycle == 12) << cycle;
    ASSERT_EQ(t.done().front() != nullptr, cycle == 8 || cycle == 9) << cycle;
    if (cycle == 3) {
      EXPECT_EQ(*t.rsp().front(), (TrackerRsp{Class::first, 0b0001, Reason::partial}));
    }
    if (cycle == 6) {
      EXPECT_EQ(*t.rsp().front(), (TrackerRsp{Class::again, 0b1000, Reason::partial}));
    }
    if (cycle == 12) {
      EXPECT_EQ(*t.rsp().front(), hit);
    }
    if (cycle == 8) {
      EXPECT_EQ(*t.done().front(), TrackerDone{});
    }
    if (cycle == 9) {
      EXPECT_EQ(*t.done().front(), (TrackerDone{true, 0b1001, {0b1001, true}, false, {}}));
    }
    if (t.rsp().front()) t.rsp().pop();
    if (t.done().front()) t.done().pop();
    t.tick();
  }
}

/// An output port whose items are changed on their way.
template <class T>
class ChangedOut final : public OutPort<T> {
 public:
  ChangedOut(OutPort<T>& inner, void (*change)(T&)) : inner_(inner), change_(change) {}
  const T* front() const override {
    const T* item = inner_.front();
    if (!item) return nullptr;
    copy_ = *item;
    change_(copy_);
    return &copy_;
  }
  void pop() override { inner_.pop(); }

 private:
  OutPort<T>& inner_;
  void (*change_)(T&);
  mutable T copy_;
};

class Changed final : public CriticalDataTracker {
 public:
  Changed(const TrackerParams& params, void (*rsp)(TrackerRsp&), void (*done)(TrackerDone&))
      : inner_(make_critical_data_tracker(params, Backend::model)), rsp_(inner_->rsp(), rsp),
        done_(inner_->done(), done) {
    connect_ports(*this, inner_->req(), rsp_, inner_->fill(), done_);
  }
  void set_prediction(bool predict, const Verdicts& v) override { inner_->set_prediction(predict, v); }
  void reset() override { inner_->reset(); }
  void tick() override { inner_->tick(); }
  bool idle() const override { return inner_->idle(); }

 private:
  std::unique_ptr<CriticalDataTracker> inner_;
  ChangedOut<TrackerRsp> rsp_;
  ChangedOut<TrackerDone> done_;
};

TEST(CriticalDataTracker, TheL1OfTheTestsNoticesWrongAnswers) {
  const auto run = [](void (*rsp)(TrackerRsp&), void (*done)(TrackerDone&)) {
    Changed tracker(small_point, rsp, done);
    L1Stub(tracker, small_point, {}).run(3000);
  };
  const auto keep_rsp = [](TrackerRsp&) {};
  const auto keep_done = [](TrackerDone&) {};
  EXPECT_NO_THROW(run(keep_rsp, keep_done));
  EXPECT_THROW(run(
                   [](TrackerRsp& r) {
                     if (r.kind == Class::wait) r.kind = Class::hit;
                   },
                   keep_done),
               std::runtime_error);
  EXPECT_THROW(run(
                   [](TrackerRsp& r) {
                     if (r.kind == Class::merged) r.kind = Class::hit;
                   },
                   keep_done),
               std::runtime_error);
  EXPECT_THROW(run(
                   [](TrackerRsp& r) {
                     if (r.send == 15) r.send = 7;
                   },
                   keep_done),
               std::runtime_error);
  EXPECT_THROW(run(keep_rsp, [](TrackerDone& d) { d.complete |= !d.evicted; }), std::runtime_error);
  EXPECT_THROW(run(keep_rsp, [](TrackerDone& d) { d.fetched.inconsistent = false; }), std::runtime_error);
  EXPECT_THROW(run(keep_rsp, [](TrackerDone& d) { d.old.map |= 1; }), std::runtime_error);
  EXPECT_THROW(run(keep_rsp, [](TrackerDone& d) { d.fetched.map = d.map; }), std::runtime_error);
  EXPECT_THROW(run(keep_rsp, [](TrackerDone& d) { d.map = d.fetched.map; }), std::runtime_error);
}

class TrackerPoints : public ::testing::TestWithParam<TrackerParams> {};
INSTANTIATE_TEST_SUITE_P(Points, TrackerPoints, ::testing::Values(min_point, odd_point, small_point, paper_point),
                         [](const auto& info) {
                           return "L" + std::to_string(info.param.lines) + "M" + std::to_string(info.param.mshrs);
                         });

TEST_P(TrackerPoints, RandomTrafficInLockStepKeepsTheContract) {
  const TrackerParams params = GetParam();
  std::array<unsigned, 6> seen{};
  tb::check_property("critical_data_tracker contract", 60, [&] {
    StubTraffic traffic;
    traffic.addresses = *rc::gen::inRange(1u, 2 * params.lines + 2);
    traffic.offer = *rc::gen::inRange(20u, 101u);
    traffic.accept = *rc::gen::inRange(20u, 101u);
    traffic.done = *rc::gen::inRange(20u, 101u);
    traffic.reply = *rc::gen::inRange(10u, 101u);
    traffic.evict = *rc::gen::inRange(0u, 20u);
    traffic.more = *rc::gen::inRange(0u, 60u);
    traffic.predict = *rc::gen::arbitrary<bool>();
    traffic.seed = *rc::gen::inRange(1u, 1u << 30);
    auto tracker = make_critical_data_tracker(params, Backend::shadow);
    L1Stub l1(*tracker, params, traffic);
    l1.run(*rc::gen::inRange(1u, 400u));
    for (unsigned kind = 0; kind < seen.size(); ++kind) seen[kind] += l1.seen(static_cast<Class>(kind));
  });
  for (const unsigned count : seen) EXPECT_GT(count, 20u);  // all classes were exercised
}

TEST_P(TrackerPoints, LongRandomTrafficInLockStep) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for a million transactions";
  const TrackerParams params = GetParam();
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    auto tracker = make_critical_data_tracker(params, Backend::shadow);
    L1Stub(*tracker, params,
           {.addresses = params.lines + 2 * seed, .offer = 95, .accept = 90, .done = 90, .seed = seed})
        .run(26000);
  }
  tb::report_transactions(10 * 26000);
}

TEST(CriticalDataTracker, DescribesFills) {
  EXPECT_EQ(describe(TrackerFill{.evict = false, .line = 3, .mshr = 2, .asked = 1, .mask = 5}),
            "reply line 3 mshr 2 asked 0b0001 mask 0b0101");
  EXPECT_TRUE(describe(TrackerFill{.evict = true, .line = 3}).starts_with("evict line 3"));
}

}  // namespace
}  // namespace warpsieve::request_control
