// bloom_hash: which three counters of a Bloom filter a key names, the C++ twin of
// rtl/bloom_predictor/bloom_hash.sv: one counter in each of three of the four banks of counters/4, the fourth
// is skipped. So no bank is asked twice per key, and each counter is hit with probability 3/counters.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "blocks/common/h3_hash.h"

namespace warpsieve::bloom_predictor {

class BloomHash {
 public:
  /// Counter numbers, bank by bank, ascending.
  using Places = std::array<std::uint32_t, 3>;
  BloomHash(unsigned counters, unsigned key_bits, std::uint32_t seed)
      : bank_(counters / 4), index_{hash(key_bits, seed, 0), hash(key_bits, seed, 1), hash(key_bits, seed, 2),
                                    hash(key_bits, seed, 3)},
        skip_({key_bits, 2, 8 * seed + 4}) {}
  Places operator()(std::uint64_t key) const {
    const std::uint32_t skip = skip_(key);
    Places places{};
    unsigned n = 0;
    for (std::uint32_t b = 0; b < 4; ++b) {
      if (b != skip) places[n++] = b * bank_ + index_[b](key);
    }
    return places;
  }

 private:
  common::H3Hash hash(unsigned key_bits, std::uint32_t seed, unsigned bank) const {
    return common::H3Hash({key_bits, static_cast<unsigned>(std::bit_width(bank_) - 1), 8 * seed + bank});
  }
  std::uint32_t bank_;
  std::array<common::H3Hash, 4> index_;
  common::H3Hash skip_;
};

/// Textbook chance that `keys` distinct keys raised all three counters of another key at least once.
inline double false_positive_rate(unsigned counters, double keys) {
  return std::pow(1 - std::pow(1 - 3.0 / counters, keys), 3);
}

}  // namespace warpsieve::bloom_predictor
