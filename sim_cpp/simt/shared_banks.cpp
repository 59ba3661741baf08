#include "simt/shared_banks.h"

#include <algorithm>
#include <array>

namespace warpsieve::simt {
namespace {

std::uint32_t word(std::uint32_t address) { return address / kBankBytes; }

/// Any access, by what each bank has to deliver. A lane touches a bank once at most, so no bank gets more words than
/// there are lanes.
unsigned count_words(std::span<const std::uint32_t> at, unsigned bytes) {
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

/// No bank has to deliver two words.
bool one_word_per_bank(std::span<const std::uint32_t> at) {
  std::array<std::uint32_t, kSharedBanks> first;
  std::uint32_t used = 0;
  for (const std::uint32_t a : at) {
    const std::uint32_t w = word(a), bank = w % kSharedBanks;
    if (used >> bank & 1) {
      if (first[bank] != w) return false;
    } else {
      used |= 1u << bank;
      first[bank] = w;
    }
  }
  return true;
}

}  // namespace

unsigned shared_passes(std::span<const std::uint32_t> at, unsigned bytes) {
  // Most accesses of a whole warp: one word for all, or neighbours from a bank's first byte on.
  const std::uint32_t first = at[0];
  if (at.size() == kSharedBanks) {
    std::uint32_t same = 0, row = first % kBankBytes;
    for (std::uint32_t l = 0; l < kSharedBanks; ++l) {
      same |= at[l] ^ first;
      row |= at[l] ^ (first + l * bytes);
    }
    if (word(same) == 0) return 1;
    if (row == 0) return bytes > kBankBytes ? bytes / kBankBytes : 1;
  }
  if (bytes > kBankBytes || !one_word_per_bank(at)) return count_words(at, bytes);
  return 1;
}

}  // namespace warpsieve::simt
