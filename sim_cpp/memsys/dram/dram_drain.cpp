#include "memsys/dram/dram_drain.h"

#include <algorithm>

namespace warpsieve::memsys {

DramDrain::DramDrain(const DramParams& p, const DramQueues& queues)
    : queues_(queues), write_high_(p.write_high), write_low_(p.write_low), write_queue_(p.write_queue),
      banks_(p.banks()), least_((2 * (p.write_high - p.write_low) + 2) / 3) {}

bool DramDrain::wanted(std::uint64_t c) const {
  const std::uint32_t reads = queues_.size(false), writes = queues_.size(true);
  bool drain = draining_;
  if (drain) {
    const bool cut = drained_ >= least_ && c >= read_starved_;
    if (writes == 0 || (reads && (writes <= write_low_ || cut))) drain = false;
  } else if (reads == 0) {
    drain = true;
  } else if (writes >= write_high_) {
    drain = waiting_reads_ == 0 || (first_read_ == kNever && writes == write_queue_);
  }
  return drain && !(reads && writes == queues_.blocked());
}

/// Reads that are starved at `c` come before the next drain. O(queued reads), at most twice per drain.
void DramDrain::mark_starved_reads(std::uint64_t c) {
  waiting_reads_ = 0;
  first_read_ = kNever;
  for (std::uint32_t b = 0; b < banks_; ++b)
    for (std::uint32_t i = queues_.head(false, b); i != DramQueues::kNone; i = queues_(false, i).next) {
      const DramQueues::Entry& e = queues_(false, i);
      if (c < queues_.starved_from(e)) break;
      ++waiting_reads_;
      last_read_ = waiting_reads_ == 1 ? e.seq : std::max(last_read_, e.seq);
      first_read_ = std::min(first_read_, e.seq);
    }
}

void DramDrain::turn(std::uint64_t c) {
  draining_ = !draining_;
  if (draining_) {
    drained_ = waiting_reads_ = 0;
    first_read_ = kNever;
    read_starved_ = kFar;
    for (std::uint32_t b = 0; b < banks_; ++b)
      if (const std::uint32_t i = queues_.head(false, b); i != DramQueues::kNone)
        read_starved_ = std::min(read_starved_, queues_.starved_from(queues_(false, i)));
  } else if (queues_.size(true) > write_low_ && c >= read_starved_) {
    mark_starved_reads(c);
  }
}

void DramDrain::pushed(bool write, std::uint64_t c, const DramQueues::Entry& e) {
  if (!write && queues_.size(false) == 1) read_starved_ = queues_.starved_from(e);
  if (write && !draining_ && queues_.size(true) == write_high_ && waiting_reads_ == 0) {
    mark_starved_reads(c);
    first_read_ = kNever;  // a full write queue need not wait
  }
}

void DramDrain::served(bool write, const DramQueues::Entry& e) {
  if (write) {
    ++drained_;
  } else if (waiting_reads_) {
    waiting_reads_ -= e.seq <= last_read_;
    if (e.seq == first_read_) first_read_ = kNever;
  }
}

}  // namespace warpsieve::memsys
