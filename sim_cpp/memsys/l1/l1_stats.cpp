#include "memsys/l1/l1_stats.h"

namespace warpsieve::memsys {

L1Stats::L1Stats(Stats& s)
    : load_requests(s.add("l1.load_requests", "line requests", "line requests of loads taken")),
      load_sectors(s.add("l1.load_sectors", "sectors", "sectors asked for by loads")),
      hit_sectors(s.add("l1.hit_sectors", "sectors", "of these: valid")),
      miss_sectors(s.add("l1.miss_sectors", "sectors",
                         "of these: asked of the L2; with l1.line_fill also the rest of the line")),
      merged_sectors(s.add("l1.merged_sectors", "sectors", "of these: already on their way")),
      store_requests(s.add("l1.store_requests", "line requests", "line requests of stores taken")),
      store_sectors(s.add("l1.store_sectors", "sectors", "sectors written")),
      store_hit_sectors(s.add("l1.store_hit_sectors", "sectors", "of these: valid, and updated or dropped")),
      atomic_requests(s.add("l1.atomic_requests", "line requests", "line requests of atomics passed to the L2")),
      fills(s.add("l1.fills", "replies", "read replies taken")),
      stale_hits(s.add("l1.stale_hits", "sectors",
                       "hits on copies other than the L2's content: older, or newer by a store on its way")),
      stalls(s.add("l1.stalls", "tries", "line requests that could not be taken when offered")),
      load_latency(s.add("l1.miss_latency_sum", "cycles", "read request sent to reply taken, summed over replies")),
      miss_requests(s.add("l1.miss_requests", "line requests", "of the loads': some sector was not valid")),
      replays(s.add("l1.replays", "line requests", "loads that waited until their line had been fetched")),
      emptied_lines(s.add("l1.emptied_lines", "lines", "replaced, dropped or lost at a kernel's end")),
      emptied_used_sectors(s.add("l1.emptied_used_sectors", "sectors", "of these lines: ever asked for by a load")),
      fill_sectors(s.add("l1.fill_sectors", "sectors", "of read replies: written into the L1")),
      peer_sectors(s.add("l1.peer_sectors", "sectors", "looked up for loads of peers")) {}

}  // namespace warpsieve::memsys
