#include "cli/slurm_options.h"

#include <CLI/CLI.hpp>

#include "cli/numbers.h"
#include "sweep/progress.h"

namespace warpsieve::cli {

void add_slurm(CLI::App& command, SlurmArguments& arguments) {
  CLI::Option* slurm = command.add_flag("--slurm", arguments.use, "As job arrays of Slurm instead of here");
  if (CLI::Option* jobs = command.get_option_no_throw("--jobs")) slurm->excludes(jobs);
  command.add_option("--chunk-seconds", arguments.chunk_seconds, "Slurm: least time of a task")
      ->check(number(0.001, 1e6))
      ->capture_default_str()
      ->needs(slurm);
  command.add_option("--poll-seconds", arguments.poll_seconds, "Slurm: time between looks at the queue")
      ->check(number(0.001, 1e6))
      ->capture_default_str()
      ->needs(slurm);
  command
      .add_option("--sbatch", arguments.sbatch,
                  "Slurm: further argument of sbatch, --sbatch=--partition=long (repeatable)")
      ->needs(slurm);
}

sweep::SlurmOutcome run_on_slurm(const sweep::Store& store, const sweep::Sweep& points,
                                 const SlurmArguments& arguments, sweep::ProgressBar& bar) {
  sweep::SlurmOptions options;
  options.chunk_seconds = arguments.chunk_seconds;
  options.poll_seconds = arguments.poll_seconds;
  options.sbatch = arguments.sbatch;
  options.progress = [&bar](std::size_t done, std::size_t failed, std::size_t running, const std::string& line) {
    bar.update(done, failed, running, line);
  };
  return sweep::run_on_slurm(store, points, options);
}

}  // namespace warpsieve::cli
