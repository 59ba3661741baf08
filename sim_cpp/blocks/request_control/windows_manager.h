// windows_manager: how often recent lines were accessed inconsistently, by size, and how often they were needed in
// full (DPC thesis 4.1, figure 4.4; decisions D11 to D13).
//
//   latency 1 cycle from an event to the verdicts      throughput one reply and one eviction per cycle, always taken
//
// An event enters the ICA window of its size (64, 96 or 128 bytes) with its inconsistent flag, and the FDR window
// with "all sub-blocks". In one cycle the reply is the older event. A 32-byte event enters no ICA window unless it is
// inconsistent: then it counts as 64 bytes. A verdict is true while strictly more than its percentage of the window's
// length is 1; windows start all 0. RTL: rtl/request_control/windows_manager.sv.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "cosim/ports.h"

namespace warpsieve::request_control {

struct WindowsParams {
  unsigned window = 16;       ///< events per window; thesis table 5.1: 8, 16 (default), 32
  unsigned ica_percent = 50;  ///< 0..100; thesis: 25, 50 (default), 75
  unsigned fdr_percent = 90;  ///< 0..100; thesis: 30, 60, 90 (default)
  bool operator==(const WindowsParams&) const = default;
};

/// A completed fetch, or an evicted line.
struct LineEvent {
  std::uint8_t map = 0;  ///< sub-blocks asked for, at least one
  bool inconsistent = false;
  bool operator==(const LineEvent&) const = default;
};

struct Verdicts {
  std::array<bool, 3> ica_over{};  ///< windows of 64, 96, 128 bytes
  bool fdr_over = false;
  bool operator==(const Verdicts&) const = default;
};

std::string describe(const LineEvent& event);
std::string describe(const Verdicts& verdicts);

class WindowsManager : public Clocked {
 public:
  In<"reply", LineEvent> reply;  ///< always ready
  In<"evict", LineEvent> evict;  ///< always ready
  auto visit_ports(auto&& visit) { return visit(reply, evict); }
  virtual Verdicts verdicts() const = 0;
};

/// Throws std::invalid_argument as make_request_analyzer() does.
std::unique_ptr<WindowsManager> make_windows_manager(const WindowsParams& params, Backend backend,
                                                     std::string name = "windows_manager");

}  // namespace warpsieve::request_control
