#include <array>
#include <vector>

#include "blocks/victim_fifo/victim_fifo_backends.h"
#include "core/find_key.h"

namespace warpsieve::victim_fifo {

namespace {

/// A request is carried out when it is pushed: what it changes shows only in responses, and these come at the tick.
class VictimFifoModel final : public VictimFifo {
 public:
  explicit VictimFifoModel(const VictimFifoParams& params) : slots_(params.entries), low_(params.entries) {}
  void reset() override {
    for (Slot& slot : slots_) slot.sector = 0;
    next_ = head_ = waiting_ = 0;
    popped_ = coming_ = false;
  }
  bool ready() const override { return waiting_ < responses_.size(); }
  bool push(const Request& request) override {
    if (!ready()) return false;
    if (request.op == Op::insert) {
      insert(request, find(request.line, request.sectors));
    } else if (request.op == Op::lookup) {
      answer(request);
    } else {
      for (unsigned left = request.sectors; left; left &= left - 1)
        if (Slot* const slot = find(request.line, left & -left)) slot->sector = 0;
    }
    return true;
  }
  const Response* front() const override { return waiting_ ? &responses_[head_] : nullptr; }
  void pop() override { popped_ = waiting_ != 0; }
  void tick() override {
    if (popped_) {
      head_ = (head_ + 1) % responses_.size();
      --waiting_;
    }
    waiting_ += coming_;
    popped_ = coming_ = false;
  }
  bool idle() const override { return waiting_ == 0; }

 private:
  struct Slot {
    std::uint64_t line = 0;
    unsigned sector = 0;  ///< one bit; 0: the slot is free
    Sector data{};
  };
  Slot* find(std::uint64_t line, unsigned sector) {
    const auto low = static_cast<std::uint32_t>(line), n = static_cast<std::uint32_t>(low_.size());
    const std::uint32_t i = find_key_if(low_.data(), n, low, [&](std::uint32_t slot) {
      return (slots_[slot].sector & sector) && slots_[slot].line == line;
    });
    return i < n ? &slots_[i] : nullptr;
  }
  /// The RTL reads the data of a waiting response later, but from a slot that cannot be written until then, so taking
  /// it now is the same.
  void answer(const Request& request) {
    Response& response = responses_[(head_ + waiting_) % responses_.size()];
    response = {};
    for (unsigned left = request.sectors; left; left &= left - 1) {
      Slot* const slot = find(request.line, left & -left);
      if (!slot) continue;
      if (!response.sectors) {
        response.data = slot->data;
        slot->sector = 0;
      }
      response.sectors |= static_cast<std::uint8_t>(left & -left);
    }
    coming_ = true;
  }
  void insert(const Request& request, Slot* match) {
    if (match) {
      match->data = request.data;
      return;
    }
    slots_[next_] = {request.line, request.sectors, request.data};
    low_[next_] = static_cast<std::uint32_t>(request.line);
    next_ = next_ + 1 == slots_.size() ? 0 : next_ + 1;
  }
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> low_;  ///< of the line of each, free or not
  std::size_t next_ = 0;
  std::array<Response, 2> responses_;
  std::size_t head_ = 0, waiting_ = 0;    ///< of the responses: the oldest, and how many are on offer
  bool popped_ = false, coming_ = false;  ///< in this cycle: the oldest is taken, one more was made
};

}  // namespace

std::unique_ptr<VictimFifo> make_victim_fifo_model(const VictimFifoParams& params) {
  return std::make_unique<VictimFifoModel>(params);
}

}  // namespace warpsieve::victim_fifo
