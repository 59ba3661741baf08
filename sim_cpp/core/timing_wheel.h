// TimingWheel: members of the next cycles. A set of small numbers per cycle, and a bit per cycle that has any: only
// the members that are due are visited, and the next cycle that has any is found at once.
//
// The place of a cycle is used again for the one `Cycles` later. So a user takes every cycle that has members, and
// adds to none that lies `Cycles` or more behind the first that is not over.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpsieve {

using Cycle = std::uint64_t;  ///< core clock cycles
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

/// `Cycles`: a multiple of 64.
template <unsigned Cycles>
class TimingWheel {
 public:
  static constexpr unsigned kCycles = Cycles;
  static_assert(Cycles % 64 == 0 && std::has_single_bit(Cycles));
  /// For numbers below `members`.
  explicit TimingWheel(std::size_t members = 0) { resize(members); }
  /// Empties it.
  void resize(std::size_t members) {
    words_ = (members + 63) / 64;
    sets_.assign(words_ * kCycles, 0);
    used_ = {};
  }
  void add(std::size_t member, Cycle at) {
    sets_[at % kCycles * words_ + member / 64] |= std::uint64_t{1} << (member % 64);
    used_[at % kCycles / 64] |= std::uint64_t{1} << (at % 64);
  }
  /// Empties cycle `at` and calls visit(member) for each that it had, in ascending order; it may add to others.
  template <class F>
  void take(Cycle at, F&& visit) {
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    std::uint64_t& used = used_[at % kCycles / 64];
    if (!(used & bit)) return;
    used ^= bit;
    std::uint64_t* const words = set(at);
    for (std::size_t word = 0, end = words_; word < end; ++word) {
      std::uint64_t members = words[word];
      words[word] = 0;
      for (; members; members &= members - 1) visit(word * 64 + static_cast<std::size_t>(__builtin_ctzll(members)));
    }
  }
  void clear(Cycle at) {
    std::fill_n(set(at), words_, 0);
    used_[at % kCycles / 64] &= ~(std::uint64_t{1} << (at % 64));
  }
  /// First cycle after `now` that has members.
  Cycle next(Cycle now) const {
    if constexpr (kCycles == 64) {
      const std::uint64_t ahead = std::rotr(used_[0], static_cast<int>((now + 1) % kCycles));
      return ahead ? now + 1 + static_cast<Cycle>(__builtin_ctzll(ahead)) : kNever;
    }
    const std::uint64_t first = (now + 1) % kCycles;
    for (std::uint64_t i = 0; i <= kCycles / 64; ++i) {
      const std::uint64_t word = (first / 64 + i) % (kCycles / 64);
      std::uint64_t bits = used_[word];
      if (i == 0) bits &= ~std::uint64_t{0} << (first % 64);
      if (i == kCycles / 64) bits &= ~(~std::uint64_t{0} << (first % 64));
      if (bits) return now + 1 + (word * 64 + static_cast<std::uint64_t>(__builtin_ctzll(bits)) - first) % kCycles;
    }
    return kNever;
  }
  /// The members of a cycle, a bit each, in words() words.
  std::uint64_t* set(Cycle at) { return sets_.data() + at % kCycles * words_; }
  std::size_t words() const { return words_; }

 private:
  std::size_t words_ = 0;                           ///< of each set
  std::vector<std::uint64_t> sets_;                 ///< by place: a bit per member
  std::array<std::uint64_t, kCycles / 64> used_{};  ///< a bit per place that has members
};

}  // namespace warpsieve
