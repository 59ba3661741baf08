// Shared memory with conflicts of 1 to 32 ways: cycles per load, of one warp but for all_warps.
//
// Of n ways: lanes 0 to n - 1 load different words of bank 0, every other lane a word of its own bank.
//   dependent     each load's address is the value of the one before: latency
//   independent   kUnroll loads do not wait for each other: issue interval
//   all_warps     the same of 32 warps: cycles of the SM per load of a warp
#include "device.h"
#include "loads.h"

namespace warpsieve::hardware {
namespace {

constexpr unsigned kBanks = 32, kWarps = 32, kUnroll = 16, kSteps = 64 * kUnroll;

/// .volatile, or the assembler loads once for several loads of one address.
__device__ std::uint32_t load_shared(std::uint32_t address) {
  std::uint32_t v;
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(address) : "memory");
  return v;
}

template <bool dependent>
__global__ void conflicts(unsigned ways, std::uint64_t* found) {
  __shared__ std::uint32_t words[kBanks * kBanks];
  const unsigned lane = threadIdx.x % kBanks, word = lane < ways ? lane * kBanks : lane;
  const auto own = static_cast<std::uint32_t>(__cvta_generic_to_shared(words + word));
  words[word] = own;  // a chain that stays where it is
  __syncthreads();
  std::uint32_t address = load_shared(own), sum = 0;
  const long long first = cycles_now();
#pragma unroll 1
  for (unsigned i = 0; i < kSteps; i += kUnroll) {
#pragma unroll
    for (unsigned k = 0; k < kUnroll; ++k) {
      if constexpr (dependent)
        address = load_shared(address);
      else
        sum ^= load_shared(own);
    }
  }
  // The store waits for the last load.
  asm volatile("st.global.u32 [%0], %1;" ::"l"(found + 1 + threadIdx.x), "r"(address + sum) : "memory");
  __syncthreads();
  const long long last = cycles_now();
  if (threadIdx.x == 0) found[0] = static_cast<std::uint64_t>(last - first);
}

std::vector<Curve> measure(Context& c) {
  Curve latency{"dependent", "ways", "1", "cycles", {}}, interval{"independent", "ways", "1", "cycles", {}},
      all{"all_warps", "ways", "1", "cycles", {}};
  DeviceArray<std::uint64_t> found(1 + kBanks * kWarps);
  const auto one = [&](const Curve& curve, unsigned ways) {
    const unsigned warps = &curve == &all ? kWarps : 1;
    if (&curve == &latency)
      conflicts<true><<<1, kBanks>>>(ways, found.data());
    else
      conflicts<false><<<1, kBanks * warps>>>(ways, found.data());
    finish();
    return static_cast<double>(found.read(1)[0]) / (kSteps * warps);
  };
  for (unsigned ways = 1; ways <= kBanks; ++ways)
    for (Curve* curve : {&latency, &interval, &all}) {
      std::vector<double> samples;
      one(*curve, ways);
      for (int r = 0; r < c.options.runs; ++r) samples.push_back(one(*curve, ways));
      curve->add(ways, samples);
    }
  return {latency, interval, all};
}

}  // namespace
}  // namespace warpsieve::hardware

int main(int argc, char** argv) {
  return warpsieve::hardware::run_curves("shared", argc, argv, warpsieve::hardware::measure);
}
