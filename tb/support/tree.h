// Places of the source tree and of the build. Compiled once: a path in every test's command line would keep ccache from
// finding the object of another clone.
#pragma once

#include <string>

namespace warpsieve::tb {

/// `name` below the root of the source tree.
std::string in_sources(const std::string& name);
/// `name` below the build folder.
std::string in_build(const std::string& name);

}  // namespace warpsieve::tb
