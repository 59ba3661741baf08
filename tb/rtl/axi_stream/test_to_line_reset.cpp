// Block::reset() holds reset for two cycles; axis_to_line promises that one is enough, in whatever state.
#include <Vaxis_to_line_odd.h>
#include <gtest/gtest.h>

#include "cosim/verilated.h"

namespace warpsieve::axi_stream {
namespace {

TEST(AxisToLine, OneCycleOfResetDropsLineSpareBeatAndPacket) {
  RtlClock<Vaxis_to_line_odd> clock("axis_to_line");
  auto& top = clock.top();
  top.s_axis_tvalid_i = top.out_ready_i = 0;
  clock.reset();
  top.s_axis_tkeep_i = 7;
  top.s_axis_tvalid_i = 1;
  top.s_axis_tlast_i = 1;
  clock.tick();  // a line
  top.s_axis_tlast_i = 0;
  clock.tick();  // the spare beat
  top.s_axis_tvalid_i = 0;
  ASSERT_EQ(top.out_valid_o, 1);
  ASSERT_EQ(top.s_axis_tready_o, 0);
  top.out_ready_i = 1;
  clock.tick();  // the spare beat begins a packet
  top.out_ready_i = 0;
  clock.reset(1);
  EXPECT_EQ(top.s_axis_tready_o, 1);
  EXPECT_EQ(top.out_valid_o, 0);
  EXPECT_EQ(top.bad_packet_o, 0);
  top.s_axis_tdata_i = 0xabcdef;
  top.s_axis_tvalid_i = top.s_axis_tlast_i = 1;
  clock.tick();
  top.s_axis_tvalid_i = 0;
  ASSERT_EQ(top.out_valid_o, 1);
  EXPECT_EQ(top.out_line_o[0], 0xabcdefu) << "the first beat of a packet";
}

}  // namespace
}  // namespace warpsieve::axi_stream
