#include "memsys/sm/sm_stats.h"

namespace warpsieve::memsys {

SmStats::SmStats(Stats& s)
    : warp_instructions(s.add("sm.warp_instructions", "warp instructions", "issued")),
      thread_instructions(s.add("sm.thread_instructions", "thread instructions", "issued, active lanes only")),
      memory_instructions(s.add("sm.memory_instructions", "warp instructions", "global loads, stores and atomics")),
      loads(s.add("sm.loads", "warp instructions", "global loads")),
      stores(s.add("sm.stores", "warp instructions", "global stores")),
      atomics(s.add("sm.atomics", "warp instructions", "global atomics")),
      line_requests(s.add("sm.line_requests", "line requests", "after coalescing")),
      barriers(s.add("sm.barriers", "barriers", "barriers opened, per block")),
      blocks(s.add("sm.blocks", "blocks", "thread blocks run")),
      active_cycles(s.add("sm.issue_cycles", "SM cycles", "cycles in which an SM issued at least one instruction")),
      lsu_busy(s.add("sm.lsu_stalls", "tries", "line requests the L1 did not take when offered")) {}

}  // namespace warpsieve::memsys
