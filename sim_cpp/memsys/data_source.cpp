#include "memsys/data_source.h"

namespace warpsieve::memsys {

const char* name(Source source) {
  static const char* const names[kSources] = {
      "dram",       "reference",  "cache_assisted", "generated", "buffered", "victim_fifo",   "l2_forward",
      "write_back", "dedup_read", "read_back",      "peer_l1",   "local",    "reply_decoder", "l1"};
  return names[static_cast<unsigned>(source)];
}

}  // namespace warpsieve::memsys
