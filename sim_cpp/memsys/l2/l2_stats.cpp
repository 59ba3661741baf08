#include "memsys/l2/l2_stats.h"

namespace warpsieve::memsys {

L2Stats::L2Stats(Stats& s)
    : read_sectors(s.add("l2.read_sectors", "sectors", "sectors asked for by reads and atomics")),
      read_hits(s.add("l2.read_hits", "sectors", "of these: valid in the slice")),
      read_misses(s.add("l2.read_misses", "sectors", "of these: asked of the controller")),
      write_sectors(s.add("l2.write_sectors", "sectors", "sectors written")),
      write_hits(s.add("l2.write_hits", "sectors", "of these: line present")),
      atomics(s.add("l2.atomics", "lane operations", "atomic operations performed")),
      atomic_sectors(s.add("l2.atomic_sectors", "sectors", "written by atomics, once per request")),
      requests(s.add("l2.requests", "packets", "requests taken")),
      victim_hits(s.add("l2.victim_hits", "sectors", "read misses served by the victim port")),
      evictions(s.add("l2.evictions", "lines", "lines replaced")),
      dirty_evictions(s.add("l2.dirty_evictions", "lines", "of these: with dirty bytes")),
      merge_fetches(
          s.add("l2.merge_fetches", "sectors", "sectors fetched to complete a partly written one at eviction")),
      write_back_sectors(s.add("l2.write_back_sectors", "sectors", "dirty sectors taken by the controller")),
      stall_cycles(
          s.add("l2.stall_cycles", "cycles", "the oldest request of a slice waited for a resource of the slice")),
      snoop_waits(s.add("l2.snoop_waits", "reads", "reads held because their line was still leaving")),
      probes(s.add("l2.probes", "probes", "probes of the controller's scheme")),
      probe_hits(s.add("l2.probe_hits", "sectors", "valid clean sectors found by probes")) {}

}  // namespace warpsieve::memsys
