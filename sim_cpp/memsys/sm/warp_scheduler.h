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
#include <cstdint>
#include <vector>

#include "core/ring.h"
#include "memsys/profile.h"
#include "memsys/sm/units.h"

namespace warpsieve::memsys {

class WarpScheduler {
 public:
  static constexpr Units::Gate kLsuGate = 0xff;
  WarpScheduler(const SmParams& params, const Units& units);

  std::uint32_t slots() const { return static_cast<std::uint32_t>(ready_.size()); }
  std::uint32_t slots_each() const { return each_; }
  std::uint32_t scheduler(std::uint32_t slot) const { return slot / each_; }
  std::uint32_t slot(std::uint32_t warp) const { return warp % schedulers_ * each_ + warp / schedulers_; }

  /// A warp starts in the slot. Warps get older in the order of these calls.
  void start(std::uint32_t slot) { age_[slot] = next_age_++; }
  /// Earliest issue of the slot's next instruction; kNever: not known yet.
  Cycle ready(std::uint32_t slot) const { return ready_[slot]; }
  void set_ready(std::uint32_t slot, Cycle at) {
    ready_[slot] = at;
    if (at == kNever)
      runnable_.reset(slot);
    else
      runnable_.set(slot);
  }
  void set_gate(std::uint32_t slot, Units::Gate gate) { gate_[slot] = gate; }
  /// A memory instruction of the slot went to the load/store unit.
  void took_lsu(std::uint32_t slot) {
    if (fair_) turn_ = (scheduler(slot) + 1) % schedulers_;
  }
  /// The load/store unit takes the next instruction.
  void lsu_free() { runnable_.absorb(lsu_waiting_); }
  bool any() const { return runnable_.any(); }

  struct Result {
    Cycle next = kNever;  ///< when a slot is ready next, among those in sight
    bool issued = false;
  };
  /// Each scheduler issues an instruction if it can: issue(slot). `lsu_busy` is read again after each.
  template <class Issue>
  Result run(Cycle now, const bool& lsu_busy, Issue&& issue) {
    return plain_ ? run_as<true>(now, lsu_busy, issue) : run_as<false>(now, lsu_busy, issue);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  template <bool kPlain, class Issue>
  Result run_as(Cycle now, const bool& lsu_busy, Issue& issue);
  /// Between two slots that scheduler `s` could issue from; `slot` is the later one.
  template <bool kPlain>
  bool goes_before(std::uint32_t s, std::uint32_t slot, std::uint32_t chosen) const {
    const std::uint32_t last = last_[s];
    if (!kPlain && round_robin_) return chosen <= last && slot > last;
    return slot == last || (chosen != last && age_[slot] < age_[chosen]);
  }

  const Units& units_;
  std::uint32_t schedulers_, each_;
  bool fair_, round_robin_;
  bool plain_;  ///< greedy then oldest, the LSU by number and nothing but the LSU to wait for: a shorter run()
  std::vector<Cycle> ready_;
  std::vector<Units::Gate> gate_;
  std::vector<std::uint64_t> age_;
  std::uint64_t next_age_ = 0;
  BitSet runnable_;                  ///< slots for which ready() is not kNever, but for those of lsu_waiting_
  BitSet lsu_waiting_;               ///< slots that were found ready while the LSU was busy
  std::vector<std::uint32_t> last_;  ///< per scheduler: slot that issued last
  std::uint32_t turn_ = 0;           ///< first scheduler of the round
};

template <bool kPlain, class Issue>
WarpScheduler::Result WarpScheduler::run_as(Cycle now, const bool& lsu_busy, Issue& issue) {
  Result out;
  if (!runnable_.any()) return out;
  for (std::uint32_t k = 0, turn = kPlain ? 0 : turn_; k < schedulers_; ++k) {
    const std::uint32_t s = kPlain ? k : (k + turn) % schedulers_;
    const std::uint32_t first = s * each_;
    std::uint32_t chosen = kNone;
    bool more = false;
    for (std::size_t i = runnable_.from(first); i < first + each_; i = runnable_.from(i + 1)) {
      const auto slot = static_cast<std::uint32_t>(i);
      if (ready_[slot] > now) {
        out.next = std::min(out.next, ready_[slot]);
        continue;
      }
      if (gate_[slot] != Units::kOpen && lsu_busy && (kPlain || gate_[slot] == kLsuGate)) {
        runnable_.reset(slot);
        lsu_waiting_.set(slot);
        continue;
      }
      if (!kPlain && gate_[slot] != Units::kOpen && gate_[slot] != kLsuGate) {
        if (const Cycle free = units_.free_at(s, gate_[slot]); free > now) {
          ready_[slot] = free;
          out.next = std::min(out.next, free);
          continue;
        }
      }
      more = more || chosen != kNone;
      if (chosen == kNone || goes_before<kPlain>(s, slot, chosen)) chosen = slot;
    }
    if (chosen == kNone) continue;
    last_[s] = chosen;
    issue(chosen);
    out.issued = true;
    if (more) out.next = now + 1;
    out.next = std::min(out.next, ready_[chosen]);
  }
  return out;
}

}  // namespace warpsieve::memsys
