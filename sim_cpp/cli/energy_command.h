// warpsieve energy: energy of finished runs per component, normalized to the first scheme of each workload.
#pragma once

#include <cstdint>
#include <string>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct EnergyOptions {
  std::string results;  ///< what `run --json` wrote
  std::string cacti = "auto";
  std::uint32_t node = 16;
  bool terms = false, json = false;
};

void declare_energy(CLI::App& command, EnergyOptions& options);
ExitCode energy(const EnergyOptions& options);

}  // namespace warpsieve::cli
