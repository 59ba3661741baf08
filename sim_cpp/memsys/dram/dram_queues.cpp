#include "memsys/dram/dram_queues.h"

#include <cstring>

namespace warpsieve::memsys {

DramQueues::DramQueues(const DramParams& p)
    : starvation_(p.starvation), written_(p.write_queue), written_bytes_(p.write_queue) {
  const std::uint32_t sizes[2] = {p.read_queue, p.write_queue};
  for (unsigned k = 0; k < 2; ++k) {
    entries_[k].resize(sizes[k]);
    lists_[k].resize(p.banks());
    for (std::uint32_t i = sizes[k]; i-- > 0; free_[k] = i) entries_[k][i].next = free_[k];
  }
}

std::uint32_t DramQueues::push(bool write, std::uint64_t c, std::uint64_t address, std::uint32_t bank,
                               std::uint64_t row) {
  const std::uint32_t i = free_[write];
  Entry& e = entries_[write][i];
  free_[write] = e.next;
  e.address = address;
  e.row = row;
  e.seq = seq_++;
  e.arrival = c;
  e.next = kNone;
  e.blockers = 0;
  List& list = lists_[write][bank];
  (list.tail == kNone ? list.head : entries_[write][list.tail].next) = i;
  list.tail = i;
  ++queued_[write];
  return i;
}

std::uint32_t DramQueues::push_read(std::uint64_t c, std::uint64_t address, std::uint32_t bank, std::uint64_t row,
                                    std::uint64_t cookie) {
  const std::uint32_t i = push(false, c, address, bank, row);
  entries_[0][i].cookie = cookie;
  return i;
}

std::uint32_t DramQueues::push_write(std::uint64_t c, std::uint64_t address, std::uint32_t bank, std::uint64_t row,
                                     const std::uint8_t* sector, std::uint32_t bytes) {
  std::uint32_t older = 0;
  if (queued_[0])
    for (std::uint32_t i = lists_[0][bank].head; i != kNone; i = entries_[0][i].next)
      older += entries_[0][i].address == address;
  const std::uint32_t i = push(true, c, address, bank, row);
  entries_[1][i].blockers = older;
  blocked_ += older != 0;
  std::memcpy(written_[i].data(), sector, kSectorBytes);
  written_bytes_[i] = bytes;
  partial_ += bytes != kFullSector;
  return i;
}

void DramQueues::remove(bool write, std::uint32_t bank, std::uint32_t before, std::uint32_t entry) {
  Entry& e = entries_[write][entry];
  List& list = lists_[write][bank];
  (before == kNone ? list.head : entries_[write][before].next) = e.next;
  e.next = free_[write];
  free_[write] = entry;
  if (list.tail == entry) list.tail = before;
  --queued_[write];
  if (write) partial_ -= written_bytes_[entry] != kFullSector;
}

std::uint32_t DramQueues::merge(std::uint32_t bank, std::uint64_t address, std::uint64_t before,
                                std::uint8_t* sector) const {
  std::uint32_t bytes = 0;
  for (std::uint32_t i = lists_[1][bank].head; i != kNone; i = entries_[1][i].next) {
    if (entries_[1][i].address != address || entries_[1][i].seq >= before) continue;
    merge_sector(sector, written_[i].data(), written_bytes_[i]);
    bytes |= written_bytes_[i];
  }
  return bytes;
}

void DramQueues::unblock(std::uint32_t bank, const Entry& read) {
  if (blocked_ == 0) return;
  for (std::uint32_t i = lists_[1][bank].head; i != kNone; i = entries_[1][i].next) {
    Entry& w = entries_[1][i];
    if (!w.blockers || w.address != read.address || w.seq < read.seq) continue;
    blocked_ -= --w.blockers == 0;
  }
}

}  // namespace warpsieve::memsys
