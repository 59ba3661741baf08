// `warpsieve inputs`: the generators, files from them, measured statistics of any file, and both side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct InputsOptions {
  enum class What { list, write, stat, compare } what = What::list;
  std::string kind;     ///< of write and compare: a generator
  std::string content;  ///< of stat: how to read the files; empty: found by content
  std::string output;   ///< of write
  std::vector<std::string> files;
  std::uint64_t seed = 1, size = 0;  ///< size 0: the generator's own
  bool json = false;
};

void declare_inputs(CLI::App& command, InputsOptions& options);
ExitCode inputs_command(const InputsOptions& options);

}  // namespace warpsieve::cli
