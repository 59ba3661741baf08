// siphash_core: SipHash-2-4 with the 128-bit tag over a message that is streamed in as 64-bit words.
//
//   H                      2             1
//   cycles per word        2             4
//   latency, w words       2 w + 8       4 w + 16    from the cycle in which the message is taken to front()
//
//   w            floor(bytes / 8) + 1: the last word holds the remaining bytes and the length
//   throughput   one message in flight: ready again in the cycle after the tag was popped
//
// RTL: rtl/siphash/siphash_core.sv, which asks for its words as it goes; the RTL backend holds the message and
// answers. Compiled RTL points: rtl/siphash/points.txt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "blocks/siphash/line_hasher.h"

namespace warpsieve::siphash {

struct SiphashCoreParams {
  unsigned half_rounds_per_cycle = 2;  ///< 1 or 2
  Key key{};
  bool operator==(const SiphashCoreParams&) const = default;
};

struct SiphashMessage {
  std::vector<std::uint8_t> bytes;
  bool operator==(const SiphashMessage&) const = default;
};
std::string describe(const SiphashMessage& message);

using SiphashCore = Block<SiphashMessage, LineHashRsp>;

/// The message as the reference reads it: little-endian words, the last one with the length in its top byte.
std::vector<std::uint64_t> siphash_words(std::span<const std::uint8_t> message);
/// Cycles from push to front() for a message of so many words.
unsigned siphash_latency(unsigned half_rounds_per_cycle, std::size_t words);

std::unique_ptr<SiphashCore> make_siphash_core(const SiphashCoreParams& params, Backend backend,
                                               std::string name = "siphash_core");

}  // namespace warpsieve::siphash
