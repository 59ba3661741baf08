// The options of the commands that take a workload's input file.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace warpsieve::cli {

/// What holds for every input file.
inline constexpr const char* kInputRules =
    "An input file may be compressed (gzip, xz or zstd, found by content). It holds at most 2 GiB after "
    "decompression. Text files may start with a byte-order mark and have CRLF line ends. Each workload reads one "
    "file; "
    "hotspot reads two, and nn a file or those of a list.\n";

/// An empty path is refused: it would mean the generator.
inline std::string no_empty_path(const std::string& path) {
  return path.empty() ? "'': expected the name of a file, found an empty one" : "";
}

/// -i,--input
inline void add_input(CLI::App& command, std::string& input, std::vector<std::string>& sizes) {
  command
      .add_option("-i,--input", input,
                  "Input file instead of the generator, also as .gz, .xz or .zst; run --list names the formats")
      ->check(no_empty_path);
  command.add_flag_callback(
      "--unit-weights", [&sizes] { sizes.push_back("weights=unit"); },
      "Every arc of a graph has weight 1, whatever its file says; the same as --size weights=unit");
}

}  // namespace warpsieve::cli
