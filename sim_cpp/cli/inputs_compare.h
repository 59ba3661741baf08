// `warpsieve inputs compare`: a file beside the generator that was fitted to files of its kind.
#pragma once

#include <cstdint>
#include <string>

#include "cli/exit_codes.h"

namespace warpsieve::cli {

/// Prints the statistics of both, and what the schemes cmd and bpc change of the off-chip requests of a copy of their
/// contents (workload copy) on the quarter machine with a small L2.
ExitCode compare_inputs(const std::string& kind, const std::string& path, std::uint64_t seed, bool json);

}  // namespace warpsieve::cli
