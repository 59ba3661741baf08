// What a workload's accesses and data look like, measured by a functional run: no timing, no caches.
//
// A line is 128 bytes, a sector 32. A line request is one line that one warp memory instruction touches.
// Loaded values are read from a copy of device memory that replays the streams in execution order; at
// the end that copy is compared with the workload's own memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "simt/program.h"

namespace warpsieve::workloads {

struct Properties {
  simt::RunCounts counts;
  std::uint64_t footprint = 0;      ///< bytes of the lines touched by loads, stores and atomics
  std::uint64_t line_requests = 0;  ///< see above
  std::uint64_t one_sector = 0;     ///< of them, those that touch one sector only
  /// Lines written, counted once per launch, with the content they have at its end: all 32 words equal
  /// (intra), or else the same as the last content of another written line (inter).
  std::uint64_t written_lines = 0, intra = 0, inter = 0;
  /// Lines loaded, counted once per launch; shared: from blocks of several SMs when block b runs on
  /// SM b mod `sms`. An upper bound of replication: the SMs need not hold the line at the same time.
  std::uint64_t loaded_lines = 0, shared_lines = 0;
  std::uint64_t load_requests = 0, shared_requests = 0;  ///< line requests of loads, those to shared lines
  /// Loads and stores of 4-byte elements by at least two lanes; affine: base + lane * stride, as integers.
  std::uint64_t load_vectors = 0, affine_loads = 0, store_vectors = 0, affine_stores = 0;
  std::string wrong;  ///< what the workload's own check says; empty when right

  double sectors_per_access() const { return ratio(counts.requests, counts.wmi()); }
  double lines_per_access() const { return ratio(line_requests, counts.wmi()); }
  static double ratio(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
  }
};

/// Sets the workload up, runs it and checks it. `pause` is called before every block of threads.
Properties measure(simt::Workload& workload, unsigned sms, const std::function<void()>& pause = {});

}  // namespace warpsieve::workloads
