// Bank conflicts of a shared-memory access: 32 banks of 4 bytes; a bank delivers one word per pass, to any number of
// lanes (NVIDIA, CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x and later). Accesses of 8 and
// 16 bytes per lane by a whole warp take 2 and 4 passes at least.
#pragma once

#include <cstdint>
#include <span>

namespace warpsieve::simt {

inline constexpr unsigned kSharedBanks = 32;
inline constexpr unsigned kBankBytes = 4;

/// The largest number of different words in one bank, 1 to 32. `at`: byte address of each active lane, at most 32
/// and at least one, aligned to `bytes` per lane: 1 to 16, a power of two.
unsigned shared_passes(std::span<const std::uint32_t> at, unsigned bytes);

}  // namespace warpsieve::simt
