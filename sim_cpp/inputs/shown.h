// What stood in a file, as error messages quote it.
#pragma once

#include <string>
#include <string_view>

namespace warpsieve::inputs {

/// In quotes, at most 24 characters, other bytes than printable ASCII as \x..; empty text is the end of the file.
std::string shown(std::string_view text);

}  // namespace warpsieve::inputs
