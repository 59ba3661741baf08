// packet_filter: the form of every packet by hand and by enumeration, flits, order of masks and sizes, back-pressure;
// then the table's random traffic through the whole block with encoders of two cycles, in lock step of model and RTL.
#include <gtest/gtest.h>

#include "blocks/packet_filter/packet_filter.h"
#include "cosim/model_ports.h"
#include "cosim/shadow.h"
#include "support/long_run.h"
#include "support/property.h"
#include "table_traffic.h"

namespace warpsieve::packet_filter {
namespace {

constexpr FilterParams odd_point{{2, 2, 1, 4}, 2}, paper_point{{32, 8, 6, 25}, 4};
constexpr AskedMask one{0b0001, false}, full{0b1111, true}, refused{0b0001, true};

TEST(PacketFilter, FlitsCoverHeaderAndPayload) {
  EXPECT_EQ(flits(1), 1u);
  EXPECT_EQ(flits(192), 1u);  // 8 + 24 bytes
  EXPECT_EQ(flits(193), 2u);
  EXPECT_EQ(flits(448), 2u);
  EXPECT_EQ(flits(449), 3u);
  EXPECT_EQ(flits(704), 3u);
  EXPECT_EQ(flits(705), 4u);
  EXPECT_EQ(flits(960), 4u);
  EXPECT_EQ(flits(961), 5u);
  EXPECT_EQ(flits(1024), 5u);
}

TEST(PacketFilter, DfManTakesTheSmallerAndTheLineOnATie) {
  EXPECT_EQ(select(Mode::df_man, one, {500, 499}), (PacketForm{Form::zero_filled, 0b0001, 0b0001, 499, 3}));
  EXPECT_EQ(select(Mode::df_man, one, {500, 500}), (PacketForm{Form::whole, 0b1111, 0b0001, 500, 3}));
  EXPECT_EQ(select(Mode::df_man, one, {500, 501}), (PacketForm{Form::whole, 0b1111, 0b0001, 500, 3}));
}
TEST(PacketFilter, DfTruncAlwaysSendsThePartThatIsAsked) {
  EXPECT_EQ(select(Mode::df_trunc, one, {64, 256}), (PacketForm{Form::truncated, 0b0001, 0b0001, 256, 2}));
}
TEST(PacketFilter, WithoutFilteringTheWholeLineGoesOut) {
  EXPECT_EQ(select(Mode::dpc, one, {300, 64}), (PacketForm{Form::whole, 0b1111, 0b0001, 300, 2}));
  EXPECT_EQ(select(Mode::raw, one, {300, 64}), (PacketForm{Form::raw, 0b1111, 0b0001, 1024, 5}));
}
TEST(PacketFilter, FullRepliesAndRefusedOnesCarryTheWholeLine) {
  for (const Mode mode : {Mode::dpc, Mode::df_trunc, Mode::df_man}) {
    EXPECT_EQ(select(mode, full, {300, 64}), (PacketForm{Form::whole, 0b1111, 0b1111, 300, 2}));
    EXPECT_EQ(select(mode, refused, {300, 64}), (PacketForm{Form::whole, 0b1111, 0b0001, 300, 2}));
  }
  EXPECT_EQ(select(Mode::raw, full, {300, 64}).form, Form::raw);
}

struct Bench {
  explicit Bench(const FilterParams& params = paper_point) : filter(make_packet_filter(params, Backend::shadow)) {
    filter->reset();
    filter->set_mode(Mode::df_man);
  }
  std::uint32_t enter(std::uint32_t sm, std::uint32_t line, std::uint8_t mask) {
    EXPECT_TRUE(filter->req().push({sm, line, mask}));
    filter->tick();
    filter->tick();
    if (!filter->fwd().front()) throw std::runtime_error("no answer");
    const std::uint32_t token = filter->fwd().front()->token;
    filter->fwd().pop();
    filter->tick();
    return token;
  }
  std::unique_ptr<PacketFilter> filter;
};

TEST(PacketFilter, AReplyTakesTwoCyclesToItsMaskAndOneFromItsSizesToItsForm) {
  Bench b;
  const std::uint32_t token = b.enter(3, 77, 0b0110);
  EXPECT_EQ(b.filter->used(), 1u);
  ASSERT_TRUE(b.filter->take().push({true, token}));
  EXPECT_FALSE(b.filter->size().ready());
  b.filter->tick();
  EXPECT_EQ(b.filter->mask().front(), nullptr);
  b.filter->tick();
  ASSERT_NE(b.filter->mask().front(), nullptr);
  EXPECT_EQ(*b.filter->mask().front(), (AskedMask{0b0110, false}));
  b.filter->mask().pop();
  b.filter->tick();
  EXPECT_EQ(b.filter->mask().front(), nullptr);
  ASSERT_TRUE(b.filter->size().push({700, 400}));
  b.filter->tick();
  ASSERT_NE(b.filter->out().front(), nullptr);
  EXPECT_EQ(*b.filter->out().front(), (PacketForm{Form::zero_filled, 0b0110, 0b0110, 400, 2}));
  EXPECT_FALSE(b.filter->idle());
  b.filter->out().pop();
  b.filter->tick();
  EXPECT_TRUE(b.filter->idle());
  EXPECT_EQ(b.filter->used(), 0u);
}

/// rtl/packet_filter/wave.json5, cycle by cycle.
TEST(PacketFilter, TheWaveformOfTheReadmeIsTrue) {
  Bench b;
  PacketFilter& f = *b.filter;
  const std::uint32_t entry = row_of(paper_point.table, 0, 3, 77);
  for (unsigned cycle = 0; cycle < 13; ++cycle) {
    EXPECT_TRUE(f.req().ready() && f.take().ready());
    EXPECT_EQ(f.size().ready(), cycle == 8 || cycle == 9) << cycle;
    EXPECT_EQ(f.used(), cycle >= 3 && cycle < 7 ? 1u : 0u) << cycle;
    if (cycle == 1) f.req().push({3, 77, 0b0001});
    if (cycle == 2) f.req().push({3, 77, 0b0100});
    if (cycle == 5) f.take().push({true, entry});
    if (cycle == 9) f.size().push({700, 400});
    ASSERT_EQ(f.fwd().front() != nullptr, cycle == 3 || cycle == 4) << cycle;
    ASSERT_EQ(f.mask().front() != nullptr, cycle == 7) << cycle;
    ASSERT_EQ(f.out().front() != nullptr, cycle == 10) << cycle;
    if (cycle == 3) {
      EXPECT_EQ(*f.fwd().front(), (Forward{Action::registered, entry}));
    }
    if (cycle == 4) {
      EXPECT_EQ(*f.fwd().front(), (Forward{Action::merged, entry}));
    }
    if (cycle == 7) {
      EXPECT_EQ(*f.mask().front(), (AskedMask{0b0101, false}));
    }
    if (cycle == 10) {
      EXPECT_EQ(*f.out().front(), (PacketForm{Form::zero_filled, 0b0101, 0b0101, 400, 2}));
    }
    if (f.fwd().front()) f.fwd().pop();
    if (f.mask().front()) f.mask().pop();
    if (f.out().front()) f.out().pop();
    f.tick();
  }
}

TEST(PacketFilter, EveryModeAndFormInRtlAndModel) {
  for (const Mode mode : {Mode::dpc, Mode::df_trunc, Mode::df_man, Mode::raw}) {
    for (unsigned mask = 1; mask < 16; ++mask) {
      for (const EncodedSizes sizes :
           {EncodedSizes{300, 299}, {300, 300}, {300, 301}, {1, 1024}, {1024, 1}, {448, 449}}) {
        Bench b;
        b.filter->set_mode(mode);
        const bool registered = mask != 15;
        const std::uint32_t token = b.enter(1, 2, static_cast<std::uint8_t>(mask));
        b.filter->take().push({registered, token});
        b.filter->tick();
        b.filter->tick();
        b.filter->mask().pop();
        b.filter->tick();
        ASSERT_TRUE(b.filter->size().push(sizes));
        b.filter->tick();
        ASSERT_NE(b.filter->out().front(), nullptr);
        EXPECT_EQ(*b.filter->out().front(), select(mode, {static_cast<std::uint8_t>(mask), mask == 15}, sizes));
      }
    }
  }
}

TEST(PacketFilter, MasksWaitWhenNoMoreRepliesMayBeInFlight) {
  Bench b;
  for (unsigned i = 0; i < 6; ++i) {
    b.filter->take().push({false, 15});
    b.filter->tick();
    if (b.filter->mask().front()) b.filter->mask().pop();
    b.filter->tick();
  }
  for (unsigned i = 0; i < 6; ++i) {
    if (b.filter->mask().front()) b.filter->mask().pop();
    b.filter->tick();
  }
  EXPECT_EQ(b.filter->mask().front(), nullptr);  // four are in flight, two wait
  ASSERT_TRUE(b.filter->size().push({100, 100}));
  b.filter->tick();
  EXPECT_NE(b.filter->mask().front(), nullptr);
}

TEST(PacketFilter, ParametersOutOfRangeOrWithoutRtlAreRefused) {
  EXPECT_THROW(make_packet_filter({{3, 8, 6, 25}, 4}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_packet_filter({{32, 8, 6, 25}, 0}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_packet_filter({{32, 8, 6, 25}, 3}, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(make_packet_filter({{32, 8, 6, 25}, 3}, Backend::model));
}

/// The block with encoders of two cycles behind its masks, as a table: what leaves is checked here.
class WithEncoders final : public PdrTable {
 public:
  WithEncoders(PacketFilter& filter, std::uint32_t seed) : filter_(filter), random_(seed) {
    connect_ports(*this, filter_.req(), filter_.fwd(), filter_.take(), mask_);
    filter_.set_mode(mode_);
  }
  unsigned used() const override { return filter_.used(); }
  void reset() override { filter_.reset(); }
  bool idle() const override { return filter_.idle(); }
  void tick() override {
    if (mask_.popped) {
      const auto bits = [&] { return 1 + random_() % (random_() % 2 ? 1024 : 40); };
      const std::uint32_t whole = bits();
      encoding_.push_back(
          {*filter_.mask().front(), {whole, random_() % 4 ? static_cast<std::uint32_t>(bits()) : whole}});
      filter_.mask().pop();
      ages_.push_back(0);
      mask_.popped = false;
    }
    if (random_() % 50 == 0) {
      mode_ = static_cast<Mode>(random_() % 4);
      filter_.set_mode(mode_);
    }
    if (!encoding_.empty() && ages_.front() >= 2 && random_() % 100 < 80) {
      const auto& [mask, sizes] = encoding_.front();
      if (filter_.size().push(sizes)) {
        expected_.push_back(select(mode_, mask, sizes));
        encoding_.pop_front();
        ages_.pop_front();
      }
    }
    if (const PacketForm* out = filter_.out().front(); out && random_() % 100 < 80) {
      if (expected_.empty() || !(*out == expected_.front())) throw std::runtime_error("packet: " + describe(*out));
      expected_.pop_front();
      filter_.out().pop();
      ++sent_;
    }
    for (unsigned& age : ages_) ++age;
    filter_.tick();
  }
  unsigned sent() const { return sent_; }

 private:
  struct Masks final : OutPort<AskedMask> {
    explicit Masks(PacketFilter& filter) : f(filter) {}
    const AskedMask* front() const override { return f.mask().front(); }
    void pop() override { popped = true; }
    PacketFilter& f;
    bool popped = false;
  };
  PacketFilter& filter_;
  std::minstd_rand random_;
  Mode mode_ = Mode::df_man;
  Masks mask_{filter_};
  std::deque<std::pair<AskedMask, EncodedSizes>> encoding_;
  std::deque<unsigned> ages_;
  std::deque<PacketForm> expected_;
  unsigned sent_ = 0;
};

class FilterPoints : public ::testing::TestWithParam<FilterParams> {};
INSTANTIATE_TEST_SUITE_P(Points, FilterPoints, ::testing::Values(odd_point, paper_point), [](const auto& info) {
  return "S" + std::to_string(info.param.table.sets) + "W" + std::to_string(info.param.table.ways);
});

TEST_P(FilterPoints, RandomTrafficThroughTheWholeBlockInLockStep) {
  const FilterParams params = GetParam();
  tb::check_property("packet_filter traffic", 60, [&] {
    TrafficShape shape;
    shape.keys = *rc::gen::inRange(1u, 2 * params.table.entries() + 2);
    shape.offer = *rc::gen::inRange(20u, 101u);
    shape.accept = *rc::gen::inRange(20u, 101u);
    shape.leave = *rc::gen::inRange(5u, 101u);
    shape.masks = *rc::gen::inRange(20u, 101u);
    shape.seed = *rc::gen::inRange(1u, 1u << 30);
    auto filter = make_packet_filter(params, Backend::shadow);
    WithEncoders whole(*filter, shape.seed);
    const unsigned requests = *rc::gen::inRange(1u, 1500u);
    TableTraffic traffic(whole, params.table, shape);
    traffic.run(requests);
    for (unsigned i = 0; i < 200; ++i) whole.tick();
    RC_ASSERT(whole.sent() + traffic.seen(Action::merged) == requests);
  });
}

TEST_P(FilterPoints, LongRandomTrafficThroughTheWholeBlock) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for a million transactions";
  const FilterParams params = GetParam();
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    auto filter = make_packet_filter(params, Backend::shadow);
    WithEncoders whole(*filter, seed);
    TableTraffic(whole, params.table,
                 {.keys = params.table.entries(), .offer = 95, .accept = 95, .leave = 70, .masks = 95, .seed = seed})
        .run(25000);
  }
  tb::report_transactions(5 * 25000);
}

TEST(PacketFilter, DescribesItemsOfItsPorts) {
  EXPECT_EQ(describe(EncodedSizes{.whole = 300, .part = 20}), "whole 300 part 20 bits");
  EXPECT_EQ(describe(PacketForm{.form = Form::zero_filled, .map = 5, .asked = 1, .bits = 40, .flits = 1}),
            "zero_filled map 0b0101 asked 0b0001 40 bits 1 flits");
  EXPECT_EQ(to_string(Mode::df_man), "df_man");
  EXPECT_EQ(describe(Leaving{.registered = true, .token = 3}), "registered true token 3");
  EXPECT_EQ(describe(AskedMask{.asked = 5, .full = true}), "asked 0b0101 full true");
  EXPECT_EQ(describe(ReadRequest{.sm = 2, .line = 0x12, .mask = 5}), "sm 2 line 0x12 mask 0b0101");
}

}  // namespace
}  // namespace warpsieve::packet_filter
