// Block::reset() holds reset for two cycles; axis_from_line promises that one is enough, in whatever state.
#include <Vaxis_from_line_odd.h>
#include <gtest/gtest.h>

#include "cosim/verilated.h"

namespace warpsieve::axi_stream {
namespace {

TEST(AxisFromLine, OneCycleOfResetDropsLineAndBeats) {
  RtlClock<Vaxis_from_line_odd> clock("axis_from_line");
  auto& top = clock.top();
  top.in_valid_i = top.m_axis_tready_i = 0;
  clock.reset();
  top.in_valid_i = 1;
  top.in_length_i = 77;
  for (unsigned cycle = 0; cycle < 4; ++cycle) clock.tick();
  top.in_valid_i = 0;
  ASSERT_EQ(top.in_ready_o, 0);
  ASSERT_EQ(top.m_axis_tvalid_o, 1);
  clock.reset(1);
  for (unsigned cycle = 0; cycle < 4; ++cycle) {
    EXPECT_EQ(top.in_ready_o, 1) << "cycle " << cycle;
    EXPECT_EQ(top.m_axis_tvalid_o, 0) << "cycle " << cycle;
    clock.tick();
  }
}

}  // namespace
}  // namespace warpsieve::axi_stream
