// Progress of a long command on standard error: a bar on a terminal, a line for every finished point in a log (a
// regular file), nothing in a pipe.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace warpsieve::sweep {

enum class Output { bar, lines, quiet };
/// What a file descriptor wants.
Output output_of(int descriptor);

/// "42 s", "3:07", "2:15:00".
std::string duration_text(double seconds);

class ProgressBar {
 public:
  /// `before`: points that were finished when the command began.
  ProgressBar(Output output, std::size_t total, std::size_t before);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Counts of this command; `line` is what just ended, empty for nothing.
  void update(std::size_t done, std::size_t failed, std::size_t running, const std::string& line);
  /// Above the bar, or as a line of the log.
  void say(const std::string& line);
  /// "[####    ] 12/40, 1 failed, 2 running, 0:42 left"
  std::string bar(std::size_t done, std::size_t failed, std::size_t running) const;

 private:
  void clear();
  Output output_;
  std::size_t total_, before_;
  std::chrono::steady_clock::time_point start_;
  bool drawn_ = false;
};

}  // namespace warpsieve::sweep
