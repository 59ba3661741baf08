// line_hasher: MD5 fingerprint of the masked sectors of one 128-byte line (CMD IV.A, decisions C7, C8).
//
//   digest = MD5(masked 32-byte sectors in ascending order, then one byte holding the 4-bit mask)
//
//   sectors in the mask   0, 1        2, 3        4
//   64-byte chunks n      1           2           3
//   latency, S = 1        66          130         194 cycles   = 2 + 64 n
//   latency, S = 2        34          67          100 cycles   = 1 + 33 n
//   latency, S = 4        18          35          52 cycles    = 1 + 17 n
//
//   latency      from the cycle in which push() is taken to the first cycle in which front() answers
//   throughput   one line in flight: ready again in the cycle after the digest was popped
//   mask == 0    is legal: the digest of the mask byte 0x00 alone
//
// RTL: rtl/md5/line_hasher.sv. Compiled RTL points: rtl/md5/points.txt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "cosim/block.h"

namespace warpsieve::md5 {

inline constexpr unsigned kSectors = 4;
inline constexpr unsigned kSectorBytes = 32;
inline constexpr unsigned kLineBytes = kSectors * kSectorBytes;

/// Printed order: byte 0 is the first two hexadecimal digits.
using Digest = std::array<std::uint8_t, 16>;

struct LineHasherParams {
  unsigned steps_per_cycle = 1;  ///< MD5 steps per clock cycle: 1, 2 or 4
  bool operator==(const LineHasherParams&) const = default;
};

struct LineHashReq {
  std::array<std::uint8_t, kLineBytes> data{};
  std::uint8_t mask = 0;  ///< bit i: sector i (bytes 32 i .. 32 i + 31) belongs to the message; bits 7:4 are 0
  bool operator==(const LineHashReq&) const = default;
};
struct LineHashRsp {
  Digest digest{};
  bool operator==(const LineHashRsp&) const = default;
};
std::string describe(const LineHashReq& req);
std::string describe(const LineHashRsp& rsp);

using LineHasher = Block<LineHashReq, LineHashRsp>;

/// The fingerprint itself, by OpenSSL.
Digest line_digest(std::uint8_t mask, const std::array<std::uint8_t, kLineBytes>& data);
/// 64-byte chunks of the padded message for this mask: 1, 2 or 3.
unsigned line_chunks(std::uint8_t mask);
/// Cycles from push to front(), see the table above.
unsigned line_hash_latency(const LineHasherParams& params, std::uint8_t mask);

/// Throws std::invalid_argument when steps_per_cycle is not 1, 2 or 4.
std::unique_ptr<LineHasher> make_line_hasher(const LineHasherParams& params, Backend backend,
                                             std::string name = "line_hasher");

}  // namespace warpsieve::md5
