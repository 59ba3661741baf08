// warpsieve trace record|import|info|cat|verify: a workload's launches in a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct TraceOptions {
  std::string action;  ///< record, import, info, cat or verify
  std::string file;
  bool salvage = false;
  std::uint64_t limit = 0;  ///< cat: warp instructions, 0: all
  // record
  std::string workload;
  std::string scale = "full";
  std::string input;
  std::vector<std::string> sizes;
  std::uint64_t seed = 1;  ///< also of import
  // import
  std::string list;
  std::string name;
  std::string values = "none";
  bool strict = false;  ///< refuse unknown opcodes
  bool json = false;
};

void declare_trace(CLI::App& command, TraceOptions& options);
ExitCode trace_command(const TraceOptions& options);

}  // namespace warpsieve::cli
