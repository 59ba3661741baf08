#include "memsys/sm/warp_scheduler.h"

namespace warpsieve::memsys {

WarpScheduler::WarpScheduler(const SmParams& p, const Units& units)
    : units_(units), schedulers_(p.schedulers), each_((p.threads / simt::kLanes + p.schedulers - 1) / p.schedulers),
      fair_(p.lsu_fair != 0), round_robin_(p.scheduler == kLooseRoundRobin), ready_(schedulers_, each_),
      gate_(ready_.slots(), Units::kOpen), gated_(schedulers_), age_(ready_.slots()), last_(schedulers_, kNone) {}

ReadyTimes::Slots WarpScheduler::units_free(Cycle now, std::uint32_t s, ReadyTimes::Slots due) {
  for (ReadyTimes::Slots left = due & gated_[s].unit; left; left &= left - 1) {
    const std::uint32_t slot = s * each_ + static_cast<std::uint32_t>(std::countr_zero(left));
    const Cycle free = units_.free_at(s, gate_[slot]);
    if (free <= now) continue;
    ready_.set(slot, free);
    due &= ~ready_.bit(slot);
  }
  return due;
}

}  // namespace warpsieve::memsys
