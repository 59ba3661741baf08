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

BlockLifetimes::Life& BlockLifetimes::of(std::uint32_t line) {
  const std::uint32_t number = line / kPageLines;
  if (number >= pages_.size()) pages_.resize(number + 1);
  std::unique_ptr<Page>& page = pages_[number];
  if (!page) {
    page = std::make_unique<Page>();
    used_.push_back(number);
  }
  return (*page)[line % kPageLines];
}

void BlockLifetimes::load(std::uint32_t line, SectorMask mask, SectorMask valid, SectorMask pending) {
  Life& life = of(line);
  // What an earlier load brought was overtaken by a store and not kept.
  bool born = !life.alive || (!valid && !pending);
  if (born) life = {.alive = true, .gone = life.gone};
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
  Life& life = of(line);
  life.stored = life.alive;
}

void BlockLifetimes::ended(std::uint32_t line, SectorMask valid) {
  Life& now = of(line);
  // As in load(), and never loaded again.
  const Life life = now.alive ? now : Life{.first = valid, .loaded = valid};
  if (now.gone) ++returned_;
  now = {.gone = true};
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
  for (const std::uint32_t page : used_) pages_[page].reset();
  used_.clear();
}

}  // namespace warpsieve::schemes
