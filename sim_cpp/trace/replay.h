// A trace as a workload: the simulator replays it as if the kernels ran.
//
// The functional image at the end comes from the trace as well, so the whole device memory is compared with it
// exactly as in a run of the workload itself. verify() has nothing to add: only a run whose result was right
// becomes a trace.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/zeroed_bytes.h"
#include "trace/reader.h"

namespace warpsieve::trace {

class TraceWorkload final : public simt::Workload {
 public:
  /// Checks the whole file first, so that damage is found before the simulation and not in its last minute.
  explicit TraceWorkload(const std::string& path);

  /// "trace:bfs"; of a trace without recorded values "trace:bfs [values zero]".
  const std::string& name() const override { return name_; }
  const std::string& values() const { return reader_.program().values; }
  void setup() override;
  simt::Addr base() const override { return reader_.program().base; }
  std::span<const std::uint8_t> image() const override { return image_.span(); }
  bool blank() const override { return blank_; }
  std::unique_ptr<simt::Launch> next_launch() override;
  std::vector<simt::HostWrite> take_host_writes() override { return std::exchange(host_writes_, {}); }
  std::string verify() override { return ""; }
  std::vector<std::pair<simt::Addr, std::uint64_t>> order_dependent() const override {
    return reader_.program().order_dependent;
  }

 private:
  TraceReader reader_;
  std::string name_;
  ZeroedBytes image_;
  bool blank_ = false;
  std::vector<simt::HostWrite> host_writes_;
  Section section_ = Section::program;  ///< of the block that was read and not used yet
};

/// "trace:FILE" names a trace where a workload's name is expected.
inline constexpr std::string_view kTracePrefix = "trace:";
inline bool names_trace(std::string_view workload) { return workload.starts_with(kTracePrefix); }
inline std::string trace_path(std::string_view workload) { return std::string(workload.substr(kTracePrefix.size())); }

/// Reads everything and throws at the first thing that is wrong.
Totals check_file(const std::string& path);

}  // namespace warpsieve::trace
