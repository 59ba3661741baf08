// OneAtATime: model of a block that works on one item at a time. The answer is computed when the item is taken;
// then only time passes. Ready again in the cycle after the answer was popped.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include "cosim/block.h"

namespace warpsieve {

/// A model whose time can be passed at once.
struct PassesToAnswer {
  virtual ~PassesToAnswer() = default;
  /// Right after a push(): as many ticks as it takes until front() is on offer; returns how many.
  virtual unsigned pass_to_answer() = 0;
};

/// `answer`: Rsp from Req; `latency`: cycles from push() to front(), at least 1.
template <class Req, class Rsp, std::regular_invocable<const Req&> Answer, std::regular_invocable<const Req&> Latency>
class OneAtATime final : public Block<Req, Rsp>, public PassesToAnswer {
 public:
  OneAtATime(Answer answer, Latency latency) : answer_(std::move(answer)), latency_(std::move(latency)) {}
  void reset() override {
    busy_ = taken_ = popped_ = false;
    left_ = 0;
  }
  bool ready() const override { return !busy_; }
  bool push(const Req& req) override {
    if (busy_) return false;
    taken_ = true;
    incoming_ = req;
    return true;
  }
  const Rsp* front() const override { return busy_ && left_ == 0 ? &rsp_ : nullptr; }
  void pop() override { popped_ = front() != nullptr; }
  void tick() override {
    if (left_ > 0) --left_;
    if (popped_) busy_ = false;
    if (taken_) {
      busy_ = true;
      left_ = latency_(incoming_) - 1;
      rsp_ = answer_(incoming_);
    }
    taken_ = popped_ = false;
  }
  bool idle() const override { return !busy_; }
  unsigned pass_to_answer() override {
    tick();
    return 1 + std::exchange(left_, 0u);
  }

 private:
  Answer answer_;
  Latency latency_;
  Req incoming_{};
  Rsp rsp_{};
  unsigned left_ = 0;  // ticks until the answer is on offer
  bool busy_ = false, taken_ = false, popped_ = false;
};

template <class Req, class Rsp>
auto make_one_at_a_time(auto answer, auto latency) {
  return std::make_unique<OneAtATime<Req, Rsp, decltype(answer), decltype(latency)>>(std::move(answer),
                                                                                     std::move(latency));
}

}  // namespace warpsieve
