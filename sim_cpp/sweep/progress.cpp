#include "sweep/progress.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace warpsieve::sweep {

Output output_of(int descriptor) {
  if (isatty(descriptor)) return Output::bar;
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) return Output::lines;
  return Output::quiet;
}

std::string duration_text(double seconds) {
  const auto s = static_cast<long>(std::ceil(seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

ProgressBar::ProgressBar(Output output, std::size_t total, std::size_t before)
    : output_(output), total_(total), before_(before), start_(std::chrono::steady_clock::now()) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

std::string ProgressBar::bar(std::size_t done, std::size_t failed, std::size_t running) const {
  constexpr std::size_t kWidth = 30;
  const std::size_t ended = before_ + done + failed;
  const std::size_t filled = total_ ? kWidth * ended / total_ : kWidth;
  std::string text = fmt::format("[{:#<{}}{:<{}}] {}/{}", "", filled, "", kWidth - filled, ended, total_);
  if (failed) text += fmt::format(", {} failed", failed);
  if (running) text += fmt::format(", {} running", running);
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (done + failed > 0 && ended < total_)
    text += fmt::format(", {} left", duration_text(elapsed / static_cast<double>(done + failed) *
                                                   static_cast<double>(total_ - ended)));
  return text;
}

void ProgressBar::update(std::size_t done, std::size_t failed, std::size_t running, const std::string& line) {
  if (output_ == Output::lines && !line.empty()) {
    fmt::print(stderr, "{}/{} {}\n", before_ + done + failed, total_, line);
    std::fflush(stderr);
  }
  if (output_ != Output::bar) return;
  if (line.starts_with("failed")) say(line);
  clear();
  fmt::print(stderr, "{}", bar(done, failed, running));
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::say(const std::string& line) {
  if (output_ == Output::quiet) return;
  clear();
  fmt::print(stderr, "{}\n", line);
}

}  // namespace warpsieve::sweep
