// Mesh: 2D mesh of routers, one physical network for both directions.
//
//   nodes      noc.mesh_width x noc.mesh_height; each controller (two L2 slices) and each SM has one. Controllers
//              sit in the top and bottom rows, spread over the columns; SMs fill the rest row by row
//   routing    requests go X then Y, replies Y then X (decision D18); each direction has its own virtual
//              channel on every link, so replies never wait for requests and neither direction can deadlock
//   switching  wormhole: a packet holds its virtual channel from head to tail flit, one flit of noc.flit_bytes
//              per link and cycle; credits return one cycle after a flit left its buffer of noc.vc_flits flits
//   latency    an idle mesh: pushed in cycle t over h hops, f flits:  taken at
//              t + 1 + (h + 1) x (router_cycles + link_cycles) + f - 1        (zero_load())
//   endpoints  noc.input_queue packets wait at each source, noc.output_queue at each destination; a packet leaves
//              the last router only when its destination has a place for it
// Arbitration is round robin per output port. Everything a router decides in a cycle depends on what was there
// before it, so the order in which routers are visited decides nothing.
// Source: DPC thesis, 5.1 and table 5.1; decisions D18, X5.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "memsys/noc/flits.h"
#include "memsys/noc/mesh_router.h"
#include "memsys/noc/network.h"

namespace warpsieve::memsys {

class Mesh final : public Interconnect {
 public:
  /// Node of every SM and every slice; a node may have several of each.
  struct Places {
    std::vector<std::uint32_t> sm, slice;
  };
  static Places places(const Profile& profile);
  Mesh(Context& context, const Places& places, std::uint32_t first_sm_id, std::uint32_t first_slice_id);
  Network& requests() override { return sides_[0]; }
  Network& replies() override { return sides_[1]; }
  void run(Cycle now) override;
  void check_empty() const override;

  unsigned hops(std::uint32_t a, std::uint32_t b) const;
  Cycle zero_load(unsigned hops, unsigned flits) const;

 private:
  using ChannelSet = MeshRouter::ChannelSet;
  using MoveSet = MeshRouter::MoveSet;
  static constexpr unsigned kPorts = MeshRouter::kPorts, kClasses = MeshRouter::kClasses;

  struct Transit {
    std::uint32_t packet = 0, output = 0, node = 0;  ///< destination endpoint and its node
    std::uint32_t bytes = 0;
    Cycle pushed = 0;  ///< injected from the next cycle on
  };
  struct Source {               ///< one endpoint's way into its node
    Ring<std::uint32_t> queue;  ///< transits
    bool refused = false;
  };
  struct Injector {  ///< per node and class: which of its endpoints sends, and how far it is
    std::vector<std::uint32_t> inputs;
    std::uint32_t turn = 0, sent = 0;
    bool busy = false;
  };

  class Side final : public Network {
   public:
    Side(Mesh& mesh, unsigned cls, std::uint32_t inputs, std::uint32_t outputs, std::uint32_t first_producer,
         std::uint32_t first_consumer, const std::string& name);
    bool can_push(std::uint32_t input) override;
    void push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) override;
    void pop(std::uint32_t output, Cycle now) override;
    std::string describe() const override;

    Mesh& mesh;
    unsigned cls;
    std::uint32_t first_producer, first_consumer;
    std::string name;
    std::vector<Source> sources;
    Outlets arrived;
    std::vector<std::uint32_t> reserved;  ///< per output: places taken, by packets on their last link or waiting
    Counter packets, flits;
  };

  void inject(std::uint32_t node, Cycle now);
  /// `first`: the output port that chooses first in this cycle.
  void route(std::uint32_t node, unsigned first, Cycle now);
  /// Input channels of the router whose destination has a place for the packet that begins to leave.
  ChannelSet with_place(const MeshRouter& router, ChannelSet leaving) const;
  void cross(std::uint32_t node, unsigned port, unsigned channel, Cycle now);
  std::uint8_t direction(std::uint32_t node, std::uint32_t to, unsigned cls) const;
  std::uint32_t neighbour(std::uint32_t node, unsigned port) const;
  std::uint32_t node_of(unsigned cls, bool source, std::uint32_t endpoint) const;

  Context& context_;
  Flits flits_;
  std::uint32_t id_, width_, height_, router_cycles_, link_cycles_;
  Places places_;
  std::vector<MeshRouter> routers_;
  std::vector<std::array<std::uint16_t, 2>> at_;  ///< column and row of each node
  std::vector<std::array<Injector, kClasses>> injectors_;
  std::vector<std::array<std::uint32_t, kClasses>> waiting_;  ///< packets in the sources of a node
  Pool<Transit> transits_;
  BitSet busy_;                         ///< nodes with flits or waiting packets
  std::vector<std::uint32_t> emptied_;  ///< of run(): nodes without any when they were visited
  struct Credit {
    std::uint32_t node;
    std::uint8_t channel;
  };
  std::vector<Credit> credits_;  ///< returned in this cycle, usable in the next
  std::deque<Side> sides_;       ///< which stay where they are: a Network refers to its outlets
  Counter hops_;
};

}  // namespace warpsieve::memsys
