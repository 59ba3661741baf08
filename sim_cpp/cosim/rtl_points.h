// make_at_point(): the verilated model, among the points of a module, that has the parameters asked for.
//
// The build makes rtl_points/<block>/<module>.h from rtl/<block>/points.txt: a struct rtl_points::<module> with the
// names of the parameters, the points, and the verilated class of each.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace warpsieve {

namespace rtl_points {

/// Items in so many cycles, at most; 0 items: none in particular.
struct Rate {
  unsigned items = 0, cycles = 1;
  bool operator==(const Rate&) const = default;
};

/// A line of points.txt; values in the order of the module's `parameters`.
template <std::size_t count>
struct RtlPoint {
  std::string_view name;
  std::array<std::uint64_t, count> values;
  int latency = -1;  ///< cycles from taking an item to the answer on offer; -1: none in particular
  Rate rate;
};

/// In the place of a point's class: the build left it out (WARPSIEVE_RTL, WARPSIEVE_RTL_POINTS).
struct NotVerilated {};

template <class... V>
struct RtlModels {
  /// visit.operator()<V>() of each until one returns true.
  static bool any(auto&& visit) { return (visit.template operator()<V>() || ...); }
};

}  // namespace rtl_points

/// A parameter of the RTL and the value that is needed.
struct WantedParameter {
  std::string_view name;
  std::uint64_t value = 0;
  bool or_more = false;  ///< a point with a greater value serves as well
};

/// make.operator()<V>() of the first line of points.txt that serves `wanted`, which names every parameter of the
/// lines. Throws std::invalid_argument when no line serves, or the build left that point out.
template <class Module, class Base, class Make>
std::unique_ptr<Base> make_at_point(std::initializer_list<WantedParameter> wanted, const Make& make) {
  const auto value_of = [&](std::string_view name) {
    for (const WantedParameter& parameter : wanted) {
      if (parameter.name == name) return parameter;
    }
    throw std::logic_error(
        fmt::format("{}: {} is set in {}, but no value is asked for", Module::name, name, Module::source));
  };
  const auto serves = [&](const auto& point) {
    for (std::size_t i = 0; i < Module::parameters.size(); ++i) {
      const WantedParameter parameter = value_of(Module::parameters[i]);
      const bool fits = parameter.or_more ? point.values[i] >= parameter.value : point.values[i] == parameter.value;
      if (!fits) return false;
    }
    return true;
  };
  const auto found = std::find_if(Module::points.begin(), Module::points.end(), serves);
  if (found != Module::points.end()) {
    std::unique_ptr<Base> made;
    auto before = found - Module::points.begin();
    Module::Models::any([&]<class V>() {
      if (before-- > 0) return false;
      if constexpr (!std::is_same_v<V, rtl_points::NotVerilated>) made = make.template operator()<V>();
      return true;
    });
    if (made) return made;
    throw std::invalid_argument(fmt::format(
        "{}@{}: no RTL in this program (WARPSIEVE_RTL, WARPSIEVE_RTL_POINTS): use backend model, or `make build`",
        Module::name, found->name));
  }
  std::string text;
  for (const WantedParameter& parameter : wanted) text += fmt::format(" {} {}", parameter.name, parameter.value);
  throw std::invalid_argument(fmt::format("{}: no RTL compiled for{}: see {}", Module::name, text, Module::source));
}

}  // namespace warpsieve
