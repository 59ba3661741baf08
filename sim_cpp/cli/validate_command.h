// warpsieve validate: the simulated machines beside published and recorded figures.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct ValidateOptions {
  bool quick = false;
  std::vector<std::string> only;   ///< groups or experiments; empty: all
  std::vector<std::string> files;  ///< reference files instead of the built-in ones
  std::string json;
};

/// Experiments and groups that `--only` takes, without the files of `--references`.
std::vector<std::string> validation_groups();
void declare_validate(CLI::App& command, ValidateOptions& options);
/// kWrong when a row fails.
ExitCode validate_command(const ValidateOptions& options);

}  // namespace warpsieve::cli
