// Counters shared by the L1s of all SMs: `l1.*` in the results.
#pragma once

#include "core/stats.h"

namespace warpsieve::memsys {

struct L1Stats {
  explicit L1Stats(Stats& stats);
  Counter load_requests, load_sectors, hit_sectors, miss_sectors, merged_sectors, store_requests, store_sectors,
      store_hit_sectors, atomic_requests, fills, stale_hits, stalls, load_latency, miss_requests, replays,
      emptied_lines, emptied_used_sectors, fill_sectors, peer_sectors;
};

}  // namespace warpsieve::memsys
