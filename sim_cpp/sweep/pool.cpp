#include "sweep/pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>

#include "core/params.h"
#include "sweep/interrupt.h"

namespace warpsieve::sweep {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// How a child ends.
enum ChildExit : int { kFinished = 0, kFailed = 10, kElsewhere = 11, kCannotWrite = 12 };

Failure failure_of(const std::string& message) { return {message.substr(0, message.find('\n')), message}; }

/// What of a finished run makes it no result.
std::string problem(const memsys::Result& result) {
  if (!result.clean) return "corrupt data: " + result.integrity.dump();
  return result.verify.empty() ? "" : "wrong result: " + result.verify;
}

int simulate_and_store(const Store& store, const Point& point) {
  const auto claim = store.claim(point);
  if (!claim) return kElsewhere;
  const State state = store.state(point);
  if (state == State::done || state == State::failed) return kElsewhere;
  const auto start = Clock::now();
  std::string error;
  memsys::Result result;
  try {
    result = simulate(point.spec).result;
    error = problem(result);
  } catch (const std::exception& e) {
    error = e.what();
  }
  if (!error.empty()) {
    const Failure failure = failure_of(error);
    store.write_failure(point, failure);
    store.log_failed(point, failure.error);
    return kFailed;
  }
  store.write_result(point, result);
  store.log_finished(point, seconds_since(start));
  return kFinished;
}

[[noreturn]] void child_main(const Store& store, const Point& point, int pipe, pid_t parent) {
  default_interrupts();
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a pool that is killed leaves nobody behind
  if (getppid() != parent) _exit(kElsewhere);
  int code = kCannotWrite;
  try {
    code = simulate_and_store(store, point);
  } catch (const std::exception& e) {
    const std::string text = e.what();
    if (write(pipe, text.data(), text.size()) < 0) code = kCannotWrite;
  }
  _exit(code);
}

class Pool {
 public:
  Pool(const Store& store, const std::vector<Point>& points, const PoolOptions& options)
      : store_(store), points_(points), options_(options), tries_(points.size(), 0) {
    for (std::size_t i = 0; i < points.size(); ++i) waiting_.push_back(i);
  }
  ~Pool() { kill_all(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  PoolOutcome run() {
    const auto start = Clock::now();
    for (;;) {
      const bool out_of_time = options_.stop_after > 0 && seconds_since(start) >= options_.stop_after;
      while (!interrupt_signal() && !out_of_time && children_.size() < std::max(1u, options_.jobs) &&
             !waiting_.empty())
        start_next();
      if (interrupt_signal()) break;
      if (children_.empty()) break;
      wait_for_someone();
      report("");
    }
    outcome_.interrupted = interrupt_signal() != 0;
    outcome_.left = waiting_.size() + children_.size();
    kill_all();
    return outcome_;
  }

 private:
  struct Child {
    pid_t pid = 0;
    int pipe = -1;
    std::size_t point = 0;
  };

  void start_next() {
    const std::size_t index = waiting_.front();
    waiting_.pop_front();
    const State state = store_.state(points_[index]);
    if (state == State::done || state == State::failed) return;
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      child_main(store_, points_[index], ends[1], parent);
    }
    close(ends[1]);
    if (child < 0) {
      close(ends[0]);
      throw std::runtime_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
    }
    ++tries_[index];
    children_.push_back({child, ends[0], index});
  }

  /// Until a child ends, a signal comes or half a second is over.
  void wait_for_someone() {
    std::vector<pollfd> set;
    for (const Child& child : children_) set.push_back({child.pipe, POLLIN, 0});
    if (poll(set.data(), set.size(), 500) <= 0) return;
    // From the back: erasing keeps the places of those before.
    for (std::size_t i = set.size(); i-- > 0;)
      if (set[i].revents) end_of(i);
  }

  void end_of(std::size_t place) {
    const Child child = children_[place];
    std::string said;
    std::array<char, 4096> buffer{};
    for (ssize_t n; (n = read(child.pipe, buffer.data(), buffer.size())) > 0;)
      said.append(buffer.data(), static_cast<std::size_t>(n));
    close(child.pipe);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(place));
    int status = 0;
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    const Point& point = points_[child.point];
    if (WIFEXITED(status)) {
      switch (WEXITSTATUS(status)) {
        case kFinished: ++outcome_.done; return report(fmt::format("done {}", point.label()));
        case kFailed:
          ++outcome_.failed;
          return report(fmt::format("failed {}: {}", point.label(), store_.failure(point).error));
        case kElsewhere: ++outcome_.elsewhere; return;
        case kCannotWrite: throw ConfigError(said);
        default: return crashed(child.point, fmt::format("ended with exit code {}", WEXITSTATUS(status)));
      }
    }
    const int signal = WTERMSIG(status);
    const bool from_outside = signal == SIGKILL || signal == SIGTERM || signal == SIGINT;
    if (from_outside && interrupt_signal()) {
      waiting_.push_front(child.point);
    } else if (from_outside && tries_[child.point] < options_.attempts) {
      waiting_.push_back(child.point);
    } else {
      crashed(child.point, fmt::format("ended by signal {} ({}){}", signal, strsignal(signal),
                                       from_outside ? fmt::format(", {} times", tries_[child.point]) : ""));
    }
  }

  void crashed(std::size_t index, const std::string& how) {
    const Point& point = points_[index];
    store_.write_failure(point, failure_of(how));
    ++outcome_.failed;
    report(fmt::format("failed {}: {}", point.label(), how));
  }

  void kill_all() {
    for (const Child& child : children_) kill(child.pid, SIGKILL);
    for (const Child& child : children_) {
      close(child.pipe);
      while (waitpid(child.pid, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    children_.clear();
  }

  void report(const std::string& finished) {
    if (options_.progress) options_.progress({outcome_.done, outcome_.failed, children_.size(), finished});
  }

  const Store& store_;
  const std::vector<Point>& points_;
  const PoolOptions& options_;
  std::vector<unsigned> tries_;
  std::deque<std::size_t> waiting_;
  std::vector<Child> children_;
  PoolOutcome outcome_;
};

}  // namespace

PoolOutcome run_points(const Store& store, const std::vector<Point>& points, const PoolOptions& options) {
  return Pool(store, points, options).run();
}

PoolOutcome run_points(const Store& store, const std::vector<Point>& points, unsigned jobs, ProgressBar& bar) {
  PoolOptions options;
  options.jobs = jobs;
  options.progress = [&](const PoolProgress& p) { bar.update(p.done, p.failed, p.running, p.finished); };
  return run_points(store, points, options);
}

}  // namespace warpsieve::sweep
