// The options of the commands that take a workload's input file.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace warpsieve::cli {

/// What holds for every input file.
inline constexpr const char* kInputRules =
    "Every input file may be compressed (gzip, xz or zstd, found by content) and hold at most 2 GiB after "
    "decompression. "
    "Text files may start with a byte-order mark and have CRLF line ends. hotspot reads two files, nn a file or "
    "those of "
    "a list; the others read one.\n";

/// -i,--input and other names for it. An empty path is refused: it would mean the generator.
inline void add_input(CLI::App& command, std::string& input, std::vector<std::string>& sizes,
                      const std::string& more_names = "") {
  command
      .add_option("-i,--input" + more_names, input,
                  "Input file instead of the generator, also as .gz, .xz or .zst; run --list names the formats")
      ->check([](const std::string& path) {
        return path.empty() ? std::string("'': expected the name of a file, found an empty one") : std::string();
      });
  command.add_flag_callback(
      "--unit-weights", [&sizes] { sizes.push_back("weights=unit"); },
      "Every arc of a graph has weight 1, whatever its file says; the same as --size weights=unit");
}

}  // namespace warpsieve::cli
