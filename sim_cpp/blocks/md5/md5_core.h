// md5_core: one 64-byte block folded into the MD5 chaining value, S steps per cycle (RFC 1321).
//
//   S, fold_in_steps      1     1, on   2     4
//   cycles per block      65    64      33    17    next block of the same message, when it is there in time
//   latency               65    65      33    17    from the cycle in which the last block is taken to front()
//
// A request with `more` keeps the chaining value for the next block and gives no response; one without
// ends the message: its response is the digest, and taking it returns the chaining value to the initial
// one. ready() while idle with no digest on offer, and in the last cycle of a block that has `more`.
// fold_in_steps adds the old chaining value during the last steps instead of in a cycle of its own.
//
// RTL: rtl/md5/md5_core.sv, which asks for message words by index instead of holding the block; the
// RTL backend holds the 64 bytes and answers. Compiled RTL points: rtl/md5/points.txt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "blocks/md5/line_hasher.h"

namespace warpsieve::md5 {

struct Md5CoreParams {
  unsigned steps_per_cycle = 1;  ///< 1, 2 or 4
  bool fold_in_steps = false;    ///< with 1 step per cycle only
  bool operator==(const Md5CoreParams&) const = default;
};

struct Md5Block {
  std::array<std::uint8_t, 64> bytes{};
  bool more = false;  ///< another block of the same message follows
  bool operator==(const Md5Block&) const = default;
};
std::string describe(const Md5Block& block);

using Md5Core = Block<Md5Block, LineHashRsp>;

/// The padded blocks (RFC 1321, 3.1 and 3.2) of a message, ready to push.
std::vector<Md5Block> md5_blocks(std::span<const std::uint8_t> message);
/// MD5 of a message, by OpenSSL.
Digest md5_digest(std::span<const std::uint8_t> message);
/// Cycles from one block to the next of the same message.
unsigned md5_block_cycles(const Md5CoreParams& params);
/// Cycles from the push of a message's last block to front().
unsigned md5_last_block_latency(const Md5CoreParams& params);

std::unique_ptr<Md5Core> make_md5_core(const Md5CoreParams& params, Backend backend, std::string name = "md5_core");

}  // namespace warpsieve::md5
