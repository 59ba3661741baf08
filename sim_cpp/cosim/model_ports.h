// ModelIn, ModelOut: the two port shapes of a cycle-exact model with registered ready and outputs.
//
// The model's tick() reads take() and popped(), computes its next state, and sets `open` and `item`
// for the next cycle.
#pragma once

#include <optional>

#include "cosim/block.h"

namespace warpsieve {

template <class T>
class ModelIn final : public InPort<T> {
 public:
  bool open = false;  ///< ready in this cycle; set by tick()
  bool ready() const override { return open; }
  bool push(const T& item) override {
    if (open) offered_ = item;
    return open;
  }
  /// The item taken at this edge, or nothing. Valid until clear().
  const std::optional<T>& taken() const { return offered_; }
  void clear() { offered_.reset(); }

 private:
  std::optional<T> offered_;
};

template <class T>
class ModelOut final : public OutPort<T> {
 public:
  std::optional<T> item;  ///< on offer in this cycle; set by tick()
  const T* front() const override { return item ? &*item : nullptr; }
  void pop() override { popped_ = item.has_value(); }
  bool popped() const { return popped_; }
  /// May be loaded at this edge.
  bool free() const { return !item || popped_; }
  /// End of tick() of a port that is free: puts `next` on offer.
  void load(const T& next) {
    item = next;
    popped_ = false;
  }
  /// End of tick(): removes a popped item unless `loaded` replaced it.
  void settle(bool loaded) {
    if (popped_ && !loaded) item.reset();
    popped_ = false;
  }

 private:
  bool popped_ = false;
};

}  // namespace warpsieve
