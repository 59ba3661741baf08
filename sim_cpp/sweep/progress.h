// How far the points of a sweep are, on standard error (run/progress.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "run/progress.h"

namespace warpsieve::sweep {

class ProgressBar {
 public:
  /// `before`: points that were finished when the command began.
  ProgressBar(run::ProgressOutput output, const std::string& name, std::size_t total, std::size_t before)
      : line_(output, name), total_(total), before_(before) {}

  /// How long each point that is not finished takes, in their order: the estimate of the time left weighs them. Only
  /// ratios count. Without it, all points are alike.
  void expect(const std::vector<double>& seconds);
  /// Counts of this command; `line` is what just ended or happened, empty for nothing. What failed stays on a
  /// terminal, what happened (to Slurm) also in a log.
  void update(std::size_t done, std::size_t failed, std::size_t running, const std::string& line);
  /// See run::ProgressLine.
  void say(const std::string& line) { line_.say(line); }
  void tell(const std::string& line) { line_.tell(line); }
  /// After so many seconds.
  run::HowFar how_far(std::size_t done, std::size_t failed, std::size_t running, double seconds) const;

 private:
  run::ProgressLine line_;
  /// Of the unfinished points from the n-th on, by those before it. 1: as much is left as was done.
  double left_over_done(std::size_t ended) const;
  std::size_t total_, before_;
  std::vector<double> sums_;  ///< of expected seconds, before the n-th unfinished point; empty: not known
};

}  // namespace warpsieve::sweep
