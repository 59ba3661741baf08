#include "claims/verdict.h"

#include <algorithm>
#include <cmath>

namespace warpsieve::claims {

namespace {
constexpr double kClose = 0.2;      // of the paper's figure
constexpr double kClosePoints = 3;  // of a percentage
constexpr double kLeastShare = 1.0 / 3;
}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced: return "reproduced";
    case Verdict::stronger: return "stronger";
    case Verdict::weaker: return "weaker";
    case Verdict::marginal: return "marginal";
    case Verdict::no_effect: return "no effect";
    case Verdict::opposite: return "opposite";
    case Verdict::not_testable: return "not testable here";
    case Verdict::no_runs: return "no runs";
    case Verdict::not_stated: break;
  }
  return "not stated";
}

std::string legend() {
  return "reproduced: beyond the noise and within 20 % or 3 points, a cost at most 20 % above; stronger: larger than "
         "that; weaker: same sign, at least a third, in most workloads, or the paper's limit holds; marginal: same "
         "sign, less than that; no effect: inside the noise; opposite: other sign, or the limit does not hold";
}

double least(double paper, const std::optional<double>& holds) { return holds.value_or(kLeastShare * paper); }

Verdict judge(const Comparison& c) {
  const double close = std::max(kClose * std::abs(c.paper), c.percent && !c.cost ? kClosePoints : 0);
  if (c.bound && c.noise > 0 && std::abs(c.ours - c.paper) <= c.noise) return Verdict::no_effect;
  if (c.bound || c.cost) {
    if (c.ours <= (c.bound ? c.paper : c.paper + close)) return Verdict::reproduced;
    return c.ours <= c.at_most.value_or(c.paper / kLeastShare) ? Verdict::weaker : Verdict::opposite;
  }
  if (std::abs(c.ours) <= c.noise) return Verdict::no_effect;
  const double sign = c.paper < 0 ? -1 : 1, ours = sign * c.ours, paper = sign * c.paper;
  if (c.at_most) {  // the paper concludes that it is little
    if (std::abs(ours - paper) <= close) return Verdict::reproduced;
    return ours <= sign * *c.at_most ? Verdict::weaker : Verdict::opposite;
  }
  if (ours < 0) return Verdict::opposite;
  if (std::abs(ours - paper) <= close) return Verdict::reproduced;
  if (ours > paper) return Verdict::stronger;
  const bool enough = ours >= sign * least(c.paper, c.holds), most = 2 * c.agree > c.workloads;
  return enough && most ? Verdict::weaker : Verdict::marginal;
}

}  // namespace warpsieve::claims
