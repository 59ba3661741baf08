// Checks of numbers among the arguments: CLI11 takes the largest number for any that does not fit, and knows octal.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include "core/number.h"

namespace warpsieve::cli {

/// Digits only, from `low` to `high`. For transform(), not check(): the value goes on as CLI11 reads it.
inline CLI::Validator whole_number(std::uint64_t low = 0,
                                   std::uint64_t high = std::numeric_limits<std::uint64_t>::max()) {
  const bool any = high == std::numeric_limits<std::uint64_t>::max();
  const std::string upper = any ? "2^64 - 1" : std::to_string(high);
  return {[low, high, upper](std::string& text) {
            const auto value = to_number<std::uint64_t>(text);
            if (!value || *value < low || *value > high)
              return fmt::format("'{}': expected a whole number from {} to {}", text, low, upper);
            text = std::to_string(*value);  // CLI11 would read 010 as octal
            return std::string();
          },
          any ? "" : fmt::format("in [{} - {}]", low, high)};
}

/// From `low` to `high`, written in any way that CLI11 reads.
inline CLI::Validator number(double low, double high) {
  return {[low, high](std::string& text) {
            double value = 0;
            if (!CLI::detail::lexical_cast(text, value) || !(value >= low && value <= high))
              return fmt::format("'{}': expected a number from {} to {}", text, low, high);
            return std::string();
          },
          fmt::format("in [{} - {}]", low, high)};
}

}  // namespace warpsieve::cli
