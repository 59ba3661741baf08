// Noise: bits that no item has, for the payload while its valid is low. The same ones in each run.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace warpsieve {

class Noise {
 public:
  void operator()(std::span<std::uint8_t> bytes) {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(engine_() >> 8);
  }
  /// The lowest `bits` bits, 1 to 64.
  std::uint64_t operator()(unsigned bits) {
    const std::uint64_t high = engine_(), middle = engine_();
    return ((high << 40) ^ (middle << 20) ^ engine_()) & (~std::uint64_t{0} >> (64 - bits));
  }

 private:
  std::minstd_rand engine_;
};

}  // namespace warpsieve
