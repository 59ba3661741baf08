#include "sweep/progress.h"

#include <fmt/format.h>

namespace warpsieve::sweep {

void ProgressBar::expect(const std::vector<double>& seconds) {
  sums_ = {0};
  for (const double s : seconds) sums_.push_back(sums_.back() + s);
}

double ProgressBar::left_over_done(std::size_t ended) const {
  if (ended < sums_.size() && sums_[ended] > 0) return (sums_.back() - sums_[ended]) / sums_[ended];
  return static_cast<double>(total_ - before_ - ended) / static_cast<double>(ended);
}

run::HowFar ProgressBar::how_far(std::size_t done, std::size_t failed, std::size_t running, double seconds) const {
  const std::size_t here = done + failed, ended = before_ + here;
  run::HowFar far;
  far.share = total_ ? static_cast<double>(ended) / static_cast<double>(total_) : 1;
  far.what = fmt::format("{}/{} points", ended, total_);
  if (failed) far.what += fmt::format(", {} failed", failed);
  if (running) far.what += fmt::format(", {} running", running);
  if (here > 0 && ended < total_) far.left_seconds = seconds * left_over_done(here);
  return far;
}

void ProgressBar::update(std::size_t done, std::size_t failed, std::size_t running, const std::string& line) {
  if (line.starts_with("failed"))
    line_.say(line);
  else if (!line.empty() && !line.starts_with("done"))
    line_.tell(line);
  if (line_.due()) line_.show(how_far(done, failed, running, line_.elapsed()));
}

}  // namespace warpsieve::sweep
