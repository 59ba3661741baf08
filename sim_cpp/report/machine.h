// A machine of the cost model, from a profile of the simulator.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cost/scheme_blocks.h"

namespace warpsieve::report {

/// A profile by name or file (SMs, controllers, L2), or a machine that only the cost data know; with assignments of
/// `--set`, and with what the scheme changes of it. Throws CostError, ConfigError.
cost::Machine machine_of(const std::string& name, const std::string& scheme,
                         const std::vector<std::string>& set = {});
/// The machine that a run of `warpsieve run --json` was on, whatever has become of its profile. Throws CostError.
cost::Machine machine_of_run(const nlohmann::ordered_json& run);

}  // namespace warpsieve::report
