// Loads that the compiler neither drops nor moves: .ca may hit in the L1, .cg goes to the L2.
#pragma once

#include <cstdint>

namespace warpsieve::hardware {

enum class Level { l1, l2 };

template <Level level>
__device__ inline std::uint64_t load_word64(std::uint64_t address) {
  std::uint64_t v;
  if constexpr (level == Level::l1)
    asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(v) : "l"(address) : "memory");
  else
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(v) : "l"(address) : "memory");
  return v;
}

__device__ inline std::uint32_t load_l2(const std::uint32_t* address) {
  std::uint32_t v;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(address));
  return v;
}

__device__ inline uint4 load_l2(const uint4* address) {
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(address));
  return v;
}

/// Cycle counter of the SM. Volatile assembly keeps its place among other volatile assembly.
__device__ inline long long cycles_now() {
  long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}

/// Number of this thread in the grid, and how many there are.
__device__ inline std::uint64_t grid_thread() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ inline std::uint64_t grid_threads() { return std::uint64_t{gridDim.x} * blockDim.x; }

}  // namespace warpsieve::hardware
