// A machine of the cost model, from a profile of the simulator.
#pragma once

#include <string>

#include "cost/scheme_blocks.h"

namespace warpsieve::report {

/// A profile by name or file (SMs, controllers, L2), or a machine that only the cost data know. Throws CostError,
/// ConfigError.
cost::Machine machine_of(const std::string& name);

}  // namespace warpsieve::report
