#include "run/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpsieve::run {

namespace {

/// A line that wraps could not be taken back.
std::string cut_to_terminal(std::string text, int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && text.size() >= size.ws_col)
    text.resize(size.ws_col - 1u);
  return text;
}

constexpr double kFirst = 1, kRedraw = 0.2, kPerLine = 60;  ///< seconds

}  // namespace

ProgressOutput progress_output(int descriptor, bool quiet) {
  if (quiet) return ProgressOutput::none;
  return isatty(descriptor) ? ProgressOutput::terminal : ProgressOutput::log;
}

std::string duration_text(double seconds) {
  const auto s = static_cast<long>(std::ceil(seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string progress_text(const HowFar& far, bool bar) {
  constexpr std::size_t kWidth = 20;
  const double share = std::clamp(far.share, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * kWidth);
  std::string text = bar ? fmt::format("[{:#<{}}{:<{}}] ", "", filled, "", kWidth - filled) : "";
  text += fmt::format("{:.0f} %", std::floor(100 * share));
  if (!far.what.empty()) text += ", " + far.what;
  if (far.left_seconds) text += fmt::format(", {} left", duration_text(*far.left_seconds));
  return text;
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ProgressLine::ProgressLine(ProgressOutput output, std::string name, std::FILE* to, std::function<double()> clock)
    : output_(output), name_(std::move(name)), to_(to), clock_(std::move(clock)), start_(clock_()),
      next_(start_ + (output == ProgressOutput::terminal ? kFirst : kPerLine)) {}

bool ProgressLine::due() const { return output_ != ProgressOutput::none && clock_() >= next_; }

void ProgressLine::show(const HowFar& far) {
  if (!due()) return;
  const bool terminal = output_ == ProgressOutput::terminal;
  if (terminal) {
    clear();
    fmt::print(to_, "{}", cut_to_terminal(progress_text(far, true), fileno(to_)));
    drawn_ = true;
  } else {
    fmt::print(to_, "warpsieve: {}: {}\n", name_, progress_text(far, false));
  }
  std::fflush(to_);
  next_ = clock_() + (terminal ? kRedraw : kPerLine);
}

void ProgressLine::say(const std::string& line) {
  if (output_ != ProgressOutput::terminal) return;
  clear();
  fmt::print(to_, "{}\n", line);
}

void ProgressLine::tell(const std::string& line) {
  if (output_ == ProgressOutput::log) {
    fmt::print(to_, "warpsieve: {}: {}\n", name_, line);
    std::fflush(to_);
  }
  say(line);
}

void ProgressLine::clear() {
  if (drawn_) {
    fmt::print(to_, "\r\033[K");
    std::fflush(to_);
  }
  drawn_ = false;
}

RunEstimate::RunEstimate(std::vector<std::string> groups, unsigned jobs) : jobs_(std::max(1u, jobs)) {
  for (std::string& group : groups) runs_.push_back({std::move(group)});
}

void RunEstimate::start(std::size_t run, double now) {
  runs_.at(run).state = State::running;
  runs_[run].start = now;
}

void RunEstimate::finish(std::size_t run, double now, std::uint64_t instructions) {
  Run& r = runs_.at(run);
  r.seconds = r.state == State::running ? now - r.start : 0;
  r.state = State::finished;
  r.instructions = instructions;
}

void RunEstimate::reach(std::size_t run, std::uint64_t instructions) { runs_.at(run).instructions = instructions; }

std::optional<double> RunEstimate::seconds_of(const Run& run) const {
  double group = 0, all = 0;
  std::size_t in_group = 0, in_all = 0;
  for (const Run& other : runs_) {
    if (other.state != State::finished) continue;
    all += other.seconds, ++in_all;
    if (other.group == run.group) group += other.seconds, ++in_group;
  }
  if (in_group) return group / static_cast<double>(in_group);
  if (in_all) return all / static_cast<double>(in_all);
  return std::nullopt;
}

std::uint64_t RunEstimate::instructions_of(const Run& run) const {
  for (const Run& other : runs_)
    if (other.state == State::finished && other.group == run.group) return other.instructions;
  return 0;
}

HowFar RunEstimate::now(double seconds) const {
  double done = 0, all = 0;
  std::size_t finished = 0;
  bool known = true;
  for (const Run& run : runs_) {
    if (run.state == State::finished) {
      done += run.seconds, all += run.seconds, ++finished;
      continue;
    }
    std::optional<double> whole = seconds_of(run);
    const double elapsed = run.state == State::running ? seconds - run.start : 0;
    if (const std::uint64_t needed = instructions_of(run); needed > 0 && run.instructions > needed / 20)
      whole = elapsed * static_cast<double>(needed) /
              static_cast<double>(std::min(run.instructions, needed));  // this very run says it better
    known = known && whole.has_value();
    const double mine = std::max(whole.value_or(0), elapsed);
    done += elapsed, all += mine;
  }
  HowFar out;
  out.what = fmt::format("{}/{} runs", finished, runs_.size());
  if (!known) {
    out.share = runs_.empty() ? 1 : static_cast<double>(finished) / static_cast<double>(runs_.size());
  } else {
    out.share = all > 0 ? done / all : 1;
    out.left_seconds = (all - done) / jobs_;
  }
  return out;
}

}  // namespace warpsieve::run
