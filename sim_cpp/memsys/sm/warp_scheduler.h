// Warp schedulers of an SM: which warp issues its next instruction.
//
//   schedulers   warp w belongs to scheduler w % sm.schedulers; each issues one instruction per cycle
//   greedy       then oldest (sm.scheduler = 0): the warp that issued last if it can, else the one dispatched first
//   round robin  loose (sm.scheduler = 1): the next slot that can issue, behind the one that issued last
//   gate         what an instruction needs besides its sources: an execution unit (units.h), or the load/store unit.
//                Of several schedulers the lowest number gets the latter, or with sm.lsu_fair the next one behind the
//                last that did
// Slots are numbered by scheduler, so that those of one scheduler are neighbours: warp w has slot
// w % schedulers * slots_each() + w / schedulers. Units: core clock cycles.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "memsys/profile.h"
#include "memsys/sm/ready_times.h"
#include "memsys/sm/units.h"

namespace warpsieve::memsys {

class WarpScheduler {
 public:
  static constexpr Units::Gate kLsuGate = 0xff;
  WarpScheduler(const SmParams& params, const Units& units);

  std::uint32_t slots() const { return ready_.slots(); }
  std::uint32_t slots_each() const { return each_; }
  std::uint32_t scheduler(std::uint32_t slot) const { return ready_.scheduler(slot); }
  std::uint32_t slot(std::uint32_t warp) const { return warp % schedulers_ * each_ + warp / schedulers_; }

  /// The SM comes to cycle `now`.
  void advance(Cycle now) { ready_.advance(now); }
  /// A warp starts in the slot. Warps get older in the order of these calls.
  void start(std::uint32_t slot) { age_[slot] = next_age_++; }
  /// Earliest issue of the slot's next instruction; kNever: not known yet.
  Cycle ready(std::uint32_t slot) const { return ready_.at(slot); }
  void set_ready(std::uint32_t slot, Cycle at) { ready_.set(slot, at); }
  void set_gate(std::uint32_t slot, Units::Gate gate) {
    gate_[slot] = gate;
    Gated& gated = gated_[scheduler(slot)];
    const ReadyTimes::Slots one = ready_.bit(slot);
    gated.lsu = gate == kLsuGate ? gated.lsu | one : gated.lsu & ~one;
    gated.unit = gate != kLsuGate && gate != Units::kOpen ? gated.unit | one : gated.unit & ~one;
  }
  /// A memory instruction of the slot went to the load/store unit.
  void took_lsu(std::uint32_t slot) {
    if (fair_) turn_ = (scheduler(slot) + 1) % schedulers_;
  }

  struct Result {
    Cycle next = kNever;  ///< when a slot is ready next, but for those that wait for the load/store unit
    bool issued = false;
  };
  /// Each scheduler issues an instruction if it can: issue(slot), in the cycle of advance(). `lsu_busy` is read again
  /// after each.
  template <class Issue>
  Result run(Cycle now, const bool& lsu_busy, Issue&& issue);

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// Slots of a scheduler whose next instruction waits for more than its sources.
  struct Gated {
    ReadyTimes::Slots lsu = 0, unit = 0;
  };
  /// Those of `due` whose execution unit is free; the others are ready when it is.
  ReadyTimes::Slots units_free(Cycle now, std::uint32_t scheduler, ReadyTimes::Slots due);
  /// Of the slots of a scheduler, one at least.
  std::uint32_t choose(std::uint32_t scheduler, ReadyTimes::Slots slots) const;

  const Units& units_;
  std::uint32_t schedulers_, each_;
  bool fair_, round_robin_;
  ReadyTimes ready_;
  std::vector<Units::Gate> gate_;
  std::vector<Gated> gated_;  ///< per scheduler
  std::vector<std::uint64_t> age_;
  std::uint64_t next_age_ = 0;
  std::vector<std::uint32_t> last_;  ///< per scheduler: which of its slots issued last
  std::uint32_t turn_ = 0;           ///< first scheduler of the round
};

inline std::uint32_t WarpScheduler::choose(std::uint32_t s, ReadyTimes::Slots slots) const {
  const std::uint32_t last = last_[s];
  if (round_robin_) {
    const ReadyTimes::Slots behind = last < 63 ? slots >> (last + 1) << (last + 1) : 0;
    return static_cast<std::uint32_t>(std::countr_zero(behind ? behind : slots));
  }
  if (last != kNone && slots >> last & 1) return last;
  auto oldest = static_cast<std::uint32_t>(std::countr_zero(slots));
  for (slots &= slots - 1; slots; slots &= slots - 1) {
    const auto other = static_cast<std::uint32_t>(std::countr_zero(slots));
    if (age_[s * each_ + other] < age_[s * each_ + oldest]) oldest = other;
  }
  return oldest;
}

template <class Issue>
WarpScheduler::Result WarpScheduler::run(Cycle now, const bool& lsu_busy, Issue&& issue) {
  bool issued = false, more = false;
  for (std::uint32_t k = 0, s = turn_; k < schedulers_; ++k, s = s + 1 == schedulers_ ? 0 : s + 1) {
    ReadyTimes::Slots due = ready_.due(s);
    if (lsu_busy) due &= ~gated_[s].lsu;
    if (due & gated_[s].unit) due = units_free(now, s, due);
    if (!due) continue;
    const std::uint32_t chosen = choose(s, due);
    more = more || (due & (due - 1));
    last_[s] = chosen;
    issue(s * each_ + chosen);
    issued = true;
  }
  return {more ? now + 1 : ready_.next(), issued};
}

}  // namespace warpsieve::memsys
