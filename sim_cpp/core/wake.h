// WakeTimes: the clock and the event queue of the simulator.
//
// Every component has a number and a wake time. advance() moves the clock to the earliest wake time. The main loop
// then runs the components that are due, in the order of their numbers, and no other. A component that only waits has
// kNever, and others wake it. Links hand items over at least one cycle later, so the order inside a cycle decides no
// result. It is fixed anyway.
//
//   near   the next 256 cycles: a timing wheel (timing_wheel.h)
//   far    everything later: entered into the wheel when its time comes near
// A component that is woken earlier leaves its old place in the wheel behind, where it is ignored.
//
// A component may have an owner, which keeps the wake times of all its components. Only the owner stands in the
// wheel, with the earliest of these times. While the owner runs them, between busy() and rest(), it is not woken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/timing_wheel.h"

namespace warpsieve {

class WakeTimes {
 public:
  /// Reserves `count` neighbouring numbers and returns the first. Requires that nothing was woken yet.
  std::uint32_t add(std::uint32_t count) {
    const auto first = static_cast<std::uint32_t>(time_.size());
    time_.resize(time_.size() + count, kNever);
    for (std::uint32_t id = first; id < time_.size(); ++id) owner_.push_back(id);
    wheel_.resize(time_.size());
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
  /// a component is added.
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
      const Cycle next = wheel_.next(now_);
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
    std::uint64_t* const set = wheel_.set(now_);
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
  using Wheel = TimingWheel<256>;

  void enter(std::uint32_t id, Cycle at) {
    if (at - now_ >= Wheel::kCycles)  // also when it is in the past: leave() finds it
      far_ = std::min(far_, at);
    else
      wheel_.add(id, at);
  }
  /// Empties the place of the cycle that is over.
  void leave() {
    const bool late = (far_ <= now_ && now_ > 0) || any(now_, [this](Cycle time) { return time <= now_; });
    wheel_.clear(now_);
    if (late) throw std::logic_error("event engine: a wake-up for a cycle that is over");
  }
  /// Whether a component in the place of cycle `at` has a wake time that is `due`.
  template <class Due>
  bool any(Cycle at, Due&& due) {
    const std::uint64_t* const set = wheel_.set(at);
    for (std::uint64_t word = 0; word < wheel_.words(); ++word)
      for (std::uint64_t bits = set[word]; bits; bits &= bits - 1)
        if (due(time_[word * 64 + static_cast<std::uint64_t>(__builtin_ctzll(bits))])) return true;
    return false;
  }
  /// False, and the place of cycle `at` is empty, when all in it were woken earlier.
  bool any_due(Cycle at) {
    if (any(at, [at](Cycle time) { return time == at; })) return true;
    wheel_.clear(at);
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
  Wheel wheel_;
  Cycle now_ = 0;
  Cycle far_ = kNever;  ///< no component that is not in the wheel is due before
};

}  // namespace warpsieve
