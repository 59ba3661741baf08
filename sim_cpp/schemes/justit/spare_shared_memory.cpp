#include "schemes/justit/spare_shared_memory.h"

#include <cstring>
#include <stdexcept>

namespace warpsieve::schemes {

void SpareSharedMemory::resize(std::uint32_t bytes) { empty(bytes / (kWays * kEntryBytes)); }

void SpareSharedMemory::clear() { empty(sets_); }

void SpareSharedMemory::empty(std::uint32_t sets) {
  sets_ = sets;
  all_.assign(sets, Set{});
  data_.resize(entries());
}

std::size_t SpareSharedMemory::find(std::uint64_t sector) const {
  if (!sets_) return kNone;
  const std::size_t set = sector % sets_;
  for (std::size_t way = 0; way < kWays; ++way) {
    const Tag& t = all_[set].tags[way];
    if (t.used && t.sector == sector) return set * kWays + way;
  }
  return kNone;
}

std::size_t SpareSharedMemory::touch(std::uint64_t sector) {
  const std::size_t entry = find(sector);
  if (entry != kNone) tag(entry).used = ++clock_;
  return entry;
}

const std::uint8_t* SpareSharedMemory::read(std::uint64_t sector) {
  const std::size_t entry = touch(sector);
  return entry == kNone ? nullptr : data_[entry].data();
}

std::optional<std::uint64_t> SpareSharedMemory::insert(std::uint64_t sector, const std::uint8_t* data) {
  if (!sets_) throw std::logic_error("spare shared memory: an entry for a memory of no sets");
  std::optional<std::uint64_t> evicted;
  std::size_t entry = find(sector);
  if (entry == kNone) {
    entry = sector % sets_ * kWays;
    for (std::size_t other = entry + 1; other % kWays; ++other)
      if (tag(other).used < tag(entry).used) entry = other;
    if (tag(entry).used) evicted = tag(entry).sector;
  }
  tag(entry) = {sector, ++clock_};
  std::memcpy(data_[entry].data(), data, memsys::kSectorBytes);
  return evicted;
}

bool SpareSharedMemory::write(std::uint64_t sector, const std::uint8_t* data, std::uint32_t mask) {
  const std::size_t entry = touch(sector);
  if (entry == kNone) return false;
  memsys::merge_sector(data_[entry].data(), data, mask);
  return true;
}

bool SpareSharedMemory::erase(std::uint64_t sector) {
  const std::size_t entry = find(sector);
  if (entry == kNone) return false;
  tag(entry).used = 0;
  return true;
}

}  // namespace warpsieve::schemes
