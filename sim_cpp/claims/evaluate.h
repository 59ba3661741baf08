// The papers' figures beside ours: from finished runs, with the figure of each workload and its noise, or from the
// cost model.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "claims/rules.h"
#include "claims/run_set.h"
#include "claims/verdict.h"
#include "cost/claims.h"

namespace warpsieve::claims {

/// Where a row's figure comes from.
enum class Answer { runs, hardware, nothing };

/// In the unit of the claim; kind registers: registers more.
struct WorkloadFigure {
  std::string name;
  double mean = 0;
  double deviation = 0;  ///< of a single repetition
  double noise = 0;      ///< half of the 95 % confidence interval of the mean; the default band without repetitions
  bool operator==(const WorkloadFigure&) const = default;
};

struct Row {
  std::string id;  ///< of claims.csv, or of our own with in_claims false
  std::string what, scope, unit, where;
  bool in_claims = true, bound = false;
  std::optional<double> paper, ours;        ///< ours: arithmetic mean over workloads and repetitions (decision X7)
  double deviation = 0;                     ///< of `ours`: of one repetition; of the mean where some ran once
  double noise = 0;                         ///< half-width that the verdict uses
  unsigned repetitions = 0;                 ///< of the workloads with the most; below 2 the noise is kDefaultNoise
  std::optional<double> median, geometric;  ///< over the workloads; geometric mean of the ratios of a change, in %
  std::size_t agree = 0;                    ///< workloads that agree with the paper
  std::string worst;                        ///< Rule::worst: `ours` is of this workload
  Answer answer = Answer::runs;
  Verdict verdict = Verdict::no_runs;
  std::string why, evidence;
  std::vector<std::string> arithmetic;  ///< hardware: one line each
  std::vector<WorkloadFigure> workloads;
  /// What of the potential was reached, in %: of the workloads whose runs counted it and had any.
  std::vector<std::pair<std::string, double>> of_potential;
  bool inside_noise() const { return verdict == Verdict::no_effect; }
};
double mean(const std::vector<std::pair<std::string, double>>& values);

/// Every rule of the paper about runs, in the order of rows_of().
std::vector<Row> evaluate(const RuleSet& rules, const RunSet& runs);
/// What the cost model finds for one paper or, when it is empty, for all: rows of claims.csv first, in its order.
std::vector<Row> hardware_rows(const std::string& paper, cost::Source& cacti);
/// Every row of the paper: from runs, from the cost model, and those that are not testable. Throws std::logic_error
/// for a row that has no place.
std::vector<Row> every_row(const RuleSet& rules, const RunSet& runs);
nlohmann::ordered_json to_json(const Row& row);

/// How near the DRAM is to its limits under the baseline, means of the repetitions in %.
struct DramLoad {
  std::string workload;
  double bus = 0, activates = 0;
  bool bound() const;
};
/// Of each workload whose runs counted it.
std::vector<DramLoad> dram_loads(const RunSet& runs);

}  // namespace warpsieve::claims
