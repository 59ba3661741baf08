// One SM with the L1 of the thesis (16 KB, 32 MSHRs) and one controller whose L2 holds the lines of the test.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/schemes/support.h"

namespace warpsieve::tb {

inline memsys::Profile fermi(std::vector<std::string> more = {}) {
  std::vector<std::string> set = {"dram.command_mhz=1365", "dram.latency=0",   "dram.tREFI=1000000", "l1.ways=4",
                                  "l1.mshrs=32",           "l1.line_fill=true"};
  set.insert(set.end(), more.begin(), more.end());
  return tiny(set);
}

/// 32-bit word i of a line is i: 5 planes vary over a line, 3 over a sub-block.
inline std::uint8_t counting(unsigned byte) { return byte % 4 ? 0 : static_cast<std::uint8_t>(byte / 4); }
/// No plane of any two words is constant.
inline std::uint8_t noise(unsigned byte) {
  std::uint32_t x = (byte + 1) * 0x9e3779b9u;
  x = (x ^ x >> 16) * 0x85ebca6bu;
  return static_cast<std::uint8_t>((x ^ x >> 13) * 0xc2b2ae35u >> 16);
}
inline std::uint8_t zeros(unsigned) { return 0; }
/// Noise but for sub-block 0.
inline std::uint8_t zero_first(unsigned byte) { return byte < 32 ? 0 : noise(byte); }

/// One kernel of these warps; before it the host writes the lines, which so are in the L2.
inline ToyWorkload kernel_on(const std::map<unsigned, Pattern>& lines, std::vector<WarpBuilder> warps) {
  ToyWorkload w(1 << 16);
  w.add(std::move(warps));
  for (const auto& [line, pattern] : lines) {
    std::vector<std::uint8_t> bytes(memsys::kLineBytes);
    for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = pattern(i);
    w.kernels.back().before.push_back({kBase + line * memsys::kLineBytes, bytes});
  }
  return w;
}

/// Loads of one warp, each after the one before: (line, mask of sub-blocks).
inline WarpBuilder loads(const std::vector<std::pair<unsigned, unsigned>>& list) {
  WarpBuilder warp;
  std::vector<std::uint32_t> last;
  for (const auto& [line, mask] : list) last = {warp.load(word_lanes(line, mask), 4, last)};
  return warp;
}

}  // namespace warpsieve::tb
