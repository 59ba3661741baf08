// Reference figures: TOML files in sim_cpp/configs/validate, compiled in. The key `experiment` says which kind a file
// is. traces: figures of another simulator on the traces of traces.h; curves: microbenchmarks (curves.h); hardware:
// what scripts/hardware measured on a GPU (gpu_curves.h).
//
//   experiment = "traces"
//   cycles_limit = 20                 # tolerance of each trace's cycles, in percent
//   cycles_goal = 10                  # ... of four in five
//   counts = 2                        # tolerance of counts in percent, of hit rates in points
//   [trace.stream]
//   arguments = "stream 160 8 16"     # traces.h
//   quick = true                      # part of the short form
//   [[machine]]
//   name = "qv100"
//   profile = "qv100"
//   set = []                          # parameters beside the profile's
//   source = "..."
//   l2_hits = "reads"                 # the reference's L2 hit rate: reads (of reads, those that needed no DRAM
//   read),
//                                     # or all (of all accesses, those that found their sector)
//   [[machine.row]]
//   trace = "stream"
//   cycles = 5845                     # each of these may be missing: nothing is compared
//   l1_hit = 0.0
//   l2_accesses = 81920
//   l2_hit = 0.0
//   dram_reads = 81920
//   reason.cycles = "..."             # why a difference is accepted
//
//   experiment = "curves"
//   [[machine]]
//   name = "volta"
//   profile = "qv100"
//   curves = ["staircase"]            # empty: all
//   [[machine.row]]                   # a point of a curve beside a published figure
//   what = "L1 load to use"
//   curve = "staircase"
//   at = "16"                         # the point's label
//   reference = 28                    # or
//   limit = "activate"                # a bound that follows from the profile's parameters (curves.h)
//   tolerance = 10                    # percent of the reference; `within`: in the curve's unit instead
//   source = "..."
//   reason = "..."
//   [[machine.check]]                 # the shape of a curve
//   curve = "staircase"
//   shape = "rising"                  # falling; to_peak: rising up to the largest point
//   tolerance = 2                     # largest step in the wrong direction; flat: distance from the largest, in
//   percent reason = "..."
//
//   experiment = "hardware"
//   [[machine]]
//   name = "h100"
//   profile = "h100"
//   result = "nvidia_h100_80gb_hbm3"  # file of scripts/hardware/results, compiled in; the references come from it
//   [[row]]                           # of every machine
//   curve = "latency.l2_only"         # PROGRAM.CURVE of the result
//   at = [1048576, 1073741824]        # points, by x
//   fitted = true                     # parameters were chosen to meet it on the first machine; else it was held out
//   tolerance = 15                    # percent
//   quick = true                      # part of the short form
//   reason = "..."
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validate/machine.h"

namespace warpsieve::validate {

struct TraceRow {
  std::string trace;
  std::map<std::string, double> figures;       ///< by name: cycles, l1_hit, ...
  std::map<std::string, std::string> reasons;  ///< of figures
};
struct TraceMachine {
  std::string name, source;
  MachineSpec machine;
  bool read_hits = false;  ///< l2_hits = "reads"
  std::vector<TraceRow> rows;
};
struct NamedTrace {
  std::string arguments;
  bool quick = false;
};

enum class Shape { rising, falling, to_peak };

struct CurveRow {
  std::string what, curve, at, source, reason, limit;
  std::optional<double> reference;
  double tolerance = 0;
  bool absolute = false;
};
struct CurveCheck {
  std::string curve, reason;
  Shape shape = Shape::rising;
  double tolerance = 0;
};
struct CurveMachine {
  std::string name;
  MachineSpec machine;
  std::vector<std::string> curves;  ///< empty: all
  std::vector<CurveRow> rows;
  std::vector<CurveCheck> checks;
};

/// A point of a curve that was measured on a GPU.
struct GpuRow {
  std::string curve, x_unit, y_unit, reason;
  double at = 0, reference = 0, tolerance = 0;
  bool fitted = false, quick = false;
};
struct GpuMachine {
  std::string name, source;
  MachineSpec machine;
  std::vector<GpuRow> rows;
};

/// One file; what is not of its kind is empty.
struct Reference {
  std::map<std::string, NamedTrace> traces;
  double cycles_limit = 0, cycles_goal = 0, counts = 0;
  std::vector<TraceMachine> trace_machines;
  std::vector<CurveMachine> curve_machines;
  std::vector<GpuMachine> gpu_machines;
};

/// Throws ConfigError "FILE:LINE: what is expected".
Reference parse_reference(std::string_view text, const std::string& file);
/// Those that are compiled in, but for dram*.toml, which is of another format.
std::vector<Reference> read_builtin_references();

}  // namespace warpsieve::validate
