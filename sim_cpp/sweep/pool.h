// Points on this machine: a process for each, a number of them at a time. A point that crashes, or is killed, takes
// nothing else with it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sweep/progress.h"
#include "sweep/store.h"

namespace warpsieve::sweep {

/// What `run_points` reports after every change, and at least twice a second.
struct PoolProgress {
  std::size_t done = 0, failed = 0, running = 0;  ///< of the given points, in this call
  std::size_t others = 0;                         ///< that other processes have finished since the call began
  std::string finished;                           ///< the point that just ended: one line, else empty
};

struct PoolOptions {
  unsigned jobs = 1;
  unsigned attempts = 3;         ///< of a point that something outside kills (SIGKILL, SIGTERM)
  double stop_after = 0;         ///< seconds: no further point is started then; 0: no limit
  bool wait_for_others = false;  ///< returns when points that other processes have are finished too
  std::function<void(const PoolProgress&)> progress = {};
};

struct PoolOutcome {
  std::size_t done = 0, failed = 0;
  std::size_t elsewhere = 0;  ///< another process has them, or had
  std::size_t left = 0;       ///< not started: interrupted or out of time
  bool interrupted = false;
};

/// Simulates every point that has neither result nor failure. Throws ConfigError when results cannot be written.
PoolOutcome run_points(const Store& store, const std::vector<Point>& points, const PoolOptions& options);
/// The same, shown on a bar, and the points that other processes have are waited for: afterwards every point has a
/// result or a failure, unless it was interrupted.
PoolOutcome run_points(const Store& store, const std::vector<Point>& points, unsigned jobs, ProgressBar& bar);

}  // namespace warpsieve::sweep
