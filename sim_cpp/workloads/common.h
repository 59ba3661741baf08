// What the workload files share: made-up data, block coordinates, comparison with a reference.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "inputs/random.h"
#include "simt/program.h"
#include "workloads/registry.h"

namespace warpsieve::workloads {

/// Registers a workload class whose constructor takes the settings.
template <class W>
WorkloadEntry entry_of(WorkloadInfo info, PaperScale paper = {}) {
  if (!paper.standard.empty()) info.paper = std::move(paper);
  return {std::move(info),
          [](const Settings& s) -> std::unique_ptr<simt::Workload> { return std::make_unique<W>(s); }};
}

/// An integer parameter that is a size: positive, the same range at every scale.
inline Parameter size_parameter(std::string name, std::int64_t full, std::int64_t quarter, std::int64_t small,
                                std::int64_t max, std::string unit, std::string doc) {
  return integer_parameter(std::move(name), full, quarter, small, 1, max, std::move(unit), std::move(doc));
}

/// Uniform floats in [low, high).
inline std::vector<float> uniform_floats(std::size_t count, std::uint64_t seed, double low = 0, double high = 1) {
  inputs::Random random(seed);
  std::vector<float> v(count);
  for (float& x : v) x = static_cast<float>(low + (high - low) * random.real());
  return v;
}

/// Normally distributed floats with mean 0 (sum of twelve uniform ones), as trained weights are.
inline std::vector<float> normal_floats(std::size_t count, std::uint64_t seed, double deviation) {
  inputs::Random random(seed);
  std::vector<float> v(count);
  for (float& x : v) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += random.real();
    x = static_cast<float>(sum * deviation);
  }
  return v;
}

/// A random order of 0 .. count - 1: distinct values, so that no two neighbours ever tie.
inline std::vector<int> permutation(int count, std::uint64_t seed) {
  inputs::Random random(seed);
  std::vector<int> v(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto j = random.below(static_cast<std::uint32_t>(i) + 1);
    v[static_cast<std::size_t>(i)] = v[j];
    v[j] = i;
  }
  return v;
}

inline constexpr float kFloatTolerance = 1e-4f;  ///< relative, of sums in another order than the reference's

/// Empty when the arrays agree, else the first place that does not. A difference may be up to
/// `relative` times the expected value plus `absolute`; NaN never agrees.
template <class T, class U>
std::string mismatch(std::string_view what, const std::vector<T>& got, const std::vector<U>& want,
                     double relative = 0, double absolute = 0) {
  if (got.size() != want.size()) return fmt::format("{}: {} elements, expected {}", what, got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto g = static_cast<double>(got[i]), e = static_cast<double>(want[i]);
    if (!(std::fabs(g - e) <= relative * std::fabs(e) + absolute))
      return fmt::format("{} {} is {}, expected {}", what, i, got[i], want[i]);
  }
  return "";
}

/// Empty when all elements are finite, else the first that is not.
template <class T>
std::string not_finite(std::string_view what, const std::vector<T>& v) {
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!std::isfinite(v[i])) return fmt::format("{} {} is {}", what, i, v[i]);
  return "";
}

/// The largest magnitude in an array: the scale of its rounding errors.
template <class T>
double largest(const std::vector<T>& v) {
  double m = 0;
  for (const T& x : v) m = std::max(m, std::fabs(static_cast<double>(x)));
  return m;
}

/// Block coordinates in a grid that is `width` blocks wide, x fastest.
struct GridPlace {
  GridPlace(const simt::Warp& w, int width)
      : x(static_cast<int>(w.block()) % width), y(static_cast<int>(w.block()) / width) {}
  int x, y;
};

/// first <= v <= last
inline simt::Mask within(const simt::Vec<int>& v, int first, int last) { return (v >= first) & (v <= last); }

/// A kernel with one thread per item: `body(w, item)`; the threads behind the last item leave.
template <class F>
auto per_item(std::uint64_t items, F body) {
  return [n = static_cast<int>(items), body](simt::Warp& w) {
    const simt::Vec<int> i = w.global_thread();
    w.exit_if(i >= n);
    body(w, i);
  };
}

inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

}  // namespace warpsieve::workloads
