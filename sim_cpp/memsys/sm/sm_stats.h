// Counters shared by all SMs: `sm.*` in the results.
#pragma once

#include "core/stats.h"

namespace warpsieve::memsys {

struct SmStats {
  explicit SmStats(Stats& stats);
  Counter warp_instructions, thread_instructions, memory_instructions, loads, stores, atomics, line_requests,
      barriers, blocks, active_cycles, lsu_busy;
};

}  // namespace warpsieve::memsys
