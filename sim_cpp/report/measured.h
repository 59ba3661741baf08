// The papers' claims beside what the results say about them, as claims/evaluate.h judges them.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cost/cacti/query.h"
#include "report/results.h"

namespace warpsieve::report {

/// Runs whose energy is worked out, at most.
inline constexpr std::size_t kMostEnergies = 1000;

/// Every row of these papers: hardware from the cost model, the others from the runs on the profile of the first.
/// Rows without a run have the verdict "no runs".
nlohmann::ordered_json claim_data(const Results& results, const std::set<std::string>& papers, cost::Source& cacti);

}  // namespace warpsieve::report
