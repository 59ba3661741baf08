// A 128-byte line as 32 words.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace warpsieve {

using LineBytes = std::array<std::uint8_t, 128>;
using LineWords = std::array<std::uint32_t, 32>;  ///< word i = bytes 4 i .. 4 i + 3, little-endian
static_assert(std::endian::native == std::endian::little);

constexpr LineWords to_words(const LineBytes& line) { return std::bit_cast<LineWords>(line); }
constexpr LineBytes to_line(const LineWords& words) { return std::bit_cast<LineBytes>(words); }

}  // namespace warpsieve
