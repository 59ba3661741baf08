// The way out of a slice: lines that leave, the queue to the controller, the flush at the end.
#include "memsys/l2/l2.h"

namespace warpsieve::memsys {

/// An entry of the eviction queue for the line, of which only the `dirty` bytes of sectors `partly` are here.
L2Slice::Eviction& L2Slice::leave(LineId line, SectorMask partly, const ByteMask& dirty) {
  ++stats_.dirty_evictions;
  Eviction& e = evictions_.next();
  ++evicting_[near(line)];
  e.line = e.write.line = line;
  e.global_line = global_line(line);
  e.number = eviction_number_++ & ~(kEvictionTag | kHostTag);
  e.fetch = partial_writes_ ? SectorMask{0} : partly;
  e.asked = false;
  e.ready = 0;
  fetches_wanted_ += e.fetch != 0;
  e.dirty = dirty;
  e.write.bytes = kFullLine;
  if (partial_writes_)
    for (SectorMask left = partly; left; left &= left - 1) {
      const auto s = static_cast<unsigned>(__builtin_ctz(left));
      e.write.bytes[s] = dirty[s];
    }
  return e;
}

/// `offered`: to the victim port, what is clean of it.
void L2Slice::evict(Cycle now, std::uint32_t slot, bool offered) {
  Tag& t = tags_[slot];
  const LineId line = keys_[slot];
  const SectorMask dirty = t.dirty;
  ++stats_.evictions;
  if (victims_ && offered && flush_next_ == kNoFlush)
    for (unsigned s = 0; s < kSectors; ++s)
      if ((t.valid & ~dirty) >> s & 1) victims_->offer(now, line, s, data_[slot].sector(s), !written_back(line, s));
  if (dirty) {
    ByteMask bytes;
    for (unsigned s = 0; s < kSectors; ++s) bytes[s] = dirty_bytes(slot, s);
    Eviction& e = leave(line, static_cast<SectorMask>(dirty & ~t.valid), bytes);
    e.write.mask = dirty;
    e.write.data = data_[slot];
    for (unsigned s = 0; s < kSectors; ++s)
      if (dirty >> s & 1)
        context_.golden.check(now, e.global_line, s, data_[slot].sector(s), ~e.dirty[s], Source::write_back);
  }
  t.present = false;
  keys_[slot] = kNone;
}

bool L2Slice::eviction_found(LineId line, bool only_fetching) const {
  for (std::size_t i = 0; i < evictions_.size(); ++i)
    if (evictions_[i].line == line && (!only_fetching || evictions_[i].fetch)) return true;
  return false;
}

/// Head of the eviction queue to the controller; fetches of what partly written sectors lack run ahead.
void L2Slice::send_eviction(Cycle now) {
  if (fetches_wanted_ && fetch_from_ <= now) send_merge_fetch(now);
  Eviction& e = evictions_.front();
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
  --evicting_[near(e.line)];
  evictions_.pop();
  freed(now);
  ++context_.progress;
}

/// When send_eviction() may have something to do, as far as is known.
Cycle L2Slice::eviction_due() const {
  const Eviction& e = evictions_.front();
  const Cycle leaves = e.fetch ? kNever : std::max(e.ready, write_from_);
  return fetches_wanted_ ? std::min(leaves, fetch_from_) : leaves;
}

/// One fetch per cycle, for the oldest eviction that needs one and has no older one of its line before it.
void L2Slice::send_merge_fetch(Cycle now) {
  for (std::size_t i = 0; i < evictions_.size(); ++i) {
    Eviction& e = evictions_[i];
    if (!e.fetch || e.asked) continue;
    bool behind = last_accepted_ == now && last_accepted_line_ == e.line;
    for (std::size_t k = 0; k < i; ++k) behind = behind || evictions_[k].line == e.line;
    if (behind) continue;
    if (!path_->push_read(now, number_ % kSlicesPerController, {e.line, e.fetch, kEvictionTag | e.number})) {
      fetch_from_ = kNever;
      return;
    }
    e.asked = true;
    --fetches_wanted_;
    stats_.merge_fetches += count_sectors(e.fetch);
    ++context_.progress;
    return;
  }
}

void L2Slice::start_flush(Cycle now) {
  flush_next_ = 0;
  context_.wakes.wake(id_, now + 1);
}

void L2Slice::flush_step(Cycle now) {
  while (flush_next_ < tags_.size()) {
    Tag& t = tags_[flush_next_];
    if (t.present) {
      if (t.pending || (t.dirty && evictions_.full())) return;
      evict(now, flush_next_);
    }
    ++flush_next_;
  }
  flush_next_ = kNoFlush;
}

}  // namespace warpsieve::memsys
