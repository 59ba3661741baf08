// make_at_point(): the verilated model, among the points of a module, that has the parameters asked for.
//
// The build makes rtl_points/<block>/<module>.h from rtl/<block>/points.txt: a struct rtl_points::<module> with the
// names of the parameters and, per line, the verilated class and its values.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

namespace warpsieve {

namespace rtl_points {

/// A line of points.txt; values in the order of the module's `parameters`.
template <class V, std::size_t count>
struct RtlPoint {
  using Top = V;
  std::string_view name;
  std::array<std::uint64_t, count> values;
};

}  // namespace rtl_points

/// A parameter of the RTL and the value that is needed.
struct WantedParameter {
  std::string_view name;
  std::uint64_t value = 0;
  bool or_more = false;  ///< a point with a greater value serves as well
};

/// make.operator()<V>() of the first line of points.txt that serves `wanted`, which names every parameter of the
/// lines. Throws std::invalid_argument when no line serves, or the build has no verilated models.
template <class Module, class Base, class Make>
std::unique_ptr<Base> make_at_point(std::initializer_list<WantedParameter> wanted, const Make& make) {
  if constexpr (std::tuple_size_v<decltype(Module::points())> == 0)
    throw std::invalid_argument(
        fmt::format("{}: no RTL in this program (built with WARPSIEVE_RTL=OFF): use backend model, or `make build`",
                    Module::name));
  const auto value_of = [&](std::string_view name) {
    for (const WantedParameter& parameter : wanted) {
      if (parameter.name == name) return parameter;
    }
    throw std::logic_error(
        fmt::format("{}: {} is set in {}, but no value is asked for", Module::name, name, Module::source));
  };
  [[maybe_unused]] const auto serves = [&](const auto& point) {
    for (std::size_t i = 0; i < Module::parameters.size(); ++i) {
      const WantedParameter parameter = value_of(Module::parameters[i]);
      const bool fits = parameter.or_more ? point.values[i] >= parameter.value : point.values[i] == parameter.value;
      if (!fits) return false;
    }
    return true;
  };
  std::unique_ptr<Base> made;
  [[maybe_unused]] const auto try_point = [&]<class Point>(const Point& point) {
    if (!serves(point)) return false;
    made = make.template operator()<typename Point::Top>();
    return true;
  };
  if (std::apply([&](const auto&... point) { return (try_point(point) || ...); }, Module::points())) return made;
  std::string text;
  for (const WantedParameter& parameter : wanted) text += fmt::format(" {} {}", parameter.name, parameter.value);
  throw std::invalid_argument(fmt::format("{}: no RTL compiled for{}: see {}", Module::name, text, Module::source));
}

}  // namespace warpsieve
