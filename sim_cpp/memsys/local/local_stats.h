// Counters of private memory, shared by all SMs: `local.*` in the results.
#pragma once

#include "core/stats.h"

namespace warpsieve::memsys {

struct LocalStats {
  explicit LocalStats(Stats& stats);
  std::uint64_t accesses() const { return loads.get() + stores.get(); }
  /// 128-byte fetches and write-backs (decision A17).
  std::uint64_t transactions() const { return fetches.get() + write_backs.get(); }
  Counter loads, stores, zero, uniform, affine, generic, unaligned, sparse_affine, hits, port_hits, partial_hits,
      fetches, merged, write_backs, l1_evictions, stores_kept, fills, fills_kept, conflicts, vectors_evicted,
      dropped_words, stalls, l1_reads, l1_writes, l1_written_back;
};

}  // namespace warpsieve::memsys
