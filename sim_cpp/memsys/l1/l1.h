// L1 data cache of one SM.
//
//   line accesses ─▶ tags (l1_tags.h) ─▶ hit: data
//                       │ miss
//                       └─▶ MSHRs (l1_mshrs.h) ─▶ request network        reply network ─▶ fill (l1_fills.cpp) ─▶
//                       loads
//
//   size        sets x ways x 128 B (32 x 16: 64 KB), 4 sectors of 32 B per line; 1 set: fully associative
//   throughput  one line access per cycle
//   latency     hit: `l1.latency` cycles from access taken to data
//   loads       missing sectors are fetched from the L2 (with l1.line_fill all that the line lacks, decision X1).
//               Loads of sectors on their way wait in the MSHR of their line
//   fills       allocate on fill (decision X3): a line is replaced when data arrives
//   stores      write-through, no write-allocate; a hit updates the line (decision X2; with l1.store_evicts it drops
//               the sectors)
//   atomics     performed at the L2; the sectors they touch are dropped here
//   overtaking  a store or atomic to a sector on its way marks it: the fill answers its loads but is not kept,
//   because
//               it may be older than the store. Later loads of that sector wait for it and fetch again
//   coherence   none, as on real GPUs: a copy may be older than the L2's content, or newer by a store on its way.
//   Hits
//               on both are counted (l1.stale_hits), and each hit is compared with what it may legally be
//               (l1_judge.h)
//   flush       everything is invalid after a kernel (decision X2)
//   port        a scheme's L1Port decides for each load which sectors count as hits, which are fetched and where they
//               are kept. It is offered a load once the L1 has the MSHR and the queue place that the port may need
//   peers       in a cluster, the L1 may answer a peer's load: probe() takes the port for one cycle (l1_peers.cpp). A
//               bit per sector says whether it is current: it came from the L2 and holds every store of the cluster
//               that has passed the cluster's port. With l1.line_fill and without an L1Port lines are current as a
//               whole, and a peer does not read one that was not when its load was looked up
//   private     lines of private memory share the sets and ways (l1_private_lines.h)
// Units: core clock cycles. Parameters: `l1.*` in profile.cpp. Source: CMD Table II, decisions X1 to X3.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "memsys/context.h"
#include "memsys/l1/l1_judge.h"
#include "memsys/l1/l1_mshrs.h"
#include "memsys/l1/l1_private_lines.h"
#include "memsys/l1/l1_stats.h"
#include "memsys/l1/l1_tags.h"
#include "memsys/noc/network.h"
#include "memsys/ports.h"

namespace warpsieve::memsys {

/// Observer of loads that wait for a line on its way.
class MergeWatch {
 public:
  virtual ~MergeWatch() = default;
  virtual void merged(std::uint32_t sm, GlobalLine line, SectorMask mask) = 0;
};

class L1Cache final : private L1PortOwner {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  L1Cache(Context& context, L1Stats& stats, std::uint32_t sm, Network& requests, Scheme& scheme);

  struct Answer {
    bool taken = false;
    Cycle done = kNever;  ///< loads: when the data is there; kNever: fill() tells
  };
  Answer load(Cycle now, const LineAccess& access, std::uint32_t slot);
  /// The load() just refused lacked nothing but room in the request queue. Until there is room it will be refused
  /// again, unless a reply for its line comes: refused() is enough.
  bool lacked_room() const { return lacked_room_; }
  void refused() { ++stats_.stalls; }
  bool store(Cycle now, const LineAccess& access);
  bool atomic(Cycle now, const LineAccess& access, simt::AtomicOp op, std::uint32_t slot);

  /// Loads that a port made wait for their line and that can be offered again, one per cycle, before new ones.
  bool has_replay() const { return !replays_.empty(); }
  /// As load(); `slot` is the load's.
  Answer replay(Cycle now, std::uint32_t& slot);

  /// Takes a read reply; appends the slot of every load request it completes to `completed`.
  void fill(Cycle now, const Packet& reply, std::vector<std::uint32_t>& completed);
  /// Before the first block of a kernel.
  void start_kernel(Cycle now, const simt::LaunchShape& shape) {
    if (port_) port_->start_kernel(now, shape);
  }
  /// Everything becomes invalid.
  void end_kernel();

  // The cluster's side (l1_peers.cpp).
  void watch(MergeWatch& watch) { watch_ = &watch; }
  /// All of `mask` is valid; `current`: and current.
  bool holds(GlobalLine line, SectorMask mask, bool current) const;
  /// All of `mask` is on its way.
  bool pending(GlobalLine line, SectorMask mask) const;
  L1Judge& judge() { return judge_; }
  /// A load of a peer: takes the port in this cycle. True and `data` filled when all of `mask` is valid, and current
  /// unless lines are whole.
  bool probe(Cycle now, GlobalLine line, SectorMask mask, LineData& data);
  /// The port serves a peer in this cycle.
  bool port_taken(Cycle now) const { return probed_ == now; }
  /// A store of the cluster to sectors of the line passes its port. What is here of them (unless it is `own`) and
  /// what is on its way may lack it: not current.
  void passed_store(GlobalLine line, SectorMask mask, bool own);
  /// This reply leaves sectors here that a peer may get; where lines are whole, all of the line (decision R11).
  bool will_serve_peers(const Packet& reply) const;
  /// A packet of this SM came back, and with it what was merged into it.
  void returned(std::uint32_t packet);
  std::uint32_t under_way() const { return under_way_; }
  bool idle() const { return under_way_ == 0 && mshrs_.idle() && replays_.empty(); }
  std::string describe() const;

  // For private memory (memsys/local).
  L1PrivateLines& private_lines() { return private_; }
  /// Empties a way of the line's set and gives it to the line.
  std::uint32_t claim(Cycle now, GlobalLine line);
  L1Mshrs& mshrs() { return mshrs_; }
  /// Sends a request, for which there must be room in the queue; returns the packet.
  std::uint32_t send(Cycle now, PacketKind kind, const LineAccess& access, SectorMask mask);

  // State, for prefetching on the simulating machine (host_prefetch.h).
  const L1Tags& tags() const { return tags_; }
  const L1Mshrs& mshrs() const { return mshrs_; }
  const L1Judge& judge() const { return judge_; }

 private:
  struct Parked {
    LineAccess access;
    std::uint32_t slot = 0;
  };

  bool up_to_date(Cycle now, GlobalLine line, unsigned sector, const std::uint8_t* data) const override {
    return context_.golden.same(now, line, sector, data);
  }
  const Profile& profile() const override { return context_.profile; }
  std::uint32_t way_of(GlobalLine line) const override { return tags_.find(line); }
  std::uint32_t mshr_of(GlobalLine line) const override { return mshrs_.find(line); }
  std::uint32_t next_mshr() const override { return mshrs_.next(); }
  bool can_reserve(GlobalLine line) const override;
  void drop(Cycle now, GlobalLine line, SectorMask mask) override;

  template <bool kPort>
  Answer load_as(Cycle now, const LineAccess& access, std::uint32_t slot);
  void overtake(const LineAccess& access);
  std::uint32_t make_room(Cycle now, GlobalLine line);
  void drop_sectors(Cycle now, std::uint32_t way, SectorMask mask);
  void empty(Cycle now, std::uint32_t way);
  void reserve(Cycle now, L1Mshrs::Entry& m, std::uint32_t way);
  void keep(Cycle now, L1Mshrs::Entry& m, const Packet& reply);
  void keep_whole(Cycle now, L1Mshrs::Entry& m, const Packet& reply);
  /// A miss fetches all that the line lacks, and only a store of this SM takes a part of it away.
  bool whole_lines() const { return !port_ && p_.line_fill; }

  Context& context_;
  L1Stats& stats_;
  L1Params p_;
  std::uint32_t sm_;
  Network& requests_;
  std::unique_ptr<L1Port> port_;
  L1Tags tags_;
  L1PrivateLines private_;
  L1Mshrs mshrs_;
  L1Judge judge_;
  Pool<Parked> parked_;
  std::deque<std::uint32_t> replays_;
  std::uint32_t under_way_ = 0;
  bool lacked_room_ = false;
  Cycle probed_ = kNever;
  MergeWatch* watch_ = nullptr;
};

}  // namespace warpsieve::memsys
