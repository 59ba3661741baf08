// The papers' claims beside what the results say about them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "cost/claims.h"
#include "report/results.h"

namespace warpsieve::report {

/// Every claim: hardware as the cost model finds it, traffic and IPC of CMD where the results have the schemes for
/// it, the rest as "not in these results". Means over the workloads of the results, which are named.
nlohmann::ordered_json claim_data(const Results& results, const std::vector<cost::Finding>& hardware);

}  // namespace warpsieve::report
