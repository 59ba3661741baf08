#include "sweep/pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <deque>
#include <new>

#include "core/errors.h"
#include "core/params.h"
#include "run/child.h"
#include "run/interrupt.h"

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
  if (ended(store.state(point))) return kElsewhere;
  std::string error;
  memsys::Result result;
  try {
    result = run::simulate(point.spec).result;
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
  rusage used{};  // of this process: of the point
  getrusage(RUSAGE_SELF, &used);
  store.log_finished(point, static_cast<double>(std::clock()) / CLOCKS_PER_SEC,
                     static_cast<double>(used.ru_maxrss) * 1024 / 1e6);
  return kFinished;
}

int child_main(const Store& store, const Point& point, int pipe) {
  try {
    return simulate_and_store(store, point);
  } catch (const std::bad_alloc&) {
    run::write_all(pipe, NotEnoughMemory(point.label()).what());
    return kCannotWrite;
  } catch (const std::exception& e) {
    run::write_all(pipe, e.what());
    return kCannotWrite;
  }
}

class Pool {
 public:
  Pool(const Store& store, const std::vector<Point>& points, const PoolOptions& options)
      : store_(store), points_(points), options_(options), tries_(points.size(), 0) {
    for (std::size_t i = 0; i < points.size(); ++i)
      if (!ended(store.state(points[i]))) waiting_.push_back(i);
  }
  ~Pool() { kill_all(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  PoolOutcome run() {
    const auto start = Clock::now();
    for (;;) {
      const bool out_of_time = options_.stop_after > 0 && seconds_since(start) >= options_.stop_after;
      while (!run::interrupt_signal() && !out_of_time && children_.size() < std::max(1u, options_.jobs) &&
             !waiting_.empty())
        start_next();
      if (run::interrupt_signal()) break;
      if (children_.empty() && (out_of_time || !options_.wait_for_others || elsewhere_.empty())) break;
      wait_for_someone();
      look_elsewhere();
      report("");
    }
    outcome_.interrupted = run::interrupt_signal() != 0;
    outcome_.left = waiting_.size() + children_.size();
    kill_all();
    report("");  // what others finished last
    return outcome_;
  }

 private:
  struct Worker {
    run::Child child;
    std::size_t point = 0;
  };

  void start_next() {
    const std::size_t index = waiting_.front();
    waiting_.pop_front();
    if (ended(store_.state(points_[index]))) {
      ++others_;
      return;
    }
    children_.push_back(
        {run::start_child([&](int pipe) { return child_main(store_, points_[index], pipe); }), index});
    ++tries_[index];
  }

  /// Until a child ends, a signal comes or half a second is over.
  void wait_for_someone() {
    std::vector<pollfd> set;
    for (const Worker& worker : children_) set.push_back({worker.child.pipe, POLLIN, 0});
    if (poll(set.data(), set.size(), 500) <= 0) return;
    // From the back: erasing keeps the places of those before.
    for (std::size_t i = set.size(); i-- > 0;)
      if (set[i].revents) end_of(i);
  }

  void end_of(std::size_t place) {
    const Worker worker = children_[place];
    std::string said;
    std::array<char, 4096> buffer{};
    for (ssize_t n; (n = read(worker.child.pipe, buffer.data(), buffer.size())) > 0;)
      said.append(buffer.data(), static_cast<std::size_t>(n));
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(place));
    const int status = run::wait_for_end(worker.child);
    const Point& point = points_[worker.point];
    if (WIFEXITED(status)) {
      switch (WEXITSTATUS(status)) {
        case kFinished: ++outcome_.done; return report(fmt::format("done {}", point.label()));
        case kFailed:
          ++outcome_.failed;
          return report(fmt::format("failed {}: {}", point.label(), store_.failure(point).error));
        case kElsewhere:
          ++outcome_.elsewhere;
          elsewhere_.push_back(worker.point);
          return;
        case kCannotWrite: throw ConfigError(said);
        default: return crashed(worker.point, fmt::format("ended with exit code {}", WEXITSTATUS(status)));
      }
    }
    const int signal = WTERMSIG(status);
    const bool from_outside = signal == SIGKILL || signal == SIGTERM || signal == SIGINT;
    if (from_outside && run::interrupt_signal()) {
      waiting_.push_front(worker.point);
    } else if (from_outside && tries_[worker.point] < options_.attempts) {
      waiting_.push_back(worker.point);
    } else {
      crashed(worker.point, fmt::format("ended by signal {} ({}){}", signal, strsignal(signal),
                                        from_outside ? fmt::format(", {} times", tries_[worker.point]) : ""));
    }
  }

  /// Whose process ended without a result or a failure is ours again.
  void look_elsewhere() {
    std::erase_if(elsewhere_, [this](std::size_t point) {
      const State state = store_.state(points_[point]);
      others_ += ended(state);
      if (state != State::missing) return state != State::running;
      --outcome_.elsewhere;
      waiting_.push_back(point);
      return true;
    });
  }

  void crashed(std::size_t index, const std::string& how) {
    const Point& point = points_[index];
    store_.write_failure(point, failure_of(how));
    ++outcome_.failed;
    report(fmt::format("failed {}: {}", point.label(), how));
  }

  void kill_all() {
    for (const Worker& worker : children_) run::end_child(worker.child);
    children_.clear();
  }

  void report(const std::string& finished) {
    if (options_.progress) options_.progress({outcome_.done, outcome_.failed, children_.size(), others_, finished});
  }

  const Store& store_;
  const std::vector<Point>& points_;
  const PoolOptions& options_;
  std::vector<unsigned> tries_;
  std::deque<std::size_t> waiting_;
  std::vector<std::size_t> elsewhere_;  ///< another process has them
  std::size_t others_ = 0;              ///< that another process finished
  std::vector<Worker> children_;
  PoolOutcome outcome_;
};

}  // namespace

PoolOutcome run_points(const Store& store, const std::vector<Point>& points, const PoolOptions& options) {
  return Pool(store, points, options).run();
}

PoolOutcome run_points(const Store& store, const std::vector<Point>& points, unsigned jobs, ProgressBar& bar) {
  PoolOptions options;
  options.jobs = jobs;
  options.wait_for_others = true;
  options.progress = [&](const PoolProgress& p) { bar.update(p.done + p.others, p.failed, p.running, p.finished); };
  return run_points(store, points, options);
}

}  // namespace warpsieve::sweep
