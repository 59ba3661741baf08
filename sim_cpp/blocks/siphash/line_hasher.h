// siphash_line_hasher: SipHash-2-4 with the 128-bit tag, keyed by a per-boot secret, over the masked sectors of one
// 128-byte line. Same ports, payloads and meaning as md5's line hasher (decision C7): either is a LineHasher.
//
//   tag = SipHash-2-4-128(key, masked 32-byte sectors in ascending order, then one byte holding the 4-bit mask)
//
//   sectors in the mask n   0     1     2     3     4
//   latency, H = 2          11    19    27    35    43 cycles   = 11 +  8 n
//   latency, H = 1          21    37    53    69    85 cycles   = 21 + 16 n
//
//   H            half SipRounds (two 64-bit additions each) per cycle
//   latency      from the cycle in which push() is taken to the first cycle in which front() answers
//   throughput   one line in flight: ready again in the cycle after the tag was popped
//   key          stable from the last cycle of reset on; without it a collision cannot be prepared
//
// RTL: rtl/siphash/siphash_line_hasher.sv. Compiled RTL points: rtl/siphash/points.txt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "blocks/md5/line_hasher.h"

namespace warpsieve::siphash {

using md5::kLineBytes;
using md5::kSectorBytes;
using md5::kSectors;
using md5::LineHasher;
using md5::LineHashReq;
using md5::LineHashRsp;

/// Bytes as the reference prints them: k0 is bytes 0 to 7, least significant first.
using Key = std::array<std::uint8_t, 16>;
/// Reference's byte order: the first 64-bit word of the tag, least significant byte first, then the second.
using Tag = md5::Digest;

struct LineHasherParams {
  unsigned half_rounds_per_cycle = 2;  ///< half SipRounds per clock cycle: 1 or 2
  Key key{};                           ///< per-boot secret
  bool operator==(const LineHasherParams&) const = default;
};

/// SipHash-2-4 with the 128-bit tag, of any message.
Tag siphash_tag(const Key& key, std::span<const std::uint8_t> message);
/// The fingerprint of a line.
Tag line_tag(const Key& key, std::uint8_t mask, const std::array<std::uint8_t, kLineBytes>& data);
/// Cycles from push to front(), see the table above.
unsigned line_hash_latency(const LineHasherParams& params, std::uint8_t mask);

/// Throws std::invalid_argument when half_rounds_per_cycle is neither 1 nor 2.
std::unique_ptr<LineHasher> make_line_hasher(const LineHasherParams& params, Backend backend,
                                             std::string name = "siphash_line_hasher");

}  // namespace warpsieve::siphash
