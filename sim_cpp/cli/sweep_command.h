// warpsieve sweep run|status|merge|list|task: many simulations from one file.
#pragma once

#include <string>

#include "cli/exit_codes.h"
#include "cli/slurm_options.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct SweepOptions {
  std::string action;     ///< run, status, merge, list or task
  std::string file;       ///< the sweep file (run, list)
  std::string directory;  ///< of the sweep; empty: the file's name with .sweep
  std::string database;   ///< merge; empty: sweep.sqlite in the directory
  unsigned jobs = 0;      ///< 0: all processors
  bool retry_failed = false, json = false, quiet = false;
  SlurmArguments slurm;
  std::string chunks;  ///< task
  std::size_t task = 0;
};

void declare_sweep(CLI::App& command, SweepOptions& options);
ExitCode sweep_command(const SweepOptions& options);

}  // namespace warpsieve::cli
