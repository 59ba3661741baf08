// warpsieve bench: how fast this build simulates on this host, beside the goals. Rates are by CPU time, so that
// other work on the host disturbs them as little as possible; what threads bring is wall time (bench_threads.h) and
// needs idle cores. All figures come from one run of the command.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct BenchOptions {
  std::string only;  ///< part of a row's name
  std::string json;
  bool quick = false;  ///< short runs: that everything works, with rough figures
};

void declare_bench(CLI::App& command, BenchOptions& options);
/// Names of all measurements, in the order in which they are taken.
std::vector<std::string> bench_measurements();
ExitCode bench(const BenchOptions& options);

}  // namespace warpsieve::cli
