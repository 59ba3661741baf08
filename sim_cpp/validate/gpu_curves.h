// The microbenchmarks of scripts/hardware as warp programs: the same accesses, units and x axes, so that a point is
// compared with what a real GPU took. A curve is named PROGRAM.CURVE, as in a file of scripts/hardware/results.
//
// What moves bytes runs on a quarter of the SMs and controllers, which is a quarter of the bandwidth, and takes the
// cycles between a short and a long run. An array far larger than the L2 is one that is read or written once, with an
// L2 that is smaller in proportion. Translation of addresses is not modelled.
#pragma once

#include <string>
#include <vector>

#include "validate/machine.h"

namespace warpsieve::validate {

std::vector<std::string> gpu_curve_names();
/// The curve at x, in its unit: cycles, GB/s (1e9 bytes) or 1e9 lane operations per second. Throws ConfigError for
/// an unknown curve, and for an x that this machine's program does not have.
double measure_gpu_point(const std::string& curve, double x, const MachineSpec& machine);

}  // namespace warpsieve::validate
