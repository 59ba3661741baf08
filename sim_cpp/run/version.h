// Which program made a result.
#pragma once

#include <string>

namespace warpsieve::run {

/// "0.1.0+1f2e3d4c5b6a7988": the release, and a digest of every source file that can change a simulated figure
/// (scripts/cmake/source_digest.cmake). Results are reused only between equal versions.
std::string version();

}  // namespace warpsieve::run
