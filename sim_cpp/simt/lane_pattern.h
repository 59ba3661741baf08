// What the values of one warp-wide word have in common (AVC paper 2.3): nothing, base + lane * stride with a
// power-of-two stride from 1 to 64 and an aligned base (decisions A1 to A3) or another one, one value, or zero.
#pragma once

#include <bit>
#include <cstdint>

#include "simt/capture.h"

namespace warpsieve::simt {

enum class LanePattern : std::uint8_t { zero, uniform, affine, unaligned, generic };

/// The AVC has no code for it: decision A3 counts what is affine but for its base apart.
inline bool has_no_code(LanePattern p) { return p == LanePattern::unaligned || p == LanePattern::generic; }

/// Looks at the lanes of `mask` only; at least one.
inline LanePattern lane_pattern(const LaneWords& v, std::uint32_t mask) {
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  const std::uint32_t others = mask & (mask - 1);
  std::uint32_t stride = 0;
  if (others) {  // two lanes leave one stride
    const auto second = static_cast<unsigned>(std::countr_zero(others));
    const std::uint32_t difference = v[second] - v[first];
    stride = difference / (second - first);
    const bool codable = stride == 0 || (std::has_single_bit(stride) && stride <= 64);
    if (!codable || stride * (second - first) != difference) return LanePattern::generic;
  }
  const std::uint32_t base = v[first] - first * stride;
  for (std::uint32_t m = others; m; m &= m - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(m));
    if (v[lane] != base + lane * stride) return LanePattern::generic;
  }
  if (stride == 0) return base == 0 ? LanePattern::zero : LanePattern::uniform;
  return base % stride == 0 ? LanePattern::affine : LanePattern::unaligned;
}

}  // namespace warpsieve::simt
