#include "core/spread.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace warpsieve {

namespace {
/// Two-sided 95 % quantiles of Student's t for 1, 2, ... degrees of freedom; beyond them the last is close enough.
constexpr std::array kStudent = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                 2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
}  // namespace

Spread spread_of(const std::vector<double>& values) {
  Spread out;
  const auto n = static_cast<double>(values.size());
  out.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return out;
  double squares = 0;
  for (const double v : values) squares += (v - out.mean) * (v - out.mean);
  out.deviation = std::sqrt(squares / (n - 1));
  out.half = kStudent[std::min(values.size() - 2, kStudent.size() - 1)] * out.deviation / std::sqrt(n);
  return out;
}

}  // namespace warpsieve
