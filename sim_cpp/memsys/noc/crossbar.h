// Crossbar: one direction of the interconnection network.
//
//   inputs   a queue each, `noc.input_queue` packets, first in first out (a blocked head blocks its queue); with
//            `noc.virtual_queues` see voq_crossbar.h
//   width    1 flit of `noc.flit_bytes` per cycle and port. A packet occupies its input and output for its length c:
//            the number of its flits (flits.h), or 1 with `noc.packet_per_cycle`
//   latency  first flit in to first flit out `noc.latency` cycles; a packet of length c pushed in cycle t
//            into an idle network can be taken at t + 1 + latency + (c - 1)
//   outputs  `noc.output_queue` credits each, for packets in flight and waiting; no credit, no grant
//   ahead    consumers and producers may push and pop in cycles that the crossbar has not come to (lookahead()):
//            it looks at a packet and at a credit after the cycle of the push and the pop
//   order    kept between any input and output; grants go round robin per output
// Flit counts: decision X5 (8-byte header in the first flit), 32 B width: CMD Table II.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/timing_wheel.h"
#include "memsys/noc/flits.h"
#include "memsys/noc/network.h"

namespace warpsieve::memsys {

/// Outputs of a crossbar, and its statistics.
class CrossbarOutputs : public Network, public WindowNetwork {
 public:
  using Wheel = TimingWheel<64>;
  /// How far others may be ahead of run().
  Cycle lookahead() const { return std::min<Cycle>(latency_, Wheel::kCycles - 1); }
  void pop(std::uint32_t output, Cycle now) override;
  void open(Cycle now) override;
  void fold() override;
  void run_until(Cycle end) override;
  void close() override;

 protected:
  struct Output {
    Ring<Cycle> popped;         ///< when the last ones were taken ahead of run(); their credits count after that
    Cycle free = 0;             ///< from when on its link is
    std::uint32_t turn = 0;     ///< input that is first in the round
    std::uint32_t credits = 0;  ///< besides those of `popped`
    Cycle freed = kNever;       ///< in a window: credit() that fold() has to make
    Traffic taken{};            ///< in a window

    /// A credit is there for a grant now. Pops are forgotten when their credits are needed.
    bool has_credit(Cycle now) {
      if (credits) return true;
      for (; !popped.empty() && popped.front() < now; ++credits) popped.pop();
      return credits;
    }
  };
  /// Producers and consumers have consecutive wake entries from `first_producer` / `first_consumer`.
  /// `producers_follow`: producers run after it in a cycle, and find the room that it makes in that cycle.
  CrossbarOutputs(Context& context, const std::string& name, std::uint32_t outputs, std::uint32_t first_producer,
                  std::uint32_t first_consumer, bool producers_follow);

  /// Sends a packet that an input was granted; returns the cycle from which on their links are free again.
  Cycle send(Cycle now, std::uint32_t output, std::uint32_t packet, unsigned bytes) {
    Output& out = outputs_[output];
    const unsigned flits = format_.of(bytes), cycles = format_.cycles(flits);
    const Cycle at = now + latency_ + cycles - 1;
    if (outlets_.put(output, {packet, bytes, at})) context_.wakes.wake(first_consumer_ + output, at);
    --out.credits;
    if (!out.has_credit(now) && !out.popped.empty())
      credit(out.popped.front() + 1, output);  // pop() ran before it was full
    ++granted_;
    flits_granted_ += flits;
    return out.free = now + cycles;
  }
  /// Those that wait for an output that was full are looked at in cycle `at`.
  void credit(Cycle at, std::uint32_t output) {
    credits_.add(output, at);
    context_.wakes.wake(id_, at);
  }
  /// At the end of a tick.
  void count_granted();
  /// Runs a cycle; returns the next that is due.
  virtual Cycle tick(Cycle now) = 0;
  /// What was pushed in a window; returns the first cycle that is due for it.
  virtual Cycle fold_inputs() = 0;
  std::string describe(std::uint32_t output, std::size_t waiting) const;

  Context& context_;
  std::string name_;
  Flits format_;
  std::uint32_t id_, first_producer_, first_consumer_, latency_;
  Cycle until_room_;  ///< from a grant to the cycle in which the producer finds room
  std::vector<Output> outputs_;
  Outlets outlets_;     ///< `noc.output_queue` places, a credit each
  Wheel credits_;       ///< outputs that were full: when to look again
  Cycle ran_ = 0;       ///< last cycle of run()
  bool apart_ = false;  ///< between open() and close(): ports keep to themselves what is for all

 private:
  Cycle due_ = kNever;                        ///< in a window
  std::uint64_t moved_ = 0;                   ///< in a window: for Context::progress
  unsigned granted_ = 0, flits_granted_ = 0;  ///< in this tick
  Counter packets_, flits_;
};

class Crossbar final : public CrossbarOutputs {
 public:
  Crossbar(Context& context, const std::string& name, std::uint32_t inputs, std::uint32_t outputs,
           std::uint32_t first_producer, std::uint32_t first_consumer, bool producers_follow);

  /// A producer that is refused is woken when its queue has room again.
  bool can_push(std::uint32_t input) override {
    Input& in = inputs_[input];
    in.refused = in.refused || in.queue.full();
    return !in.queue.full();
  }
  std::size_t room(std::uint32_t input) const override {
    const Ring<Item>& queue = inputs_[input].queue;
    return queue.capacity() - queue.size();
  }
  void push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) override;
  /// Runs if it is due.
  void run(Cycle now);

  std::string describe() const override;

 private:
  struct Item {
    std::uint32_t packet = 0;
    std::uint16_t output = 0, bytes = 0;
    Cycle pushed = 0;
  };
  struct Input {
    Ring<Item> queue;
    Cycle free = 0;        ///< from when on its link is
    bool refused = false;  ///< the producer waits for room
    bool fresh = false;    ///< in a window: the first packet of an empty queue was pushed
    Traffic pushed{};      ///< in a window
  };
  /// Inputs whose head goes to the same output. Mostly one at a time.
  class Contenders {
   public:
    explicit Contenders(std::size_t inputs) : all_(inputs) {}
    std::uint32_t size() const { return size_; }
    void add(std::uint32_t input) {
      if (++size_ == 1) {
        only_ = input;
        return;
      }
      if (size_ == 2) all_.set(only_);
      all_.set(input);
    }
    /// The first from `turn` on, round robin.
    std::uint32_t take(std::uint32_t turn) {
      if (--size_ == 0) return only_;
      std::size_t i = all_.from(turn);
      if (i == BitSet::npos) i = all_.from(0);
      all_.reset(i);
      if (size_ == 1) all_.reset(only_ = static_cast<std::uint32_t>(all_.from(0)));
      return static_cast<std::uint32_t>(i);
    }

   private:
    std::uint32_t size_ = 0, only_ = 0;
    BitSet all_;  ///< if there are several
  };
  Cycle tick(Cycle now) override;
  Cycle fold_inputs() override;
  void grant(Cycle now);

  std::vector<Input> inputs_;
  std::vector<Contenders> waiting_;  ///< per output
  Wheel heads_;   ///< inputs whose head does not contend yet: when it will, as their link is free then
  Wheel grants_;  ///< outputs that are contended for: when their link is free; those without credit are missing
  std::vector<std::uint32_t> free_;  ///< in a tick: outputs that are contended for and whose link is free
};

/// One crossbar each way, of a class with the constructor and run() of Crossbar.
template <class OneWay>
class CrossbarPair final : public Interconnect {
 public:
  CrossbarPair(Context& context, std::uint32_t first_sm_id, std::uint32_t first_slice_id)
      : CrossbarPair(context, context.profile.sm_links(), context.profile.controllers * kSlicesPerController,
                     first_sm_id, first_slice_id) {}
  Network& requests() override { return requests_; }
  Network& replies() override { return replies_; }
  void run(Cycle now) override {
    requests_.run(now);
    replies_.run(now);
  }
  Cycle lookahead() const override { return requests_.lookahead(); }
  std::array<WindowNetwork*, 2> windows() override { return {&requests_, &replies_}; }
  void check_empty() const override {}

 private:
  CrossbarPair(Context& context, std::uint32_t sms, std::uint32_t slices, std::uint32_t first_sm_id,
               std::uint32_t first_slice_id)
      : requests_(context, "request", sms, slices, first_sm_id, first_slice_id, true),
        replies_(context, "reply", slices, sms, first_slice_id, first_sm_id, false) {}
  OneWay requests_, replies_;
};

}  // namespace warpsieve::memsys
