// Progress of a long command on standard error: one line in place on a terminal, a line per minute anywhere else.
// Short commands print nothing: the first line comes after a second on a terminal, after a minute elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warpsieve::run {

enum class ProgressOutput { terminal, log, none };
/// What a file descriptor wants; `quiet`: none.
ProgressOutput progress_output(int descriptor, bool quiet = false);

/// "42 s", "3:07", "2:15:00".
std::string duration_text(double seconds);

/// How far a command is.
struct HowFar {
  double share = 0;                    ///< of all the work, 0 to 1
  std::optional<double> left_seconds;  ///< missing: nothing to estimate it from
  std::string what;                    ///< "12/40 points, 2 running"
};
/// "30 %, 12/40 points, 2 running, 1:20 left"; on a terminal behind a bar.
std::string progress_text(const HowFar& far, bool bar);

/// Seconds on a clock that never goes back.
double steady_seconds();

class ProgressLine {
 public:
  /// `name` begins the lines of a log: "warpsieve: NAME: 30 %, ...".
  ProgressLine(ProgressOutput output, std::string name, std::FILE* to = stderr,
               std::function<double()> clock = steady_seconds);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether show() would print now: estimates need not be made before.
  bool due() const;
  void show(const HowFar& far);
  /// A line that stays, above the progress of a terminal; nothing elsewhere.
  void say(const std::string& line);
  /// An event that a log needs too: at once, as a line of its own.
  void tell(const std::string& line);
  /// Takes the line off the terminal: something else is about to be printed.
  void clear();
  double elapsed() const { return clock_() - start_; }

 private:
  ProgressOutput output_;
  std::string name_;
  std::FILE* to_;
  std::function<double()> clock_;
  double start_, next_;
  bool drawn_ = false;
};

/// Estimates how far a list of runs is. A run lasts as long as those of its group took on average, else as all did.
class RunEstimate {
 public:
  /// The group of each run (its workload), and how many run at a time.
  RunEstimate(std::vector<std::string> groups, unsigned jobs);
  void start(std::size_t run, double now);
  /// `instructions`: 0 where they are not known.
  void finish(std::size_t run, double now, std::uint64_t instructions);
  /// Instructions of a run under way; all that its group needs are known once one of the group has finished.
  void reach(std::size_t run, std::uint64_t instructions);
  HowFar now(double seconds) const;

 private:
  enum class State { waiting, running, finished };
  struct Run {
    std::string group;
    State state = State::waiting;
    double start = 0, seconds = 0;
    std::uint64_t instructions = 0;
  };
  std::optional<double> seconds_of(const Run& run) const;
  std::uint64_t instructions_of(const Run& run) const;
  std::vector<Run> runs_;
  unsigned jobs_;
};

}  // namespace warpsieve::run
