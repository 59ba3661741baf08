// The way out of a slice: lines that leave, the queue to the controller, the flush at the end.
#include "memsys/l2/l2.h"

namespace warpsieve::memsys {

/// `offered`: clean sectors are offered to the victim port.
void L2Slice::evict(Cycle now, std::uint32_t way, bool offered) {
  const L2Tags::Tag& t = tags_[way];
  const LocalLine line = tags_.line(way);
  const LineData& data = tags_.data(way);
  const SectorMask dirty = t.dirty;
  ++stats_.evictions;
  if (victims_ && offered && flush_next_ == kNoFlush)
    for (unsigned s = 0; s < kSectors; ++s)
      if ((t.valid & ~dirty) >> s & 1) victims_->offer(now, line, s, data.sector(s), !written_back(line, s));
  if (dirty) {
    ByteMask bytes;
    for (unsigned s = 0; s < kSectors; ++s) bytes[s] = tags_.dirty_bytes(way, s);
    ++stats_.dirty_evictions;
    const auto partly = static_cast<SectorMask>(dirty & ~t.valid);
    L2EvictionQueue::Entry& e = evictions_.push(line, partly, bytes, leaves_masked(line, partly));
    e.write.mask = dirty;
    e.write.data = data;
    const GlobalLine global = global_line(line);
    for (unsigned s = 0; s < kSectors; ++s)
      if (dirty >> s & 1) judge_.check(now, global, s, data.sector(s), ~e.dirty[s], Source::write_back);
  }
  tags_.remove(way);
}

/// Head of the eviction queue to the controller; fetches of what partly written sectors lack run ahead.
void L2Slice::send_eviction(Cycle now) {
  if (evictions_.fetches_wanted() && fetch_from_ <= now) send_merge_fetch(now);
  L2EvictionQueue::Entry& e = evictions_.front();
  if (e.fetch || e.ready > now || write_from_ > now) return;
  if (!path_->push_write(now, number_ % kSlicesPerController, e.write)) {
    write_from_ = kNever;
    return;
  }
  written_back_[e.line] |= e.write.mask;
  stats_.write_back_sectors += count_sectors(e.write.mask);
  if (partial_writes_)
    for (const std::uint32_t bytes : e.write.bytes) partial_sectors_ += bytes != kFullSector;
  last_accepted_ = now;
  last_accepted_line_ = e.line;
  evictions_.pop();
  freed(now);
  ++context_.progress;
}

/// When send_eviction() may have something to do.
Cycle L2Slice::eviction_due() const {
  const L2EvictionQueue::Entry& e = evictions_.front();
  const Cycle leaves = e.fetch ? kNever : std::max(e.ready, write_from_);
  return evictions_.fetches_wanted() ? std::min(leaves, fetch_from_) : leaves;
}

/// One fetch per cycle.
void L2Slice::send_merge_fetch(Cycle now) {
  L2EvictionQueue::Entry* e = evictions_.next_fetch(last_accepted_ == now ? &last_accepted_line_ : nullptr);
  if (!e) return;
  if (!path_->push_read(now, number_ % kSlicesPerController, {e->line, e->fetch, kEvictionTag | e->number})) {
    fetch_from_ = kNever;
    return;
  }
  evictions_.sent(*e);
  stats_.merge_fetches += count_sectors(e->fetch);
  ++context_.progress;
}

void L2Slice::start_flush(Cycle now) {
  flush_next_ = 0;
  context_.wakes.wake(id_, now + 1);
}

void L2Slice::flush_step(Cycle now) {
  while (flush_next_ < tags_.size()) {
    const L2Tags::Tag& t = tags_[flush_next_];
    if (t.present) {
      if (t.pending || (t.dirty && evictions_.full())) return;
      evict(now, flush_next_);
    }
    ++flush_next_;
  }
  flush_next_ = kNoFlush;
}

}  // namespace warpsieve::memsys
