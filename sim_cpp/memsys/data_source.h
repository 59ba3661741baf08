// Sources of data: each has its own count of comparisons with the golden memory.
#pragma once

#include <cstdint>

namespace warpsieve::memsys {

/// Where data came from; each has its own golden-memory check count.
enum class Source : std::uint8_t {
  dram,            ///< read from the home address
  reference,       ///< read from a reference block in DRAM
  cache_assisted,  ///< copied from a line in the L2
  generated,       ///< made from metadata (intra-duplicate)
  buffered,        ///< taken from a write that the path still holds
  victim_fifo,     ///< read-only FIFO of the slice
  l2_forward,      ///< L2 to L1 reply
  write_back,      ///< dirty bytes leaving the L2
  dedup_read,      ///< old content read by the scheme to complete a partial write
  read_back,       ///< final read of the whole memory
  peer_l1,         ///< copy in the L1 of another SM of the cluster
  local,           ///< private memory, compared in program order
  reply_decoder,   ///< what the SM's ReplyDecoder made of a reply
  l1,              ///< hit in the SM's own L1: what replies brought, and its own stores
};
inline constexpr unsigned kSources = 14;
const char* name(Source source);

}  // namespace warpsieve::memsys
