// Rules: how the statistics of finished runs answer a figure of a paper. There is one rule for each row of
// cost/data/claims.csv that the simulator can answer. cost/findings.cpp answers rows about hardware; a row without an
// answer says why. The rules are in configs/claims/<paper>.toml, compiled in:
//
//   [group.memory]                 # workloads of a scope, by name ...
//   workloads = ["bfs", "mis"]
//   [group.sensitive]              # ... or by a figure of a run: 100 * over / under of `scheme` between bounds
//   scheme = "baseline"
//   over = ["cluster.replicated_misses"]
//   under = ["cluster.primary_misses"]
//   above = 25                     # more than; up_to: at most; one of them or both
//   [group.gaining]                # ... or by how much it changes `against` another scheme, in %
//   of = "sensitive"               # of this group's workloads alone: one of this file that has no `of` itself
//   scheme = "rata"
//   against = "baseline"
//   over = ["ipc"]
//   above = 0
//   [[claim]]
//   id = "cmd.ipc_cmd"
//   kind = "change"                # share, change, removed, points or registers, see Kind
//   over = ["ipc"]                 # statistics, added up; -name is subtracted
//   under = ["off_chip.total"]     # default: 1
//   scheme = "cmd"                 # of the runs looked at, and of those they are compared with
//   against = "baseline"
//   set = ["cmd.fifo_entries=8"]   # parameters these runs were given, all others at their defaults; against_set
//   sizes = ["hotspot.block=32"]   # of a workload, for this row alone: it needs all these runs, others skip them
//   group = "memory"               # default: every workload that has the runs
//   holds = 50                     # the conclusion holds from this value on (default: ours has the paper's sign)
//   at_most = 10                   # ... or up to this one. A share, which is never below 0, needs one of them
//   potential = ["dedup.potential_inter"]   # of a share: what `over` could be at most; 100 * over / potential is
//                                  # printed beside each workload whose run has it
//   bound = true                   # the paper's value is an upper bound
//   kernels = ["nw_upper"]         # registers: of these alone
//   reading = "all duplicates"     # where the paper's text can be read in two ways: a rule for each, a row for each
//   why = "..."                    # why ours differs, from an experiment or from what the machines are
//   why_paper = "..."              # the same of runs at scale paper
//
//   [[not_modelled]]
//   id = "cmd.something"
//   why = "..."
//
// A statistic is a counter, ipc, cycles, off_chip.KIND, energy.off_chip or energy.dram (nJ, cost/energy.h), 1, or one
// of the derived ones named in evaluate.cpp; report.NAME is a figure of the scheme's report. `registers` needs none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpsieve::claims {

enum class Kind {
  share,    ///< 100 * x(scheme)
  change,   ///< 100 * (x(scheme) / x(against) - 1)
  removed,  ///< 100 * (1 - x(scheme) / x(against))
  points,   ///< 100 * (x(scheme) - x(against))
  /// AVC's table 4: 100 * (registers covered by scheme / by against - 1), from runs with spill.registers = 1, 2, ...
  /// Covered: r_base - r_cache, the mean of the workload's kernels; r_cache: the smallest count from which on private
  /// memory causes less than one transaction per 10,000 instructions (decision A17).
  registers,
};

/// over / under of one run.
struct Ratio {
  std::vector<std::string> over, under;
};

struct Group {
  std::vector<std::string> workloads;  ///< empty: by the figure
  std::string of;                      ///< empty: of all workloads
  std::string scheme, against;         ///< no `against`: a share, else a change
  Ratio ratio;
  std::optional<double> above, up_to;
};

struct Rule {
  std::string id;
  Kind kind = Kind::share;
  Ratio ratio;
  std::string scheme, against, group;
  std::vector<std::string> set, against_set;              ///< sorted
  std::map<std::string, std::vector<std::string>> sizes;  ///< of a workload, "block=32"; sorted
  std::optional<double> holds, at_most;                   ///< one of them at most
  std::vector<std::string> potential;                     ///< empty: none
  bool bound = false;
  std::vector<std::string> kernels;  ///< kind registers; empty: all
  std::string reading;               ///< of the paper's text; rules of one row differ in it
  std::string why, why_paper;
};

/// A row of claims.csv that neither runs nor the cost model answer.
struct NotModelled {
  std::string id, why;
};

struct RuleSet {
  std::string paper;
  std::map<std::string, Group> groups;
  std::vector<Rule> rules;
  std::vector<NotModelled> not_modelled;
};

/// Rules of all papers, those of `paper` alone when it is not empty. Throws ConfigError for an unknown paper.
std::vector<RuleSet> rules(const std::string& paper = {});
/// Throws ConfigError "FILE:LINE: what is expected".
RuleSet parse_rules(std::string_view text, const std::string& file, const std::string& paper);

struct ClaimSweep {
  std::string name, file, text;
};
/// The same sweep with workloads of another scale on the whole machine of its profile ("cmd" for "cmd-quarter"); its
/// name gets the scale. Throws WorkloadError for an unknown scale.
ClaimSweep at_scale(const ClaimSweep& sweep, const std::string& scale);
/// What of a run's sizes some rule names: sorted, empty for a run that any rule may look at.
std::vector<std::string> named_sizes(const RuleSet& set, const std::string& workload,
                                     const std::vector<std::string>& sizes);
/// The sweeps whose runs the rules need: "cmd", "cmd_fifo" ... of one paper or of all.
std::vector<ClaimSweep> claim_sweeps(const std::string& paper = {});

}  // namespace warpsieve::claims
