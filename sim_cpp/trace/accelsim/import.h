// An Accel-Sim trace (kernelslist.g and its .traceg files) as a trace of this project. README.md says what becomes of
// what.
#pragma once

#include <functional>
#include <string>

#include "trace/accelsim/unknown_opcodes.h"
#include "trace/accelsim/values.h"
#include "trace/format.h"

namespace warpsieve::trace::accelsim {

struct ImportOptions {
  std::string list, output;
  std::string name;  ///< of the program; empty: the folder of the list
  Values values = Values::none;
  std::uint64_t seed = 1;
  std::string tool;     ///< program and version that writes
  bool strict = false;  ///< an unknown opcode is an error
};

struct ImportReport {
  Totals totals;
  std::uint64_t instructions = 0;  ///< in the files
  std::uint64_t inactive = 0;      ///< left out: no lane is active
  std::uint64_t bytes = 0;         ///< of device memory
  std::uint64_t copies = 0;        ///< from the host
  std::uint64_t skipped = 0;       ///< lines of the list that are neither
  std::string first_skipped;       ///< "line 2: 'MemcpyDtoD,...'"
  std::uint64_t sorted = 0;        ///< kernels whose thread blocks were not in order
  std::vector<UnknownOpcode> unknown;
};

/// Reads everything twice: where the program's memory is, then what it does. Throws TraceError "FILE:LINE: expected
/// X, found Y"; nothing is left then. `progress` is called once per thread block and may throw.
ImportReport import_trace(const ImportOptions& options, const std::function<void()>& progress = {});

}  // namespace warpsieve::trace::accelsim
