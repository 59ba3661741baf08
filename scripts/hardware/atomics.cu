// Atomic additions in 1e9 lane operations per second, over the number of addresses (warps for *_one_per_warp).
//
//   packed         lane g of the grid adds to word g mod n: the lanes of a warp share lines, for n = 1 an address
//   lines          to a line of its own: word (g mod n) * 32
//   one_per_warp   the lanes of a warp add to one address, every warp to its own line
// red_*: without a result; atom_*: the lane waits for the old value.
#include <numeric>

#include "device.h"
#include "duplicates.h"
#include "loads.h"

namespace warpsieve::hardware {
namespace {

constexpr unsigned kThreads = 256, kOperations = 64, kLineWords = kLineBytes / 4;

/// `constants` holds a 1 per thread, then a 0: the compiler does not know them and cannot merge the lanes' additions.
template <bool result>
__global__ void add(std::uint32_t* counters, std::uint64_t modulus, std::uint64_t shift, std::uint64_t stride,
                    const std::uint32_t* constants) {
  std::uint32_t* const at = counters + ((grid_thread() >> shift) % modulus) * stride;
  const std::uint32_t one = load_l2(constants + threadIdx.x), zero = load_l2(constants + kThreads);
  std::uint32_t v = one;
#pragma unroll 8
  for (unsigned k = 0; k < kOperations; ++k) {
    if constexpr (result) {
      std::uint32_t old;
      asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(v) : "memory");
      v = one + (old & zero);  // the next one waits for it
    } else {
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(v) : "memory");
    }
  }
}

struct Bench {
  Context& c;
  unsigned blocks;
  DeviceArray<std::uint32_t> counters, constants;

  explicit Bench(Context& context)
      : c(context), blocks(static_cast<unsigned>(8 * context.machine.sms)),
        counters(std::max<std::uint64_t>(std::uint64_t{blocks} * kThreads, 1u << 20) * kLineWords),
        constants(kThreads + 1) {
    std::vector<std::uint32_t> values(kThreads, 1);
    values.push_back(0);
    HW_CHECK(cudaMemcpy(constants.data(), values.data(), values.size() * 4, cudaMemcpyHostToDevice));
  }

  void point(Curve& curve, double x, bool result, std::uint64_t modulus, std::uint64_t shift, std::uint64_t stride) {
    counters.clear();
    const double operations = static_cast<double>(blocks) * kThreads * kOperations;
    curve.add(x, giga_per_second(c.options.runs, operations, [&] {
                if (result)
                  add<true><<<blocks, kThreads>>>(counters.data(), modulus, shift, stride, constants.data());
                else
                  add<false><<<blocks, kThreads>>>(counters.data(), modulus, shift, stride, constants.data());
              }));
    const std::vector<std::uint32_t> sums = counters.read(modulus * stride);
    const auto want = static_cast<std::uint32_t>(std::uint64_t{blocks} * kThreads * kOperations * 2 *
                                                 static_cast<std::uint64_t>(c.options.runs));
    if (std::accumulate(sums.begin(), sums.end(), std::uint32_t{0}) != want)
      throw CudaError("atomics: the counters do not add up");
  }
};

std::vector<Curve> measure(Context& c) {
  Bench bench(c);
  std::vector<Curve> curves;
  for (const bool result : {false, true}) {
    const std::string kind = result ? "atom_" : "red_";
    Curve packed{kind + "packed", "addresses", "1", "G/s", {}}, lines{kind + "lines", "addresses", "1", "G/s", {}},
        warp{kind + "one_per_warp", "warps", "1", "G/s", {}};
    for (std::uint64_t n = 1; n <= 1u << 18; n *= 4) {
      bench.point(packed, static_cast<double>(n), result, n, 0, 1);
      bench.point(lines, static_cast<double>(n), result, n, 0, kLineWords);
    }
    const std::uint64_t warps = std::uint64_t{bench.blocks} * kThreads / 32;
    bench.point(warp, static_cast<double>(warps), result, warps, 5, kLineWords);
    curves.insert(curves.end(), {packed, lines, warp});
  }
  return curves;
}

}  // namespace
}  // namespace warpsieve::hardware

int main(int argc, char** argv) {
  return warpsieve::hardware::run_curves("atomics", argc, argv, warpsieve::hardware::measure);
}
