// dup_detect: sector coverage of a write (CMD IV.B, eq. 1 and 2) and intra-line duplicate (decisions C4).
//
//   covered       new_mask contains old_mask                                             (eq. 1)
//   merged_mask   old_mask | new_mask                                                    (eq. 2)
//   missing       old_mask & ~new_mask: sectors a Dedup-Read must fetch before hashing (decisions C6)
//   intra         all words of the sectors in merged_mask are equal; says something about the line only
//                 when `data` is complete in those sectors; merged_mask 0 gives false
//   value         first word of the lowest sector in merged_mask (0 when merged_mask is 0)
//
//   latency 1 cycle      throughput 1 line per cycle      holds 2 responses, ready from state only
//
// RTL: rtl/dup_detect/dup_detect.sv (dup_detect_core.sv is the logic alone). Points: points.txt there.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "cosim/block.h"

namespace warpsieve::dup_detect {

struct DupDetectParams {
  unsigned sectors = 4;        ///< per line, 1..8
  unsigned sector_bits = 256;  ///< a multiple of word_bits; sectors x sector_bits <= 1024
  unsigned word_bits = 32;     ///< 8, 16, 24 or 32
  bool operator==(const DupDetectParams&) const = default;
};

struct DupDetectReq {
  std::uint8_t old_mask = 0;  ///< sectors the block held before the write (bits from `sectors` up must be 0)
  std::uint8_t new_mask = 0;  ///< sectors the write brings
  std::array<std::uint8_t, 128> data{};
  bool operator==(const DupDetectReq&) const = default;
};
struct DupDetectRsp {
  bool covered = false;
  std::uint8_t merged_mask = 0;
  std::uint8_t missing = 0;
  bool intra = false;
  std::uint32_t value = 0;
  bool operator==(const DupDetectRsp&) const = default;
};
std::string describe(const DupDetectReq& req);
std::string describe(const DupDetectRsp& rsp);

using DupDetect = Block<DupDetectReq, DupDetectRsp>;

/// Eq. 1: the new sectors replace every sector held before.
constexpr bool covers(std::uint8_t old_mask, std::uint8_t new_mask) { return (old_mask & ~new_mask) == 0; }
/// Eq. 2.
constexpr std::uint8_t merge(std::uint8_t old_mask, std::uint8_t new_mask) {
  return static_cast<std::uint8_t>(old_mask | new_mask);
}
/// The whole answer, without time; any parameters within the ranges above.
DupDetectRsp detect(const DupDetectReq& req, const DupDetectParams& params = {});

/// Throws std::invalid_argument for parameters out of range, or when `backend` needs RTL and no compiled
/// point has them.
std::unique_ptr<DupDetect> make_dup_detect(const DupDetectParams& params, Backend backend,
                                           std::string name = "dup_detect");

}  // namespace warpsieve::dup_detect
