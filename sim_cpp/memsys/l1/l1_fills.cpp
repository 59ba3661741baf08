// Read replies: what the L1 keeps of them, and the loads they complete.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "memsys/l1/l1.h"

namespace warpsieve::memsys {

void L1Cache::fill(Cycle now, const Packet& reply, std::vector<std::uint32_t>& completed) {
  L1Mshrs::Entry& m = mshrs_[reply.token];
  const SectorMask arrived = reply.asked;
  if (m.line != reply.global_line || (arrived & ~m.pending))
    throw std::logic_error(fmt::format("L1 of SM {}: reply without a request", sm_));
  if (arrived & ~reply.mask)
    throw std::logic_error(
        fmt::format("L1 of SM {}: reply for line {} lacks sectors that were asked for: brings {:x}, "
                    "asked {:x}",
                    sm_, m.line, reply.mask, arrived));
  ++stats_.fills;
  stats_.load_latency += now - reply.born;
  if (m.whole)
    keep_whole(now, m, reply);
  else
    keep(now, m, reply);
  m.pending &= static_cast<SectorMask>(~arrived);
  mshrs_.arrive(m, arrived, [&](const L1Mshrs::Waiting& load) {
    if (load.replay)
      replays_.push_back(load.parked);
    else
      completed.push_back(load.slot);
  });
  if (!m.pending) mshrs_.give(reply.token);
}

/// Each sector is valid as it comes.
inline void L1Cache::keep(Cycle now, L1Mshrs::Entry& m, const Packet& reply) {
  // A port on the way may have added sectors; they could be older than what the line holds.
  const auto fresh = static_cast<SectorMask>(reply.no_fill ? 0 : reply.asked & ~m.stale);
  const auto here = static_cast<SectorMask>(fresh & m.to_l1),
             there = static_cast<SectorMask>(fresh & m.to_port & ~here);
  if (there) port_->fill(now, m.line, there, reply.data);
  std::uint32_t way = kNone;
  if (here) {
    if (!m.absent) way = tags_.find(m.line);
    if (way == kNone) way = claim(now, m.line);
    m.absent = false;
    if (m.replace) {
      tags_.valid(way) = 0;
      m.replace = false;
    }
    tags_.touch(way);
    stats_.fill_sectors += count_sectors(here);
    copy_sectors(tags_.data(way), reply.data, here);
    tags_.valid(way) |= here;
    tags_.current(way) &= static_cast<SectorMask>(~here);
    if (!reply.from_peer) tags_.current(way) |= static_cast<SectorMask>(here & ~m.passed);
    if (whole_lines() && here != kAllSectors) tags_.current(way) = 0;
    tags_.touched(way) |= m.wanted & here;
  }
  judge_.filled(way, reply, here);
  const auto left = static_cast<SectorMask>(m.pending & ~reply.asked);
  m.stale &= left;
  m.passed &= left;
  m.to_l1 &= left;
  m.to_port &= left;
}

/// The line is valid when nothing is pending, and not kept when something in it was overtaken.
void L1Cache::keep_whole(Cycle now, L1Mshrs::Entry& m, const Packet& reply) {
  if (m.way == kNone) reserve(now, m, kNone);
  stats_.fill_sectors += count_sectors(reply.mask);
  copy_sectors(tags_.data(m.way), reply.data, reply.mask);
  m.brought |= reply.mask;
  tags_.current(m.way) &= static_cast<SectorMask>(~reply.mask);
  if (!reply.from_peer) tags_.current(m.way) |= reply.mask;
  judge_.filled(m.way, reply, reply.mask);
  if (reply.no_fill) m.stale |= reply.mask;
  const bool last = !(m.pending & ~reply.asked);
  port_->arrived(now, {m.line, m.way, reply.token, reply.asked, reply.mask, last ? m.brought : SectorMask{0}});
  if (!last) return;
  if (tags_.line(m.way) == kNone) tags_.put(m.way, m.line);
  tags_.reserved(m.way) = 0;
  tags_.valid(m.way) = m.brought;
  tags_.touched(m.way) = m.wanted;
  tags_.current(m.way) &= static_cast<SectorMask>(m.brought & ~m.passed);
  tags_.touch(m.way);
  if (m.stale & m.brought) empty(now, m.way);
}

/// `way` (kNone: one that is claimed, without a tag until the line is there) belongs to the MSHR.
void L1Cache::reserve(Cycle now, L1Mshrs::Entry& m, std::uint32_t way) {
  m.way = way == kNone ? make_room(now, m.line) : way;
  tags_.reserved(m.way) = 1;
}

bool L1Cache::can_reserve(GlobalLine line) const {
  if (const std::uint32_t m = mshrs_.find(line); m != kNone && mshrs_[m].way != kNone) return true;
  return tags_.can_reserve(line);
}

void L1Cache::drop(Cycle now, GlobalLine line, SectorMask mask) {
  const std::uint32_t way = tags_.find(line);
  if (way != kNone && !tags_.reserved(way) && (tags_.valid(way) & mask)) empty(now, way);
}

}  // namespace warpsieve::memsys
