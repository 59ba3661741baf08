// StreamRtl: backend of a module with the plain stream ports in_* and out_* and at most 64 data bits.
#pragma once

#include <string>

#include "blocks/common/fifo.h"
#include "cosim/verilated.h"

namespace warpsieve::common {

template <class V>
class StreamRtl final : public Block<FifoItem, FifoItem> {
 public:
  explicit StreamRtl(const std::string& name) : rtl_(name) { reset(); }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  bool ready() const override { return rtl_.top().in_ready_o; }
  bool push(const FifoItem& item) override {
    rtl_.top().in_valid_i = 1;
    rtl_.top().in_data_i = item.data;
    return ready();
  }
  const FifoItem* front() const override { return rtl_.top().out_valid_o ? &out_ : nullptr; }
  void pop() override { rtl_.top().out_ready_i = 1; }
  void tick() override {
    rtl_.tick();
    lower();
    fetch();
  }
  bool idle() const override { return !rtl_.top().out_valid_o; }

 private:
  void lower() {
    rtl_.top().in_valid_i = 0;
    rtl_.top().out_ready_i = 0;
  }
  void fetch() { out_.data = rtl_.top().out_data_o; }
  RtlClock<V> rtl_;
  FifoItem out_;
};

}  // namespace warpsieve::common
