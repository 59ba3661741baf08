#include "sweep/progress.h"

#include <fmt/format.h>

namespace warpsieve::sweep {

run::HowFar ProgressBar::how_far(std::size_t done, std::size_t failed, std::size_t running, double seconds) const {
  const std::size_t here = done + failed, ended = before_ + here;
  run::HowFar far;
  far.share = total_ ? static_cast<double>(ended) / static_cast<double>(total_) : 1;
  far.what = fmt::format("{}/{} points", ended, total_);
  if (failed) far.what += fmt::format(", {} failed", failed);
  if (running) far.what += fmt::format(", {} running", running);
  if (here > 0 && ended < total_)
    far.left_seconds = seconds / static_cast<double>(here) * static_cast<double>(total_ - ended);
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
