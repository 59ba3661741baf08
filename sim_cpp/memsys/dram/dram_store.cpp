#include "memsys/dram/dram_store.h"

#include <cstring>

namespace warpsieve::memsys {

void DramStore::read(std::uint64_t address, std::uint8_t* sector) const {
  const std::uint64_t page = address / kPage;
  if (page < pages_.size() && pages_[page])
    std::memcpy(sector, pages_[page].get() + address % kPage, kSectorBytes);
  else
    std::memset(sector, 0, kSectorBytes);
}

bool DramStore::grow(std::uint64_t page) {
  if (kept_) pages_.resize(page + 1);
  return kept_;
}

void DramStore::write(std::uint64_t address, const std::uint8_t* sector, std::uint32_t bytes) {
  const std::uint64_t page = address / kPage;
  if (page >= pages_.size() && !grow(page)) return;
  if (!pages_[page]) pages_[page] = std::make_unique<std::uint8_t[]>(kPage);
  merge_sector(pages_[page].get() + address % kPage, sector, bytes);
}

}  // namespace warpsieve::memsys
