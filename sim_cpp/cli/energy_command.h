// warpsieve energy: energy of finished runs per component, normalized to the first scheme of each workload.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/exit_codes.h"
#include "cost/energy.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct EnergyOptions {
  std::string results;  ///< what `run --json` wrote
  std::string cacti = "auto";
  std::uint32_t node = 16;
  std::string clock = "always";
  bool relative = false;
  bool terms = false, json = false;
};

void declare_energy(CLI::App& command, EnergyOptions& options);
/// Energy of every run in a file of `warpsieve run --json`; a mistake in it is one line with file and run.
std::vector<cost::EnergyReport> energy_reports(const std::string& results, cost::Source& cacti, std::uint32_t node,
                                               cost::Clock clock = cost::Clock::always);
ExitCode energy(const EnergyOptions& options);

}  // namespace warpsieve::cli
