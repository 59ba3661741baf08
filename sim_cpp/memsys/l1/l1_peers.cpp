// What the cluster port and the peers' loads see of an L1.
#include "memsys/l1/l1.h"

namespace warpsieve::memsys {

bool L1Cache::holds(std::uint32_t line, SectorMask mask, bool current) const {
  const std::uint32_t way = find(line);
  return way != kNone && (mask & ~valid_[way]) == 0 && (!current || current_[way]);
}

bool L1Cache::pending(std::uint32_t line, SectorMask mask) const {
  const std::uint32_t m = find_mshr(line);
  return m != kNone && (mask & ~mshrs_[m].pending) == 0;
}

bool L1Cache::probe(Cycle now, std::uint32_t line, SectorMask mask, LineData& data) {
  probed_ = now;
  const std::uint32_t way = find(line);
  if (way == kNone || (mask & ~valid_[way])) return false;
  touch(way);
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(mask >> s & 1)) continue;
    std::memcpy(data.sector(s), data_[way].sector(s), kSectorBytes);
  }
  stats_.stale_hits += copies_.check(now, way, line, mask, data, Source::peer_l1);
  return true;
}

void L1Cache::passed_store(std::uint32_t line, bool own) {
  if (const std::uint32_t way = find(line); way != kNone && !own) current_[way] = 0;
  if (const std::uint32_t m = find_mshr(line); m != kNone) mshrs_[m].passed = true;
}

}  // namespace warpsieve::memsys
