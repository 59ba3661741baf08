#include "memsys/l2/l2_eviction_queue.h"

namespace warpsieve::memsys {

L2EvictionQueue::Entry& L2EvictionQueue::push(LocalLine line, SectorMask partly, const ByteMask& dirty, bool masked) {
  Entry& e = entries_.next();
  ++near_[near(line)];
  e.line = e.write.line = line;
  e.number = number_++ & kNumbers;
  e.fetch = masked ? SectorMask{0} : partly;
  e.asked = false;
  e.ready = 0;
  fetches_wanted_ += e.fetch != 0;
  e.dirty = dirty;
  e.write.bytes = kFullLine;
  if (masked)
    for (SectorMask left = partly; left; left &= left - 1) {
      const auto s = static_cast<unsigned>(__builtin_ctz(left));
      e.write.bytes[s] = dirty[s];
    }
  return e;
}

void L2EvictionQueue::pop() {
  --near_[near(entries_.front().line)];
  entries_.pop();
}

bool L2EvictionQueue::find(LocalLine line, bool only_fetching) const {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].line == line && (!only_fetching || entries_[i].fetch)) return true;
  return false;
}

std::uint32_t L2EvictionQueue::dirty_bytes(LocalLine line, unsigned sector) const {
  std::uint32_t bytes = 0;
  for (std::size_t i = 0; near_[near(line)] && i < entries_.size(); ++i)
    if (entries_[i].line == line) bytes |= entries_[i].dirty[sector];
  return bytes;
}

L2EvictionQueue::Entry* L2EvictionQueue::next_fetch(const LocalLine* held) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& e = entries_[i];
    if (!e.fetch || e.asked) continue;
    bool behind = held && *held == e.line;
    for (std::size_t k = 0; k < i; ++k) behind = behind || entries_[k].line == e.line;
    if (!behind) return &e;
  }
  return nullptr;
}

L2EvictionQueue::Entry* L2EvictionQueue::fetching(std::uint32_t number) {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].number == number) return &entries_[i];
  return nullptr;
}

}  // namespace warpsieve::memsys
