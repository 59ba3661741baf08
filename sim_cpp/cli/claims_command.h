// warpsieve claims --paper/--results/--run: the papers' figures beside those of finished runs.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_codes.h"
#include "cli/slurm_options.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct SimulatedClaimsOptions {
  std::string paper;                 ///< empty: all
  std::vector<std::string> results;  ///< directories of sweeps, results files, files of `run --json`
  std::string run;                   ///< directory: the built-in sweeps are run there first
  std::string scale;                 ///< of these sweeps' workloads, on whole machines; empty: as the sweeps say
  std::string save;                  ///< file for the statistics of all runs
  std::string command;               ///< as it was typed; the results file has it
  std::string cacti = "auto", colour = "auto";
  unsigned jobs = 1, repeat = 1;
  SlurmArguments slurm;
  bool json = false, markdown = false, quiet = false;
  bool energy = false;    ///< only rows about energy
  bool finished = false;  ///< `run` has what is to be known: nothing is simulated
};

void declare_simulated_claims(CLI::App& command, SimulatedClaimsOptions& options);
/// True when the options ask for simulated figures at all.
inline bool asks_for_runs(const SimulatedClaimsOptions& o) { return !o.results.empty() || !o.run.empty(); }
ExitCode simulated_claims(const SimulatedClaimsOptions& options);

}  // namespace warpsieve::cli
