// Pseudo-random words that host and device code compute alike.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define HW_BOTH __host__ __device__
#else
#define HW_BOTH
#endif

namespace warpsieve::hardware {

/// The `i`-th word of a fixed sequence: the mixing function of SplitMix64.
HW_BOTH inline std::uint64_t random_word(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace warpsieve::hardware
