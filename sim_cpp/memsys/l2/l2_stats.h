// Counters shared by all L2 slices of a GPU: `l2.*` in the results.
#pragma once

#include "core/stats.h"

namespace warpsieve::memsys {

struct L2Stats {
  explicit L2Stats(Stats& stats);
  Counter read_sectors, read_hits, read_misses, write_sectors, write_hits, atomics, atomic_sectors, requests,
      victim_hits, evictions, dirty_evictions, merge_fetches, write_back_sectors, stall_cycles, snoop_waits, probes,
      probe_hits;
};

}  // namespace warpsieve::memsys
