// Mean of repeated measurements with its noise.
#pragma once

#include <cmath>
#include <vector>

namespace warpsieve {

struct Spread {
  double mean = 0;
  double deviation = 0;  ///< standard deviation of a single value; 0 for one value
  double half = 0;       ///< half of the 95 % confidence interval of the mean (Student's t); 0 for one value
  /// No sign can be stated: 0 lies in the interval.
  bool inside_noise() const { return std::abs(mean) <= half; }
};

/// At least one value.
Spread spread_of(const std::vector<double>& values);

/// Of the mean of several quantities, each measured one or more times. One that was measured once has the mean
/// variance of the others. `deviation` is that of the mean. The degrees of freedom are Welch's and Satterthwaite's,
/// rounded down. Throws std::invalid_argument when none was measured twice.
Spread spread_of_mean(const std::vector<std::vector<double>>& measured);

}  // namespace warpsieve
