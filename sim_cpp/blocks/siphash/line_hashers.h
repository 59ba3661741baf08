// siphash_line_hashers: many siphash_line_hasher (line_hasher.h) that take lines in turn and answer in turn, so tags
// come in the order of lines. The RTL keeps the lines in a memory that all of them share.
//
//   latency      of a line: that of siphash_line_hasher; its tag waits for those of older lines
//   throughput   a line per cycle while the hasher whose turn it is has none; it is free again in the cycle after its
//                tag was popped
//
// RTL: rtl/siphash/siphash_line_hashers.sv. Compiled RTL points: rtl/siphash/points.txt.
#pragma once

#include <memory>
#include <string>

#include "blocks/siphash/line_hasher.h"

namespace warpsieve::siphash {

struct LineHashersParams {
  unsigned units = 8;       ///< lines at a time, from 1
  LineHasherParams hasher;  ///< of each
};

/// Throws std::invalid_argument when units is 0 or half_rounds_per_cycle is neither 1 nor 2.
std::unique_ptr<LineHasher> make_line_hashers(const LineHashersParams& params, Backend backend,
                                              std::string name = "siphash_line_hashers");

}  // namespace warpsieve::siphash
