// Runs one kernel on one or more blocks and keeps the traces.
#pragma once

#include <vector>

#include "simt/kernel.h"

namespace warpsieve::simt::test {

template <class F>
std::vector<BlockTrace> run_blocks(DeviceMemory& memory, std::uint32_t blocks, std::uint32_t threads, F kernel,
                                   std::uint32_t shared_bytes = 0) {
  const auto launch = make_launch(memory, {"test_kernel", blocks, threads, shared_bytes, 32}, std::move(kernel));
  std::vector<BlockTrace> out;
  for (std::uint32_t b = 0; b < blocks; ++b) out.push_back(launch->run_block(b));
  return out;
}

/// The trace of the only warp of a single block.
template <class F>
WarpTrace run_warp(DeviceMemory& memory, F kernel) {
  return std::move(run_blocks(memory, 1, 32, std::move(kernel)).front().warps.front());
}

/// The instructions of one kind, in order.
inline std::vector<WarpInstr> only(const WarpTrace& t, Op op) {
  std::vector<WarpInstr> out;
  for (const WarpInstr& i : t.instrs)
    if (i.op == op) out.push_back(i);
  return out;
}

/// The numbers that an instruction reads, as a vector.
inline std::vector<std::uint32_t> sources(const WarpInstr& i) { return {i.source, i.source + i.sources}; }

}  // namespace warpsieve::simt::test
