// RtlIn, RtlOut: the ports of a verilated block that has several streams, each made of the functions that
// touch its signals.
//
// The owner's tick() calls lower() on every port after the clock edge (inputs last one cycle), then fetch().
#pragma once

#include <functional>
#include <utility>

#include "cosim/block.h"

namespace warpsieve {

template <class T>
class RtlIn final : public InPort<T> {
 public:
  /// `ready` reads the ready signal, `put` sets the payload, `valid` sets the valid signal.
  RtlIn(std::function<bool()> ready, std::function<void(const T&)> put, std::function<void(bool)> valid)
      : ready_(std::move(ready)), put_(std::move(put)), valid_(std::move(valid)) {}
  bool ready() const override { return ready_(); }
  bool push(const T& item) override {
    valid_(true);
    put_(item);
    return ready_();
  }
  void lower() { valid_(false); }

 private:
  std::function<bool()> ready_;
  std::function<void(const T&)> put_;
  std::function<void(bool)> valid_;
};

template <class T>
class RtlOut final : public OutPort<T> {
 public:
  /// `valid` reads the valid signal, `get` the payload while it is valid, `ready` sets the ready signal.
  RtlOut(std::function<bool()> valid, std::function<T()> get, std::function<void(bool)> ready)
      : valid_(std::move(valid)), get_(std::move(get)), ready_(std::move(ready)) {}
  const T* front() const override { return valid_() ? &item_ : nullptr; }
  void pop() override { ready_(true); }
  void lower() { ready_(false); }
  void fetch() {
    if (valid_()) item_ = get_();
  }

 private:
  std::function<bool()> valid_;
  std::function<T()> get_;
  std::function<void(bool)> ready_;
  T item_{};
};

}  // namespace warpsieve
