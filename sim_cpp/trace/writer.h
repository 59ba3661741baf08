// Writes a trace, and records a workload.
#pragma once

#include <functional>

#include "trace/records.h"

namespace warpsieve::trace {

/// Call in the order of a program's life: image, then for each launch host_writes, launch, thread blocks; at the
/// end host_writes and finish.
class TraceWriter {
 public:
  TraceWriter(const std::string& path, const ProgramInfo& info);

  void image(std::span<const std::uint8_t> bytes);
  void host_writes(const std::vector<simt::HostWrite>& writes);
  void launch(const simt::LaunchShape& shape);
  void thread_block(const simt::BlockTrace& block);
  /// `image`: device memory at the end. The file exists from here on.
  void finish(std::span<const std::uint8_t> image);

  const Totals& totals() const { return totals_; }
  std::uint64_t bytes() const { return out_.bytes(); }
  std::uint32_t blocks() const { return out_.blocks(); }
  /// Bytes of the records blocks alone.
  std::uint64_t record_bytes() const { return record_bytes_; }

 private:
  void flush();
  void memory(Section section, std::uint64_t offset, std::span<const std::uint8_t> bytes);

  BlockWriter out_;
  RecordEncoder records_;
  std::vector<std::uint8_t> initial_;
  Totals totals_;
  std::uint64_t record_bytes_ = 0;
};

/// Runs `workload` functionally (setup() is called here), checks its result and writes all of it. `info` needs
/// no base, bytes and order_dependent. Throws TraceError when the workload's own check fails; nothing is left then.
/// `progress` is called once per thread block and may throw.
Totals record(simt::Workload& workload, const std::string& path, ProgramInfo info,
              const std::function<void(const Totals&)>& progress = {});

}  // namespace warpsieve::trace
