// Rata::reset() holds reset for two cycles. The module promises that one is enough, whatever it is at.
#include <Vrata_odd.h>
#include <gtest/gtest.h>

#include "blocks/rata/rata.h"
#include "cosim/verilated.h"

namespace warpsieve::rata {
namespace {

constexpr unsigned kUpdateLasts = 4;  // cycles, with margin

class Driver {
 public:
  Driver() {
    top().lookup_valid_i = top().update_valid_i = 0;
    top().rsp_ready_i = 1;
    clock_.reset();
  }
  void tick(unsigned times = 1) {
    while (times--) clock_.tick();
  }
  void update(RataOp op, unsigned line, unsigned sm) {
    ASSERT_EQ(top().update_ready_o, 1);
    top().update_valid_i = 1;
    top().update_op_i = static_cast<unsigned>(op);
    top().update_line_i = line;
    top().update_sm_i = sm;
    tick();
    top().update_valid_i = 0;
  }
  void one_cycle_of_reset() { clock_.reset(1); }
  bool hit(unsigned line, unsigned sm) {
    top().lookup_valid_i = 1;
    top().lookup_line_i = line;
    top().lookup_sm_i = sm;
    tick();
    top().lookup_valid_i = 0;
    for (int i = 0; i < 10 && !top().rsp_valid_o; ++i) tick();
    EXPECT_EQ(top().rsp_valid_o, 1);
    const bool hit = top().rsp_hit_o;
    tick();
    return hit;
  }

 private:
  Vrata_odd& top() { return clock_.top(); }
  RtlClock<Vrata_odd> clock_{"rata"};
};

TEST(RataReset, OneCycleForgetsAllAlsoInTheMiddleOfAnUpdate) {
  constexpr unsigned kGone = 1 << 2, kKept = 2 << 2;  // two lines of set 0
  for (unsigned at = 0; at <= kUpdateLasts; ++at) {
    SCOPED_TRACE(at);
    for (const bool reset : {true, false}) {
      Driver rata;
      for (const unsigned line : {kGone, kKept}) {
        rata.update(RataOp::allocate, line, 1);
        rata.tick(kUpdateLasts);
      }
      rata.update(RataOp::invalidate, kGone, 1);
      rata.tick(at);
      if (reset) rata.one_cycle_of_reset();
      rata.tick(kUpdateLasts);
      EXPECT_EQ(rata.hit(kKept, 2), !reset);
      EXPECT_FALSE(rata.hit(kGone, 2));
    }
  }
}

}  // namespace
}  // namespace warpsieve::rata
