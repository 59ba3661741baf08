// The statistics of a finished run that rules read (rules.h), by name. The rest of the run is not kept.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "claims/rules.h"
#include "cost/cacti/query.h"

namespace warpsieve::claims {

using Statistics = std::map<std::string, double>;

/// Of a run with private memory: for each kernel KERNEL_PREFIX NAME and one of these.
inline constexpr const char* kKernelPrefix = "kernel.";
inline constexpr const char* kNeeded = ".r_base";              ///< registers that it needs
inline constexpr const char* kPrivate = ".private";            ///< private transactions of all launches
inline constexpr const char* kInstructions = ".instructions";  ///< warp instructions of all launches

/// How near the DRAM is to its two limits, in % of the time of the kernels: cycles of the data bus, and activates x
/// the least distance between two of them (tRRD, or a quarter of tFAW).
inline constexpr const char* kBusShare = "dram.bus_share";
inline constexpr const char* kActivateShare = "dram.activate_share";
/// The larger of the two from which on a run counts as bound by DRAM.
inline constexpr double kDramBound = 60;

/// What the rules of a paper name, and what every table shows: ipc, cycles, warp_instructions, the two limits.
std::vector<std::string> statistic_names(const RuleSet& rules);
/// Those that the run has. Throws CostError, CactiError for energies.
Statistics statistics_of(const nlohmann::ordered_json& run, const std::vector<std::string>& names,
                         cost::Source& cacti);
/// Nothing when one is missing, or what is divided by is 0.
std::optional<double> ratio_of(const Statistics& statistics, const Ratio& ratio);

}  // namespace warpsieve::claims
