// KeyHash: of line and sector numbers, for hash tables that take the low bits of it. Addresses have strides, and
// std::hash gives them back as they are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpsieve {

struct KeyHash {
  std::size_t operator()(std::uint64_t key) const {
    const std::uint64_t product = key * 0x9e3779b97f4a7c15u;  // Fibonacci hashing: the high bits are the good ones
    return static_cast<std::size_t>(product ^ product >> 32);
  }
};

}  // namespace warpsieve
