// Input quoted in error messages.
#pragma once

#include <string>
#include <string_view>

namespace warpsieve {

/// The text with control characters written out, as \n or \x1b: what a file holds must not break up a message.
std::string one_line(std::string_view text);

}  // namespace warpsieve
