// fifo: directed corner cases and random lock step of model and RTL at every point.
#include <gtest/gtest.h>

#include "blocks/common/fifo.h"
#include "support/lockstep.h"
#include "support/property.h"

namespace warpsieve::common {
namespace {

class FifoPoints : public ::testing::TestWithParam<FifoParams> {};
INSTANTIATE_TEST_SUITE_P(Points, FifoPoints, ::testing::Values(FifoParams{1, 1}, FifoParams{7, 5}, FifoParams{32, 8}),
                         [](const auto& info) {
                           return "W" + std::to_string(info.param.width) + "D" + std::to_string(info.param.depth);
                         });

TEST_P(FifoPoints, FullFifoRefusesAndKeepsOrder) {
  auto fifo = make_fifo(GetParam(), Backend::shadow);
  fifo->reset();
  const std::uint64_t mask = (std::uint64_t{1} << GetParam().width) - 1;
  for (unsigned i = 0; i < GetParam().depth; ++i) {
    ASSERT_TRUE(fifo->push({(i * 3 + 1) & mask}));
    fifo->tick();
  }
  EXPECT_FALSE(fifo->push({0}));
  for (unsigned i = 0; i < GetParam().depth; ++i) {
    ASSERT_NE(fifo->front(), nullptr);
    EXPECT_EQ(fifo->front()->data, (i * 3 + 1) & mask);
    fifo->pop();
    fifo->tick();
  }
  EXPECT_EQ(fifo->front(), nullptr);
  EXPECT_TRUE(fifo->idle());
}

/// The rate that the RTL's header states, from which rtl/README.md has it.
TEST_P(FifoPoints, ItemsFlowOnePerCycleOrEverySecondOneWithOnePlace) {
  auto fifo = make_fifo(GetParam(), Backend::shadow);
  fifo->reset();
  unsigned taken = 0;
  for (unsigned cycle = 0; cycle < 100; ++cycle, fifo->tick()) {
    taken += fifo->push({0});
    if (fifo->front()) fifo->pop();
  }
  EXPECT_EQ(taken, GetParam().depth > 1 ? 100u : 50u);
}

TEST_P(FifoPoints, RandomStreamsComeOutInOrder) {
  const FifoParams params = GetParam();
  tb::check_property("fifo order", 400, [&] {
    const std::uint64_t mask = (std::uint64_t{1} << params.width) - 1;
    std::vector<FifoItem> items;
    for (const auto value : *rc::gen::arbitrary<std::vector<std::uint32_t>>()) items.push_back({value & mask});
    const tb::Pressure pressure{*rc::gen::inRange(10u, 101u), *rc::gen::inRange(10u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    auto fifo = make_fifo(params, Backend::shadow);
    fifo->reset();
    RC_ASSERT(tb::drive_stream(*fifo, items, items.size(), pressure) == items);
  });
}

TEST(Fifo, UnknownPointIsRefusedByName) { EXPECT_THROW(make_fifo({33, 3}, Backend::rtl), std::invalid_argument); }

}  // namespace
}  // namespace warpsieve::common
