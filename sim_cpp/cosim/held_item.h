// HeldItem: model of a block that works on an item while it is on offer. The answer is computed when the item is
// first offered; then only time passes. One answer at a time.
#pragma once

#include <concepts>
#include <memory>
#include <stdexcept>
#include <utility>

#include "cosim/block.h"

namespace warpsieve {

/// Cycles from the one in which an item is first on offer to a block that is free.
struct HeldTimes {
  unsigned taken = 1;            ///< the only cycle in which the block is ready; at most `answer`
  unsigned answer = 1;           ///< first cycle with the answer on offer
  bool starts_with_pop = false;  ///< the next item starts in the cycle in which the answer is popped, else one later
};

/// `answer`: Rsp from Req; `times`: HeldTimes from Req. tick() throws std::logic_error when an offer is withdrawn or
/// changed before it is taken.
template <class Req, class Rsp, std::regular_invocable<const Req&> Answer, std::regular_invocable<const Req&> Times>
class HeldItem final : public Block<Req, Rsp> {
 public:
  HeldItem(Answer answer, Times times) : answer_(std::move(answer)), times_of_(std::move(times)) {}
  void reset() override {
    age_ = 0;
    held_ = offered_ = popped_ = false;
  }
  bool ready() const override { return held_ && age_ == times_.taken; }
  bool push(const Req& req) override {
    offered_ = true;
    incoming_ = req;
    return ready();
  }
  const Rsp* front() const override { return busy() && age_ >= times_.answer ? &rsp_ : nullptr; }
  void pop() override { popped_ = front() != nullptr; }
  void tick() override {
    if (held_ && !(offered_ && incoming_ == item_)) {
      throw std::logic_error("HeldItem: the offer was withdrawn or changed before it was taken");
    }
    const bool was_free = !busy();
    if (ready()) held_ = false;
    if (popped_) {
      age_ = 0;
    } else if (busy() && age_ < times_.answer) {
      ++age_;
    }
    if (offered_ && (was_free || (popped_ && times_.starts_with_pop))) start();
    offered_ = popped_ = false;
  }
  bool idle() const override { return !busy(); }

 private:
  bool busy() const { return age_ > 0; }
  void start() {
    item_ = incoming_;
    times_ = times_of_(item_);
    rsp_ = answer_(item_);
    age_ = 1;
    held_ = true;
  }

  Answer answer_;
  Times times_of_;
  HeldTimes times_;
  Req incoming_{}, item_{};
  Rsp rsp_{};
  unsigned age_ = 0;  // cycles since the first offer, at most times_.answer; 0: no item
  bool held_ = false, offered_ = false, popped_ = false;
};

template <class Req, class Rsp>
auto make_held_item(auto answer, auto times) {
  return std::make_unique<HeldItem<Req, Rsp, decltype(answer), decltype(times)>>(std::move(answer), std::move(times));
}

}  // namespace warpsieve
