// Ratio: x * numerator / denominator, rounded down or up, without a division where that is exact: between two clocks.
#pragma once

#include <cstdint>

namespace warpsieve {

class Ratio {
 public:
  /// `denominator` from 1 to 2^14; x * numerator must stay below 2^64 - 2^14.
  Ratio(std::uint64_t numerator, std::uint64_t denominator)
      : numerator_(numerator), denominator_(denominator), magic_(~std::uint64_t{0} / denominator + 1) {}
  std::uint64_t floor(std::uint64_t x) const { return divide(x * numerator_); }
  std::uint64_t ceil(std::uint64_t x) const { return divide(x * numerator_ + denominator_ - 1); }

 private:
  __extension__ using Wide = unsigned __int128;
  /// magic_ is 2^64 / denominator_, rounded up: the product is less than y / 2^64 too large, which is too little to
  /// reach the next integer while y * denominator_ is at most 2^64.
  std::uint64_t divide(std::uint64_t y) const {
    if (magic_ == 0 || y >> 50) return y / denominator_;
    return static_cast<std::uint64_t>(Wide{y} * magic_ >> 64);
  }
  std::uint64_t numerator_, denominator_;
  std::uint64_t magic_;  ///< 0 for 2^64
};

}  // namespace warpsieve
