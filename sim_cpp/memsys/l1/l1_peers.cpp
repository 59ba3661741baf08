// What the cluster port and the peers' loads see of an L1.
#include "memsys/l1/l1.h"

namespace warpsieve::memsys {

bool L1Cache::holds(GlobalLine line, SectorMask mask, bool current) const {
  const std::uint32_t way = tags_.find(line);
  return way != kNone && (mask & ~tags_.valid(way)) == 0 && (!current || (mask & ~tags_.current(way)) == 0);
}

bool L1Cache::pending(GlobalLine line, SectorMask mask) const {
  const std::uint32_t m = mshrs_.find(line);
  return m != kNone && (mask & ~mshrs_[m].pending) == 0;
}

bool L1Cache::probe(Cycle now, GlobalLine line, SectorMask mask, LineData& data) {
  probed_ = now;
  stats_.peer_sectors += count_sectors(mask);
  if (!holds(line, mask, !whole_lines())) return false;
  const std::uint32_t way = tags_.find(line);
  tags_.touch(way);
  copy_sectors(data, tags_.data(way), mask);
  stats_.stale_hits += judge_.check(now, way, line, mask, data, Source::peer_l1);
  return true;
}

void L1Cache::passed_store(GlobalLine line, SectorMask mask, bool own) {
  if (whole_lines()) mask = kAllSectors;
  if (const std::uint32_t way = tags_.find(line); way != kNone && !own)
    tags_.current(way) &= static_cast<SectorMask>(~mask);
  const std::uint32_t index = mshrs_.find(line);
  if (index == kNone) return;
  L1Mshrs::Entry& m = mshrs_[index];
  m.passed |= m.whole ? mask : static_cast<SectorMask>(mask & m.pending);
}

bool L1Cache::will_serve_peers(const Packet& reply) const {
  const L1Mshrs::Entry& m = mshrs_[reply.token];
  if (whole_lines()) return reply.asked == kAllSectors && !m.passed;  // it keeps no more of `mask`
  if (!m.whole) return (reply.asked & m.to_l1 & ~(m.passed | m.stale)) != 0;
  const auto brought = static_cast<SectorMask>(m.brought | reply.mask);
  return !(m.pending & ~reply.asked) && !(brought & m.stale) && (brought & ~m.passed);
}

}  // namespace warpsieve::memsys
