// What the values of one warp-wide word have in common (AVC paper 2.3): nothing, base + lane * stride with a
// power-of-two stride from 1 to 64 and an aligned base (decisions A1 to A3), one value, or zero.
#pragma once

#include <cstdint>

#include "simt/capture.h"

namespace warpsieve::simt {

enum class LanePattern : std::uint8_t { zero, uniform, affine, generic };
inline constexpr unsigned kLanePatterns = 4;

/// Looks at the lanes of `mask` only; at least one.
inline LanePattern lane_pattern(const LaneWords& v, std::uint32_t mask) {
  const auto first = static_cast<unsigned>(__builtin_ctz(mask));
  const std::uint32_t others = mask & (mask - 1);
  const auto fits = [&](std::uint32_t base, std::uint32_t stride) {
    for (std::uint32_t m = others; m; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (v[lane] != base + lane * stride) return false;
    }
    return true;
  };
  if (fits(v[first], 0)) return v[first] == 0 ? LanePattern::zero : LanePattern::uniform;
  for (std::uint32_t stride = 1; stride <= 64; stride *= 2) {
    const std::uint32_t base = v[first] - first * stride;
    if (base % stride == 0 && fits(base, stride)) return LanePattern::affine;
  }
  return LanePattern::generic;
}

}  // namespace warpsieve::simt
