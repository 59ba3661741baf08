// What a command line gets as answer that the program cannot parse: one line that says what to type.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace warpsieve::cli {

/// The command line's words as the parser takes them: "help run" becomes "run --help", "version" becomes "--version".
/// --graph, --mesh and --points of `run` were names of --input before 0.2; they go with the release after.
std::vector<std::string> as_options(std::vector<std::string> words);

/// One line about the first mistake in `words`, which `app` refused with `error`.
std::string describe_mistake(const CLI::App& app, const std::vector<std::string>& words,
                             const CLI::ParseError& error);
/// The same where the first word that is no option names no command; else empty. A request for help is no mistake to
/// the parser, whatever stands beside it.
std::string describe_unknown_command(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace warpsieve::cli
