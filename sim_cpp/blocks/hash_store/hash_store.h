// hash_store: fingerprints of the blocks a memory controller has stored, with a reference count each
// (CMD paper, IV.B; decisions C9 and C13).
//
//   latency     2 cycles from the tick that takes a request to the tick after which its response is
//               on offer, decrement and evict 3, whatever the outcome
//   throughput  one operation in flight: 1 operation per 3 cycles when responses are taken at once; per 4 cycles
//               decrement, evict and an insert that evicts
//   ready       while no operation is in flight and no response waits (state only), and from max(sets, ref_sets)
//               cycles after the reset on: one set of the tables is cleared in each
//   order       one response per request, in request order; an operation is complete, and visible to
//               the next one, when its response is on offer
//
// `sets` x `ways` entries {hash, ref, count}. The set is the low clog2(sets) bits of the hash. An
// entry is named by index = {set, way}: way in the low clog2(ways) bits, set above. The replacement
// order of a set is true LRU; a LOOKUP that hits and an INSERT that succeeds make their entry the most
// recent, the other operations leave the order alone. A free way is taken before anything is evicted
// (the lowest-numbered one); only entries with count 1 are ever evicted, counts above 1 pin an entry.
// A second table of `ref_sets` x `ref_ways` names the entry of a reference; its set is the parity of every
// ref_sets-th bit of ref. A reference has one entry at most, and none when its set of that table is full.
// With domain_bits, {domain, hash} is what is stored and compared: lines of two domains never match.
// With secded each lane of the four tables corrects one wrong bit per part. Two in one part of a word in use halt the
// store until reset: nothing is written, answered or taken any more. An answer that is on offer by then stays.
// RTL: rtl/hash_store/hash_store.sv. Compiled RTL points: rtl/hash_store/points.txt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "cosim/block.h"

namespace warpsieve::hash_store {

struct HashStoreParams {
  unsigned sets = 128;       ///< power of two, at least 1
  unsigned ways = 16;        ///< any number from 1
  unsigned hash_bits = 128;  ///< clog2(sets)..128, at least 1
  unsigned ref_bits = 21;    ///< 1..32
  unsigned count_bits = 16;  ///< 1..32; a count of 2^count_bits-1 is saturated
  unsigned domain_bits = 0;  ///< 0..8; with a whole hash (128 bits) only. In the RTL: HashBits = 128 + domain_bits
  unsigned ref_sets = 256;   ///< power of two below 2^ref_bits
  unsigned ref_ways = 16;    ///< any number from 1
  bool secded = false;       ///< tables correct one wrong bit in each part of a lane; two halt the store
  bool operator==(const HashStoreParams&) const = default;
  /// Bits of an entry index: clog2(sets * ways), at least 1.
  unsigned index_bits() const;
};

enum class HashStoreOp : std::uint8_t {
  lookup,     ///< (hash)        entry with this hash: hit, index, ref, count; ok = hit
  insert,     ///< (hash, ref)   present: hit, ok=0, index/ref/count of that entry.
              ///<               absent: ok=1, index, ref, count=1 and, if an entry of count 1 had to
              ///<               leave, evicted and evicted_ref; ok=0 when all ways are pinned, when ref has an
              ///<               entry, or when the ways of ref in the second table are taken
  increment,  ///< (index, ref)  hit if the entry is valid and holds ref; ok=0 when saturated (count is
              ///<               then unchanged); count = new count
  decrement,  ///< (ref)         hit if ref has an entry, ok = hit; count = new count, the entry leaves at 0
  evict,      ///< (ref)         hit as above, ok = hit; the entry leaves whatever its count; count = 0
};

struct HashStoreReq {
  HashStoreOp op = HashStoreOp::lookup;
  std::array<std::uint8_t, 16> hash{};  ///< little-endian; bits from hash_bits up are ignored
  std::uint32_t ref = 0;
  std::uint32_t index = 0;
  std::uint8_t domain = 0;  ///< upper part of what is compared; no part of the set number
  bool operator==(const HashStoreReq&) const = default;
};

/// Fields that an outcome does not define are 0.
struct HashStoreRsp {
  bool hit = false;
  std::uint32_t index = 0;
  std::uint32_t ref = 0;
  std::uint32_t count = 0;
  bool ok = false;
  bool evicted = false;
  std::uint32_t evicted_ref = 0;
  bool operator==(const HashStoreRsp&) const = default;
};
std::string describe(const HashStoreReq& req);
std::string describe(const HashStoreRsp& rsp);

/// The tables, as flips name them.
enum class HashStoreTable : std::uint8_t { rows, tags, counts, refs };

/// Half of the flips: bit `number` of the stored word of a table (order of bits: rtl/secded/secded_words.sv).
std::uint16_t flip_of(HashStoreTable table, unsigned number);

struct HashStore : Block<HashStoreReq, HashStoreRsp> {
  /// For tests: bits written inverted in every write from now on, as two halves of flip_of(); 0: none. A reset ends
  /// it. Without secded it does nothing.
  virtual void set_flips(std::uint32_t) {}
  /// In this cycle the operation uses a word with a wrong bit that is corrected.
  virtual bool corrected() const { return false; }
  /// Halted until reset, as a word in use had two wrong bits in one part.
  virtual bool fatal() const { return false; }
};

/// Throws std::invalid_argument when the parameters are out of range, or when `backend` needs RTL and
/// no compiled point has these parameters (the model takes any).
std::unique_ptr<HashStore> make_hash_store(const HashStoreParams& params, Backend backend,
                                           std::string name = "hash_store");

}  // namespace warpsieve::hash_store
