#include "schemes/justit/spare_shared_memory.h"

#include <cstring>
#include <stdexcept>

namespace warpsieve::schemes {

void SpareSharedMemory::resize(std::uint32_t bytes) {
  sets_ = bytes / (kWays * kEntryBytes);
  entries_.assign(entries(), Entry{});
}

void SpareSharedMemory::clear() { entries_.assign(entries(), Entry{}); }

const SpareSharedMemory::Entry* SpareSharedMemory::find(std::uint64_t sector) const {
  if (!sets_) return nullptr;
  const Entry* set = entries_.data() + sector % sets_ * kWays;
  for (const Entry* e = set; e < set + kWays; ++e)
    if (e->used && e->sector == sector) return e;
  return nullptr;
}

const std::uint8_t* SpareSharedMemory::read(std::uint64_t sector) {
  Entry* e = find(sector);
  if (!e) return nullptr;
  e->used = ++clock_;
  return e->data.data();
}

std::optional<std::uint64_t> SpareSharedMemory::insert(std::uint64_t sector, const std::uint8_t* data) {
  if (!sets_) throw std::logic_error("spare shared memory: an entry for a memory of no sets");
  Entry* e = find(sector);
  const bool present = e != nullptr;
  if (!present) {
    Entry* set = entries_.data() + sector % sets_ * kWays;
    e = set;
    for (Entry* i = set + 1; i < set + kWays; ++i)
      if (i->used < e->used) e = i;
  }
  const auto evicted = !present && e->used ? std::optional(e->sector) : std::nullopt;
  e->sector = sector;
  e->used = ++clock_;
  std::memcpy(e->data.data(), data, memsys::kSectorBytes);
  return evicted;
}

bool SpareSharedMemory::write(std::uint64_t sector, const std::uint8_t* data, std::uint32_t mask) {
  Entry* e = find(sector);
  if (!e) return false;
  e->used = ++clock_;
  memsys::merge_sector(e->data.data(), data, mask);
  return true;
}

bool SpareSharedMemory::erase(std::uint64_t sector) {
  Entry* e = find(sector);
  if (!e) return false;
  e->used = 0;
  return true;
}

}  // namespace warpsieve::schemes
