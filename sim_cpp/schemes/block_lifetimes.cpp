#include "schemes/block_lifetimes.h"

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

void BlockLifetimes::load(std::uint32_t line, SectorMask mask) {
  const auto [at, born] = alive_.try_emplace(line);
  Life& life = at->second;
  if (born) {
    life.first = mask;
    if (gone_.contains(line)) ++returned_;
  }
  life.again = !born;
  life.loaded |= mask;
}

void BlockLifetimes::store(std::uint32_t line) {
  if (const auto at = alive_.find(line); at != alive_.end()) at->second.stored = true;
}

void BlockLifetimes::evicted(std::uint32_t line, SectorMask valid) {
  const auto at = alive_.find(line);
  // A sector that was still on its way when its line left comes in as a block of its own.
  end(at != alive_.end() ? at->second : Life{valid, valid, false, false});
  if (at != alive_.end()) alive_.erase(at);
  gone_.insert(line);
}

void BlockLifetimes::end_kernel() {
  for (const auto& [line, life] : alive_) end(life);
  alive_.clear();
  gone_.clear();
}

void BlockLifetimes::end(const Life& life) {
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

}  // namespace warpsieve::schemes
