// Small random generator whose sequence is the same on every machine (std distributions are not).
#pragma once

#include <cstdint>

namespace warpsieve::inputs {

/// SplitMix64: 64 random bits per step, any seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// 0 <= result < bound; bound below 2^32, bias below 2^-32.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }
  /// 0 <= result < 1, 53 bits.
  double real() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace warpsieve::inputs
