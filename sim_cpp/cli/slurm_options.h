// The options of the commands that can simulate on a cluster.
#pragma once

#include <string>
#include <vector>

#include "sweep/slurm.h"

namespace CLI {
class App;
}
namespace warpsieve::sweep {
class ProgressBar;
}

namespace warpsieve::cli {

struct SlurmArguments {
  bool use = false;  ///< --slurm
  double chunk_seconds = 30, poll_seconds = 2;
  std::vector<std::string> sbatch;
};

/// --slurm, which excludes an earlier --jobs, and what needs it: --chunk-seconds, --poll-seconds, --sbatch.
void add_slurm(CLI::App& command, SlurmArguments& arguments);

/// Simulates on Slurm what is missing of the sweep; `bar` shows how far it is.
sweep::SlurmOutcome run_on_slurm(const sweep::Store& store, const sweep::Sweep& points,
                                 const SlurmArguments& arguments, sweep::ProgressBar& bar);

}  // namespace warpsieve::cli
