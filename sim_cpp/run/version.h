// Which program made a result.
#pragma once

#include <string>

namespace warpsieve::run {

/// "0.1.0+1f2e3d4c5b6a7988": the release, and a digest of every source file that can change a simulated figure
/// (scripts/cmake/source_digest.cmake). With schemes or workloads from outside the tree, a digest of the program's
/// file follows, ".0a1b2c3d4e5f6071". Results are reused only between equal versions.
std::string version();
/// The first two parts. Written by source_digest.cmake.
std::string source_version();

}  // namespace warpsieve::run
