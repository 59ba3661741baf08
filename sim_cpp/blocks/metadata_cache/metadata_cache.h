// metadata_cache: write-back, sectored cache of the per-block metadata a memory controller keeps in
// DRAM: type (2 bits), mask (4), address map (32) or the lent flag (1), according to its parameters
// (CMD paper, IV.B and IV.E; decision C16).
//
//   latency     3 cycles for a hit: the response is on offer after the third tick, the one that took
//               the request included (the paper's 20-cycle access is charged by the simulator)
//   throughput  1 hit per cycle while responses are taken at once and two parks are free; every second
//               cycle while one is
//   replacement true LRU over the ways of a set; fills are one sector, a line is allocated when the
//               fill returns; dirty sectors of the victim are written back first
//   responses   exactly one per request. In request order for requests to one sector; a request that
//               hits overtakes parked requests to other sectors
//   misses      the request parks, and fetches its sector unless that is already on its way. A later
//               request to a sector with parked requests parks behind them. When the sector returns,
//               its parked requests are replayed in order before anything else is taken
//   ready       req: no fill is being installed or replayed, and a park, a response slot and a memory
//               slot are free (state only). mem_rsp: no fill is being installed or replayed
//
// What the memory side must do:
//   - mem_req is one ordered stream. A write-back may be followed by a fetch of the same sector: the
//     fetch must return the written data, so requests to one sector are served in the order taken.
//   - Every fetch gets exactly one mem_rsp, any order between sectors; writes get none.
//   - mem_req must be taken eventually even while mem_rsp is held up (a fill waits for its write-backs).
//
// With `secded`, a wrong bit is corrected and counted. Two in one part of a word (blocks/secded/secded_words.h)
// stop the cache until reset, before anything is done with that word. Bits go wrong by flip(), in the RTL only:
// in the model none does.
//
// `missed` in a response says that the request had to park: hit rates are counted from it, alike for
// every backend. idle() is also true while all there is to do is wait for the memory.
// RTL: rtl/metadata_cache/metadata_cache.sv. Compiled RTL points: rtl/metadata_cache/points.txt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "cosim/ports.h"

namespace warpsieve::metadata_cache {

struct MetadataCacheParams {
  unsigned entry_bits = 2;     ///< power of two, 1..32
  unsigned index_bits = 21;    ///< bits of an entry index, up to 32; at least one sector's worth
  unsigned sets = 8;           ///< power of two
  unsigned ways = 5;           ///< any number from 1
  unsigned line_bytes = 128;   ///< power of two, 1 to 16 sectors
  unsigned sector_bytes = 32;  ///< power of two, 1..32
  unsigned parks = 8;          ///< requests that can wait for a fill
  unsigned id_bits = 5;        ///< 1..32
  bool secded = false;         ///< both memories correct one wrong bit and report two
  bool operator==(const MetadataCacheParams&) const = default;
  unsigned entries_per_sector() const { return 8 * sector_bytes / entry_bits; }
  unsigned capacity_bytes() const { return sets * ways * line_bytes; }
};

/// The CMD paper's caches (per controller) and the added lent-flag cache. The paper's 5, 10 and 48 KB
/// are no power-of-two number of 8-way sets, so 5, 5 and 6 ways with power-of-two sets are used.
inline constexpr MetadataCacheParams type_cache{.entry_bits = 2, .sets = 8, .ways = 5};
inline constexpr MetadataCacheParams mask_cache{.entry_bits = 4, .sets = 16, .ways = 5};
inline constexpr MetadataCacheParams address_cache{.entry_bits = 32, .sets = 64, .ways = 6};
inline constexpr MetadataCacheParams lent_cache{.entry_bits = 1, .sets = 4, .ways = 5};
/// For the sizes of compressed lines (schemes bpc and cmd+bpc).
inline constexpr MetadataCacheParams size_cache{.entry_bits = 2, .sets = 128, .ways = 7};
/// One line, two parks: every access pattern thrashes. Compiled for entry_bits 1, 2, 4 and 32.
constexpr MetadataCacheParams tiny_cache(unsigned entry_bits) {
  return {.entry_bits = entry_bits, .index_bits = 8, .sets = 1, .ways = 1, .parks = 2};
}

/// Small shapes for tests and proofs.
inline constexpr MetadataCacheParams min_point{.entry_bits = 4,
                                               .index_bits = 4,
                                               .sets = 1,
                                               .ways = 1,
                                               .line_bytes = 2,
                                               .sector_bytes = 1,
                                               .parks = 1,
                                               .id_bits = 1};
inline constexpr MetadataCacheParams whole_point{.entry_bits = 8,
                                                 .index_bits = 7,
                                                 .sets = 2,
                                                 .ways = 2,
                                                 .line_bytes = 4,
                                                 .sector_bytes = 4,
                                                 .parks = 2,
                                                 .id_bits = 2};
inline constexpr MetadataCacheParams odd_point{.entry_bits = 8,
                                               .index_bits = 9,
                                               .sets = 2,
                                               .ways = 3,
                                               .line_bytes = 16,
                                               .sector_bytes = 4,
                                               .parks = 3,
                                               .id_bits = 4};

/// The same with check bits.
constexpr MetadataCacheParams guarded(MetadataCacheParams params) {
  params.secded = true;
  return params;
}
inline constexpr MetadataCacheParams guarded_point = guarded(odd_point), ecc_point = guarded(address_cache);

struct MetaReq {
  bool write = false;
  std::uint32_t index = 0;
  std::uint32_t data = 0;  ///< written value, entry_bits wide
  std::uint32_t id = 0;    ///< returned with the response
  bool operator==(const MetaReq&) const = default;
};

struct MetaRsp {
  std::uint32_t data = 0;  ///< the entry; for a write its value before the write
  std::uint32_t id = 0;
  bool missed = false;  ///< the request had to park
  bool operator==(const MetaRsp&) const = default;
};

/// sector_bytes are used; entry k of a sector is bits k*entry_bits and up, little-endian.
using SectorData = std::array<std::uint8_t, 32>;

struct MetaMemReq {
  bool write = false;
  std::uint32_t sector = 0;  ///< index / entries_per_sector
  SectorData data{};         ///< writes; 0 for fetches
  bool operator==(const MetaMemReq&) const = default;
};

struct MetaMemRsp {
  std::uint32_t sector = 0;
  SectorData data{};
  bool operator==(const MetaMemRsp&) const = default;
};

std::string describe(const MetaReq& req);
std::string describe(const MetaRsp& rsp);
std::string describe(const MetaMemReq& req);
std::string describe(const MetaMemRsp& rsp);

class MetadataCache : public Clocked {
 public:
  In<"req", MetaReq> req;
  Out<"rsp", MetaRsp> rsp;
  Out<"mem_req", MetaMemReq> mem_req;
  In<"mem_rsp", MetaMemRsp> mem_rsp;
  auto visit_ports(auto&& visit) { return visit(req, rsp, mem_req, mem_rsp); }
  /// Instead of push() and three ticks: what a hit answers, with the state after it, when req is ready and idle().
  /// False, and no change: a miss, or a backend or a moment in which it takes its cycles.
  virtual bool hit_at_once(const MetaReq& /*req*/, MetaRsp& /*answer*/) { return false; }
  /// Writes of the memories invert these stored bits, until called again: two halves of 16 bits, each {1 for rows or
  /// 0 for sectors, number + 1}; 0: none. Ignored without `secded` and by the model.
  virtual void flip(std::uint32_t /*bits*/) {}
  /// Words with a wrong bit that was corrected, since reset.
  virtual std::uint64_t corrected() const { return 0; }
  /// A word was lost: the cache stands until reset.
  virtual bool fatal() const { return false; }
  /// All there is to do is wait until the memory takes what is on offer, which it has not: until then a tick without
  /// a push changes nothing. False also of a backend that does not say.
  virtual bool held() const { return false; }
};

/// Throws std::invalid_argument when the parameters are out of range, or when `backend` needs RTL and
/// no compiled point has these parameters (the model takes any).
std::unique_ptr<MetadataCache> make_metadata_cache(const MetadataCacheParams& params, Backend backend,
                                                   std::string name = "metadata_cache");

}  // namespace warpsieve::metadata_cache
