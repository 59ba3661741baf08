// In, Out: how a block with several streams declares its ports.
//
//   class Rata : public Clocked {
//    public:
//     In<"lookup", RataLookup> lookup;
//     Out<"rsp", RataRsp> rsp;
//     auto visit_ports(auto&& visit) { return visit(lookup, rsp); }
//   };
//
// visit_ports() is the one list of the ports: shadow (cosim/shadow.h) and verilated backend (cosim/rtl_block.h) are
// made from it. A port has the name of its stream in the RTL. Users write `rata.lookup().push(...)`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cosim/block.h"

namespace warpsieve {

/// A text as template argument.
template <std::size_t size>
struct PortName {
  char text[size]{};
  constexpr PortName() = default;
  constexpr PortName(const char (&from)[size]) { std::copy_n(from, size, text); }  // NOLINT: implicit by intent
  constexpr std::string_view view() const { return {text, size - 1}; }
};

template <std::size_t a, std::size_t b>
constexpr auto operator+(const PortName<a>& left, const char (&right)[b]) {
  PortName<a + b - 1> sum;
  std::copy_n(left.text, a - 1, sum.text);
  std::copy_n(right, b, sum.text + a - 1);
  return sum;
}

template <PortName name>
struct PortTag {};

/// A signal of a verilated module by its name; `Module` is a struct of rtl_points.
template <class Module, PortName name>
auto& signal(auto& top) {
  return Module::at(top, PortTag<name>{});
}

/// Where a backend connects one of its ports.
template <class Port>
class PortSlot {
 public:
  Port& operator()() const { return *port_; }
  void connect(Port& port) { port_ = &port; }

 private:
  Port* port_ = nullptr;
};

template <PortName name_, class T>
struct In : PortSlot<InPort<T>> {
  using Item = T;
  static constexpr auto name = name_;
  static constexpr bool is_in = true;
};

template <PortName name_, class T>
struct Out : PortSlot<OutPort<T>> {
  using Item = T;
  static constexpr auto name = name_;
  static constexpr bool is_in = false;
};

template <template <class> class Wrap>
struct WrapPorts {
  template <class... Slots>
  std::type_identity<std::tuple<Wrap<Slots>...>> operator()(Slots&...) const {
    return {};
  }
};

/// std::tuple of Wrap<slot> for each port of a block.
template <class AnyBlock, template <class> class Wrap>
using PortTuple = typename decltype(std::declval<AnyBlock&>().visit_ports(WrapPorts<Wrap>{}))::type;

/// Connects the ports of a backend, given in the order of visit_ports().
template <class... Ports>
void connect_ports(auto& block, Ports&... ports) {
  block.visit_ports([&](auto&... slot) { (slot.connect(ports), ...); });
}

}  // namespace warpsieve
