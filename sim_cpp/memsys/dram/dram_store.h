// Contents of a DRAM channel: 64 KB pages made at the first write; all else reads as zero. The table of pages is
// dense up to the highest page written, so data must begin at address 0.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/prefetch.h"
#include "memsys/types.h"

namespace warpsieve::memsys {

class DramStore {
 public:
  /// From now on every write is lost and every sector reads as zero. Before the first write.
  void keep_nothing() { kept_ = false; }
  void read(std::uint64_t address, std::uint8_t* sector) const;
  /// `bytes`: those that are written.
  void write(std::uint64_t address, const std::uint8_t* sector, std::uint32_t bytes = kFullSector);
  /// Prefetches what read() of this sector will load.
  void prefetch(std::uint64_t address) const {
    const std::uint64_t page = address / kPage;
    if (page < pages_.size() && pages_[page]) warpsieve::prefetch(pages_[page].get() + address % kPage);
  }

 private:
  static constexpr std::uint64_t kPage = 65536;
  bool grow(std::uint64_t page);  ///< false: nothing is kept
  std::vector<std::unique_ptr<std::uint8_t[]>> pages_;
  bool kept_ = true;
};

}  // namespace warpsieve::memsys
