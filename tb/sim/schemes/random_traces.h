// Random traces with much duplicate content over few lines: loads and stores of parts of lines, atomics, host writes.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "sim/schemes/support.h"

namespace warpsieve::tb {

inline constexpr std::size_t kTraceBytes = 1 << 17;  ///< 1,024 lines
inline constexpr unsigned kPool = 16;                ///< lines in use, spread over them
inline constexpr unsigned kAtomicLine = 1020;

inline std::uint8_t content(unsigned kind, unsigned salt, unsigned i) {
  switch (kind) {
    case 0: return 0;
    case 1: return static_cast<std::uint8_t>(0x41 + i % 4);
    case 2: return static_cast<std::uint8_t>(i * 3);
    case 3: return static_cast<std::uint8_t>(i * 5 + 1);
    case 4: return i < 32 ? 7 : static_cast<std::uint8_t>(i);  // one sector of a value
    default: return static_cast<std::uint8_t>((i + 1) * (salt | 1) >> 3);
  }
}

/// Lines belong to one warp each for stores, so that the final image does not depend on the order of warps.
inline ToyWorkload random_workload(unsigned seed, unsigned kernels, unsigned warps, unsigned instrs) {
  std::minstd_rand random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<unsigned> pool;
  for (unsigned i = 0; i < kPool; ++i) pool.push_back(pick(4) ? pick(40) : pick(1000));
  std::sort(pool.begin(), pool.end());
  pool.erase(std::unique(pool.begin(), pool.end()), pool.end());
  ToyWorkload w(kTraceBytes);
  for (unsigned k = 0; k < kernels; ++k) {
    std::vector<WarpBuilder> builders(warps);
    for (unsigned o = 0; o < warps; ++o) {
      std::vector<unsigned> mine;
      for (std::size_t i = o; i < pool.size(); i += warps) mine.push_back(pool[i]);
      std::vector<std::uint32_t> last;
      for (unsigned i = 0, n = pick(instrs + 1); i < n; ++i) {
        const unsigned kind = pick(3) ? 2 : pick(6), salt = pick(1u << 16),
                       own = mine[pick(static_cast<unsigned>(mine.size()))];
        const auto value = [=](unsigned lane, unsigned byte) { return content(kind, salt, lane * 4 + byte); };
        switch (pick(8)) {
          case 0:
          case 1: builders[o].store(word_lanes(own, 0xf), 4, value); break;
          case 2: builders[o].store(word_lanes(own, 1 + pick(15)), 4, value); break;
          case 3: builders[o].store({{pick(32), own * 128u + pick(128)}}, 1, value); break;
          case 4:
            builders[o].atomic({{0, kAtomicLine * 128u + 4 * pick(64)}}, simt::AtomicOp::add_u32,
                               [=](unsigned) { return salt; });
            break;
          default:
            last = {builders[o].load(
                word_lanes(pool[pick(static_cast<unsigned>(pool.size()))], pick(2) ? 0xf : 1 + pick(15)), 4,
                pick(2) ? last : std::vector<std::uint32_t>{})};
        }
      }
    }
    w.add(std::move(builders));
    if (pick(3) == 0)
      w.kernels.back().before = {{kBase + 128 * pool[pick(static_cast<unsigned>(pool.size()))] + pick(100),
                                  std::vector<std::uint8_t>(1 + pick(300), static_cast<std::uint8_t>(pick(3)))}};
  }
  return w;
}

/// name=value
inline std::string set(const char* name, unsigned value) { return fmt::format("{}={}", name, value); }

}  // namespace warpsieve::tb
