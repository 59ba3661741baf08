#include "support/tree.h"

namespace warpsieve::tb {

std::string in_sources(const std::string& name) { return WARPSIEVE_SOURCE_DIR "/" + name; }
std::string in_build(const std::string& name) { return WARPSIEVE_BINARY_DIR "/" + name; }

}  // namespace warpsieve::tb
