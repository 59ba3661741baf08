// Block::reset() holds reset for two cycles. The module promises that one is enough, with both lookups waiting.
#include <Vvictim_fifo_odd.h>
#include <gtest/gtest.h>

#include "cosim/verilated.h"

namespace warpsieve::victim_fifo {
namespace {

TEST(VictimFifoReset, OneCycleForgetsBothWaitingLookups) {
  RtlClock<Vvictim_fifo_odd> clock("victim_fifo");
  auto& top = clock.top();
  top.req_valid_i = 0;
  top.rsp_ready_i = 0;
  clock.reset();
  top.req_valid_i = 1;
  top.req_op_i = 1;  // lookup
  top.req_sectors_i = 1;
  for (unsigned address : {1, 2}) {
    ASSERT_EQ(top.req_ready_o, 1);
    top.req_addr_i = address;
    clock.tick();
  }
  top.req_valid_i = 0;
  ASSERT_EQ(top.req_ready_o, 0);
  ASSERT_EQ(top.rsp_valid_o, 1);
  clock.reset(1);
  for (unsigned cycle = 0; cycle < 3; ++cycle) {
    EXPECT_EQ(top.req_ready_o, 1) << "cycle " << cycle;
    EXPECT_EQ(top.rsp_valid_o, 0) << "cycle " << cycle;
    clock.tick();
  }
}

}  // namespace
}  // namespace warpsieve::victim_fifo
