// find_key, find_least: lookup in a short list of 32-bit numbers, such as the ways of a set. All of it is compared,
// several at a time, instead of one by one: which one it will be cannot be predicted.
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

/// The first of those for which `may(index)` is true as well; `n`: there is none.
template <class May>
std::uint32_t find_key_if(const std::uint32_t* keys, std::uint32_t n, std::uint32_t key, May&& may) {
  std::uint32_t i = find_key(keys, n, key);
  while (i < n && !may(i)) {
    ++i;
    i += find_key(keys + i, n - i, key);
  }
  return i;
}

/// Index of the first of the smallest of `n` > 0 numbers.
inline std::uint32_t find_least(const std::int32_t* numbers, std::uint32_t n) {
  std::int32_t least = numbers[0];
  std::uint32_t i = 0;
#ifdef __SSE2__
  if (n >= 4) {
    const auto four = [&](std::uint32_t at) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + at));
    };
    const auto smaller = [](__m128i a, __m128i b) {  // SSE2 has no minimum of 32-bit numbers
      const __m128i first = _mm_cmplt_epi32(a, b);
      return _mm_or_si128(_mm_and_si128(first, a), _mm_andnot_si128(first, b));
    };
    __m128i lanes = four(0);
    for (i = 4; i + 4 <= n; i += 4) lanes = smaller(four(i), lanes);
    lanes = smaller(lanes, _mm_shuffle_epi32(lanes, 0x4e));
    lanes = smaller(lanes, _mm_shuffle_epi32(lanes, 0xb1));
    least = _mm_cvtsi128_si32(lanes);
  }
#endif
  for (; i < n; ++i) least = numbers[i] < least ? numbers[i] : least;
  return find_key(reinterpret_cast<const std::uint32_t*>(numbers), n, static_cast<std::uint32_t>(least));
}

}  // namespace warpsieve
