// Wheel: who is due in which of the next 64 cycles. A set of small numbers per cycle, and a bit per cycle that has
// any: only those that are due are visited, and the next cycle that has any is found at once.
//
// The place of a cycle is used again for the one 64 cycles later. So whoever uses a wheel takes every cycle that has
// members, and adds to none that lies 64 cycles or more behind the first that is not over.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpsieve {

using Cycle = std::uint64_t;  ///< core clock cycles
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

class Wheel {
 public:
  static constexpr unsigned kCycles = 64;
  /// For numbers below `members`.
  explicit Wheel(std::size_t members) : words_((members + 63) / 64), sets_(words_ * kCycles) {}
  void add(std::size_t member, Cycle at) {
    sets_[at % kCycles * words_ + member / 64] |= std::uint64_t{1} << (member % 64);
    used_ |= std::uint64_t{1} << (at % kCycles);
  }
  /// Empties cycle `at` and calls visit(member) for each that it had, in ascending order; it may add to others.
  template <class F>
  void take(Cycle at, F&& visit) {
    const std::uint64_t bit = std::uint64_t{1} << (at % kCycles);
    if (!(used_ & bit)) return;
    used_ ^= bit;
    std::uint64_t* const set = sets_.data() + at % kCycles * words_;
    for (std::size_t word = 0, end = words_; word < end; ++word) {
      std::uint64_t members = set[word];
      set[word] = 0;
      for (; members; members &= members - 1) visit(word * 64 + static_cast<std::size_t>(__builtin_ctzll(members)));
    }
  }
  /// First cycle after `now` that has members.
  Cycle next(Cycle now) const {
    const std::uint64_t ahead = std::rotr(used_, static_cast<int>((now + 1) % kCycles));
    return ahead ? now + 1 + static_cast<Cycle>(__builtin_ctzll(ahead)) : kNever;
  }

 private:
  std::size_t words_;                ///< of each set
  std::vector<std::uint64_t> sets_;  ///< by place: a bit per member
  std::uint64_t used_ = 0;           ///< a bit per place that has members
};

}  // namespace warpsieve
