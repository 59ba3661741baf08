// The options of the commands that speak to a terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/one_of.h"

namespace warpsieve::cli {

/// --color
inline void add_colour(CLI::App& command, std::string& when) {
  command
      .add_option(
          "--color,--colour", when,
          "Colours of the table: green for better, red for worse, grey for noise; auto: on a terminal, unless "
          "NO_COLOR is set")
      ->check(one_of({"auto", "always", "never"}))
      ->capture_default_str();
}
/// -q,--quiet
inline void add_quiet(CLI::App& command, bool& quiet) {
  command.add_flag("-q,--quiet", quiet, "No progress on standard error");
}

}  // namespace warpsieve::cli
