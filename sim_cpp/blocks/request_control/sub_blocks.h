// Maps of the 32-byte sub-blocks of a 128-byte line, as everything in this block passes them round.
#pragma once

#include <bit>
#include <cstdint>

namespace warpsieve::request_control {

inline constexpr unsigned sub_blocks = 4;
inline constexpr std::uint8_t full_map = 0xf;

inline unsigned count(std::uint8_t map) { return static_cast<unsigned>(std::popcount(map)); }

}  // namespace warpsieve::request_control
