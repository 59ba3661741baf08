// Runs beside what they are compared with.
#pragma once

#include <string>
#include <vector>

#include "report/results.h"

namespace warpsieve::report {

/// A run and its baseline: of the same workload, seed, machine and place on the axes.
struct Compared {
  std::size_t run = 0, base = 0;      ///< places in Results::runs
  std::vector<double> ipc, requests;  ///< ratios, of each repetition; no requests where the baseline has none
};

struct Comparison {
  std::string base;                  ///< "baseline", else the first scheme
  std::string base_name;             ///< a sweep of one scheme: with the place that all others are compared with
  bool alone = false;                ///< is one of those
  std::vector<std::string> schemes;  ///< that are compared, in the order of the results
  std::vector<Compared> runs;        ///< of these schemes; without those that have no baseline
  std::vector<std::size_t> base_of;  ///< of each run of the results; kNoBase
  std::size_t seeds = 0, profiles = 0;

  static constexpr std::size_t kNoBase = ~std::size_t{0};
};

Comparison compare(const Results& results);

/// IPC or off-chip requests of each repetition of a run.
std::vector<double> repetitions(const nlohmann::ordered_json& run, const char* figure);
/// Throws ConfigError "WHERE: ..." where the repetitions of a run are not what `run --repeat` writes.
void check_repetitions(const nlohmann::ordered_json& run, const std::string& where);

/// What charts call the workload of a run: with its machine where there are several.
std::string group_label(const Comparison& comparison, const ResultRun& run);

/// Geometric mean: 0 where one value is 0. At least one value.
double geometric_mean(const std::vector<double>& values);

/// "cmd", "cmd and sieve", "cmd, rata and sieve", "7 schemes".
std::string list_of(const std::vector<std::string>& names, const char* plural);

}  // namespace warpsieve::report
