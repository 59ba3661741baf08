// The directory of a sweep: every state of every point is a file, so that any process can be killed at any moment.
//
//   sweep.json            the points (sweep_file.h), written by `sweep run`
//   results/<id>.json     a finished point: the same bytes wherever and whenever it ran
//   failed/<id>.json      a point that cannot be finished, with the error
//   running/<id>          locked by the process that simulates the point; the lock dies with the process
//   log/<host>-<pid>.log  lines for people, with the times that estimates are made from and the memory of each point
//   slurm/                chunks and scripts of the submitted job arrays, output of their tasks
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweep/sweep_file.h"

namespace warpsieve::sweep {

enum class State { done, failed, running, missing };
std::string to_string(State state);
/// Has a result or a failure: nothing is left to simulate.
inline bool ended(State state) { return state == State::done || state == State::failed; }

/// An exclusive claim on a point, for as long as it lives.
class Claim {
 public:
  Claim(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  Claim(Claim&& other) noexcept;
  Claim& operator=(Claim&&) = delete;
  ~Claim();

 private:
  int descriptor_;
  std::string path_;
};

struct Failure {
  std::string error;   ///< one line
  std::string detail;  ///< the whole message
};

/// The most memory that one point has used, in MB (10^6 bytes).
struct Peak {
  std::string group;  ///< workload and scheme
  double megabytes = 0;
};

/// Mean CPU seconds of finished points, by workload and scheme: a busy host does not change them.
class Times {
 public:
  void add(const std::string& group, double seconds, double megabytes = 0);
  /// The mean of the group, else of everything, else nothing.
  std::optional<double> of(const std::string& group) const;
  /// The mean of the group, or nothing.
  std::optional<double> of_group(const std::string& group) const;
  /// Nothing when no point said how much it used.
  std::optional<Peak> peak() const;

 private:
  struct Sum {
    double seconds = 0;
    std::size_t count = 0;
  };
  std::map<std::string, Sum> groups_;
  Sum all_;
  Peak peak_;
};
std::string group_of(const Point& point);

class Store {
 public:
  explicit Store(std::string directory) : directory_(std::move(directory)) {}

  /// Makes the folders and writes sweep.json unless it says the same. Throws ConfigError, also for a directory that
  /// has the results of another sweep file.
  void create(const Sweep& sweep) const;
  /// Throws ConfigError when there is no sweep, or not one of this format.
  Sweep load() const;

  /// A result that is not whole (cut) is none: its point is missing.
  State state(const Point& point) const;
  /// The file of a result that is not whole; empty: it is whole, or there is none.
  std::string cut_result(const Point& point) const;
  /// Throws ConfigError for a finished point whose file was changed since it was written (its digest).
  void check_finished(const Sweep& sweep) const;
  std::vector<State> states(const Sweep& sweep) const;
  /// Nothing when another process has it.
  std::optional<Claim> claim(const Point& point) const;
  void write_result(const Point& point, const memsys::Result& result) const;
  void write_failure(const Point& point, const Failure& failure) const;
  nlohmann::ordered_json result(const Point& point) const;  ///< the `run` part
  std::string result_text(const Point& point) const;        ///< the file
  Failure failure(const Point& point) const;
  void forget_failure(const Point& point) const;
  /// The process that runs it, as it wrote itself: "host 1234".
  std::string runner(const Point& point) const;

  void log_finished(const Point& point, double seconds, double megabytes) const;
  void log_failed(const Point& point, const std::string& error) const;
  Times times() const;

  /// Throws ConfigError "OUTPUT: cannot write: ..." for a file that the sweep keeps here, or would keep.
  void check_not_own(const std::string& output) const;

  const std::string& directory() const { return directory_; }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }

 private:
  std::string file(const char* folder, const Point& point) const;
  void log(const std::string& line) const;
  std::string directory_;
};

}  // namespace warpsieve::sweep
