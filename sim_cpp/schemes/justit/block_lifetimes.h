// BlockLifetimes: what became of the lines of one L1 between fill and eviction (JUSTIT paper, Figures 1 and 2;
// decisions J1, J2).
//
// A block's life starts with the load that brings the line in and ends when the line leaves the L1 (replaced,
// dropped by an atomic, or emptied at the end of the kernel). Loads count as accesses, those that wait for the
// fill included; stores are written through and only counted apart.
//   sectors     how many different sectors of the block were loaded: 1 to 4 (Figure 1)
//   one-sector  blocks brought in by a request for one sector (Figure 2): singular (never loaded again), multiple
//               (loaded again, always that sector), extended (another sector was loaded later)
// Figures 1 and 2 speak of an unmodified L1: scheme `lamar`.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/stats.h"
#include "memsys/types.h"

namespace warpsieve::schemes {

class BlockLifetimes {
 public:
  explicit BlockLifetimes(Stats& stats);
  /// A load whose sectors are, or are going to be, in the L1; `valid` and `pending`: those of the line before it.
  void load(std::uint32_t line, memsys::SectorMask mask, memsys::SectorMask valid, memsys::SectorMask pending);
  void store(std::uint32_t line);
  /// The line leaves the L1.
  void ended(std::uint32_t line, memsys::SectorMask valid);
  /// After the lines that are left have ended.
  void end_kernel();

 private:
  struct Life {
    memsys::SectorMask first = 0, loaded = 0;
    bool alive = false, again = false, stored = false;
    bool gone = false;  ///< the line left the L1 in this kernel
  };
  static constexpr unsigned kPageLines = 1024;
  using Page = std::array<Life, kPageLines>;

  /// Of any line; pages that no line was in are made.
  Life& of(std::uint32_t line);

  std::vector<std::unique_ptr<Page>> pages_;
  std::vector<std::uint32_t> used_;  ///< pages with lines of this kernel
  Counter blocks_, sectors_[memsys::kSectors], singular_, multiple_, extended_, singular_stored_, returned_;
};

}  // namespace warpsieve::schemes
