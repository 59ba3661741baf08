// One run on a machine, and the figures that comparisons are made of.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "memsys/profile.h"
#include "simt/warp_trace.h"
#include "validate/traces.h"

namespace warpsieve::validate {

/// Counts of 32-byte sectors; rates in percent.
struct Figures {
  double cycles = 0;  ///< core cycles
  double l1_hit = 0;  ///< load sectors that were in the L1; those on the way do not count
  double l2_accesses = 0;
  double l2_read_hit = 0;  ///< read sectors that needed no DRAM read of their own, of all read sectors
  double l2_hit = 0;       ///< read sectors that were in the L2 and written ones whose line was, of all accesses
  double dram_reads = 0;
  double dram_writes = 0;
  double atomics = 0;  ///< lane operations at the L2
};

struct MachineSpec {
  std::string profile;
  std::vector<std::string> set;  ///< "l1.ways=4"
};

/// Traces as files of this project, made once each and gone with the object.
class TraceFolder {
 public:
  TraceFolder();
  ~TraceFolder();
  TraceFolder(const TraceFolder&) = delete;
  TraceFolder& operator=(const TraceFolder&) = delete;
  /// Path of the imported trace (traces.h). Throws ConfigError.
  const std::string& trace(const std::string& arguments);

 private:
  std::filesystem::path path_;
  std::map<std::string, std::string> made_;
};

/// Scheme baseline. Throws std::runtime_error when the golden memory found corrupt data.
Figures run_trace(const MachineSpec& machine, const std::string& trace_file);
Figures run_program(const MachineSpec& machine, simt::Workload& program);

}  // namespace warpsieve::validate
