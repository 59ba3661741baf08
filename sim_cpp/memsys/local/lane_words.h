// Masks of the 32 words of a private line, one word per lane.
#pragma once

#include <bit>
#include <cstdint>

#include "memsys/types.h"
#include "simt/capture.h"

namespace warpsieve::memsys {

using simt::LaneWords;

/// Bytes of the words in `mask`.
inline ByteMask bytes_of(std::uint32_t mask) {
  ByteMask bytes{};
  for (; mask; mask &= mask - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(mask));
    bytes[lane / 8] |= 0xfu << (lane % 8 * 4);
  }
  return bytes;
}

/// Copies the words in `mask`.
inline void merge(LaneWords& to, const LaneWords& from, std::uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(mask));
    to[lane] = from[lane];
  }
}

/// Sectors of the words in `mask`.
inline unsigned sectors_in(std::uint32_t mask) {
  unsigned n = 0;
  for (; mask; mask >>= 8) n += (mask & 0xff) != 0;
  return n;
}

/// Set lanes that are not neighbours.
inline bool sparse(std::uint32_t mask) {
  const std::uint32_t low = mask >> std::countr_zero(mask);
  return (low & (low + 1)) != 0;
}

}  // namespace warpsieve::memsys
