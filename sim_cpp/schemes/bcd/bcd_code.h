// The code of BCD for a half line of 64 bytes (ASPLOS'21; decision C22): eight 64-bit words, whose upper 16 bits
// name a cluster; the difference of the lower 48 bits to a base of the same cluster (exclusive or, so that it has
// leading zeros only), kept in 2, 4 or 6 bytes per word: 16, 32 or 48 bytes.
#pragma once

#include <array>
#include <cstdint>

#include "schemes/bcd/bcd_store.h"

namespace warpsieve::schemes::bcd {

inline constexpr unsigned kHalfBytes = 64, kWords = 8, kCodeStep = 16;
using Half = std::array<std::uint8_t, kHalfBytes>;

/// Upper 16 bits of the words: equal for the lines of a cluster.
Key cluster_of(const Half& half);

struct Difference {
  unsigned step = 0;  ///< bytes are 16 * step: 0 (equal to the base) to 3
  Half bytes{};       ///< word i in bytes 2 * step * i and up, little-endian
  bool operator==(const Difference&) const = default;
  unsigned sectors() const { return (step * kCodeStep + 31) / 32; }
};
/// `base` must be of the same cluster.
Difference encode(const Half& half, const Half& base);
Half decode(const Difference& difference, const Half& base);
/// 16-byte differences name themselves; longer ones are hashed to `hash_bits` and must be compared.
Key key_of(const Difference& difference, unsigned hash_bits);

/// The 64-bit entry of the translation table, as two 32-bit words.
struct Entry {
  bool coded = false;   ///< false: raw at home
  unsigned step = 0;    ///< of the difference
  bool shared = false;  ///< the difference is in place `diff` of the shared ones, else at home
  std::uint32_t base = 0, diff = 0;
  bool operator==(const Entry&) const = default;
  std::uint32_t low() const { return coded ? 1u | step << 1 | std::uint32_t{shared} << 3 | base << 8 : 0; }
  std::uint32_t high() const { return diff; }
  static Entry of(std::uint32_t low, std::uint32_t high) {
    return {(low & 1) != 0, low >> 1 & 3, (low >> 3 & 1) != 0, low >> 8, high};
  }
};

}  // namespace warpsieve::schemes::bcd
