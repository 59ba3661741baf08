// When the slots of the warp schedulers can issue: which ones are due, and when the next one is.
//
//   due      ready in the cycle of advance() or before: a set per scheduler, a bit per slot
//   wheel    ready less than kSpan cycles later: a set per cycle and scheduler. Arithmetic and shared memory end here
//   far      ready later than that: looked through when the first of them is due
//   unknown  kNever: in none of them
// A cycle costs time by what becomes due in it, not by the slots that wait. Units: core clock cycles. At most
// kSchedulers schedulers of 64 slots each (sm.schedulers, sm.threads in profile.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "memsys/types.h"

namespace warpsieve::memsys {

class ReadyTimes {
 public:
  static constexpr std::uint32_t kSchedulers = 8, kSpan = 32;
  /// Slots of a scheduler, bit i = its i-th slot.
  using Slots = std::uint64_t;
  /// Slot s * each + i is the i-th of scheduler s.
  ReadyTimes(std::uint32_t schedulers, std::uint32_t each);

  std::uint32_t slots() const { return static_cast<std::uint32_t>(at_.size()); }
  std::uint32_t scheduler(std::uint32_t slot) const { return place_[slot].scheduler; }
  Slots bit(std::uint32_t slot) const { return Slots{1} << place_[slot].index; }
  Cycle at(std::uint32_t slot) const { return at_[slot]; }
  void set(std::uint32_t slot, Cycle at);

  /// Comes to cycle `now`; cycles that have been never come again.
  void advance(Cycle now);
  Slots due(std::uint32_t scheduler) const { return due_[scheduler]; }
  /// When a slot that is not due will be, or earlier; kNever: not known of any.
  Cycle next() const {
    if (!occupied_) return far_next_;
    const auto ahead = static_cast<unsigned>(std::countr_zero(std::rotr(occupied_, bucket(now_ + 1))));
    return std::min(far_next_, now_ + 1 + ahead);
  }

 private:
  struct Place {
    std::uint8_t scheduler = 0, index = 0;
  };
  using OfAll = std::array<Slots, kSchedulers>;
  static int bucket(Cycle at) { return static_cast<int>(at % kSpan); }
  void take_out(std::uint32_t slot);
  void look_far();

  std::uint32_t each_;
  std::vector<Cycle> at_;
  std::vector<Place> place_;
  Cycle now_ = 0;
  OfAll due_{};
  std::uint32_t occupied_ = 0;  ///< bit per cycle of the wheel; 0 means that its sets are empty
  Cycle far_next_ = kNever;
  OfAll far_{};
  alignas(64) std::array<OfAll, kSpan> wheel_{};  ///< of a cycle: at % kSpan
};

inline void ReadyTimes::set(std::uint32_t slot, Cycle at) {
  const std::uint32_t s = place_[slot].scheduler;
  const Slots one = bit(slot);
  if (at_[slot] > now_ && at_[slot] != kNever)
    take_out(slot);
  else
    due_[s] &= ~one;
  at_[slot] = at;
  if (at <= now_) {
    due_[s] |= one;
  } else if (at - now_ < kSpan) {
    wheel_[at % kSpan][s] |= one;
    occupied_ |= 1u << bucket(at);
  } else if (at != kNever) {
    far_[s] |= one;
    far_next_ = std::min(far_next_, at);
  }
}

inline void ReadyTimes::advance(Cycle now) {
  if (now <= now_) return;
  if (occupied_) {
    const Cycle passed = now - now_;
    std::uint32_t come = passed >= kSpan ? occupied_ : occupied_ & std::rotl((1u << passed) - 1, bucket(now_ + 1));
    occupied_ &= ~come;
    for (; come; come &= come - 1) {
      OfAll& cycle = wheel_[static_cast<unsigned>(std::countr_zero(come))];
      for (std::uint32_t s = 0; s < kSchedulers; ++s) due_[s] |= cycle[s];
      cycle = {};
    }
  }
  now_ = now;
  if (far_next_ <= now) look_far();
}

}  // namespace warpsieve::memsys
