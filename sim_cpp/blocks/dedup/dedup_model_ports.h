// Ports of the model: as in cosim/model_ports.h, but what happens at them is kept as bits of one word for all ports
// of a direction. Few of them are in use at a time, and a tick looks at those only.
#pragma once

#include "cosim/block.h"

namespace warpsieve::dedup {

struct InletBits {
  unsigned open = 0;    ///< ready in this cycle; set by tick()
  unsigned pushed = 0;  ///< taken at this edge; cleared by tick()
  unsigned missed = 0;  ///< offered while not ready; cleared by tick()
};

template <class T>
class Inlet final : public InPort<T> {
 public:
  Inlet(InletBits& bits, unsigned bit) : bits_(bits), bit_(bit) {}
  bool ready() const override { return bits_.open & bit_; }
  bool push(const T& item) override {
    if (!ready()) {
      bits_.missed |= bit_;
      return false;
    }
    item_ = item;
    bits_.pushed |= bit_;
    return true;
  }
  /// The item taken at this edge, or nullptr.
  const T* taken() const { return bits_.pushed & bit_ ? &item_ : nullptr; }

 private:
  InletBits& bits_;
  unsigned bit_;
  T item_{};
};

struct OutletBits {
  unsigned offered = 0;  ///< on offer in this cycle; set by tick()
  unsigned popped = 0;   ///< of those: gone after this edge
  /// Start of tick(): what was popped is on offer no longer. Returns what that was.
  unsigned settle() {
    const unsigned gone = popped;
    offered &= ~gone;
    popped = 0;
    return gone;
  }
};

template <class T>
class Outlet final : public OutPort<T> {
 public:
  Outlet(OutletBits& bits, unsigned bit) : bits_(bits), bit_(bit) {}
  const T* front() const override { return bits_.offered & bit_ ? &item_ : nullptr; }
  void pop() override { bits_.popped |= bits_.offered & bit_; }
  /// In tick(): may be loaded.
  bool free() const { return !(bits_.offered & bit_); }
  /// In tick(): puts an item on offer, which the caller fills in.
  T& load() {
    bits_.offered |= bit_;
    return item_;
  }
  void load(const T& item) { load() = item; }

 private:
  OutletBits& bits_;
  unsigned bit_;
  T item_{};
};

}  // namespace warpsieve::dedup
