// Digests of contents: two runs with equal digests had the same input.
#pragma once

#include <string>
#include <string_view>

namespace warpsieve::run {

/// XXH3-128, 32 hex digits.
std::string content_hash(std::string_view bytes);
/// The same of a file's bytes. A sweep asks for one trace in every point: it is read once, and again only when it
/// changed. Throws ConfigError.
std::string file_hash(const std::string& path);
/// The same of a workload's input: of several files where the one that is named has others beside it.
std::string input_hash(const std::string& workload, const std::string& path);

}  // namespace warpsieve::run
