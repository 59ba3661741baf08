// warpsieve dram: replays a text trace on one DRAM channel and prints cycles, latency, bandwidth and row hits.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct DramOptions {
  std::string config = "gddr6";
  std::string trace;
  std::string map = "o5,c6,g2,b2,r15";
  std::string commands;  ///< file for every DRAM command
  std::vector<std::string> set;
  bool json = false;
};

void declare_dram(CLI::App& command, DramOptions& options);
ExitCode dram(const DramOptions& options);

}  // namespace warpsieve::cli
