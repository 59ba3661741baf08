// The papers' figures from finished runs, with the figure of each workload behind the mean.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "claims/rules.h"
#include "cost/claims.h"

namespace warpsieve::claims {

/// Finished runs, found by workload, scheme and the parameters they were given.
class RunSet {
 public:
  explicit RunSet(cost::Source& cacti) : cacti_(cacti) {}
  /// `set`: what was set beside the profile's values. A second run of the same kind is dropped: seeds and profiles do
  /// not mix; throws ConfigError when the profile differs from that of the runs before.
  void add(nlohmann::ordered_json run, std::vector<std::string> set);
  const nlohmann::ordered_json* find(const std::string& workload, const std::string& scheme,
                                     const std::vector<std::string>& set) const;
  std::vector<std::string> workloads() const;  ///< in order of arrival
  const std::string& profile() const { return profile_; }
  std::size_t size() const { return runs_.size(); }
  /// A statistic of a run (rules.h); nothing when the run does not have it.
  std::optional<double> statistic(const nlohmann::ordered_json& run, const std::string& name) const;
  std::optional<double> ratio(const nlohmann::ordered_json& run, const Ratio& ratio) const;

 private:
  struct Entry {
    std::string workload, scheme;
    std::vector<std::string> set;
    nlohmann::ordered_json run;
  };
  cost::Source& cacti_;
  std::string profile_;
  std::vector<Entry> runs_;
};

struct SimulatedClaim {
  cost::Finding finding;  ///< ours: arithmetic mean over the workloads (decision X7)
  std::string scope;
  std::optional<double> geometric;  ///< of a change: geometric mean of the ratios, in %
  std::vector<std::pair<std::string, double>> workloads;
};

/// Every rule of the paper that the runs can answer, in the order of claims.csv; without runs: verdict not modelled.
std::vector<SimulatedClaim> evaluate(const RuleSet& rules, const RunSet& runs);
nlohmann::ordered_json to_json(const SimulatedClaim& claim);

}  // namespace warpsieve::claims
