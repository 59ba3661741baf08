#include "core/spread.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

namespace warpsieve {

namespace {
/// Two-sided 95 % quantiles of Student's t for 1, 2, ... degrees of freedom; beyond them the last is close enough.
constexpr std::array kStudent = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                 2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
double student(std::size_t freedom) { return kStudent[std::min(freedom, kStudent.size()) - 1]; }
}  // namespace

Spread spread_of(const std::vector<double>& values) {
  Spread out;
  const auto n = static_cast<double>(values.size());
  out.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return out;
  double squares = 0;
  for (const double v : values) squares += (v - out.mean) * (v - out.mean);
  out.deviation = std::sqrt(squares / (n - 1));
  out.half = student(values.size() - 1) * out.deviation / std::sqrt(n);
  return out;
}

Spread spread_of_mean(const std::vector<std::vector<double>>& measured) {
  Spread out;
  const auto n = static_cast<double>(measured.size());
  std::size_t repeated = 0;
  for (const auto& values : measured) repeated += values.size() > 1;
  if (!repeated) throw std::invalid_argument("spread_of_mean: nothing was measured twice");
  const double once = static_cast<double>(measured.size() - repeated) / static_cast<double>(repeated);
  // The variance of the mean is a sum of estimates, each with the freedom of its own measurements.
  double variance = 0, by_freedom = 0;
  for (const auto& values : measured) {
    const Spread s = spread_of(values);
    out.mean += s.mean / n;
    if (values.size() < 2) continue;
    const auto count = static_cast<double>(values.size());
    const double part = (1 / count + once) * s.deviation * s.deviation / (n * n);
    variance += part;
    by_freedom += part * part / (count - 1);
  }
  out.deviation = std::sqrt(variance);
  if (by_freedom > 0)
    out.half = student(static_cast<std::size_t>(std::max(1.0, variance * variance / by_freedom))) * out.deviation;
  return out;
}

}  // namespace warpsieve
