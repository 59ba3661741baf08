// The one judge: words by paper, ours and noise.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "claims/verdict.h"
#include "support/property.h"

namespace warpsieve::claims {
namespace {

Verdict effect(double paper, double ours, double noise = 0.5, std::size_t agree = 10) {
  return judge({paper, ours, noise, true, false, false, {}, {}, 10, agree});
}
Verdict cost(double paper, double ours, std::optional<double> at_most = {}) {
  return judge({paper, ours, 0, false, false, true, {}, at_most, 1, 1});
}

TEST(Verdict, WordsOfAnEffect) {
  EXPECT_EQ(effect(30, 30), Verdict::reproduced);
  EXPECT_EQ(effect(30, 24), Verdict::reproduced) << "20 %";
  EXPECT_EQ(effect(30, 36), Verdict::reproduced);
  EXPECT_EQ(effect(30, 36.1), Verdict::stronger);
  EXPECT_EQ(effect(30, 23.9), Verdict::weaker);
  EXPECT_EQ(effect(30, 10), Verdict::weaker) << "a third";
  EXPECT_EQ(effect(30, 10, 0.5, 5), Verdict::marginal) << "in half of the workloads";
  EXPECT_EQ(effect(30, 9.9), Verdict::marginal);
  EXPECT_EQ(effect(30, 0.6), Verdict::marginal);
  EXPECT_EQ(effect(30, 0.5), Verdict::no_effect);
  EXPECT_EQ(effect(30, -0.5), Verdict::no_effect);
  EXPECT_EQ(effect(30, -0.6), Verdict::opposite);
  EXPECT_EQ(effect(5, 2), Verdict::reproduced) << "3 points";
  EXPECT_EQ(effect(2, -0.9), Verdict::opposite) << "3 points do not cross 0";
}

TEST(Verdict, ACostMayBeLess) {
  EXPECT_EQ(cost(100, 5), Verdict::reproduced);
  EXPECT_EQ(cost(100, 120), Verdict::reproduced);
  EXPECT_EQ(cost(100, 121), Verdict::weaker);
  EXPECT_EQ(cost(100, 300), Verdict::weaker);
  EXPECT_EQ(cost(100, 301), Verdict::opposite);
  EXPECT_EQ(cost(100, 301, 400), Verdict::weaker);
  EXPECT_EQ(cost(100, 130, 125), Verdict::opposite);
}

TEST(Verdict, ALimitThatThePaperConcludes) {
  const auto little = [](double ours) { return judge({1, ours, 0, true, false, false, {}, 7, 10, 10}); };
  EXPECT_EQ(little(0), Verdict::no_effect);
  EXPECT_EQ(little(3.9), Verdict::reproduced);
  EXPECT_EQ(little(6.9), Verdict::weaker);
  EXPECT_EQ(little(7.1), Verdict::opposite);
}

TEST(Verdict, Properties) {
  const auto tenths = [](int from, int to) { return *rc::gen::inRange(from, to) / 10.0; };
  tb::check_property("verdict_noise", 500, [&] {
    const double paper = tenths(-1000, 1000), noise = tenths(1, 200);
    const double ours = noise * *rc::gen::inRange(-100, 101) / 100;
    RC_ASSERT(effect(paper, ours, noise) == Verdict::no_effect);
  });
  tb::check_property("verdict_sign", 500, [&] {
    const double paper = tenths(1, 1000), ours = tenths(-1000, 1000);
    const auto agree = static_cast<std::size_t>(*rc::gen::inRange(0, 11));
    RC_ASSERT(effect(paper, ours, 0.5, agree) == effect(-paper, -ours, 0.5, agree));
  });
  const std::vector<Verdict> better = {Verdict::opposite, Verdict::no_effect,  Verdict::marginal,
                                       Verdict::weaker,   Verdict::reproduced, Verdict::stronger};
  const auto rank = [&](Verdict v) { return std::find(better.begin(), better.end(), v) - better.begin(); };
  tb::check_property("verdict_more", 500, [&] {
    const double paper = tenths(100, 1000), ours = tenths(-1500, 1500), more = tenths(0, 300);
    RC_ASSERT(rank(effect(paper, ours)) <= rank(effect(paper, ours + more)));
  });
}

}  // namespace
}  // namespace warpsieve::claims
