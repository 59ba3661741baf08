// Finished runs of one paper on one machine, all repetitions: found by workload, scheme, the parameters they were
// given, and what the workload ran on. A results file (`claims --save`) holds the same, so that every table can be
// printed without a run.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "claims/statistics.h"
#include "run/simulate.h"

namespace warpsieve::claims {

/// Parameters of a scheme's report, those of every part of a combination.
std::map<std::string, std::string> reported_parameters(const nlohmann::ordered_json& report);
/// None of a scheme that this version does not know: then nothing is the default.
std::map<std::string, std::string> default_parameters(const std::string& scheme);

/// How a run was asked for.
struct Given {
  std::vector<std::string> set;  ///< beside the profile's values
  std::string input;             ///< scale, sizes, file and seed of the workload
  std::vector<std::string>
      sizes;  ///< those that a rule asks for by name (named_sizes): only such a rule finds the run
  unsigned repetition = 0;
  run::RunSpec spec = {};  ///< that makes the run again; empty where it is not known
};
Given given_by(const run::RunSpec& spec, const RuleSet& rules);

/// One run and its repetitions.
struct RunEntry {
  std::string workload, scheme;
  Given given;  ///< repetition 0
  std::map<unsigned, Statistics> repetitions;
  double seconds = 0;  ///< mean CPU time of one; 0: not known
};

class RunSet {
 public:
  /// Keeps these statistics of each run (statistic_names).
  explicit RunSet(cost::Source& cacti, std::vector<std::string> names = {})
      : cacti_(cacti), names_(std::move(names)) {}
  /// A second run of the same kind is dropped; false: it differs from another in its input alone. cmd.potential
  /// counts more and changes nothing, and a scheme's parameter at its default is none: neither makes another run.
  /// Throws ConfigError when the profile differs from that of the runs before, or when a run comes again with other
  /// figures.
  bool add(const nlohmann::ordered_json& run, Given given);
  /// `same`: the same check of figures.
  bool add(const std::string& profile, RunEntry entry, bool same = false);
  /// Scale of the runs, "quarter" unless said: reasons differ (Rule::why, why_paper). ConfigError when another was
  /// said.
  void is_scale(const std::string& scale);
  std::string scale() const { return scale_.empty() ? "quarter" : scale_; }
  const std::string& profile() const { return profile_; }

  const RunEntry* find(const std::string& workload, const std::string& input, const std::string& scheme,
                       std::vector<std::string> set, const std::vector<std::string>& sizes = {}) const;
  std::vector<std::string> workloads() const;                             ///< in order of arrival
  std::vector<std::string> inputs_of(const std::string& workload) const;  ///< in order of arrival
  /// The runs of a workload under a scheme that differ in `parameter` alone, by its value. Throws
  /// ConfigError for a value that is no whole number.
  std::map<std::uint32_t, const RunEntry*> series(const std::string& workload, const std::string& input,
                                                  const std::string& scheme, const std::vector<std::string>& set,
                                                  const std::string& parameter) const;
  const std::vector<RunEntry>& entries() const { return entries_; }
  std::vector<RunEntry>& entries() { return entries_; }
  unsigned most_repetitions() const;
  unsigned least_repetitions() const;
  cost::Source& cacti() const { return cacti_; }

 private:
  cost::Source& cacti_;
  std::vector<std::string> names_;
  std::string profile_, scale_;
  std::vector<RunEntry> entries_;
};

/// What a results file says about its runs.
struct ResultsHead {
  std::string paper, profile, scale, version, command;
  std::string cost_model;  ///< cost_model_digest() behind the energies; of several programs: "A, B"
  unsigned repeat = 1;     ///< of a run whose line does not say
};
/// Of the files behind energies (energy.json, toggles of the netlists, CACTI): statistics "energy." depend on them.
std::string cost_model_digest();

inline constexpr std::string_view kResultsFormat = "warpsieve-claims-results-1";

/// The file, one line for each run. Throws ConfigError when a repetition is missing.
std::string results_text(const ResultsHead& head, const RunSet& runs);
/// Adds the runs of a file to those there. Throws ConfigError "PATH: ...".
ResultsHead read_results_file(const std::string& text, const std::string& path, const RuleSet& rules, RunSet& runs);
/// "paper" of the file's head, without its runs. Throws ConfigError.
std::string paper_of_results(const std::string& text, const std::string& path);

}  // namespace warpsieve::claims
