#include "memsys/l1/l1_mshrs.h"

#include <bit>
#include <stdexcept>

namespace warpsieve::memsys {

L1Mshrs::L1Mshrs(std::uint32_t entries)
    : entries_(entries), buckets_(std::bit_ceil(entries), kNone),
      last_bucket_(static_cast<std::uint32_t>(buckets_.size() - 1)) {
  for (std::uint32_t i = entries; i-- > 0;) free_.push_back(i);
}

std::uint32_t L1Mshrs::take(GlobalLine line) {
  const std::uint32_t index = take_unlinked();
  std::uint32_t& bucket = buckets_[bucket_of(line)];
  entries_[index] = Entry{.line = line, .next = bucket};
  bucket = index;
  return index;
}

void L1Mshrs::give(std::uint32_t index) {
  Entry& m = entries_[index];
  if (m.head != kNone) throw std::logic_error("L1: loads wait for sectors that are not on their way");
  std::uint32_t* link = &buckets_[bucket_of(m.line)];
  while (*link != index) link = &entries_[*link].next;
  *link = m.next;
  free_.push_back(index);
}

void L1Mshrs::wait(Entry& m, const Waiting& load) {
  const std::uint32_t w = waiting_.take();
  waiting_[w] = load;
  (m.tail == kNone ? m.head : waiting_[m.tail].next) = w;
  m.tail = w;
  ++m.waiting;
}

}  // namespace warpsieve::memsys
