// h3_hash: H3 universal hash, the C++ twin of rtl/common/h3_hash.sv (same matrices, bit by bit).
//
//   hash = Q x key over GF(2): bit j is the parity of (key AND row(j))
//
// Q = L x U is made from the seed: U is random, 1 at (k, k), 0 left of it; L is random, 1 at (j, j), 0 right
// of it. Q has full rank, and keys that differ only in their low hash_bits bits never collide.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warpsieve::common {

struct H3Params {
  unsigned key_bits = 32;  ///< 1..64
  unsigned hash_bits = 6;  ///< 1..32, at most key_bits
  std::uint32_t seed = 1;
  bool operator==(const H3Params&) const = default;
};

class H3Hash {
 public:
  explicit H3Hash(const H3Params& params) {
    assert(params.hash_bits >= 1 && params.hash_bits <= 32 && params.hash_bits <= params.key_bits &&
           params.key_bits <= 64);
    const std::uint64_t key_mask =
        params.key_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << params.key_bits) - 1;
    const std::uint32_t base = params.seed * 0x9e3779b1u;
    for (unsigned j = 0; j < params.hash_bits; ++j) {
      const std::uint32_t lower = mix(base + 128 + j);
      std::uint64_t row = 0;
      for (unsigned k = 0; k <= j; ++k) {
        if (k < j && !(lower >> k & 1)) continue;
        const std::uint64_t upper = std::uint64_t{mix(base + 2 * k + 1)} << 32 | mix(base + 2 * k);
        row ^= (upper >> k | 1) << k;
      }
      rows_.push_back(row & key_mask);
    }
  }
  std::uint32_t operator()(std::uint64_t key) const {
    std::uint32_t hash = 0;
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      hash |= static_cast<std::uint32_t>(std::popcount(key & rows_[j]) & 1) << j;
    }
    return hash;
  }
  std::uint64_t row(unsigned j) const { return rows_[j]; }

 private:
  static std::uint32_t mix(std::uint32_t x) {
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
  }
  std::vector<std::uint64_t> rows_;
};

/// The combinational RTL, for comparison.
struct H3Rtl {
  virtual ~H3Rtl() = default;
  virtual std::uint32_t eval(std::uint64_t key) = 0;
};

/// Throws std::invalid_argument when no compiled point has these parameters.
std::unique_ptr<H3Rtl> make_h3_rtl(const H3Params& params, const std::string& name = "h3_hash");

}  // namespace warpsieve::common
