// request_controller: the thesis's flowchart by hand, and model against RTL for every input.
#include <gtest/gtest.h>

#include "blocks/request_control/critical_data_tracker.h"
#include "blocks/request_control/request_analyzer.h"
#include "blocks/request_control/request_controller.h"
#include "blocks/request_control/sub_blocks.h"

namespace warpsieve::request_control {
namespace {

TEST(RequestController, AsksForWhatIsNeededWhenNothingSpeaksAgainstIt) {
  for (std::uint8_t need = 1; need < 15; ++need) {
    EXPECT_EQ(decide({.need = need}), (ControllerAnswer{need, need, Reason::partial}));
  }
}
TEST(RequestController, AFullRequestIsDemandedWhateverTheWindowsSay) {
  EXPECT_EQ(decide({.verdicts = {{true, true, true}, true}, .again = true, .need = 15}),
            (ControllerAnswer{15, 15, Reason::demanded}));
  EXPECT_EQ(decide({.enable = false, .need = 15}), (ControllerAnswer{15, 15, Reason::demanded}));
}
TEST(RequestController, TheFdrWindowComesFirstThenTheSubsequentMissThenTheIcaWindow) {
  EXPECT_EQ(decide({.verdicts = {{true, true, true}, true}, .again = true, .need = 1}).reason, Reason::fdr);
  EXPECT_EQ(decide({.verdicts = {{true, true, true}, false}, .again = true, .need = 1}).reason, Reason::again);
  EXPECT_EQ(decide({.verdicts = {{true, true, true}, false}, .need = 1}).reason, Reason::ica);
}
TEST(RequestController, OneSubBlockConsultsTheWindowOfSixtyFourBytesAndTheLargestNone) {
  const auto reason = [](std::uint8_t need, std::array<bool, 3> over) {
    return decide({.verdicts = {over, false}, .need = need}).reason;
  };
  EXPECT_EQ(reason(0b0001, {true, false, false}), Reason::ica);
  EXPECT_EQ(reason(0b0101, {true, false, false}), Reason::ica);
  EXPECT_EQ(reason(0b0111, {true, false, false}), Reason::partial);
  EXPECT_EQ(reason(0b0111, {false, true, false}), Reason::ica);
  EXPECT_EQ(reason(0b0011, {false, true, true}), Reason::partial);
  EXPECT_EQ(reason(0b1110, {true, false, true}), Reason::partial);
}
TEST(RequestController, WhatWasAskedIsNotSentAgain) {
  EXPECT_EQ(decide({.again = true, .need = 0b0110, .asked = 0b0011}), (ControllerAnswer{15, 0b1100, Reason::again}));
  EXPECT_EQ(decide({.enable = false, .again = true, .need = 0b0110, .asked = 0b0011}),
            (ControllerAnswer{0b0110, 0b0100, Reason::partial}));
}
TEST(RequestController, ModelAndRtlAgreeOnEveryInput) {
  auto rtl = make_request_controller_rtl();
  unsigned widened = 0;
  for (unsigned bits = 0; bits < 1u << 13; ++bits) {
    const ControllerQuery query{.enable = (bits & 1) != 0,
                                .verdicts = {{(bits & 2) != 0, (bits & 4) != 0, (bits & 1) != 0}, (bits & 8) != 0},
                                .again = (bits & 16) != 0,
                                .need = static_cast<std::uint8_t>(bits >> 5 & 15),
                                .asked = static_cast<std::uint8_t>(bits >> 9 & 15)};
    if (query.need == 0) continue;
    const ControllerAnswer answer = decide(query);
    widened += answer.want != query.need;
    ASSERT_EQ(rtl->eval(query), answer) << bits << " " << describe(answer);
  }
  EXPECT_GT(widened, 1000u);
}
TEST(RequestController, ReasonsHaveNames) {
  EXPECT_EQ(to_string(Reason::partial), "partial");
  EXPECT_EQ(to_string(Reason::ica), "ica");
  EXPECT_EQ(describe(ControllerAnswer{.want = 5, .send = 4, .reason = Reason::ica}), "want 0b0101 send 0b0100 ica");
}

}  // namespace
}  // namespace warpsieve::request_control
