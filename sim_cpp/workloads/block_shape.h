// `block`: another shape of a kernel's thread blocks, after AVC's 32-wide versions of backprop, hotspot and srad
// (workload document, 5.5). At its default the kernels are the benchmark's.
#pragma once

#include "workloads/registry.h"

namespace warpsieve::workloads {

inline constexpr const char* kBlock = "block";

inline Parameter block_parameter(std::string value, std::vector<std::string> choices, std::string doc) {
  return choice_parameter(kBlock, std::move(value), std::move(choices), std::move(doc));
}
/// Of a kernel that was written for square blocks of 16 x 16 threads.
inline Parameter side_of_blocks() {
  return block_parameter("16", {"16", "32"}, "threads on each side of a block; 32: each row is a warp");
}
inline int side_of_block(const Settings& s) { return s.text(kBlock) == "32" ? 32 : 16; }

}  // namespace warpsieve::workloads
