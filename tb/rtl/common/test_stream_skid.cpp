// stream_skid: two items deep, full rate, order kept, at every point.
#include <Vstream_skid_odd.h>
#include <gtest/gtest.h>

#include "blocks/common/fifo_backends.h"
#include "blocks/common/stream_skid.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"
#include "support/lockstep.h"
#include "support/property.h"

namespace warpsieve::common {
namespace {

class StreamSkidPoints : public ::testing::TestWithParam<unsigned> {
 protected:
  std::uint64_t mask() const { return (std::uint64_t{1} << GetParam()) - 1; }
};
INSTANTIATE_TEST_SUITE_P(Points, StreamSkidPoints, ::testing::Values(1u, 7u, 32u),
                         [](const auto& info) { return "W" + std::to_string(info.param); });

TEST_P(StreamSkidPoints, LatencyIsOneCycleAndRateIsOneItemPerCycle) {
  auto skid = make_stream_skid({GetParam()}, Backend::shadow);
  skid->reset();
  for (std::uint64_t i = 0; i < 20; ++i) {
    ASSERT_TRUE(skid->push({i & mask()}));
    if (i > 0) {
      ASSERT_NE(skid->front(), nullptr);
      EXPECT_EQ(skid->front()->data, (i - 1) & mask());
      skid->pop();
    } else {
      EXPECT_EQ(skid->front(), nullptr);
    }
    skid->tick();
  }
}

TEST_P(StreamSkidPoints, TwoItemsFitAndReadyComesBackOneCycleAfterAPop) {
  auto skid = make_stream_skid({GetParam()}, Backend::shadow);
  skid->reset();
  ASSERT_TRUE(skid->push({1 & mask()}));
  skid->tick();
  ASSERT_TRUE(skid->push({0}));
  skid->tick();
  EXPECT_FALSE(skid->push({1 & mask()}));
  skid->pop();
  EXPECT_FALSE(skid->ready());  // depends on state only
  skid->tick();
  EXPECT_TRUE(skid->ready());
  ASSERT_NE(skid->front(), nullptr);
  EXPECT_EQ(skid->front()->data, 0u);
}

TEST_P(StreamSkidPoints, RandomStreamsComeOutInOrder) {
  tb::check_property("stream_skid order", 400, [&] {
    std::vector<FifoItem> items;
    for (const auto value : *rc::gen::arbitrary<std::vector<std::uint32_t>>()) items.push_back({value & mask()});
    const tb::Pressure pressure{*rc::gen::inRange(10u, 101u), *rc::gen::inRange(10u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    auto skid = make_stream_skid({GetParam()}, Backend::shadow);
    skid->reset();
    RC_ASSERT(tb::drive_stream(*skid, items, items.size(), pressure) == items);
  });
}

// Block::reset() holds reset for two cycles; the slice promises that one is enough, with both items waiting.
TEST(StreamSkid, OneCycleOfResetEmptiesAFullSlice) {
  RtlClock<Vstream_skid_odd> clock("skid");
  auto& top = clock.top();
  top.in_valid_i = 0;
  top.out_ready_i = 0;
  clock.reset();
  for (unsigned item = 1; item <= 2; ++item) {
    top.in_valid_i = 1;
    top.in_data_i = item;
    clock.tick();
  }
  top.in_valid_i = 0;
  ASSERT_EQ(top.in_ready_o, 0);
  ASSERT_EQ(top.out_valid_o, 1);
  clock.reset(1);
  for (unsigned cycle = 0; cycle < 3; ++cycle) {
    EXPECT_EQ(top.in_ready_o, 1) << "cycle " << cycle;
    EXPECT_EQ(top.out_valid_o, 0) << "cycle " << cycle;
    clock.tick();
  }
}

// The comparison itself: a model one item too deep must be caught as soon as the slice is full.
TEST(StreamSkid, ShadowCatchesAModelThatIsOneItemTooDeep) {
  Shadow<FifoItem, FifoItem> shadow("skid", make_fifo_model({32, 3}), make_stream_skid({32}, Backend::rtl));
  shadow.reset();
  ASSERT_TRUE(shadow.push({1}));
  shadow.tick();
  ASSERT_TRUE(shadow.push({2}));
  EXPECT_THROW(shadow.tick(), ShadowMismatch);
}

TEST(StreamSkid, UnknownPointIsRefused) { EXPECT_THROW(make_stream_skid({33}, Backend::rtl), std::invalid_argument); }

}  // namespace
}  // namespace warpsieve::common
