// Files compiled into the program (CMakeLists.txt): nothing of the source tree is read at run time.
#pragma once

#include <string_view>

namespace warpsieve::cost {

struct EmbeddedFile {
  std::string_view name;  ///< path from the top of the repository, as error messages show it
  std::string_view text;
};

extern const EmbeddedFile kEmbedded[];
extern const unsigned kEmbeddedCount;

/// Text of an embedded file; throws std::logic_error for a name that is not embedded.
std::string_view embedded(std::string_view name);

}  // namespace warpsieve::cost
