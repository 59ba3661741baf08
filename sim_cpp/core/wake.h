// Time and wake-ups: the simulator's event engine.
//
// Every component has one entry in an array of wake times. The main loop takes the smallest, moves the
// clock there and runs the components that are due, in index order; nobody else is touched. A
// component that waits only for others has kNever and is woken by them. Links hand items over at
// least one cycle later, so the index order inside a cycle decides no result but is fixed anyway.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpsieve {

using Cycle = std::uint64_t;  ///< core clock cycles
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

class WakeTimes {
 public:
  /// Reserves `count` neighbouring entries and returns the index of the first.
  std::uint32_t add(std::uint32_t count) {
    const auto first = static_cast<std::uint32_t>(time_.size());
    time_.resize(time_.size() + count, kNever);
    return first;
  }
  void wake(std::uint32_t id, Cycle at) { time_[id] = std::min(time_[id], at); }
  Cycle at(std::uint32_t id) const { return time_[id]; }
  /// True when `id` is due; clears the entry (the component says anew when it wants to run).
  bool take(std::uint32_t id, Cycle now) {
    if (time_[id] > now) return false;
    time_[id] = kNever;
    return true;
  }
  Cycle next() const {
    Cycle next = kNever;
    for (const Cycle t : time_) next = t < next ? t : next;
    return next;
  }

 private:
  std::vector<Cycle> time_;
};

}  // namespace warpsieve
