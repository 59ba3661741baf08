// warpsieve claims --paper/--results/--run: the papers' figures beside those of finished runs.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct SimulatedClaimsOptions {
  std::string paper;                 ///< empty: all
  std::vector<std::string> results;  ///< directories of sweeps
  std::string run;                   ///< directory: the built-in sweeps are run there first
  std::string scale;                 ///< of these sweeps' workloads, on whole machines; empty: as the sweeps say
  unsigned jobs = 1;
  std::string cacti = "auto";
  bool json = false, markdown = false, quiet = false;
};

void declare_simulated_claims(CLI::App& command, SimulatedClaimsOptions& options);
/// True when the options ask for simulated figures at all.
inline bool asks_for_runs(const SimulatedClaimsOptions& o) { return !o.results.empty() || !o.run.empty(); }
ExitCode simulated_claims(const SimulatedClaimsOptions& options);

}  // namespace warpsieve::cli
