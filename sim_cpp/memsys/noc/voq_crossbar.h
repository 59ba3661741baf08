// VoqCrossbar: crossbar (crossbar.h) whose inputs have a virtual queue per output (`noc.virtual_queues`).
// A packet for a busy or full output does not block packets for other outputs.
//
//   inputs   `noc.input_queue` places each. The virtual queues of an input share them without a bound: a producer
//            offers its packets in order, so a place reserved for another output would stay empty
//   grants   matching by iSLIP, repeated until it is maximal. An output with a free link and a credit grants the next
//            input of its round. That input has a packet for it and a free link. Each input accepts the next output
//            of its round. Both sides use round robin
//   fair     packets differ in length, so an input's link may be busy whenever a certain output's is free. The output
//            notes the first input that it passes over. After as many packets as there are inputs, the output waits
//            for the link of that input
// Width, latency, outputs, order and how far others may be ahead: as in Crossbar.
// Source: McKeown, The iSLIP Scheduling Algorithm for Input-Queued Switches, IEEE/ACM ToN 7(2), 1999.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memsys/noc/crossbar.h"

namespace warpsieve::memsys {

class VoqCrossbar final : public CrossbarOutputs {
 public:
  VoqCrossbar(Context& context, const std::string& name, std::uint32_t inputs, std::uint32_t outputs,
              std::uint32_t first_producer, std::uint32_t first_consumer, bool producers_follow);

  /// A producer that is refused is woken when its input has room again.
  bool can_push(std::uint32_t input) override {
    Input& in = inputs_[input];
    in.refused = in.refused || in.held == places_;
    return in.held != places_;
  }
  std::size_t room(std::uint32_t input) const override { return places_ - inputs_[input].held; }
  void push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) override;
  /// Runs if it is due.
  void run(Cycle now);

  std::string describe() const override;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Item {
    std::uint32_t packet = 0;
    std::uint16_t output = 0, bytes = 0;
    Cycle pushed = 0;
  };
  struct Input {
    Ring<Item> coming;           ///< pushed, but not in a virtual queue yet
    std::uint32_t held = 0;      ///< places taken
    std::uint32_t queued = 0;    ///< of these: by packets in virtual queues
    std::uint32_t turn = 0;      ///< output that is first in the round
    std::uint32_t best = kNone;  ///< while it chooses: output that has granted it
    bool refused = false;        ///< the producer waits for room
    Cycle free = 0;              ///< from when on its link is
    bool fresh = false;          ///< in a window: the first packet of `coming` was pushed
    Traffic pushed{};            ///< in a window
  };
  struct Node {
    std::uint32_t packet = 0, bytes = 0, next = kNone;
  };
  struct Queue {
    std::uint32_t first = kNone, last = kNone;  ///< nodes
  };
  /// What the inputs have for an output.
  struct Demand {
    BitSet inputs;
    std::uint32_t count = 0;     ///< of them
    std::uint32_t owed = kNone;  ///< input that was passed over
    std::uint32_t passed = 0;    ///< how often since
  };

  Cycle tick(Cycle now) override;
  Cycle fold_inputs() override;
  void enter(Cycle now, std::uint32_t input);
  void consider(Cycle now, std::size_t output);
  void match(Cycle now);
  void grant(Cycle now);
  void transfer(Cycle now, std::uint32_t input, std::uint32_t output);
  void keep_account(std::uint32_t output, std::uint32_t input);
  bool waits_for_owed(std::size_t output) const { return demands_[output].passed >= inputs_.size(); }
  Queue& queue(std::uint32_t input, std::uint32_t output) { return queues_[input * outputs_.size() + output]; }

  std::uint32_t places_;
  std::vector<Input> inputs_;
  std::vector<Queue> queues_;  ///< per input and output
  std::vector<Demand> demands_;
  Pool<Node> nodes_;
  Wheel arrivals_;  ///< inputs: when the first of `coming` enters its virtual queue
  Wheel links_;     ///< inputs that have packets queued: when their link is free
  Wheel ports_;     ///< requested outputs: when their link is free
  BitSet free_;     ///< inputs that have packets queued and whose link is free
  BitSet open_;     ///< requested outputs whose link is free, and which may have a credit
  std::vector<std::uint32_t> granted_inputs_;
};

}  // namespace warpsieve::memsys
