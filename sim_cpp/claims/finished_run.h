// Runs as `warpsieve run --json` and reports have them, as entries of a RunSet. Such a run does not say what it was
// given: that is what differs from its profile and from its scheme's defaults. What all of them have is the machine
// that they are compared on, unless a rule asks for it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "claims/run_set.h"

namespace warpsieve::claims {

struct FinishedRun {
  const nlohmann::ordered_json* run = nullptr;
  run::RunSpec spec;  ///< workload, sizes, input, seed and scale, as far as they are known
};

/// Of further repetitions (`run --repeat`) there are IPC and off-chip requests alone. Energies that CACTI has no
/// figures for are left out.
std::vector<RunEntry> entries_of(const std::vector<FinishedRun>& runs, const RuleSet& rules,
                                 const std::vector<std::string>& names, cost::Source& cacti);

}  // namespace warpsieve::claims
