// The affine codec as the decisions say it, written to be obviously right: try every stride.
#pragma once

#include "blocks/affine/affine.h"

namespace warpsieve::affine::golden {

/// (base + lane * stride) modulo 2^width, by repeated addition.
inline std::uint32_t lane_value(const AffineParams& params, std::uint32_t base, std::uint32_t code, unsigned lane) {
  std::uint64_t value = base;
  const std::uint64_t stride = code == params.uniform_code() ? 0 : std::uint64_t{1} << code;
  for (unsigned i = 0; i < lane; ++i) value += stride;
  return static_cast<std::uint32_t>(value % (std::uint64_t{1} << params.width));
}

/// Every stride, uniform included; a base is fitted to the first active lane and every active lane
/// compared. Without an adjacent active pair only uniform counts (decision A5).
inline EncodeRsp encode(const AffineParams& params, const EncodeReq& req) {
  bool any_pair = false;
  int first = -1;
  for (unsigned i = 0; i < params.lanes; ++i) {
    const bool active = req.mask >> i & 1;
    if (active && first < 0) first = static_cast<int>(i);
    if (i % 2 == 0 && i + 1 < params.lanes && active && (req.mask >> (i + 1) & 1)) any_pair = true;
  }
  if (first < 0) return {true, 0, params.uniform_code()};
  const std::uint64_t modulus = std::uint64_t{1} << params.width;
  for (std::uint32_t code = 0; code <= params.uniform_code(); ++code) {
    const bool uniform = code == params.uniform_code();
    if (!any_pair && !uniform) continue;
    const std::uint64_t stride = uniform ? 0 : std::uint64_t{1} << code;
    std::uint64_t base = req.data[static_cast<unsigned>(first)];
    for (int i = 0; i < first; ++i) base = (base + modulus - stride) % modulus;
    if (!uniform && base % stride != 0) continue;
    bool fits = true;
    for (unsigned i = 0; i < params.lanes; ++i) {
      const bool active = req.mask >> i & 1;
      if (active && req.data[i] != lane_value(params, static_cast<std::uint32_t>(base), code, i)) fits = false;
    }
    if (fits) return {true, static_cast<std::uint32_t>(base), code};
  }
  return {};
}

}  // namespace warpsieve::affine::golden
