// dedup: control of deduplication in one memory controller (CMD paper, IV.A-IV.C; decisions C4-C16):
// read contexts, write buffer with forwarding, preparation of buffered writes, their commits in order, slot
// allocator.
//
//   rd, wr        from the L2: reads, and dirty sectors of evicted lines
//   l2            replies the block itself can give: forward (write buffer), intra (value), copy (probe)
//   dram          one ordered stream: home, slot, dedup and verify reads, writes; the DRAM side keeps the
//                 order of requests to one sector and sends home and slot data to the L2 by tag
//   dram_rsp      data of dedup and verify reads, in any order, with the tag of the request
//   meta(k)       type, mask, address-map and lent caches; id = context number; contexts + (entry mod lookups)
//                 for a buffered write; then lookups of the commit; then its writes, whose answers are dropped
//   hash, store   line hasher and hash store
//   probe         asks the L2 slices for valid and clean sectors of a line; one answer per probe, any order;
//                 id = context number, or `contexts` for a verification
//   done          one event per processed write, on offer for one cycle, gone whether taken or not
//
//   latency       write: metadata, digest and store answers plus about one cycle per step
//                 read: forward 2 cycles; others one cycle per step plus the metadata answers
//   throughput    1 read per cycle while contexts are free: with metadata after m cycles a home read holds one for
//                 5 + m, a mapped or intra one for 7 + 2m; intra every second cycle, forwarded every third.
//                 All buffered writes are prepared at a time (`hash_units` of them hashed), committed in order: 5
//                 (intra) to 8 (unique) cycles each
//
// Per line: type (00 untouched, 01 intra, 10 mapped elsewhere, 11 resident), mask of written sectors,
// map, lent. Where the data of (A, sector) is: untouched, unmasked or resident: home A; intra: the
// value in the map; mapped: the slot in the map. The number of lines using a slot is the count of its
// hash-store entry, found by the slot, or 1 when it has none.
// Secure options (architecture.md, hazard 5): `verify` compares contents before two lines share; domains
// keep the lines of two tenants apart. What each protects against: rtl/dedup/README.md.
// Additions to the paper: lent flags, spare lines, the entry of a slot found by the slot, a bound on
// partly written mapped lines. Why borrowing never fails: rtl/dedup/dedup_write.sv.
// RTL: rtl/dedup/dedup.sv. Compiled RTL points: rtl/dedup/points.txt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "blocks/hash_store/hash_store.h"
#include "blocks/md5/line_hasher.h"
#include "blocks/metadata_cache/metadata_cache.h"
#include "cosim/ports.h"

namespace warpsieve::dedup {

struct DedupParams {
  unsigned line_bits = 21;       ///< local line number; at most 31
  unsigned index_bits = 11;      ///< hash-store index
  unsigned count_bits = 16;      ///< hash-store count; all ones is saturated
  unsigned buffer_entries = 32;  ///< write buffer
  unsigned contexts = 16;        ///< reads in progress
  unsigned free_entries = 256;   ///< ring of freed slots
  unsigned tag_bits = 10;        ///< L2 tag of a read; buffer_entries < 2^tag_bits
  unsigned lookups = 8;          ///< buffered writes whose metadata are looked up at a time; divides buffer_entries
  unsigned hash_units = 32;      ///< lines the hasher works on at a time
  bool verify = false;           ///< contents can be compared before lines share (DedupConfig::verify)
  unsigned domain_bits = 0;      ///< 0..8: lines of two domains never share; 0: one domain
  unsigned region_bits = 0;      ///< lines of a region of the filter, log2, less than line_bits; 0: no filter
  bool byte_masks = false;       ///< writes may bring sectors of which only some bytes are written
  bool operator==(const DedupParams&) const = default;
};
inline constexpr DedupParams tiny_dedup{8, 2, 3, 2, 2, 2, 10, 1, 1, true, 2, 2, true};
inline constexpr DedupParams odd_dedup{10, 3, 4, 3, 3, 5, 10, 3, 2, true, 1, 1, true};
inline constexpr DedupParams secure_dedup{.verify = true, .domain_bits = 4, .region_bits = 5};
/// Scheme sieve.
inline constexpr DedupParams sieve_dedup{
    .buffer_entries = 64, .hash_units = 8, .verify = true, .domain_bits = 4, .region_bits = 5, .byte_masks = true};

/// Static inputs. The last spare_lines of total_lines are never addressed by the L2; their metadata
/// image is type 01, mask 1111, lent 0. All other lines start as 00, 0, 0. 0 < spare < total <= 2^line_bits.
struct DedupConfig {
  bool car = true;            ///< cache-assisted reads
  bool hash = true;           ///< inter-duplicate detection
  bool intra = true;          ///< intra-duplicate detection; false: model only
  bool verify = false;        ///< compare contents before lines share; needs DedupParams::verify
  bool region = false;        ///< reads of regions without mapped lines need no metadata; needs region_bits
  bool pass = false;          ///< a write of fewer than four sectors is not hashed; needs byte_masks
  bool fresh = true;          ///< at a reset: metadata hold their initial image, so no region has a mapped line
  unsigned bypass_level = 0;  ///< skip the hash while the buffer holds at least this many; 0: never
  std::uint32_t total_lines = 1u << 21;
  std::uint32_t spare_lines = 2048;
  bool operator==(const DedupConfig&) const = default;
};

/// Guards that tests switch off to see that they are needed. Model only.
struct DedupFaults {
  bool skip_hold = false;               ///< reads of a line in process do not wait for its commit
  bool release_any = false;             ///< such reads go on when any line is committed
  bool drop_early = false;              ///< a write is done before its metadata are on their way
  bool skip_lock = false;               ///< commit does not wait for reads of the line
  bool skip_ref_lock = false;           ///< commit does not wait for probes of the line
  bool car_ignores_buffer = false;      ///< lookup of type[R] although R waits in the write buffer
  bool car_ignores_late_write = false;  ///< copy although R was written after the lookup
  bool car_ignores_type = false;        ///< copy although R is not resident
  bool unmasked_from_slot = false;      ///< unmasked sectors are read where the type says
  bool overwrite_shared_slot = false;   ///< a resident line is rewritten in place although others use it
  bool ignore_lent = false;             ///< a line returns home although its home is lent
  bool lend_partial = false;            ///< partly written lines lend their slot
  bool grow_in_slot = false;            ///< a line with new sectors stays in its slot, whose owner keeps data there
  bool forget_free = false;             ///< a freed slot stays marked lent (leak)
  bool ignore_saturation = false;       ///< joins although the count cannot grow
  bool ahead_of_itself = false;         ///< a write is looked at although an older one of its line is in process
  bool believe_copy = false;            ///< a hit is believed whatever the L2 copy of the reference says
  bool believe_read = false;            ///< a hit is believed whatever the verify read says
  bool verify_ignores_type = false;     ///< compares with the L2 copy of R although R is not resident
  bool borrow_new_only = false;         ///< a borrowed slot gets the new sectors only
  bool lend_whole_only = false;         ///< a home that others use is marked lent only if its line was whole
  bool forget_region = false;           ///< the region filter is not told of a line that is mapped
  bool forward_some_bytes = false;      ///< a read gets a partly written sector from the write buffer
  bool overtake_bytes = false;          ///< a read does not wait for partly written sectors that are pending
  bool merge_under_read = false;        ///< a write merges into the entry that such a read waits for
  bool write_all_bytes = false;         ///< partly written sectors go to the DRAM as if they were whole
  bool keep_entry = false;              ///< a write that is not hashed leaves the entry of its line
  bool forget_borrowed = false;         ///< a line that was not hashed counts as untouched in a borrowed slot, too
  bool verify_ignores_buffer = false;   ///< compares with the L2 copy of R although R waits in the write buffer
  bool operator==(const DedupFaults&) const = default;
};

using LineData = std::array<std::uint8_t, 128>;  ///< sector s is bytes 32 s .. 32 s + 31
using ByteMask = std::array<std::uint32_t, 4>;   ///< bit b of word s: byte 32 s + b
inline constexpr ByteMask kAllBytes{~0u, ~0u, ~0u, ~0u};

struct ReadReq {
  std::uint32_t line = 0;
  std::uint8_t mask = 0;  ///< sectors, not 0
  std::uint32_t tag = 0;
  bool operator==(const ReadReq&) const = default;
};
struct WriteReq {
  std::uint32_t line = 0;
  std::uint8_t mask = 0;  ///< sectors, not 0
  LineData data{};
  std::uint8_t domain = 0;     ///< a line has the domain of its last write; bits from domain_bits up are ignored
  ByteMask bytes = kAllBytes;  ///< that are written, of the sectors of `mask`; some: needs DedupParams::byte_masks
  bool operator==(const WriteReq&) const = default;
};
enum class Source : std::uint8_t { forward, intra, copy };
struct L2Rsp {
  std::uint32_t tag = 0;
  std::uint8_t mask = 0;
  Source source{};
  LineData data{};  ///< 0 outside mask
  bool operator==(const L2Rsp&) const = default;
};
enum class DramKind : std::uint8_t { home_read, slot_read, dedup_read, write, verify_read };
struct DramReq {
  DramKind kind{};
  std::uint32_t line = 0;
  std::uint8_t mask = 0;
  std::uint32_t tag = 0;       ///< home and slot reads: of the L2; dedup reads: entry; verify reads: buffer_entries
  LineData data{};             ///< writes; 0 outside mask and bytes
  ByteMask bytes = kAllBytes;  ///< writes: of the sectors of `mask`, that are written; elsewhere all
  bool operator==(const DramReq&) const = default;
};
struct DramRsp {
  LineData data{};
  std::uint32_t tag = 0;
  bool operator==(const DramRsp&) const = default;
};
struct ProbeReq {
  std::uint32_t line = 0;
  std::uint8_t mask = 0;
  std::uint32_t id = 0;
  bool operator==(const ProbeReq&) const = default;
};
struct ProbeRsp {
  std::uint32_t id = 0;
  std::uint8_t mask = 0;  ///< sectors that are valid and clean
  LineData data{};
  bool operator==(const ProbeRsp&) const = default;
};

enum class Outcome : std::uint8_t {
  intra,            ///< one value: map
  inter,            ///< joined the users of another slot
  unique_home,      ///< written to the home slot
  unique_in_place,  ///< resident and alone: new sectors written over the old ones
  unique_kept,      ///< stays alone in the slot it had borrowed
  unique_borrowed,  ///< written to a slot of a line that does not need it
  silent            ///< the content it already has
};
inline constexpr unsigned kOutcomes = 7;
struct DoneEvent {
  std::uint32_t line = 0;
  Outcome outcome{};
  bool no_entry = false;         ///< unique, and without an entry in the hash store
  bool saturated = false;        ///< ... because the count of the matching entry cannot grow
  bool partial_limit = false;    ///< ... because too many partly written lines are mapped
  bool evicted = false;          ///< its hash-store entry replaced another
  bool scanned = false;          ///< borrowed slot found by scanning, not in the free ring
  bool verified = false;         ///< a hit was compared with the reference
  bool collision = false;        ///< ... and differed: unique, no_entry
  bool passed = false;           ///< went home as it was, not hashed: unique, no_entry
  std::uint8_t read = 0;         ///< sectors fetched by a dedup read
  std::uint8_t verify_read = 0;  ///< sectors of the reference fetched to compare; the others came from the L2
  std::uint8_t written = 0;      ///< sectors written to DRAM
  bool operator==(const DoneEvent&) const = default;
};

std::string describe(const ReadReq& item);
std::string describe(const WriteReq& item);
std::string describe(const L2Rsp& item);
std::string describe(const DramReq& item);
std::string describe(const DramRsp& item);
std::string describe(const ProbeReq& item);
std::string describe(const ProbeRsp& item);
std::string describe(const DoneEvent& item);
std::string_view to_string(Outcome outcome);

/// The metadata ports in the order of meta_req() and meta_rsp().
enum Meta : unsigned { meta_type, meta_mask, meta_map, meta_lent, kMetas };

/// What is on offer, as Dedup::State says it: bit k is meta_req(k), then
enum Offer : unsigned {
  offer_l2 = 1u << kMetas,
  offer_dram = 2u << kMetas,
  offer_hash = 4u << kMetas,
  offer_store = 8u << kMetas,
  offer_probe = 16u << kMetas,
  offer_done = 32u << kMetas
};

class Dedup : public Clocked {
 public:
  In<"rd", ReadReq> rd;
  In<"wr", WriteReq> wr;
  Out<"l2", L2Rsp> l2;
  Out<"dram", DramReq> dram;
  In<"dram_rsp", DramRsp> dram_rsp;
  Out<"type_req", metadata_cache::MetaReq> type_req;
  In<"type_rsp", metadata_cache::MetaRsp> type_rsp;
  Out<"mask_req", metadata_cache::MetaReq> mask_req;
  In<"mask_rsp", metadata_cache::MetaRsp> mask_rsp;
  Out<"addr_req", metadata_cache::MetaReq> addr_req;
  In<"addr_rsp", metadata_cache::MetaRsp> addr_rsp;
  Out<"lent_req", metadata_cache::MetaReq> lent_req;
  In<"lent_rsp", metadata_cache::MetaRsp> lent_rsp;
  Out<"hash", md5::LineHashReq> hash;
  In<"hash_rsp", md5::LineHashRsp> hash_rsp;
  Out<"store", hash_store::HashStoreReq> store;
  In<"store_rsp", hash_store::HashStoreRsp> store_rsp;
  Out<"probe", ProbeReq> probe;
  In<"probe_rsp", ProbeRsp> probe_rsp;
  Out<"done", DoneEvent> done;
  auto visit_ports(auto&& visit) {
    return visit(rd, wr, l2, dram, dram_rsp, type_req, mask_req, addr_req, lent_req, type_rsp, mask_rsp, addr_rsp,
                 lent_rsp, hash, hash_rsp, store, store_rsp, probe, probe_rsp, done);
  }
  OutPort<metadata_cache::MetaReq>& meta_req(unsigned which) const;
  InPort<metadata_cache::MetaRsp>& meta_rsp(unsigned which) const;
  /// What its owner looks at after every tick().
  struct State {
    unsigned offers;  ///< in this cycle; the same as asking every port
    bool idle;
    /// All that is on offer is a request at dram(), and until it is taken a tick without a push changes nothing.
    /// A backend that cannot tell says false.
    bool held;
    bool rd_ready;
  };
  virtual State state();
  /// How many ticks can be passed before the owner looks at ports other than meta_req() and meta_rsp(), if nothing
  /// is pushed but answers at meta_rsp(), the first in `answer` ticks (0: in the next one), and the request on offer
  /// at dram() is not taken: none of them changes what is ready, nor idle(), and only the last may put something on
  /// offer. An answer comes at least `round_trip` ticks after its request was taken. A backend that cannot tell says
  /// 0.
  virtual std::uint64_t unseen(std::uint64_t /*answer*/, std::uint64_t /*round_trip*/) const { return 0; }
};

/// Throws std::invalid_argument when parameters or configuration are out of range, when `backend`
/// needs RTL and no compiled point has these parameters, or when faults are asked of the RTL.
std::unique_ptr<Dedup> make_dedup(const DedupParams& params, const DedupConfig& config, Backend backend,
                                  std::string name = "dedup", const DedupFaults& faults = {});

/// Copies of the masked sectors, 0 elsewhere; of their `bytes` only.
LineData masked(const LineData& data, unsigned mask);
LineData masked(const LineData& data, unsigned mask, const ByteMask& bytes);
/// Sectors of `mask` that `bytes` does not cover.
std::uint8_t partly(unsigned mask, const ByteMask& bytes);

}  // namespace warpsieve::dedup
