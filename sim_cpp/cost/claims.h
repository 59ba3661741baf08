// The papers' claims (data/claims.csv), and what we find for those about hardware, each with its arithmetic. The
// verdict on each is that of claims/verdict.h.
#pragma once

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

/// What we find for one figure of a paper.
struct Finding {
  std::string id;  ///< of claims.csv, or of our own with in_claims false
  std::string what, scope, unit, where;
  std::optional<double> paper, ours;  ///< no paper value: the paper leaves it open
  bool bound = false;                 ///< the paper's value is an upper bound
  bool in_claims = true;
  std::string why;                      ///< why they differ, or what settles it
  std::vector<std::string> arithmetic;  ///< one line each
};

/// Everything about the hardware of one paper ("cmd", "rata", "justit", "dpc", "avc") or of what has goals ("sieve"),
/// at 16 nm unless said.
std::vector<Finding> findings(const std::string& paper, Source& cacti);

}  // namespace warpsieve::cost
