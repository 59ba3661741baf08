// DedupUnit: deduplication of one memory controller, complete: dedup + line hashers + hash store + the
// type, mask, address-map and lent caches, each with its own backend. This is what the simulator's CMD
// scheme instantiates; rtl/dedup/dedup_unit.sv wires the same blocks.
//
//   rd, wr ─▶ ┌───────┐ ─▶ l2, dram, done          meta_mem_req(k) ─▶ DRAM (metadata requests)
//   dram_rsp, │ dedup │ ─▶ probe                   meta_mem_rsp(k) ◀─
//   probe_rsp └───────┘ ⇄ hashers, hash store, 4 metadata caches ⇄ DRAM
//
// The DedupParams::hash_units hashers take lines in turn and answer in turn, so digests come in the order of lines.
//
// Latency charged on top of the blocks' own, so that block plus delay is the paper's figure:
//   hash_cycles_per_chunk  76: an MD5 digest answers 76 cycles per 64-byte chunk after its request (228 for
//                          a whole line), or after the hasher's own latency if that is longer (C8);
//                          SipHash has no figure in the paper and is charged its own latency only;
//                          instant_hash and ECC fingerprints take 1 cycle and have no hasher block
//   metadata_cycles        20: a metadata hit answers 20 cycles after its request, or after the cache's
//                          own 3 if that is longer; pipelined (C16)
//
// The four caches' memory ports, and what the memory must do: blocks/metadata_cache/metadata_cache.h.
// Metadata image: all 0, except for the spare lines: type 01, mask 1111 (initial_metadata()).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "blocks/dedup/dedup.h"
#include "blocks/metadata_cache/charged_cache.h"
#include "blocks/siphash/line_hasher.h"

namespace warpsieve {
struct PassesToAnswer;
}

namespace warpsieve::dedup {

/// md5: the paper's. siphash: keyed by a secret of this boot, so that a collision cannot be prepared.
/// ecc: the check bytes of the masked sectors (core/secded.h), which different contents share easily: only with
/// DedupConfig::verify. The mask is no part of them and takes the four domain bits of the hash store instead.
enum class Fingerprint : std::uint8_t { md5, siphash, ecc };
inline constexpr unsigned kEccDomainBits = 4;

struct DedupUnitParams {
  DedupParams dedup;
  DedupConfig config;
  hash_store::HashStoreParams store;  ///< index_bits() and count_bits as in `dedup`, ref_bits = line_bits
  Fingerprint fingerprint = Fingerprint::md5;
  bool instant_hash = false;  ///< the MD5 digest after one cycle: what its latency costs
  md5::LineHasherParams hasher;
  siphash::LineHasherParams siphash;
  unsigned digest_bits = 128;  ///< tests: digests are cut to so many bits (0..128), which makes collisions common
  /// type, mask, address map, lent; index_bits = line_bits
  std::array<metadata_cache::MetadataCacheParams, kMetas> caches{
      metadata_cache::type_cache, metadata_cache::mask_cache, metadata_cache::address_cache,
      metadata_cache::lent_cache};
  unsigned hash_cycles_per_chunk = 76;
  unsigned metadata_cycles = 20;
  bool keep_lines = false;  ///< for take_hashed()
};
/// Smallest point of every block: 8-bit lines, 4 hash entries of 3-bit counts, one-line caches.
DedupUnitParams tiny_unit();

struct DedupUnitBackends {
  Backend dedup = Backend::model;
  Backend hasher = Backend::model;
  Backend store = Backend::model;
  std::array<Backend, kMetas> caches{};
  static DedupUnitBackends all(Backend backend) {
    return {backend, backend, backend, {backend, backend, backend, backend}};
  }
};

/// Counts since reset. Requests are those of the sequencer and the read contexts together.
struct DedupUnitStats {
  std::array<std::uint64_t, kOutcomes> outcomes{};
  std::uint64_t no_entry = 0, saturated = 0, partial_limit = 0, evicted = 0, scanned = 0;
  std::uint64_t verified = 0, collisions = 0, passed = 0;
  std::uint64_t dedup_read_sectors = 0, verify_read_sectors = 0, written_sectors = 0;
  std::uint64_t hashed_chunks = 0;  ///< 64-byte chunks of an MD5 message
  std::array<std::uint64_t, kMetas> requests{}, misses{};
  bool operator==(const DedupUnitStats&) const = default;
};

class DedupUnit final : public Clocked {
 public:
  /// Throws std::invalid_argument when a block refuses its parameters or they do not fit together.
  DedupUnit(const DedupUnitParams& params, const DedupUnitBackends& backends, const std::string& name = "dedup_unit",
            const DedupFaults& faults = {});
  void reset() override;
  void tick() override;
  bool idle() const override;  ///< a tick without a push changes nothing
  /// After tick(): how many ticks can be passed before the owner looks at the ports, if nothing is pushed and what is
  /// on offer at dram() and meta_mem_req() is not taken (kForever: all). None of them changes what is ready, nor
  /// idle(), and only the last may put something on offer. While a write is in the unit, or a read of a line that is
  /// mapped, none changes anything but the time; the cycles of an access to a metadata cache count as changes.
  std::uint64_t quiet() const;
  /// So many of them; before anything is pushed or taken. Those in which nothing changes inside either cost nothing.
  void pass(std::uint64_t ticks);
  static constexpr std::uint64_t kForever = metadata_cache::ChargedCache::kForever;

  InPort<ReadReq>& rd() { return into(*ports_.rd); }
  bool rd_ready() const { return rd_ready_; }  ///< without a push: the unit may go on resting
  InPort<WriteReq>& wr() { return into(*ports_.wr); }
  bool wr_ready() const { return ports_.wr->ready(); }
  OutPort<L2Rsp>& l2() { return *ports_.l2; }
  OutPort<DramReq>& dram() { return *ports_.dram; }
  InPort<DramRsp>& dram_rsp() { return into(*ports_.dram_rsp); }
  OutPort<ProbeReq>& probe() { return *ports_.probe; }
  InPort<ProbeRsp>& probe_rsp() { return into(*ports_.probe_rsp); }
  OutPort<DoneEvent>& done() { return *ports_.done; }
  OutPort<metadata_cache::MetaMemReq>& meta_mem_req(unsigned which) {
    meta_due_[which] = meta_next_ = 0;  // something may be taken
    return caches_[which]->mem_req();
  }
  InPort<metadata_cache::MetaMemRsp>& meta_mem_rsp(unsigned which) {
    meta_due_[which] = meta_next_ = 0;
    return caches_[which]->mem_rsp();
  }

  /// What is on offer: Offer, ports inside too.
  unsigned offers() const { return offers_; }
  /// Bits of those whose meta_mem_req() may have something on offer.
  unsigned meta_offers() const { return meta_awake_; }
  /// What has changed in stats() since the last call: bit k: requests and misses of cache k, then
  static constexpr unsigned kCountedHashes = 1u << kMetas;
  unsigned take_counted() { return std::exchange(counted_, 0u); }
  /// Of the write whose done() is on offer: what was hashed, its merged sectors and mask; nothing when it was not
  /// looked up in the hash store (an intra-duplicate, or bypass_level). To be asked of every write.
  std::optional<md5::LineHashReq> take_hashed() { return std::exchange(looked_up_, std::nullopt); }
  const DedupUnitStats& stats() const { return stats_; }
  const DedupUnitParams& params() const { return params_; }
  /// Initial contents of one sector of metadata memory `which`.
  metadata_cache::SectorData initial_metadata(unsigned which, std::uint32_t sector) const;

 private:
  /// A port of the control block that is about to be pushed into.
  template <class T>
  InPort<T>& into(InPort<T>& port) {
    pushed_ = true;
    return port;
  }
  std::uint64_t unseen() const;
  /// Until a cache or a hasher is due.
  bool rests() const { return (!awake_ || held_) && !pushed_ && !store_awake_; }
  void tick_metadata(unsigned which, bool asked);
  void tick_writes();
  void tick_hash(bool asked);
  bool move_store_request();
  void count();

  DedupUnitParams params_;
  bool hasher_at_once_;
  std::unique_ptr<Dedup> dedup_;
  struct {  // of the control block
    InPort<ReadReq>* rd;
    InPort<WriteReq>* wr;
    OutPort<L2Rsp>* l2;
    OutPort<DramReq>* dram;
    InPort<DramRsp>* dram_rsp;
    std::array<OutPort<metadata_cache::MetaReq>*, kMetas> meta_req;
    std::array<InPort<metadata_cache::MetaRsp>*, kMetas> meta_rsp;
    OutPort<md5::LineHashReq>* hash;
    InPort<md5::LineHashRsp>* hash_rsp;
    OutPort<hash_store::HashStoreReq>* store;
    InPort<hash_store::HashStoreRsp>* store_rsp;
    OutPort<ProbeReq>* probe;
    InPort<ProbeRsp>* probe_rsp;
    OutPort<DoneEvent>* done;
  } ports_;
  struct Hasher {
    std::unique_ptr<md5::LineHasher> block;
    PassesToAnswer* passes = nullptr;  ///< of a model that can
    std::uint64_t due = 0;
    bool busy = false;
  };
  std::vector<Hasher> hashers_;
  std::size_t hash_in_ = 0, hash_out_ = 0;  ///< which takes the next line, gives the next digest
  std::size_t hashing_ = 0;                 ///< how many are busy
  std::unique_ptr<hash_store::HashStore> store_;
  std::array<std::unique_ptr<metadata_cache::ChargedCache>, kMetas> caches_;
  // What the caches say, looked at in every tick: kept here since their last one.
  std::array<std::uint64_t, kMetas> meta_due_{};  ///< due() of each; 0: the block may be touched from outside
  std::uint64_t meta_next_ = 0;                   ///< the first of them
  unsigned meta_awake_ = 0;                       ///< awake() of each
  unsigned meta_unsure_ = 0;                      ///< bits of those that are unsure()
  std::uint64_t now_ = 0;
  // What the control block says, kept since its last tick.
  unsigned offers_ = 0;                    ///< offers(); 0 when it is idle
  bool awake_ = false;                     ///< it is not idle()
  bool held_ = false;                      ///< held()
  bool rd_ready_ = false;                  ///< of port rd
  bool store_awake_ = false;               ///< the hash store is not idle
  bool pushed_ = false;                    ///< something may have been pushed into it since its last tick
  std::deque<std::uint8_t> hashed_masks_;  ///< of lines hashed and not yet looked up, in order
  std::uint8_t looked_up_mask_ = 0;        ///< of the line looked up last
  // keep_lines: as hashed_masks_ and looked_up_mask_.
  std::deque<md5::LineHashReq> hashed_lines_;
  std::optional<md5::LineHashReq> looked_up_;
  DedupUnitStats stats_;
  unsigned counted_ = 0;  ///< take_counted()
};

}  // namespace warpsieve::dedup
