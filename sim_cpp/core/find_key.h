// find_key: lookup in a short list of 32-bit keys, such as the ways of a set. All of it is compared, several at a
// time, instead of one by one: which one matches cannot be predicted.
#pragma once

#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace warpsieve {

/// Index of the first of `n` keys that equals `key`; `n`: none does.
inline std::uint32_t find_key(const std::uint32_t* keys, std::uint32_t n, std::uint32_t key) {
  std::uint32_t i = 0;
#ifdef __SSE2__
  const __m128i wanted = _mm_set1_epi32(static_cast<int>(key));
  const auto equal = [&](std::uint32_t at) {
    return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(keys + at)), wanted);
  };
  for (; i + 8 <= n; i += 8)
    if (const int found = _mm_movemask_epi8(_mm_packs_epi32(equal(i), equal(i + 4))))
      return i + static_cast<std::uint32_t>(__builtin_ctz(static_cast<unsigned>(found))) / 2;
#endif
  for (; i < n; ++i)
    if (keys[i] == key) return i;
  return n;
}

}  // namespace warpsieve
