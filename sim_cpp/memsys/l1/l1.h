// L1 data cache of one SM, global space.
//
//   size        sets x ways x 128 B (32 x 16: 64 KB), 4 sectors of 32 B per line, carries data; LRU or tree
//               pseudo-LRU (l1.replacement); the set is the low bits of the line number, or a hash (l1.set_hash);
//               1 set: fully associative
//   loads       hit: data `latency` cycles after the line request was taken. Missing sectors are asked of
//               the L2 (with l1.line_fill all that the line lacks, decision X1); requests for sectors on
//               their way wait in the MSHR of their line
//   fills       allocate on fill (decision X3): a line is replaced when data arrives
//   stores      write-through, no write-allocate, a hit updates the line (decision X2; with l1.store_evicts it
//               drops the sectors)
//   atomics     performed at the L2; the sectors they touch are dropped here
//   flush       everything is invalid after a kernel (decision X2)
//   peers       in a cluster a peer's load may be answered from here: probe() takes the port for one cycle. A bit per
//               sector says whether it is current: came from the L2 and holds every store of the cluster that has
//               passed the cluster's port. With l1.line_fill and without an L1Port lines are whole: current as a
//               whole, and a peer does not ask for one that was not when its load was looked up
// A store or atomic to a sector on its way marks it: the fill answers its loads but is not kept, since
// it may be older than the store; later loads of that sector wait for it and ask again. Copies may still be older
// than the L2's content, as on real GPUs, or newer by a store on its way there; hits on both are counted
// (l1.stale_hits), and each hit is compared with what it may legally be (copies.h). A scheme's L1Port decides for
// each load which sectors count as hits, which are fetched and where they are kept; without one the rules above hold.
// A load is offered to it once, when the L1 has the MSHR and the room in the request queue that the port says it may
// need. Lines of private memory (memsys/local) share the sets and ways: they have a valid and a dirty bit per word
// instead of sectors, and LocalSpace says what happens to them. Parameters: `l1.*` in profile.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "blocks/common/plru_tree.h"
#include "core/find_key.h"
#include "core/prefetch.h"
#include "core/recency.h"
#include "core/way_lookup.h"
#include "memsys/context.h"
#include "memsys/l1/copies.h"
#include "memsys/noc/network.h"
#include "memsys/ports.h"

namespace warpsieve::memsys {

struct L1Stats {
  explicit L1Stats(Stats& stats);
  Counter load_requests, load_sectors, hit_sectors, miss_sectors, merged_sectors, store_requests, store_sectors,
      store_hit_sectors, atomic_requests, fills, stale_hits, stalls, load_latency, miss_requests, replays,
      emptied_lines, emptied_used_sectors, fill_sectors, peer_sectors;
};

/// Gets the dirty words of private lines that leave the L1.
class LocalVictims {
 public:
  virtual ~LocalVictims() = default;
  virtual void evicted(Cycle now, std::uint32_t line, std::uint32_t dirty, const LineData& data) = 0;
};

/// Observer of loads that wait for a line on its way.
class MergeWatch {
 public:
  virtual ~MergeWatch() = default;
  virtual void merged(std::uint32_t sm, std::uint32_t line, SectorMask mask) = 0;
};

class L1Cache final : private L1Host {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  L1Cache(Context& context, L1Stats& stats, std::uint32_t sm, Network& requests, Scheme& scheme);

  struct Answer {
    bool taken = false;
    Cycle done = kNever;  ///< loads: when the data is there; kNever: complete() tells
  };
  Answer load(Cycle now, const LineAccess& access, std::uint32_t slot);
  /// The load() just refused lacked nothing but room in the request queue. As long as it does it will be refused
  /// again, unless a reply for its line comes: refused() is enough.
  bool lacked_room() const { return lacked_room_; }
  void refused() { ++stats_.stalls; }
  /// It will be load()'s line next.
  void expect(std::uint32_t line) const {
    prefetch_tags(line);
    prefetch(&buckets_[bucket_of(line)]);
    recency_.expect(first_way(line));
  }
  /// It will come to fill(); from Ahead::sets on.
  void expect_fill(Ahead step, const Packet& reply) const;
  bool store(Cycle now, const LineAccess& access);
  bool atomic(Cycle now, const LineAccess& access, simt::AtomicOp op, std::uint32_t slot);

  /// Loads that a port made wait for their line and that can be offered again, one per cycle, before new ones.
  bool has_replay() const { return !replays_.empty(); }
  /// As load(); `slot` is the load's.
  Answer replay(Cycle now, std::uint32_t& slot);

  /// Takes a read reply; appends the slot of every load request it completes to `completed`.
  void fill(Cycle now, const Packet& reply, std::vector<std::uint32_t>& completed);
  /// Shared memory that the kernel's blocks leave unused, for the port.
  void start_kernel(Cycle now, std::uint32_t spare_shared_bytes) {
    if (port_) port_->start_kernel(now, spare_shared_bytes);
  }
  /// Everything becomes invalid.
  void end_kernel();

  // The cluster's side (l1_peers.cpp).
  void watch(MergeWatch& watch) { watch_ = &watch; }
  /// All of `mask` is valid; `current`: and came from the L2, and holds every store of the cluster that has passed
  /// its port.
  bool holds(std::uint32_t line, SectorMask mask, bool current) const;
  /// All of `mask` is on its way.
  bool pending(std::uint32_t line, SectorMask mask) const;
  Copies& copies() { return copies_; }
  /// A load of a peer: takes the port in this cycle; true and `data` filled when all of `mask` is valid, and current
  /// unless lines are whole.
  bool probe(Cycle now, std::uint32_t line, SectorMask mask, LineData& data);
  /// The port serves a peer in this cycle.
  bool port_taken(Cycle now) const { return probed_ == now; }
  /// A store of the cluster to sectors of the line passes its port. What is here of them (unless it is `own`) and
  /// what is on its way may lack it: not current.
  void passed_store(std::uint32_t line, SectorMask mask, bool own);
  /// This reply leaves sectors here that a peer may get; where lines are whole, all of the line (decision R11).
  bool will_serve_peers(const Packet& reply) const;
  /// A packet of this SM came back, and with it what was merged into it.
  void returned(std::uint32_t packet);
  std::uint32_t under_way() const { return under_way_; }
  bool idle() const { return under_way_ == 0 && free_.size() == mshrs_.size() && replays_.empty(); }
  std::string describe() const;

  // --- lines of private memory ---
  struct Words {
    std::uint32_t valid = 0, dirty = 0;  ///< bit = 4-byte word
  };
  /// There is private memory, and its owner hears of what leaves.
  void keep_local_lines(LocalVictims& victims);
  /// The line's way, kNone when it is not here.
  std::uint32_t find(std::uint32_t line) const {
    if (lookup_) return lookup_->find(tags_, line);
    const std::uint32_t first = first_way(line);
    const std::uint32_t way = find_key(tags_.data() + first, p_.ways, line);
    return way == p_.ways ? kNone : first + way;
  }
  /// A way of the line's set, emptied and given to the line.
  std::uint32_t claim(Cycle now, std::uint32_t line);
  void touch(std::uint32_t way);
  LineData& data(std::uint32_t way) { return data_[way]; }
  Words& words(std::uint32_t way) { return words_[way]; }
  void drop(std::uint32_t way) {
    vacate(way);
    words_[way] = {};
  }
  template <class F>
  void each_local_line(F&& f) const {
    for (std::size_t way = 0; way < words_.size(); ++way)
      if (words_[way].valid) f(tags_[way], words_[way], data_[way]);
  }
  void drop_local_lines() {
    for (std::uint32_t way = 0; way < words_.size(); ++way)
      if (words_[way].valid) drop(way);
  }
  bool mshr_free() const { return !free_.empty(); }
  std::uint32_t take_mshr() {
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }
  void give_mshr(std::uint32_t index) { free_.push_back(index); }
  /// Returns the packet; there must be room in the request queue.
  std::uint32_t send(Cycle now, PacketKind kind, const LineAccess& access, SectorMask mask);

 private:
  struct Mshr {
    std::uint32_t line = 0;
    SectorMask pending = 0, stale = 0;
    SectorMask passed = 0;  ///< to these a store of the cluster has passed the port since they were asked for
    SectorMask to_l1 = 0, to_port = 0;  ///< of `pending`: where the data is kept; in neither: nowhere
    bool replace = false;
    bool absent = false;    ///< no sector of the line is here: nothing was when it was made, and nothing has come
    bool whole = false;     ///< Keep::whole: `brought` is in the data of `way`, valid when nothing is pending
    SectorMask wanted = 0;  ///< by loads
    SectorMask brought = 0;
    std::uint32_t way = kNone;  ///< reserved
    std::uint32_t waiting = 0, head = kNone, tail = kNone, next = kNone;
  };
  struct Waiting {
    std::uint32_t slot = 0, next = kNone;
    SectorMask need = 0;
    bool replay = false;  ///< `parked` holds the load
    std::uint32_t parked = 0;
  };
  struct Parked {
    LineAccess access;
    std::uint32_t slot = 0;
  };

  bool up_to_date(std::uint32_t line, unsigned sector, const std::uint8_t* data) const override {
    return context_.golden.same(context_.now, line, sector, data);
  }
  const Profile& profile() const override { return context_.profile; }
  std::uint32_t way_of(std::uint32_t line) const override { return find(line); }
  std::uint32_t mshr_of(std::uint32_t line) const override { return find_mshr(line); }
  std::uint32_t next_mshr() const override { return free_.empty() ? kNone : free_.back(); }
  bool can_reserve(std::uint32_t line) const override;
  void drop(Cycle now, std::uint32_t line, SectorMask mask) override;
  std::uint32_t set_of(std::uint32_t line) const {
    if (!last_set_) return line % p_.sets;
    return (line & last_set_) ^ hash_(line >> set_bits_);
  }
  std::uint32_t first_way(std::uint32_t line) const { return set_of(line) * p_.ways; }
  void prefetch_tags(std::uint32_t line) const {
    if (lookup_)
      lookup_->expect(line);
    else
      prefetch(tags_.data() + first_way(line));
  }
  /// The way, which has no tag, gets one.
  void set_tag(std::uint32_t way, std::uint32_t line) {
    tags_[way] = line;
    if (lookup_) lookup_->insert(tags_, way);
  }
  std::size_t bucket_of(std::uint32_t line) const { return line & last_bucket_; }
  std::uint32_t find_mshr(std::uint32_t line) const;
  template <bool kPort>
  Answer load_as(Cycle now, const LineAccess& access, std::uint32_t slot);
  void drop_sectors(Cycle now, std::uint32_t way, SectorMask mask);
  void drop_mshr(std::uint32_t index);
  std::uint32_t make_room(Cycle now, std::uint32_t line);
  void empty(Cycle now, std::uint32_t way);
  /// It comes before all that are taken when the oldest() is asked for.
  void vacate(std::uint32_t way) {
    if (lookup_ && tags_[way] != kNone) lookup_->erase(tags_, way);
    tags_[way] = kNone;
    recency_.forget(way);
  }
  void reserve(Cycle now, Mshr& m, std::uint32_t way);
  void keep(Cycle now, Mshr& m, const Packet& reply);
  void keep_whole(Cycle now, Mshr& m, const Packet& reply);
  void wait(Mshr& m, const Waiting& waiting);
  void overtake(const LineAccess& access);
  /// A miss fetches all that the line lacks, and only a store of this SM takes a part of it away.
  bool whole_lines() const { return !port_ && p_.line_fill; }

  Context& context_;
  L1Stats& stats_;
  L1Params p_;
  std::uint32_t last_set_;  ///< if their number is a power of two, else 0: a division takes its time
  unsigned set_bits_;       ///< with a hash: of the number of a set
  IndexHash hash_;          ///< of the set
  std::uint32_t sm_;
  Network& requests_;
  std::unique_ptr<L1Port> port_;
  std::vector<std::uint32_t> tags_;  ///< line, kNone when free
  std::optional<WayLookup> lookup_;  ///< of wide sets
  std::vector<SectorMask> valid_;
  std::vector<SectorMask> touched_;     ///< by loads, since the line came
  std::vector<std::uint8_t> reserved_;  ///< for an MSHR
  Recency recency_;                     ///< never used: those without a tag
  std::vector<SectorMask> current_;  ///< of `valid_`: from the L2, and no store of a peer has passed the port since
  std::optional<common::PlruSets> tree_;
  std::vector<LineData> data_;
  Copies copies_;
  std::vector<Words> words_;  ///< of private lines; empty when there is no private memory
  LocalVictims* victims_ = nullptr;
  std::vector<Mshr> mshrs_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> buckets_;  ///< heads of lists of MSHRs, by line; a power of two of them
  std::uint32_t last_bucket_;
  Pool<Waiting> waiting_;
  Pool<Parked> parked_;
  std::deque<std::uint32_t> replays_;
  std::uint32_t under_way_ = 0;
  bool lacked_room_ = false;
  Cycle probed_ = kNever;
  MergeWatch* watch_ = nullptr;
};

}  // namespace warpsieve::memsys
