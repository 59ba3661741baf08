#include <optional>
#include <vector>

#include "blocks/victim_fifo/victim_fifo_backends.h"
#include "core/find_key.h"

namespace warpsieve::victim_fifo {

namespace {

class VictimFifoModel final : public VictimFifo {
 public:
  explicit VictimFifoModel(const VictimFifoParams& params) : slots_(params.entries), low_(params.entries) {}
  void reset() override {
    for (Slot& slot : slots_) slot.valid = false;
    next_ = 0;
    head_.reset();
    spare_.reset();
    incoming_.reset();
    popped_ = false;
  }
  bool ready() const override { return !spare_; }
  bool push(const Request& request) override {
    if (!ready()) return false;
    incoming_ = request;
    return true;
  }
  const Response* front() const override { return head_ ? &*head_ : nullptr; }
  void pop() override { popped_ = head_.has_value(); }
  void tick() override {
    if (popped_) {
      head_ = spare_;
      spare_.reset();
      popped_ = false;
    }
    if (incoming_) {
      serve(*incoming_);
      incoming_.reset();
    }
  }
  bool idle() const override { return !head_; }

 private:
  struct Slot {
    bool valid = false;
    std::uint64_t addr = 0;
    Sector data{};
  };
  Slot* find(std::uint64_t addr) {
    const auto low = static_cast<std::uint32_t>(addr), n = static_cast<std::uint32_t>(low_.size());
    const std::uint32_t i = find_key_if(
        low_.data(), n, low, [&](std::uint32_t slot) { return slots_[slot].valid && slots_[slot].addr == addr; });
    return i < n ? &slots_[i] : nullptr;
  }
  void serve(const Request& request) {
    Slot* const match = find(request.addr);
    switch (request.op) {
      case Op::insert:
        if (match) {
          match->data = request.data;
        } else {
          slots_[next_] = {true, request.addr, request.data};
          low_[next_] = static_cast<std::uint32_t>(request.addr);
          next_ = next_ + 1 == slots_.size() ? 0 : next_ + 1;
        }
        return;
      case Op::lookup: {
        // The RTL reads the data of a waiting response later, but from a slot that nobody can write
        // until then, so taking it now is the same.
        (head_ ? spare_ : head_) = Response{match != nullptr, match ? match->data : Sector{}};
        if (match) match->valid = false;
        return;
      }
      case Op::invalidate:
        if (match) match->valid = false;
        return;
    }
  }
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> low_;  ///< of the address of each, valid or not
  std::size_t next_ = 0;
  std::optional<Response> head_, spare_;
  std::optional<Request> incoming_;
  bool popped_ = false;
};

}  // namespace

std::unique_ptr<VictimFifo> make_victim_fifo_model(const VictimFifoParams& params) {
  return std::make_unique<VictimFifoModel>(params);
}

}  // namespace warpsieve::victim_fifo
