#include "sweep/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpsieve::sweep {

void ProgressBar::expect(const std::vector<double>& seconds) {
  sums_ = {0};
  for (const double s : seconds) sums_.push_back(sums_.back() + s);
}

run::HowFar ProgressBar::how_far(std::size_t done, std::size_t failed, std::size_t running, double seconds) {
  const std::size_t here = done + failed, ended = before_ + here;
  run::HowFar far;
  far.share = total_ ? static_cast<double>(ended) / static_cast<double>(total_) : 1;
  far.what = fmt::format("{}/{} points", ended, total_);
  if (failed) far.what += fmt::format(", {} failed", failed);
  if (running) far.what += fmt::format(", {} running", running);
  if (here != ended_) {
    ended_ = here;
    ended_seconds_ = seconds;
  }
  if (here == 0 || ended >= total_) return far;
  const std::size_t points = total_ - before_;
  const bool known = here < sums_.size() && sums_[here] > 0;
  const auto expected = [&](std::size_t n) {
    return known ? sums_[std::min(n, sums_.size() - 1)] : static_cast<double>(n);
  };
  const double pace = ended_seconds_ / expected(here);
  const double all = pace * (expected(points) - expected(here));
  const double not_begun = pace * (expected(points) - expected(std::min(here + running, points)));
  far.left_seconds = std::max(all - (seconds - ended_seconds_), not_begun);
  return far;
}

void ProgressBar::update(std::size_t done, std::size_t failed, std::size_t running, const std::string& line) {
  if (line.starts_with("failed"))
    line_.say(line);
  else if (!line.empty() && !line.starts_with("done"))
    line_.tell(line);
  const run::HowFar far = how_far(done, failed, running, line_.elapsed());
  if (line_.due()) line_.show(far);
}

}  // namespace warpsieve::sweep
