// Vectors on verilated ports: `lanes` values of `width` bits, back to back, lane 0 in the low bits.
#pragma once

#include <array>

#include "blocks/affine/affine.h"

namespace warpsieve::affine {

using Bytes = std::array<std::uint8_t, kMaxLanes * 4>;

inline Bytes pack(const AffineParams& params, const Vector& data) {
  Bytes bytes{};
  for (unsigned bit = 0; bit < params.lanes * params.width; ++bit) {
    const std::uint32_t value = data[bit / params.width] >> (bit % params.width) & 1;
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] | value << (bit % 8));
  }
  return bytes;
}

inline Vector unpack(const AffineParams& params, const Bytes& bytes) {
  Vector data{};
  for (unsigned bit = 0; bit < params.lanes * params.width; ++bit) {
    data[bit / params.width] |= (std::uint32_t{bytes[bit / 8]} >> (bit % 8) & 1) << (bit % params.width);
  }
  return data;
}

}  // namespace warpsieve::affine
