#include "validate/bench.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "validate/python_random.h"

namespace warpsieve::validate {

double chase(const Bench& b, std::uint64_t footprint) {
  constexpr std::uint32_t kWarps = 32;
  constexpr std::uint64_t kSettle = 32, kMeasured = 256;
  const std::uint64_t lines = footprint / kLine;
  std::vector<std::uint32_t> order(lines);
  std::iota(order.begin(), order.end(), 0u);
  PythonRandom random(1);
  random.shuffle(order);
  const bool warm = footprint <= 4 * b.l2_bytes();  // much more: no line stays anyway
  const auto cycles = [&](std::uint64_t loads) {
    const auto write = [&](WarpWriter& out, std::uint32_t, std::uint32_t warp) {
      std::uint32_t last = kNone;
      for (std::uint64_t l = warp * std::uint64_t{kLanes}; warm && l < lines; l += kWarps * kLanes)
        last = out.load(l * kLine, kLine, last);
      out.alu(last);
      out.barrier();
      last = kNone;
      for (std::uint64_t k = 0; warp == 0 && k < loads; ++k) last = out.load_one(order[k % lines] * kLine, last);
    };
    return b.run("staircase", 1, kWarps, footprint, write).cycles;
  };
  return steady(cycles, kSettle, kSettle + kMeasured) / kMeasured;
}

}  // namespace warpsieve::validate
