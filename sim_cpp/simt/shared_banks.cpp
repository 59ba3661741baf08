#include "simt/shared_banks.h"

#include <algorithm>
#include <array>

namespace warpsieve::simt {

unsigned shared_passes(std::span<const std::uint32_t> at, unsigned bytes) {
  // The usual cases: neighbours side by side, and one word for all.
  bool row = true, same = true;
  for (std::size_t k = 1; k < at.size(); ++k) {
    row &= at[k] == at[0] + k * bytes;
    same &= at[k] == at[0];
  }
  if (same) return 1;
  const auto word = [&](std::uint32_t address) { return address / kBankBytes; };
  if (row) return (word(at.back() + bytes - 1) - word(at[0])) / kSharedBanks + 1;
  // A lane touches a bank once at most, so no bank gets more words than there are lanes.
  std::array<std::array<std::uint32_t, 32>, kSharedBanks> seen;
  std::array<std::uint8_t, kSharedBanks> words{};
  unsigned most = 1;
  for (const std::uint32_t a : at)
    for (std::uint32_t w = word(a); w <= word(a + bytes - 1); ++w) {
      const unsigned bank = w % kSharedBanks;
      const auto known = seen[bank].begin() + words[bank];
      if (std::find(seen[bank].begin(), known, w) != known) continue;
      seen[bank][words[bank]++] = w;
      most = std::max<unsigned>(most, words[bank]);
    }
  return most;
}

}  // namespace warpsieve::simt
