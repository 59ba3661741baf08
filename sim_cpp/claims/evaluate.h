// The papers' figures from finished runs, with the figure of each workload behind the mean.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "claims/rules.h"
#include "cost/claims.h"

namespace warpsieve::claims {

/// Finished runs, found by workload, scheme, the parameters they were given and what the workload ran on.
class RunSet {
 public:
  explicit RunSet(cost::Source& cacti) : cacti_(cacti) {}
  /// `set`: what was set beside the profile's values (cmd.potential, which counts more and changes nothing, is none);
  /// `input`: scale, sizes, file and seed of the workload. A second run of the same kind is dropped; false: it
  /// differs from another in its input alone. Throws ConfigError when the profile differs from that of the runs
  /// before. `sizes`: those of the input that a rule asks for by name (named_sizes); only that rule finds the run.
  bool add(nlohmann::ordered_json run, std::vector<std::string> set, std::string input,
           std::vector<std::string> sizes = {});
  /// Scale of the runs, "quarter" unless said: reasons differ (Rule::why, why_paper). ConfigError when another was
  /// said.
  void is_scale(const std::string& scale);
  const std::string& scale() const { return scale_; }
  const nlohmann::ordered_json* find(const std::string& workload, const std::string& input, const std::string& scheme,
                                     const std::vector<std::string>& set,
                                     const std::vector<std::string>& sizes = {}) const;
  std::vector<std::string> workloads() const;                             ///< in order of arrival
  std::vector<std::string> inputs_of(const std::string& workload) const;  ///< in order of arrival
  /// The runs of a workload under a scheme that differ in `parameter` alone, by its value. Throws
  /// ConfigError for a value that is no whole number.
  std::map<std::uint32_t, const nlohmann::ordered_json*> series(const std::string& workload, const std::string& input,
                                                                const std::string& scheme,
                                                                const std::vector<std::string>& set,
                                                                const std::string& parameter) const;
  const std::string& profile() const { return profile_; }
  cost::Source& cacti() const { return cacti_; }
  std::size_t size() const { return runs_.size(); }
  /// A statistic of a run (rules.h); nothing when the run does not have it.
  std::optional<double> statistic(const nlohmann::ordered_json& run, const std::string& name) const;
  std::optional<double> ratio(const nlohmann::ordered_json& run, const Ratio& ratio) const;

 private:
  struct Entry {
    std::string workload, input, scheme;
    std::vector<std::string> set, sizes;
    nlohmann::ordered_json run;
  };
  cost::Source& cacti_;
  std::string profile_, scale_;
  std::vector<Entry> runs_;
};

/// Where a row's figure comes from.
enum class Answer { runs, hardware, nobody };

struct SimulatedClaim {
  cost::Finding finding;  ///< ours: arithmetic mean over the workloads (decision X7)
  std::string scope;
  Answer answer = Answer::runs;
  std::optional<double> geometric;  ///< of a change: geometric mean of the ratios, in %
  /// In the unit of the claim; kind registers: registers more.
  std::vector<std::pair<std::string, double>> workloads;
  /// What of the potential was reached, in %: of the workloads whose runs counted it and had any.
  std::vector<std::pair<std::string, double>> of_potential;
};
/// Arithmetic; of one value at least.
double mean(const std::vector<std::pair<std::string, double>>& values);

/// Every rule of the paper, in the order of claims.csv; without runs for it: verdict not modelled.
std::vector<SimulatedClaim> evaluate(const RuleSet& rules, const RunSet& runs);
/// The same, with the paper's other rows: hardware from the cost model, and those that are not modelled. Throws
/// std::logic_error for a row that has no place.
std::vector<SimulatedClaim> every_row(const RuleSet& rules, const RunSet& runs);
nlohmann::ordered_json to_json(const SimulatedClaim& claim);

}  // namespace warpsieve::claims
