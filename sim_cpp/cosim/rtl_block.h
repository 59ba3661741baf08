// RtlBlock: verilated backend of a block that declares its ports by visit_ports() (cosim/ports.h).
//
// The handshakes are found by name: port "req" is req_valid_i, req_ready_o. A stream without a ready signal is always
// taken. `Fields` moves the payloads; where two ports have the same payload, PortTag<"name"> follows as last
// argument:
//   void put(V& top, const Item& item) const    sets an input's payload
//   void get(const V& top, Item& item) const    reads an output's payload; called while it is valid
//   void setup(V& top) const                    optional: levels, set before the first reset
//   void lower(V& top) const                    optional: signals of one cycle that belong to no port
//   static constexpr ... other_streams          optional: streams of the RTL that the block has as functions
// A derived class adds what is no port, and idle() where the module has no busy_o.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cosim/ports.h"
#include "cosim/verilated.h"

namespace warpsieve {

/// What the ports of one verilated block share.
template <class V, class Fields>
struct RtlSide {
  V& top;
  const Fields& fields;
  bool pushed = false;  ///< something was offered in this cycle
};

template <class Module, class Slot, class V, class Fields>
class RtlIn final : public InPort<typename Slot::Item> {
 public:
  using Item = typename Slot::Item;
  explicit RtlIn(RtlSide<V, Fields>& side) : side_(side) {}
  bool ready() const override {
    if constexpr (requires { Module::at(side_.top, PortTag<Slot::name + "_ready_o">{}); })
      return signal<Module, Slot::name + "_ready_o">(side_.top) != 0;
    else
      return true;
  }
  bool push(const Item& item) override {
    valid() = 1;
    if constexpr (requires { side_.fields.put(side_.top, item, PortTag<Slot::name>{}); })
      side_.fields.put(side_.top, item, PortTag<Slot::name>{});
    else
      side_.fields.put(side_.top, item);
    side_.pushed = true;
    return ready();
  }
  void lower() { valid() = 0; }
  void fetch() {}

 private:
  auto& valid() { return signal<Module, Slot::name + "_valid_i">(side_.top); }
  RtlSide<V, Fields>& side_;
};

template <class Module, class Slot, class V, class Fields>
class RtlOut final : public OutPort<typename Slot::Item> {
 public:
  using Item = typename Slot::Item;
  explicit RtlOut(RtlSide<V, Fields>& side) : side_(side) {}
  const Item* front() const override { return valid() ? &item_ : nullptr; }
  void pop() override { set_ready(1); }
  void lower() { set_ready(0); }
  void fetch() {
    if (!valid()) return;
    if constexpr (requires { side_.fields.get(side_.top, item_, PortTag<Slot::name>{}); })
      side_.fields.get(side_.top, item_, PortTag<Slot::name>{});
    else
      side_.fields.get(side_.top, item_);
  }

 private:
  bool valid() const { return signal<Module, Slot::name + "_valid_o">(side_.top) != 0; }
  void set_ready(bool value) {
    if constexpr (requires { Module::at(side_.top, PortTag<Slot::name + "_ready_i">{}); })
      signal<Module, Slot::name + "_ready_i">(side_.top) = value;
  }
  RtlSide<V, Fields>& side_;
  Item item_{};
};

template <class V, class Module, class AnyBlock, class Fields>
class RtlBlock : public AnyBlock {
 public:
  explicit RtlBlock(const std::string& name, Fields fields = {})
      : fields_(std::move(fields)), rtl_(name), side_{rtl_.top(), fields_},
        ports_(AnyBlock::visit_ports([this](auto&... slot) { return Ports(side_of(slot)...); })) {
    static_assert(complete(), "a stream of the module is no port of the block");
    std::apply([this](auto&... port) { connect_ports(*this, port...); }, ports_);
    if constexpr (requires { fields_.setup(rtl_.top()); }) fields_.setup(rtl_.top());
    RtlBlock::reset();
  }
  void reset() override {
    lower();
    rtl_.reset();
    side_.pushed = pushed_last_ = false;
    fetch();
  }
  void tick() override {
    rtl_.tick();
    lower();
    pushed_last_ = std::exchange(side_.pushed, false);
    fetch();
  }
  bool idle() const override {
    if constexpr (requires { rtl_.top().busy_o; }) return !rtl_.top().busy_o;
    return false;
  }

 protected:
  V& top() { return rtl_.top(); }
  const V& top() const { return rtl_.top(); }
  const Fields& fields() const { return fields_; }
  /// Something was offered in the cycle before: it may be inside without showing yet.
  bool pushed_last() const { return pushed_last_; }

 private:
  template <class Slot>
  using Port = std::conditional_t<Slot::is_in, RtlIn<Module, Slot, V, Fields>, RtlOut<Module, Slot, V, Fields>>;
  using Ports = PortTuple<AnyBlock, Port>;

  /// As many ports as the module has streams; that each port is one is checked where its signals are named.
  static constexpr bool complete() {
    std::size_t others = 0;
    if constexpr (requires { Fields::other_streams; }) others = Fields::other_streams.size();
    return std::tuple_size_v<Ports> + others == Module::streams.size();
  }
  RtlSide<V, Fields>& side_of(const auto& /*slot*/) { return side_; }
  void lower() {
    std::apply([](auto&... port) { (port.lower(), ...); }, ports_);
    if constexpr (requires { fields_.lower(rtl_.top()); }) fields_.lower(rtl_.top());
  }
  void fetch() {
    std::apply([](auto&... port) { (port.fetch(), ...); }, ports_);
  }

  Fields fields_;
  RtlClock<V> rtl_;
  RtlSide<V, Fields> side_;
  Ports ports_;
  bool pushed_last_ = false;
};

}  // namespace warpsieve
