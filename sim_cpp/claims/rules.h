// Rules: how a figure of a paper is answered and judged. There is one rule for each row of cost/data/claims.csv. The
// statistics of finished runs answer most of them, cost/findings.cpp those about hardware; a row without an answer
// says why. The rules are in configs/claims/<paper>.toml, compiled in. A file without rows in claims.csv states goals
// of this project, and stands where a paper does: sieve.toml, rtx3070.toml.
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
//   kind = "change"                # share, change, removed, points, registers or hardware, see Kind
//   over = ["ipc"]                 # statistics, added up; -name is subtracted
//   under = ["off_chip.total"]     # default: 1
//   scheme = "cmd"                 # of the runs looked at, and of those they are compared with
//   against = "baseline"
//   set = ["cmd.fifo_entries=8"]   # parameters these runs were given, all others at their defaults; against_set
//   sizes = ["hotspot.block=32"]   # of a workload, for this row alone: it needs all these runs, others skip them
//   group = "memory"               # default: every workload that has the runs
//   holds = 50                     # enough for `weaker` (verdict.h); default: a third of the paper's figure
//   at_most = 10                   # the paper concludes that it is little: `weaker` up to this, `opposite` beyond
//   increment_over = "cmd.ipc_dedup_only"  # of the paper's figure, what it adds to that of this row
//   potential = ["dedup.potential_inter"]   # of a share: what `over` could be at most; 100 * over / potential is
//                                  # printed beside each workload whose run has it
//   bound = true                   # the paper's value is an upper bound
//   worst = true                   # not the mean, but the worst workload: the largest of a bound, else the smallest
//   goal = 20                      # no row of claims.csv, but a goal: this figure, `what`, and `unit` (default: %)
//   kernels = ["nw_upper"]         # registers: of these alone
//   reading = "all duplicates"     # where the paper's text can be read in two ways: a rule for each, a row for each
//   why = "..."                    # why ours differs: a sentence with a cause, without figures
//   evidence = "warpsieve run ..." # the command whose figures show it
//   why_paper, evidence_paper      # the same of runs at scale paper
//   why_as = "cmd.ipc_esd"         # ... or causes and commands of that row of the file
//
//   [[not_testable]]
//   id = "cmd.something"
//   why = "..."
//
// A statistic is a counter, ipc, cycles, off_chip.KIND, energy.off_chip, energy.off_chip_gated (its clocks gated) or
// energy.dram (nJ, cost/energy.h), or one of the derived ones named in statistics.cpp; report.NAME is a figure of the
// scheme's report. `registers` and `hardware` need none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cost/claims.h"

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
  hardware,  ///< cost::findings(); a cost: `at_most` is its limit, default three times the paper's figure
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
  bool bound = false, worst = false;
  std::vector<std::string> kernels;  ///< kind registers; empty: all
  std::string reading;               ///< of the paper's text; rules of one row differ in it
  std::string increment_over;        ///< id of another row of the paper; empty: the paper's figure as it is
  std::string why, why_paper, evidence, evidence_paper, why_as;
};

/// A row of claims.csv that neither runs nor the cost model answer.
struct NotTestable {
  std::string id, why;
};

struct RuleSet {
  std::string paper;  ///< or the scheme that has goals
  std::map<std::string, Group> groups;
  std::vector<Rule> rules;
  std::vector<NotTestable> not_testable;
  std::vector<cost::Claim> goals;  ///< in the order of the file
};

/// The rows of the set: those of claims.csv, or its goals.
std::vector<cost::Claim> rows_of(const RuleSet& set);

/// Rules of all papers and goals, those of `paper` alone when it is not empty. Throws ConfigError for an unknown
/// paper.
std::vector<RuleSet> rules(const std::string& paper = {});
/// Throws ConfigError "FILE:LINE: what is expected".
RuleSet parse_rules(std::string_view text, const std::string& file, const std::string& paper);

struct ClaimSweep {
  std::string name, file, text;
};
/// The same sweep with so many repetitions of each point (sweep/README.md).
ClaimSweep repeated(const ClaimSweep& sweep, unsigned repetitions);
/// The profile of the whole machine: "cmd" for "cmd-quarter".
std::string whole_machine(std::string profile);
/// The same sweep with workloads of another scale on the whole machine of its profile ("cmd" for "cmd-quarter"); its
/// name gets the scale. Throws WorkloadError for an unknown scale.
ClaimSweep at_scale(const ClaimSweep& sweep, const std::string& scale);
/// What of a run's sizes some rule names: sorted, empty for a run that any rule may look at.
std::vector<std::string> named_sizes(const RuleSet& set, const std::string& workload,
                                     const std::vector<std::string>& sizes);
/// The sweeps whose runs the rules need: "cmd", "cmd_fifo" ... of one paper or of all.
std::vector<ClaimSweep> claim_sweeps(const std::string& paper = {});

}  // namespace warpsieve::claims
