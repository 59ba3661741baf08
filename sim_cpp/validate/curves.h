// Microbenchmarks of a machine. Each is a curve; steady state is the difference between a short and a long run.
//
//   name       x (label)                          y
//   staircase  footprint, KiB                     core cycles per dependent load
//   bandwidth  read, write, copy                  DRAM bandwidth of coalesced lines, % of peak
//   in_flight  lines in flight per SM             the same, of dependent reads (Little's law)
//   random     sector                             32-byte sectors at random, % of peak
//   l2         read                               bytes per core cycle of lines that only the L2 holds
//   shared     words in the busiest bank          core cycles per shared-memory access of one SM
//   atomics    different words                    lane atomics per core cycle
//   pitch      bytes between lanes                lines per core cycle
//   occupancy  registers per thread               resident warps per SM, blocks of 256 threads
#pragma once

#include <string>
#include <vector>

#include "validate/machine.h"

namespace warpsieve::validate {

struct Point {
  std::string label;
  double y = 0;
};
struct Curve {
  std::string name, x_unit, y_unit;
  std::vector<Point> points;
};

std::vector<std::string> curve_names();
/// Quick: fewer points of the staircase. Throws ConfigError for an unknown name.
Curve measure_curve(const std::string& name, const MachineSpec& machine, bool quick);

/// Bounds that follow from parameters. activate: share of the DRAM's peak that the activates of random sectors allow
/// (tRRD, tFAW, tRC x banks), in percent.
std::vector<std::string> limit_names();
double limit_value(const std::string& name, const MachineSpec& machine);

}  // namespace warpsieve::validate
