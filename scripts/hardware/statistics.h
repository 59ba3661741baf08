// Spread of repeated measurements.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace warpsieve::hardware {

struct Spread {
  double mean = 0, min = 0, max = 0;
  double deviation = 0;  ///< standard deviation of the sample (n - 1); 0 for a single one
  std::size_t runs = 0;
};

/// Throws std::invalid_argument without samples.
inline Spread spread_of(const std::vector<double>& samples) {
  if (samples.empty()) throw std::invalid_argument("spread of no samples");
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
  Spread s{0, *low, *high, 0, samples.size()};
  for (const double x : samples) s.mean += x / static_cast<double>(samples.size());
  if (samples.size() == 1) return s;
  double squares = 0;
  for (const double x : samples) squares += (x - s.mean) * (x - s.mean);
  s.deviation = std::sqrt(squares / static_cast<double>(samples.size() - 1));
  return s;
}

}  // namespace warpsieve::hardware
