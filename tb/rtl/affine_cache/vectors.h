// Vectors and masks that the tests of the affine cache send.
#pragma once

#include "blocks/affine_cache/affine_cache.h"

namespace warpsieve::affine_cache {

inline std::uint32_t all(const AffineCacheParams& p) { return p.vector.lane_mask(); }

inline Vector ramp(const AffineCacheParams& p, std::uint32_t base, std::uint32_t stride) {
  Vector data{};
  for (unsigned i = 0; i < p.vector.lanes; ++i) data[i] = (base + i * stride) & p.vector.value_mask();
  return data;
}
inline Vector generic(const AffineCacheParams& p, std::uint32_t salt) {
  Vector data{};
  for (unsigned i = 0; i < p.vector.lanes; ++i) data[i] = (salt + i * i * 3 + (i & 1)) & p.vector.value_mask();
  return data;
}

}  // namespace warpsieve::affine_cache
