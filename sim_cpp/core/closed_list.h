// A word that must be one of a few: one message for all of them.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/edit_distance.h"

namespace warpsieve {

/// "'randm': expected none, zero, random or address, did you mean random?"
inline std::string expected_one_of(std::string_view given, const std::vector<std::string>& known) {
  return fmt::format("'{}': expected {}{}{}{}", given, fmt::join(known.begin(), known.end() - 1, ", "),
                     known.size() > 1 ? " or " : "", known.back(), did_you_mean(given, known));
}

}  // namespace warpsieve
