// Random spills, reloads and global accesses for tests of private memory: values uniform, affine or generic, masks
// full, dense or arbitrary; words are only read after they were written, as a spill model's are.
#pragma once

#include <array>
#include <random>

#include "toy.h"

namespace warpsieve::tb {

inline void add_random_warp(WarpBuilder& b, std::minstd_rand& random, unsigned count, unsigned slots) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::array<std::uint32_t, 8> written{};
  std::uint32_t last = b.alu();
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t slot = below(slots);
    std::uint32_t mask = 0xffffffffu;
    if (below(2))
      mask = below(2) ? 0xffffffffu >> below(31) << below(8) : static_cast<std::uint32_t>(random() * 2654435761u);
    if (!mask) mask = 1;
    std::vector<std::uint32_t> sources;
    if (below(2)) sources.push_back(last);
    const std::uint32_t base = below(64) * 64, stride = below(3) ? 1u << below(7) : 0, kind = below(4);
    switch (below(8)) {
      case 0: last = b.load_line(below(16) * 128, sources); break;
      case 1: last = b.alu(static_cast<std::uint16_t>(1 + below(20)), sources); break;
      case 2:
      case 3:
      case 4:
        b.local_store(
            slot, mask, [=](unsigned l) { return kind ? base + l * stride : l * l * base + 3; }, sources);
        written[slot] |= mask;
        break;
      default:
        if (const std::uint32_t readable = mask & written[slot]) last = b.local_load(slot, readable, sources);
    }
  }
}

/// Two kernels of a few blocks.
inline void add_random_kernels(ToyWorkload& w, std::uint32_t seed, unsigned count = 60, unsigned slots = 8) {
  std::minstd_rand random(seed);
  for (unsigned kernel = 0; kernel < 2; ++kernel)
    for (unsigned block = 0; block < 3; ++block) {
      std::vector<WarpBuilder> warps(1 + random() % 4);
      for (WarpBuilder& b : warps) add_random_warp(b, random, count, slots);
      if (block)
        w.block(std::move(warps));
      else
        w.add(std::move(warps));
    }
}

}  // namespace warpsieve::tb
