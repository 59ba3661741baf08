// ModelQueue: output port of a cycle-exact model whose answers wait in a FIFO.
//
// The model's tick() calls settle() first (the pop of the ending cycle), then put() for what it answers.
#pragma once

#include <deque>

#include "cosim/block.h"

namespace warpsieve {

template <class T>
class ModelQueue final : public OutPort<T> {
 public:
  const T* front() const override { return items_.empty() ? nullptr : &items_.front(); }
  void pop() override { popped_ = !items_.empty(); }
  bool popped() const { return popped_; }
  std::size_t size() const { return items_.size(); }
  void settle() {
    if (popped_) items_.pop_front();
    popped_ = false;
  }
  void put(const T& item) { items_.push_back(item); }
  void clear() {
    items_.clear();
    popped_ = false;
  }

 private:
  std::deque<T> items_;
  bool popped_ = false;
};

}  // namespace warpsieve
