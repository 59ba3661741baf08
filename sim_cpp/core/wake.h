// WakeTimes: the clock and the event queue of the simulator.
//
// Every component has a number and a wake time. advance() moves the clock to the earliest wake time. The main loop
// then runs the components that are due, in the order of their numbers, and no other. A component that only waits has
// kNever, and others wake it. Links hand items over at least one cycle later, so the order inside a cycle decides no
// result. It is fixed anyway.
//
//   near   the next 256 cycles: a wheel with a set of components per cycle, and a bit per cycle that has any
//   far    everything later: entered into the wheel when its time comes near
// A component that is woken earlier leaves its old place in the wheel behind, where it is ignored.
//
// A component may have an owner, which keeps the wake times of all its components. Only the owner stands in the
// wheel, with the earliest of these times. While the owner runs them, between busy() and rest(), it is not woken.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/wheel.h"

namespace warpsieve {

class WakeTimes {
 public:
  /// Reserves `count` neighbouring numbers and returns the first. Requires that nothing was woken yet.
  std::uint32_t add(std::uint32_t count) {
    const auto first = static_cast<std::uint32_t>(time_.size());
    time_.resize(time_.size() + count, kNever);
    for (std::uint32_t id = first; id < time_.size(); ++id) owner_.push_back(id);
    words_ = (time_.size() + 63) / 64;
    sets_.assign(words_ * kSlots, 0);
    return first;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(time_.size()); }
  /// From now on `owner` runs `id`.
  void entrust(std::uint32_t id, std::uint32_t owner) { owner_[id] = owner; }
  void wake(std::uint32_t id, Cycle at) {
    if (at >= time_[id]) return;
    time_[id] = at;
    if (const std::uint32_t owner = owner_[id]; owner != id) {
      if (at >= time_[owner]) return;
      time_[owner] = at;
      id = owner;
    }
    enter(id, at);
  }
  void busy(std::uint32_t owner) { time_[owner] = 0; }
  /// `next`: when the first of its own is due.
  void rest(std::uint32_t owner, Cycle next) {
    time_[owner] = kNever;
    wake(owner, next);
  }
  Cycle at(std::uint32_t id) const { return time_[id]; }
  /// The time of one that is entrusted, for its owner while it is busy(): no other code needs it then. Until
  /// anybody is added.
  class Own {
   public:
    Cycle at() const { return *time_; }
    bool take(Cycle now) const {
      if (*time_ > now) return false;
      *time_ = kNever;
      return true;
    }
    void wake(Cycle at) const { *time_ = std::min(*time_, at); }

   private:
    friend class WakeTimes;
    explicit Own(Cycle& time) : time_(&time) {}
    Cycle* time_;
  };
  Own own(std::uint32_t id) { return Own(time_[id]); }
  /// True when `id` is due; clears the entry (the component says anew when it wants to run).
  bool take(std::uint32_t id, Cycle now) {
    if (time_[id] > now) return false;
    time_[id] = kNever;
    return true;
  }

  /// Moves the clock to the next cycle in which a component is due; kNever, and no move, if none ever is. Throws
  /// if a component was left behind.
  Cycle advance() {
    leave();
    for (;;) {
      Cycle next = next_slot();
      if (far_ != kNever && far_ <= next) {
        if (!sweep()) return kNever;
        continue;
      }
      if (next == kNever) return kNever;
      if (!any_due(next)) continue;
      return now_ = next;
    }
  }
  /// Takes those from `first` to before `end` that are due, in ascending order, and calls visit(id) for each; it may
  /// wake others, for this cycle only those that follow.
  template <class F>
  void take_due(std::uint32_t first, std::uint32_t end, F&& visit) {
    std::uint64_t* const set = sets_.data() + (now_ % kSlots) * words_;
    for (std::uint32_t word = first / 64; word * 64 < end; ++word) {
      std::uint64_t rest = ~std::uint64_t{0};  // of the word
      if (word == first / 64) rest <<= first % 64;
      if (word == end / 64) rest &= ~(~std::uint64_t{0} << (end % 64));
      while (const std::uint64_t bits = set[word] & rest) {
        rest &= ~(bits ^ (bits - 1));
        set[word] ^= bits & -bits;  // leave() need not look at it
        const std::uint32_t id = word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits));
        if (take(id, now_)) visit(id);
      }
    }
  }

 private:
  static constexpr std::uint64_t kSlots = 256;

  void enter(std::uint32_t id, Cycle at) {
    if (at - now_ >= kSlots) {  // also when it is in the past: leave() finds it
      far_ = std::min(far_, at);
      return;
    }
    const std::uint64_t slot = at % kSlots;
    sets_[slot * words_ + id / 64] |= std::uint64_t{1} << (id % 64);
    used_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }
  /// Empties the place of the cycle that is over.
  void leave() {
    const std::uint64_t slot = now_ % kSlots;
    bool late = far_ <= now_ && now_ > 0;
    std::uint64_t* const set = sets_.data() + slot * words_;
    for (std::uint64_t word = 0; word < words_; ++word) {
      for (std::uint64_t bits = set[word]; bits; bits &= bits - 1)
        late = late || time_[word * 64 + static_cast<std::uint64_t>(__builtin_ctzll(bits))] <= now_;
      set[word] = 0;
    }
    used_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    if (late) throw std::logic_error("event engine: a wake-up for a cycle that is over");
  }
  void clear(std::uint64_t slot) {
    std::fill_n(sets_.begin() + static_cast<std::ptrdiff_t>(slot * words_), words_, 0);
    used_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
  }
  /// First cycle after now_ whose place in the wheel is not empty.
  Cycle next_slot() const {
    const std::uint64_t first = (now_ + 1) % kSlots;
    for (std::uint64_t i = 0; i <= kSlots / 64; ++i) {
      const std::uint64_t word = (first / 64 + i) % (kSlots / 64);
      std::uint64_t bits = used_[word];
      if (i == 0) bits &= ~std::uint64_t{0} << (first % 64);
      if (i == kSlots / 64) bits &= ~(~std::uint64_t{0} << (first % 64));
      if (bits) return now_ + 1 + (word * 64 + static_cast<std::uint64_t>(__builtin_ctzll(bits)) - first) % kSlots;
    }
    return kNever;
  }
  /// False, and the place of cycle `at` is empty, when all in it were woken earlier.
  bool any_due(Cycle at) {
    const std::uint64_t slot = at % kSlots;
    for (std::uint64_t word = 0; word < words_; ++word)
      for (std::uint64_t bits = sets_[slot * words_ + word]; bits; bits &= bits - 1)
        if (time_[word * 64 + static_cast<std::uint64_t>(__builtin_ctzll(bits))] == at) return true;
    clear(slot);
    return false;
  }
  /// Enters what has come near, after moving the clock up to just before the earliest if nothing is nearer. False
  /// if none waits.
  bool sweep() {
    Cycle first = kNever;
    for (const Cycle t : time_) first = std::min(first, t);
    far_ = kNever;
    if (first == kNever) return false;
    now_ = first - 1;
    for (std::uint32_t id = 0; id < time_.size(); ++id)
      if (time_[id] != kNever && owner_[id] == id) enter(id, time_[id]);
    return true;
  }

  std::vector<Cycle> time_;
  std::vector<std::uint32_t> owner_;
  std::uint64_t words_ = 0;
  std::vector<std::uint64_t> sets_;  ///< per cycle of the wheel: a bit per component
  std::array<std::uint64_t, kSlots / 64> used_{};
  Cycle now_ = 0;
  Cycle far_ = kNever;  ///< no component that is not in the wheel is due before
};

}  // namespace warpsieve
