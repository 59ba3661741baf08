// Interface of the interconnect to SMs (or clusters of them) and L2 slices: one Network per direction, requests and
// replies. Interconnect owns both and what drives them. Topologies: crossbar.h, voq_crossbar.h, mesh.h.
//
//   push        takes a packet when can_push() said so; a refused producer is woken when its queue has room again
//   front       head of an output if it has arrived; pop() takes it
//   throughput  1 flit per cycle and port (flits.h); latency: noc.latency, or per hop of a mesh
//   order       kept between any input and output
// Inputs and outputs are numbered: requests go from SMs to slices, replies from slices to SMs. Producers and
// consumers have consecutive wake entries. Units: core clock cycles. Sources: in the header of each topology.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "memsys/context.h"

namespace warpsieve::memsys {

/// Packets that a queue of a network has memory for before it is longer for the first time: queues of hundreds of
/// packets are short most of the time.
inline constexpr std::size_t kQueueStart = 64;

/// A packet that has come to an output, or will.
struct Arrival {
  std::uint32_t packet = 0;
  std::uint32_t bytes = 0;
  Cycle at = kNever;  ///< when it can be taken
};

/// Places at the outputs of a network, where packets wait for their consumer in the order in which they were put
/// there.
class Outlets {
 public:
  Outlets(std::uint32_t outputs, std::size_t places)
      : heads_(outputs), all_(outputs, Ring<Arrival>(places, kQueueStart)) {}
  /// The first; `at` is kNever when there is none.
  const Arrival& head(std::uint32_t output) const { return heads_[output]; }
  /// visit(packet) for those that come to an output from cycle `from` to before `end`, latest first.
  template <class F>
  void each_from(std::uint32_t output, Cycle from, Cycle end, F&& visit) const {
    const Ring<Arrival>& all = all_[output];
    for (std::size_t i = all.size(); i-- > 0 && all[i].at >= from;)
      if (all[i].at < end) visit(all[i].packet);
  }
  std::size_t size(std::uint32_t output) const { return all_[output].size(); }
  bool full(std::uint32_t output) const { return all_[output].full(); }
  std::size_t outputs() const { return all_.size(); }
  /// True: it is the only one, and its consumer must be woken.
  bool put(std::uint32_t output, const Arrival& arrival) {
    all_[output].push(arrival);
    if (all_[output].size() > 1) return false;
    heads_[output] = arrival;
    return true;
  }
  void take(std::uint32_t output) {
    all_[output].pop();
    heads_[output] = all_[output].empty() ? Arrival{} : all_[output].front();
  }

 private:
  std::vector<Arrival> heads_;  ///< of each of all_: consumers look here in most cycles
  std::vector<Ring<Arrival>> all_;
};

class Network {
 public:
  virtual ~Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  virtual bool can_push(std::uint32_t input) = 0;
  /// Packets that can be pushed whatever the network does meanwhile; the call wakes no component.
  virtual std::size_t room(std::uint32_t /*input*/) const { return 0; }
  virtual void push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) = 0;
  /// Packet at the head of the output if it has arrived, else kNoPacket.
  std::uint32_t front(std::uint32_t output, Cycle now) const {
    const Arrival& head = outlets_.head(output);
    return head.at > now ? kNoPacket : head.packet;
  }
  /// Arrival of the head of the output; kNever when none is known yet (the consumer is woken).
  Cycle next_arrival(std::uint32_t output) const { return outlets_.head(output).at; }
  virtual void pop(std::uint32_t output, Cycle now) = 0;
  virtual std::string describe() const = 0;

  bool idle() const { return packets_in_ == packets_out_; }
  std::uint64_t packets_in() const { return packets_in_; }
  std::uint64_t packets_out() const { return packets_out_; }
  std::uint64_t bytes_in() const { return bytes_in_; }
  std::uint64_t bytes_out() const { return bytes_out_; }
  const Outlets& outlets() const { return outlets_; }

 protected:
  /// `outlets`: where its packets come out; its own or those of a network behind it.
  explicit Network(const Outlets& outlets) : outlets_(outlets) {}
  void count_in(unsigned bytes) { ++packets_in_, bytes_in_ += bytes; }
  void count_out(unsigned bytes) { ++packets_out_, bytes_out_ += bytes; }
  /// Packets of one port, until they are counted.
  struct Traffic {
    std::uint32_t packets = 0;
    std::uint64_t bytes = 0;
    void add(unsigned of) { ++packets, bytes += of; }
  };
  void count_in(Traffic& t) {
    packets_in_ += t.packets, bytes_in_ += t.bytes;
    t = {};
  }
  void count_out(Traffic& t) {
    packets_out_ += t.packets, bytes_out_ += t.bytes;
    t = {};
  }

 private:
  const Outlets& outlets_;
  std::uint64_t packets_in_ = 0, packets_out_ = 0, bytes_in_ = 0, bytes_out_ = 0;
};

/// A Network whose producers and consumers may be ahead of it on threads of their own, one thread per port at a time:
///
///   open(now)                         before the first push or pop, which are not before `now`
///   ... pushes and pops of cycles before `end` ...
///   fold()                            they have stopped; more may follow, and another fold()
///   run_until(end)                    its own cycles. Two networks may run at the same time while no producer waits
///   close()                           folds what is left
/// Meanwhile its wake entry is busy (core/wake.h), and those of its producers and consumers must be.
class WindowNetwork {
 public:
  virtual ~WindowNetwork() = default;
  virtual void open(Cycle now) = 0;
  virtual void fold() = 0;
  virtual void run_until(Cycle end) = 0;
  virtual void close() = 0;
};

class Interconnect {
 public:
  virtual ~Interconnect() = default;
  virtual Network& requests() = 0;
  virtual Network& replies() = 0;
  /// Runs what is due at `now` and sets its own wake entries.
  virtual void run(Cycle now) = 0;
  /// Cycles that slices may be ahead of it: what it grants in cycle t reaches no slice before t + lookahead(). It
  /// keeps what they push and pop in cycles to come until then. 1: not at all.
  virtual Cycle lookahead() const { return 1; }
  /// Both directions, requests first; nullptr: it cannot run windows.
  virtual std::array<WindowNetwork*, 2> windows() { return {nullptr, nullptr}; }
  /// Throws std::logic_error when something was lost inside; called when both directions are idle.
  virtual void check_empty() const = 0;
};

/// The network of the profile (noc.topology), between Profile::sm_links() links and the slices, with these first wake
/// entries.
std::unique_ptr<Interconnect> make_interconnect(Context& context, std::uint32_t first_link_id,
                                                std::uint32_t first_slice_id);

}  // namespace warpsieve::memsys
