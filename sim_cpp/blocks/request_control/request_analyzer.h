// request_analyzer: byte addresses of the active lanes of a warp to the map of sub-blocks they touch (DPC
// thesis 3.1, decision D17).
//
//   latency 1 cycle        throughput 1 request per cycle
//   ready   while fewer than two maps wait (state only)
//
// A lane accesses 2^size_log2 bytes from its offset; an access that runs over the end of its sub-block touches the
// next one too, bytes beyond the line are another request's. RTL: rtl/request_control/request_analyzer.sv.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "cosim/block.h"

namespace warpsieve::request_control {

struct AnalyzerParams {
  unsigned lanes = 32;        ///< of a warp, 1..32
  unsigned line_bytes = 128;  ///< power of two, up to 256
  unsigned sub_blocks = 4;    ///< power of two, 2..32, of at least 8 bytes each
  bool operator==(const AnalyzerParams&) const = default;
};

struct LaneAccess {
  std::uint32_t active = 0;                ///< bit per lane
  std::uint8_t size_log2 = 2;              ///< 0..3: 1, 2, 4 or 8 bytes per lane
  std::array<std::uint8_t, 32> offsets{};  ///< bytes from the start of the line
  bool operator==(const LaneAccess&) const = default;
};

struct SubBlockMap {
  std::uint32_t map = 0;  ///< bit per sub-block
  bool operator==(const SubBlockMap&) const = default;
};

std::string describe(const LaneAccess& access);
std::string describe(const SubBlockMap& map);

/// What the block computes, without its timing.
SubBlockMap analyze(const LaneAccess& access, const AnalyzerParams& params = {});

using RequestAnalyzer = Block<LaneAccess, SubBlockMap>;

/// Throws std::invalid_argument when the parameters are out of range, or when `backend` needs RTL and no compiled
/// point has them.
std::unique_ptr<RequestAnalyzer> make_request_analyzer(const AnalyzerParams& params, Backend backend,
                                                       std::string name = "request_analyzer");

}  // namespace warpsieve::request_control
