// warpsieve workloads: what every workload's accesses and data look like, from functional runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct WorkloadsOptions {
  std::vector<std::string> names;  ///< empty: all
  std::string scale = "full";
  std::string format = "text";
  std::string input;
  std::vector<std::string> sizes;
  std::uint64_t seed = 1;
  unsigned sms = 80;
};

void declare_workloads(CLI::App& command, WorkloadsOptions& options);
ExitCode workloads_command(const WorkloadsOptions& options);

}  // namespace warpsieve::cli
