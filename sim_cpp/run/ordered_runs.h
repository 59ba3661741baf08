// OrderedRuns: simulations in processes of their own, several at a time, their results in the order of the requests:
// what is made of them does not depend on how many run at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/child.h"
#include "run/simulate.h"

namespace warpsieve::run {

class OrderedRuns {
 public:
  /// Waveforms cannot be asked for. `jobs` simulations at a time, at least 1.
  OrderedRuns(std::vector<RunSpec> specs, unsigned jobs);
  /// Ends what still runs.
  ~OrderedRuns();
  OrderedRuns(const OrderedRuns&) = delete;
  OrderedRuns& operator=(const OrderedRuns&) = delete;

  /// `change(n, ended)` is called when the n-th request starts or ends, `waiting` at least twice a second in next().
  void watch(std::function<void(std::size_t, bool)> change, std::function<void()> waiting);
  /// The result of the next request. Throws ConfigError for what the caller got wrong, Interrupted after a signal,
  /// and std::runtime_error for a simulation that failed, with the words of simulate().
  Simulated next();
  /// What has ended well beyond the next request, by its place: after an interrupt, so that nothing finished is lost.
  std::vector<std::pair<std::size_t, Simulated>> finished();

 private:
  struct Run {
    RunSpec spec;
    std::optional<Child> child;  ///< while it runs
    std::string said;
    int status = 0;
  };
  void start_more();
  /// Up to so many milliseconds; whether anybody said something or ended.
  bool listen(int milliseconds);

  std::vector<Run> runs_;
  unsigned jobs_;
  std::function<void(std::size_t, bool)> change_ = [](std::size_t, bool) {};
  std::function<void()> waiting_ = [] {};
  std::size_t started_ = 0, given_ = 0;
};

}  // namespace warpsieve::run
