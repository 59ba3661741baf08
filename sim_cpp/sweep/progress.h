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
  /// After so many seconds, which grow from call to call. The time left counts down while a long point runs, to that
  /// of the points that have not begun.
  run::HowFar how_far(std::size_t done, std::size_t failed, std::size_t running, double seconds);

 private:
  run::ProgressLine line_;
  std::size_t total_, before_;
  std::vector<double> sums_;  ///< of expected seconds, before the n-th unfinished point; empty: not known
  std::size_t ended_ = 0;     ///< points of this command
  double ended_seconds_ = 0;  ///< when the last of them ended
};

}  // namespace warpsieve::sweep
