// From the length of a path to cycles of the machine: the one rule by which synthesis results become latencies.
//
//   period   one clock of the machine in FO4 at its node: 83.1 at 1365 MHz in 16 nm, where an FO4 is the library's
//   0.0991 ns
//            x 16/180 = 8.81 ps
//   path     of the netlist for 90 FO4. If it misses the clock and the one for 45 FO4 meets it, of the latter.
//            Gates stay those of the first.
//   cycles   ceil(path / period): a block whose worst path is longer than a clock is clocked every so many cycles
//   latency  the block's own clocks x cycles
//
// A memory's access time is not in a path (synth/README.md); no margin for wires, skew and variation is taken.
#pragma once

#include <string>
#include <vector>

#include "cost/scheme_blocks.h"

namespace warpsieve::cost {

/// One clock in FO4.
double period_fo4(double mhz, double node_nm = 16);
/// Whole clocks of the machine that a path takes, at least 1.
unsigned path_cycles(double path_fo4, double mhz, double node_nm = 16);

/// The path that counts, in FO4.
double paced_fo4(const Synthesis& netlist, double mhz, double node_nm = 16);

/// A parameter of the simulator with the value that synthesis gives it.
struct MeasuredLatency {
  std::string parameter;
  unsigned value = 0;
  std::string basis;  ///< the arithmetic
};
/// For every latency parameter whose blocks the scheme has (data/latency.json). Throws CostError for an unknown
/// scheme.
std::vector<MeasuredLatency> measured_latencies(const std::string& scheme, double mhz);

}  // namespace warpsieve::cost
