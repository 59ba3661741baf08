// A 128-byte line as 32 words.
#pragma once

#include <array>
#include <cstdint>

namespace warpsieve {

using LineBytes = std::array<std::uint8_t, 128>;
using LineWords = std::array<std::uint32_t, 32>;  ///< word i = bytes 4 i .. 4 i + 3, little-endian

constexpr LineWords to_words(const LineBytes& line) {
  LineWords words{};
  for (unsigned i = 0; i < line.size(); ++i) words[i / 4] |= std::uint32_t{line[i]} << (8 * (i % 4));
  return words;
}

constexpr LineBytes to_line(const LineWords& words) {
  LineBytes line{};
  for (unsigned i = 0; i < line.size(); ++i) line[i] = static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4)));
  return line;
}

}  // namespace warpsieve
