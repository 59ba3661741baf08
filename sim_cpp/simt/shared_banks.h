// Bank conflicts of a shared-memory access. There are 32 banks of 4 bytes; a bank delivers one word per pass, to any
// number of lanes. Accesses of 8 and 16 bytes per lane by a whole warp take at least 2 and 4 passes.
// Source: NVIDIA, CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x and later.
#pragma once

#include <cstdint>
#include <span>

namespace warpsieve::simt {

inline constexpr unsigned kSharedBanks = 32;
inline constexpr unsigned kBankBytes = 4;

/// Returns the largest number of different words in one bank, 1 to 32. `at`: byte addresses of the active lanes, 1 to
/// 32, aligned to `bytes` per lane; `bytes`: a power of two, 1 to 16.
unsigned shared_passes(std::span<const std::uint32_t> at, unsigned bytes);

}  // namespace warpsieve::simt
