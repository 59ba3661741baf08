// md5_pipeline: one 64-byte block folded into an MD5 chaining value in every cycle (RFC 1321), S steps per stage.
//
//   S            1    2    4    8     (RTL compiled for 1, 4, 8)
//   latency     66   34   18   10   cycles from push to front(): 64 / S + 2
//   throughput   1 block per cycle while results are taken
//   inside       at most 64 / S + 3 blocks: ready() while there is a place (a credit) for another, given back in the
//                cycle after a result is taken
//
// Blocks are independent: the caller pads, brings the chaining value (md5_initial_chain() or the result of the block
// before) and may let messages alternate. Results come in order.
// RTL: rtl/md5/md5_pipeline.sv. Compiled RTL points: rtl/md5/points.txt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "blocks/md5/line_hasher.h"

namespace warpsieve::md5 {

struct Md5PipelineParams {
  unsigned steps_per_stage = 1;  ///< divides 64
  bool operator==(const Md5PipelineParams&) const = default;
};

struct Md5PipelineReq {
  std::array<std::uint8_t, 64> bytes{};
  Digest chain{};  ///< as a digest: byte 0 first as printed
  bool operator==(const Md5PipelineReq&) const = default;
};
std::string describe(const Md5PipelineReq& req);

using Md5Pipeline = Block<Md5PipelineReq, LineHashRsp>;

/// The chaining value a message starts from (RFC 1321, 3.3).
Digest md5_initial_chain();
/// One block folded into a chaining value, written from the text of RFC 1321, constants by sine.
Digest md5_compress(const Digest& chain, const std::array<std::uint8_t, 64>& block);

/// Cycles from push() to front(). Throws std::invalid_argument for a wrong steps_per_stage.
unsigned md5_pipeline_latency(const Md5PipelineParams& params);

std::unique_ptr<Md5Pipeline> make_md5_pipeline(const Md5PipelineParams& params, Backend backend,
                                               std::string name = "md5_pipeline");

}  // namespace warpsieve::md5
