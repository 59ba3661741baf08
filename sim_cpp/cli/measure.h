// Measures work in a process of its own: CPU time, host instructions where the host counts them, peak memory.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>

#include "run/simulate.h"

namespace warpsieve::cli {

/// Of this process, since it began.
double cpu_seconds();

struct Measured {
  double cpu_seconds = 0;
  double host_instructions = 0;  ///< in user mode; 0: not counted
  double peak_bytes = 0;         ///< largest resident set
  std::uint64_t items = 0;       ///< what the work is counted in
  std::uint64_t requests = 0;    ///< off-chip, of a simulation
  double wall_seconds = 0;       ///< of a simulation
  run::Simulated::Shared shared{};
  bool wrong = false;  ///< a simulation that was not clean
  nlohmann::ordered_json json() const;
};

/// Counts from its construction on; of the process.
class Meter {
 public:
  Meter();
  ~Meter();
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;
  void read(Measured& into) const;

 private:
  double start_;
  int counter_;
};

bool host_counts_instructions();

/// Calls `work` in a child process; peak_bytes is the child's. Throws std::runtime_error with what the child threw.
Measured measure_apart(const std::function<Measured()>& work);

}  // namespace warpsieve::cli
