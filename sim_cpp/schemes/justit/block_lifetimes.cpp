#include "schemes/justit/block_lifetimes.h"

#include <fmt/format.h>

namespace warpsieve::schemes {

using namespace memsys;

BlockLifetimes::BlockLifetimes(Stats& s)
    : blocks_(s.add("l1_blocks.ended", "blocks", "L1 blocks from fill to eviction")),
      singular_(s.add("l1_blocks.singular", "blocks", "brought in by a one-sector load, never loaded again")),
      multiple_(s.add("l1_blocks.multiple", "blocks", "brought in by a one-sector load, only that sector again")),
      extended_(s.add("l1_blocks.extended", "blocks", "brought in by a one-sector load, another sector later")),
      singular_stored_(s.add("l1_blocks.singular_stored", "blocks", "of the singular: written by a store")),
      returned_(s.add("l1_blocks.returned", "blocks", "whose line had left the L1 before in the same kernel")) {
  for (unsigned n = 0; n < kSectors; ++n)
    sectors_[n] = s.add(fmt::format("l1_blocks.sectors_{}", n + 1), "blocks", "with so many sectors loaded");
}

void BlockLifetimes::load(std::uint32_t line, SectorMask mask, SectorMask valid, SectorMask pending) {
  auto [at, born] = alive_.try_emplace(line);
  Life& life = at->second;
  // What an earlier load brought was overtaken by a store and not kept.
  if (!born && !valid && !pending) {
    life = {};
    born = true;
  }
  // A sector that was still on its way when its line left came in as a block of its own.
  if (born && valid) {
    life.first = life.loaded = valid;
    born = false;
  }
  if (born) life.first = mask;
  life.again = !born;
  life.loaded |= mask;
}

void BlockLifetimes::store(std::uint32_t line) {
  if (const auto at = alive_.find(line); at != alive_.end()) at->second.stored = true;
}

void BlockLifetimes::ended(std::uint32_t line, SectorMask valid) {
  const auto at = alive_.find(line);
  // As in load(), and never loaded again.
  const Life life = at != alive_.end() ? at->second : Life{valid, valid, false, false};
  if (at != alive_.end()) alive_.erase(at);
  if (!gone_.insert(line).second) ++returned_;
  ++blocks_;
  ++sectors_[count_sectors(life.loaded) - 1];
  if (count_sectors(life.first) != 1) return;
  if (life.loaded != life.first) {
    ++extended_;
  } else if (life.again) {
    ++multiple_;
  } else {
    ++singular_;
    if (life.stored) ++singular_stored_;
  }
}

/// What is left has no line: it was not kept.
void BlockLifetimes::end_kernel() {
  alive_.clear();
  gone_.clear();
}

}  // namespace warpsieve::schemes
