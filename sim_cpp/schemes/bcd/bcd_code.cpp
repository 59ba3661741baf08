#include "schemes/bcd/bcd_code.h"

#include <algorithm>
#include <cstring>

namespace warpsieve::schemes::bcd {

Key cluster_of(const Half& half) {
  Key key;
  for (unsigned w = 0; w < kWords; ++w) {
    key.bytes[2 * w] = half[8 * w + 6];
    key.bytes[2 * w + 1] = half[8 * w + 7];
  }
  return key;
}

Difference encode(const Half& half, const Half& base) {
  unsigned bytes = 0;  // of the longest difference
  for (unsigned i = 0; i < kHalfBytes; ++i)
    if (half[i] != base[i]) bytes = std::max(bytes, i % 8 + 1);
  Difference out;
  out.step = (bytes + 1) / 2;
  for (unsigned w = 0; w < kWords; ++w)
    for (unsigned b = 0; b < 2 * out.step; ++b)
      out.bytes[2 * out.step * w + b] = static_cast<std::uint8_t>(half[8 * w + b] ^ base[8 * w + b]);
  return out;
}

Half decode(const Difference& difference, const Half& base) {
  Half half = base;
  for (unsigned w = 0; w < kWords; ++w)
    for (unsigned b = 0; b < 2 * difference.step; ++b)
      half[8 * w + b] ^= difference.bytes[2 * difference.step * w + b];
  return half;
}

Key key_of(const Difference& difference, unsigned hash_bits) {
  Key key;
  key.kind = static_cast<std::uint8_t>(difference.step);
  if (difference.step == 1) {
    std::copy_n(difference.bytes.begin(), key.bytes.size(), key.bytes.begin());
    return key;
  }
  std::uint64_t words[kWords], sum[2] = {1, 2};
  std::memcpy(words, difference.bytes.data(), sizeof words);
  for (const std::uint64_t word : words)
    for (std::uint64_t& half : sum) half = mix(half, word);
  std::memcpy(key.bytes.data(), sum, sizeof sum);
  for (unsigned bit = hash_bits; bit < 128; ++bit) key.bytes[bit / 8] &= static_cast<std::uint8_t>(~(1u << bit % 8));
  return key;
}

}  // namespace warpsieve::schemes::bcd
