// WrongBits: inverts stored bits of the tables of dedup_unit and dedup_safe, one table per cycle, at random.
#pragma once

#include <cstdint>
#include <random>

namespace warpsieve::tb {

class WrongBits {
 public:
  explicit WrongBits(std::uint32_t seed) : random_(seed) {}
  /// For the writes of this cycle: one bit, with `pairs` two that are neighbours. Numbers beyond a word invert none.
  template <class V>
  void next(V& top, bool pairs) {
    top.flip_table_i = static_cast<std::uint8_t>(1 + random_() % 5);
    const std::uint32_t first = top.flip_table_i == 5 ? store() : cache();
    top.flip_i = first | (pairs ? (first + 1) << 16 : 0);
  }

 private:
  /// Rows of a way have 20 to 40 bits, sectors 256, with their check bits.
  std::uint32_t cache() {
    return static_cast<std::uint32_t>(random_() % 2 ? 0x8001 + random_() % 24 : 1 + random_() % 288);
  }
  /// A table of the hash store, and a bit of its first lanes.
  std::uint32_t store() { return static_cast<std::uint32_t>((random_() % 4) << 14 | (1 + random_() % 60)); }
  std::mt19937 random_;
};

}  // namespace warpsieve::tb
