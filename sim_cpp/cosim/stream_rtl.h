// StreamRtl: verilated backend of a block with one input stream and one output stream.
//
// The handshake ports are in_* and out_*, req_* and rsp_*, or s_axis_t* and m_axis_t*. `Base` is the block's
// interface where it has more than the streams. `Fields` moves the payloads:
//   void put(V& top, const Req& item) const    sets the input payload
//   Rsp get(const V& top) const                reads the output payload; called while it is valid
//   void setup(V& top) const                   optional: inputs that never change, set before reset
//   void spoil(V& top)                         optional: sets the input payload to noise; called when valid falls
#pragma once

#include <string>
#include <utility>

#include "cosim/block.h"
#include "cosim/eager.h"
#include "cosim/verilated.h"

namespace warpsieve {

/// What tells that a block is idle: nothing on offer, or (a block that works on one item at a time) ready, or
/// its own busy_o is low, or (a block that answers one item at a time) every item that it took is answered.
enum class IdleWhen { output_empty, ready, not_busy, none_inside };

template <class V, class Req, class Rsp, class Fields, IdleWhen idle_when = IdleWhen::output_empty,
          class Base = Block<Req, Rsp>>
class StreamRtl : public Base {
 public:
  explicit StreamRtl(const std::string& name, Fields fields = {}) : fields_(std::move(fields)), rtl_(name) {
    reset();
  }
  void reset() final {
    lower();
    spoil();
    if constexpr (requires { fields_.setup(rtl_.top()); }) fields_.setup(rtl_.top());
    rtl_.reset();
    taken_ = popped_ = inside_ = false;
    fetch();
  }
  bool ready() const override {
    if constexpr (requires(const V& top) { top.in_ready_o; })
      return rtl_.top().in_ready_o;
    else if constexpr (requires(const V& top) { top.s_axis_tready_o; })
      return rtl_.top().s_axis_tready_o;
    else
      return rtl_.top().req_ready_o;
  }
  bool push(const Req& item) override {
    in_valid() = 1;
    fields_.put(rtl_.top(), item);
    item_stays_ = true;
    taken_ = ready();
    return taken_;
  }
  const Rsp* front() const override { return valid() ? &out_ : nullptr; }
  void pop() override {
    out_ready() = 1;
    popped_ = valid();
  }
  void tick() override {
    if (!valid()) out_ready() = eager_.next();
    if (item_stays_ && !in_valid()) spoil();
    rtl_.tick();
    inside_ = (inside_ || taken_) && !popped_;
    taken_ = popped_ = false;
    lower();
    fetch();
  }
  bool idle() const override {
    if constexpr (idle_when == IdleWhen::not_busy)
      return !rtl_.top().busy_o;
    else if constexpr (idle_when == IdleWhen::none_inside)
      return !inside_ && !valid();
    else
      return idle_when == IdleWhen::ready ? ready() : !valid();
  }

 protected:
  const V& top() const { return rtl_.top(); }
  V& top() { return rtl_.top(); }

 private:
  bool valid() const {
    if constexpr (requires(const V& top) { top.out_valid_o; })
      return rtl_.top().out_valid_o;
    else if constexpr (requires(const V& top) { top.m_axis_tvalid_o; })
      return rtl_.top().m_axis_tvalid_o;
    else
      return rtl_.top().rsp_valid_o;
  }
  auto& in_valid() {
    if constexpr (requires(V & top) { top.in_valid_i; })
      return rtl_.top().in_valid_i;
    else if constexpr (requires(V & top) { top.s_axis_tvalid_i; })
      return rtl_.top().s_axis_tvalid_i;
    else
      return rtl_.top().req_valid_i;
  }
  auto& out_ready() {
    if constexpr (requires(V & top) { top.out_ready_i; })
      return rtl_.top().out_ready_i;
    else if constexpr (requires(V & top) { top.m_axis_tready_i; })
      return rtl_.top().m_axis_tready_i;
    else
      return rtl_.top().rsp_ready_i;
  }
  void lower() {
    in_valid() = 0;
    out_ready() = 0;
  }
  void spoil() {
    if constexpr (requires { fields_.spoil(rtl_.top()); }) fields_.spoil(rtl_.top());
    item_stays_ = false;
  }
  void fetch() {
    if (valid()) out_ = fields_.get(rtl_.top());
  }
  Fields fields_;
  RtlClock<V> rtl_;
  Eager eager_;
  Rsp out_;
  bool taken_ = false, popped_ = false, inside_ = false;
  bool item_stays_ = false;  // the payload is that of the last push
};

}  // namespace warpsieve
