// The papers' claims (data/claims.csv), and what we find for those about hardware, each with its arithmetic.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cost/area.h"

namespace warpsieve::cost {

struct Claim {
  std::string id, paper, scope, metric, unit;
  double value = 0;
  std::string where, note;
};

/// All rows of claims.csv, in its order.
const std::vector<Claim>& all_claims();

enum class Verdict {
  within,       ///< 20 % relative, or 3 points of a percentage; a bound: it holds
  direction,    ///< further off, but what the paper concludes from it still holds
  contradicts,  ///< further off, and the conclusion does not hold
  not_modelled,
  not_stated,  ///< the paper gives no figure: ours stands alone
};
std::string to_string(Verdict verdict);

/// What we find for one figure of a paper.
struct Finding {
  std::string id;  ///< of claims.csv, or of our own with in_claims false
  std::string what, unit, where;
  std::optional<double> paper, ours;  ///< no paper value: the paper leaves it open
  bool bound = false;                 ///< the paper's value is an upper bound
  bool in_claims = true;
  Verdict verdict = Verdict::not_modelled;
  std::string why;                      ///< why they differ, or what settles it
  std::vector<std::string> arithmetic;  ///< one line each
};

/// Within 20 % or 3 points; a bound holds when ours is not larger. `conclusion_holds` decides the rest.
Verdict judge(double paper, double ours, const std::string& unit, bool bound, bool conclusion_holds);

/// Everything about the hardware of one paper ("cmd", "rata", "justit", "dpc", "avc"), at 16 nm unless said.
std::vector<Finding> findings(const std::string& paper, Source& cacti);
/// The hardware findings of all papers: those of claims.csv in its order, then the others.
std::vector<Finding> all_findings(Source& cacti);
nlohmann::ordered_json to_json(const Finding& finding);

}  // namespace warpsieve::cost
