#include "memsys/sm/warp_scheduler.h"

namespace warpsieve::memsys {

WarpScheduler::WarpScheduler(const SmParams& p, const Units& units)
    : units_(units), schedulers_(p.schedulers), each_((p.threads / simt::kLanes + p.schedulers - 1) / p.schedulers),
      fair_(p.lsu_fair != 0), round_robin_(p.scheduler == kLooseRoundRobin),
      plain_(p.scheduler == kGreedyThenOldest && !p.lsu_fair && units.simple()),
      ready_(std::size_t{each_} * p.schedulers, kNever), gate_(ready_.size(), Units::kOpen), age_(ready_.size()),
      runnable_(ready_.size()), lsu_waiting_(ready_.size()), last_(p.schedulers, kNone) {}

}  // namespace warpsieve::memsys
