// Cluster ports: SMs in groups of noc.cluster share one link of the network per direction.
//
//   SM 0 ─▶ queue ─┐                      ┌──────────── probe of a peer's L1 ◀───────────┐
//   SM 1 ─▶ queue ─┼─ request arbiter ────┤ ClusterPath (scheme): lookup at the head     │
//   SM n ─▶ queue ─┘        │             └─ failed probes first ────────┐               │
//                           └────────────────────────────────────────────┴─▶ link ─▶ network
//   SM 0 ◀─┐
//   SM 1 ◀─┼── response buffer ◀── link ◀── network;  a peer's line joins at its tail
//   SM n ◀─┘
//   requests    noc.input_queue packets wait per SM; one per cycle goes on to the link's queue, round robin. A packet
//               pushed in cycle t reaches the link's queue at t + 1 at the earliest
//   responses   noc.response_buffer packets, in order; a packet from the network needs a free place. At most one
//               leaves per cycle, noc.response_flits flits per cycle; one that finds the buffer empty is at its SM
//               a cycle after it came off the link
//   redirect    with a ClusterPath: global loads at heads of queues are looked up, one per cycle. One that is to go
//               to a peer leaves its queue if a place of the response buffer can be reserved (decision R8), else it
//               goes to the L2. It takes the port of the peer's L1 for one cycle (R7), ahead of that SM's own
//               requests; its data join the response buffer l1.latency later. When the line is not there, or a sector
//               that was asked for, or one lacks a store of the cluster that has passed here, the read goes to the
//               L2, from the next cycle on and before all others (R6, R11)
//   order       a store or atomic does not overtake a redirected load of its SM to the same line, which may still
//               come back and go to the L2. Sectors that the cluster has stored to since their request passed are not
//               handed to peers (an addition to R10: the SM that stored would get data older than its store), and a
//               response of nothing else is not offered to the path. Where lines are filled whole (l1.line_fill), a
//               response is offered as a whole or not at all; the entry then needs no help from the L1
//   latency     1 cycle each way on top of the network's; a load answered by a peer: sent in t, at the SM at
//               t + 1 + lookup + redirect + l1.latency + 1
// Both ends count packets and bytes; a load answered by a peer leaves the request side and enters the reply side
// here. Source: RATA paper, figures 1 and 3; GPGPU-Sim's cluster of SIMT cores; decisions R2 to R10, R13.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "memsys/cluster/visibility.h"
#include "memsys/context.h"
#include "memsys/l1/l1.h"
#include "memsys/noc/flits.h"
#include "memsys/noc/network.h"
#include "memsys/ports.h"

namespace warpsieve::memsys {

/// Counters of all clusters.
struct ClusterStats {
  explicit ClusterStats(Stats& stats);
  Counter primary, replicated, in_flight, merged, merged_replicated;
  Counter lookups, redirects, remote_hits, captured, false_positives, false_negatives, no_credit, stale_sectors,
      bytes_saved, held_stores, buffer_full;
};

class Clusters final : public Interconnect, private MergeWatch {
 public:
  Clusters(Context& context, std::uint32_t first_sm_id, std::uint32_t first_slice_id);
  Network& requests() override { return requests_; }
  Network& replies() override { return replies_; }
  void run(Cycle now) override;
  void check_empty() const override;
  /// The L1 of every SM, and the scheme that may plug in.
  void connect(const std::vector<L1Cache*>& l1s, Scheme& scheme);
  /// The L1s are empty, nothing is under way.
  void end_kernel();

 private:
  struct Item {
    std::uint32_t output = 0, packet = 0;
    Cycle pushed = 0;
    bool replicated = false;  ///< valid in the L1 of a peer when it was sent
    bool decided = false;     ///< looked up
    Cycle decision = 0;       ///< when the answer counts
    std::optional<unsigned> peer{};
  };
  struct Probe {
    std::uint32_t packet = 0, output = 0;
    unsigned peer = 0;
    bool replicated = false;
    Cycle due = 0;
  };
  struct Response {
    std::uint32_t packet = 0;
    unsigned bytes = 0;
    bool remote = false;
    Cycle due = 0;
  };

  class Port final : public ClusterPathOwner {
   public:
    Port(Clusters& all, std::uint32_t number);
    std::uint64_t holders(unsigned sm, GlobalLine line, SectorMask mask, bool current) const override;
    void sent(Cycle now, unsigned sm, std::uint32_t output, std::uint32_t packet);
    void run(Cycle now);
    void check_empty() const;
    std::string describe() const;

    Clusters& all;
    Context& context;
    std::uint32_t number, first, count;  ///< SMs first .. first + count - 1
    std::vector<Ring<Item>> queues;
    std::vector<bool> refused;
    std::vector<L1Cache*> l1s;
    std::unique_ptr<ClusterPath> path;
    std::unique_ptr<Visibility> visibility;
    ClusterPath::Times times;

   private:
    bool is_private(const Packet& p) const { return context.map.is_private(p.global_line); }
    /// What the path and the statistics of misses are about (decisions R2, R12); all else just passes.
    bool is_load(const Packet& p) const { return p.kind == PacketKind::read && !is_private(p); }
    void take_responses(Cycle now);
    void send_response(Cycle now);
    void look_up(Cycle now);
    void decide(Cycle now, unsigned sm);
    void probe(Cycle now);
    void pass_request(Cycle now);
    bool redirected(unsigned sm, GlobalLine line) const;
    void leave(Cycle now, unsigned sm);
    void schedule(Cycle now);

    Ring<Probe> probes_, failed_;
    Ring<Response> remote_, buffer_;
    std::uint32_t reserved_ = 0;  ///< places for redirected loads
    std::uint32_t turn_ = 0, lookup_turn_ = 0;
    Cycle exit_free_ = 0;
    Cycle full_since_ = kNever;  ///< a reply has waited for a place in the buffer
    bool blocked_ = false;       ///< the link's queue is full; the network wakes
  };

  class Requests final : public Network {
   public:
    explicit Requests(Clusters& all) : Network(all.links_->requests().outlets()), all_(all) {}
    bool can_push(std::uint32_t input) override;
    void push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) override;
    void pop(std::uint32_t output, Cycle now) override;
    std::string describe() const override;
    void taken_by_peer(unsigned bytes) { count_out(bytes); }

   private:
    Clusters& all_;
  };
  class Replies final : public Network {
   public:
    explicit Replies(Clusters& all) : Network(all.delivered_), all_(all) {}
    bool can_push(std::uint32_t input) override;
    void push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) override;
    void pop(std::uint32_t output, Cycle now) override;
    std::string describe() const override;
    void made_by_peer(unsigned bytes) { count_in(bytes); }

   private:
    Clusters& all_;
  };

  void merged(std::uint32_t sm, GlobalLine line, SectorMask mask) override;
  Port& port_of(std::uint32_t sm) { return *ports_[sm / size_]; }
  const Port& port_of(std::uint32_t sm) const { return *ports_[sm / size_]; }

  Context& context_;
  ClusterStats stats_;
  Flits flits_;
  std::uint32_t size_, first_sm_id_, first_id_;
  std::unique_ptr<Interconnect> links_;
  Outlets delivered_;  ///< replies, per SM
  Requests requests_;
  Replies replies_;
  std::vector<std::unique_ptr<Port>> ports_;
};

}  // namespace warpsieve::memsys
