// Checks of numbers among the arguments: CLI11 takes the largest number for any that does not fit.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <string>

namespace warpsieve::cli {

/// Digits only, up to 2^64 - 1.
inline CLI::Validator whole_number() {
  return {[](std::string& text) {
            std::uint64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (error == std::errc() && end == text.data() + text.size()) return std::string();
            return fmt::format("'{}': expected a whole number from 0 to 2^64 - 1", text);
          },
          ""};
}

}  // namespace warpsieve::cli
