#include "memsys/local/local_stats.h"

namespace warpsieve::memsys {

LocalStats::LocalStats(Stats& s)
    : loads(s.add("local.loads", "line accesses", "private lines loaded")),
      stores(s.add("local.stores", "line accesses", "private lines stored")),
      zero(s.add("local.zero", "line accesses", "of both: all words 0")),
      uniform(s.add("local.uniform", "line accesses", "of both: one other value")),
      affine(s.add("local.affine", "line accesses", "of both: base + lane * stride, stride 1 to 64, aligned")),
      generic(s.add("local.generic", "line accesses", "of both: anything else")),
      unaligned(s.add("local.unaligned", "line accesses",
                      "of the generic ones: base + lane * stride, but for a base that is no multiple of the stride")),
      sparse_affine(s.add("local.sparse_affine", "line accesses",
                          "zero, uniform or affine with several active lanes that are not neighbours")),
      hits(s.add("local.hits", "line accesses", "loads with all words on chip")),
      port_hits(s.add("local.port_hits", "line accesses", "of these: all in the scheme's port")),
      partial_hits(s.add("local.partial_hits", "line accesses", "loads with words in the port and others elsewhere")),
      fetches(s.add("local.fetches", "transactions", "128-byte lines read from memory")),
      merged(s.add("local.merged", "line accesses", "loads that wait for a fetch under way")),
      write_backs(s.add("local.write_backs", "transactions", "masked 128-byte lines written to memory")),
      l1_evictions(s.add("local.l1_evictions", "lines", "dirty private lines evicted from the L1")),
      stores_kept(s.add("local.stores_kept", "line accesses", "stores that the port keeps")),
      fills(s.add("local.port_fills", "requests", "fetched lines offered to the port")),
      fills_kept(s.add("local.port_fills_kept", "requests", "of these: kept there")),
      conflicts(s.add("local.port_conflicts", "vectors", "written back because of another base or stride")),
      vectors_evicted(s.add("local.port_evictions", "vectors", "written back because their line was replaced")),
      dropped_words(s.add("local.dropped_words", "words", "dirty when the kernel ended: checked and dropped")),
      stalls(s.add("local.stalls", "tries", "accesses that could not be taken when offered")),
      l1_reads(s.add("local.l1_read_sectors", "sectors", "of private lines: looked up in the L1 by loads")),
      l1_writes(s.add("local.l1_written_sectors", "sectors", "of private lines: stored or filled into the L1")),
      l1_written_back(s.add("local.l1_written_back_sectors", "sectors",
                            "of private lines: read from the L1 with words to write back")) {}

}  // namespace warpsieve::memsys
