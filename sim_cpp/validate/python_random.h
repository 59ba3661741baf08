// Python's random.Random(seed): the same seed draws the same numbers, so that a trace made here and one made by a
// Python script are the same bytes. Source: CPython, Lib/random.py and Modules/_randommodule.c (the algorithm of
// Matsumoto and Nishimura, mt19937ar: init_by_array).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace warpsieve::validate {

class PythonRandom {
 public:
  explicit PythonRandom(std::uint32_t seed) {
    Key key(seed);
    engine_.seed(key);
  }
  /// random.randrange(n): uniform below `n`, which is at least 1.
  std::uint32_t below(std::uint32_t n) {
    const int bits = std::bit_width(n);
    for (;;) {
      const auto drawn = static_cast<std::uint32_t>(engine_()) >> (32 - bits);
      if (drawn < n) return drawn;
    }
  }
  /// random.shuffle(list).
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i-- > 1;) std::swap(list[i], list[below(static_cast<std::uint32_t>(i + 1))]);
  }

 private:
  /// A seed sequence whose state is that of init_by_array with a key of one word.
  class Key {
   public:
    using result_type = std::uint32_t;
    explicit Key(std::uint32_t key) : key_(key) {}
    template <class Iterator>
    void generate(Iterator begin, Iterator end) const {
      std::array<std::uint32_t, std::mt19937::state_size> s{};
      s[0] = 19650218;
      for (std::uint32_t i = 1; i < s.size(); ++i) s[i] = 1812433253u * (s[i - 1] ^ (s[i - 1] >> 30)) + i;
      std::uint32_t i = 1;
      const auto step = [&](std::uint32_t factor) { return s[i] ^ ((s[i - 1] ^ (s[i - 1] >> 30)) * factor); };
      const auto advance = [&] {
        if (++i < s.size()) return;
        s[0] = s.back();
        i = 1;
      };
      for (std::size_t k = 0; k < s.size(); ++k, advance()) s[i] = step(1664525) + key_;
      for (std::size_t k = 1; k < s.size(); ++k, advance()) s[i] = step(1566083941) - i;
      s[0] = 0x80000000;
      for (std::size_t k = 0; begin != end; ++begin) *begin = s[k++ % s.size()];
    }

   private:
    std::uint32_t key_;
  };

  std::mt19937 engine_;
};

}  // namespace warpsieve::validate
