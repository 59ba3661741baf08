// Real inputs that are not in the tree: graphs, meshes, pictures, test vectors. The environment variable
// WARPSIEVE_SHARED names the folder that holds them under data/; a test without its file is skipped and says so.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace warpsieve::tb {

/// The path of data/`name` in the shared folder; empty without the variable.
inline std::string shared_input(const std::string& name) {
  const char* const root = std::getenv("WARPSIEVE_SHARED");
  return root && *root ? (std::filesystem::path(root) / "data" / name).string() : std::string();
}

/// "skipped: inputs/mesh/bunny.mesh ...", the line that a summary of skipped tests looks for.
inline std::string without_shared_input(const std::string& name) {
  return "skipped: " + name + " is not there: WARPSIEVE_SHARED names the folder of the shared inputs";
}

}  // namespace warpsieve::tb

/// Ends the test where data/`name` is not there, else declares `path` with its place.
#define SHARED_INPUT(path, name)                              \
  const std::string path = warpsieve::tb::shared_input(name); \
  if (path.empty() || !std::filesystem::exists(path)) GTEST_SKIP() << warpsieve::tb::without_shared_input(name)
