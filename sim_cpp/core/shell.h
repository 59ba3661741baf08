// Words for a shell: commands that reports and results show can be pasted.
#pragma once

#include <string>
#include <string_view>

namespace warpsieve {

/// As it is where no shell takes any of it apart, else in single quotes.
std::string shell_quoted(std::string_view word);

}  // namespace warpsieve
