#include "memsys/l2/l2_mshrs.h"

namespace warpsieve::memsys {

L2Mshrs::L2Mshrs(SharedPool<Packet>& packets, std::uint32_t entries) : packets_(packets), entries_(entries) {
  for (std::uint32_t i = entries; i-- > 0;) free_.push_back(i);
}

void L2Mshrs::append(Entry& entry, std::uint32_t packet) {
  Packet& p = packets_[packet];
  p.next = kNone;
  (entry.tail == kNone ? entry.head : packets_[entry.tail].next) = packet;
  entry.tail = packet;
  ++entry.waiting;
  ++waiting_;
  entry.atomics += p.kind == PacketKind::atomic;
}

void L2Mshrs::remove(Entry& entry, std::uint32_t previous, std::uint32_t packet) {
  const Packet& p = packets_[packet];
  (previous == kNone ? entry.head : packets_[previous].next) = p.next;
  if (entry.tail == packet) entry.tail = previous;
  --entry.waiting;
  --waiting_;
  entry.atomics -= p.kind == PacketKind::atomic;
}

bool L2Mshrs::atomic_to(const Entry& entry, SectorMask mask) const {
  for (std::uint32_t h = entry.head; h != kNone; h = packets_[h].next)
    if (packets_[h].kind == PacketKind::atomic && (packets_[h].mask & mask)) return true;
  return false;
}

}  // namespace warpsieve::memsys
