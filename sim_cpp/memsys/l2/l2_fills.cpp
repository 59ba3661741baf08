// Reads of a slice from its controller, their fills, and the packets that wait for them.
#include <fmt/format.h>

#include <stdexcept>

#include "memsys/l2/l2.h"

namespace warpsieve::memsys {

/// The first of misses_, which is ready and may be taken. False: its line has to leave first.
bool L2Slice::send_read(Cycle now) {
  const ReadRequest& r = misses_.front().request;
  if ((!evictions_.empty() && evictions_.has(r.line)) || (last_accepted_ == now && last_accepted_line_ == r.line)) {
    if (!snoop_held_) ++stats_.snoop_waits;
    snoop_held_ = true;
    return false;
  }
  if (!path_->push_read(now, number_ % kSlicesPerController, r)) {
    read_from_ = kNever;
    return true;
  }
  misses_.pop();
  freed(now);
  snoop_held_ = false;
  ++context_.progress;
  return true;
}

/// To a waiting read: what the line holds of these sectors, at the read's place in the order.
void L2Slice::copy_out(Packet& p, std::uint32_t way, SectorMask sectors) {
  const L2Tags::Tag& t = tags_[way];
  for (SectorMask left = p.mask & sectors; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    p.bytes[s] = t.valid >> s & 1 ? kFullSector : tags_.dirty_bytes(way, s);
    if (p.bytes[s]) std::memcpy(p.data.sector(s), tags_.data(way).sector(s), kSectorBytes);
  }
  judge_.copy(p, sectors);
}

void L2Slice::fill_eviction(Cycle now, const ReadReply& reply) {
  context_.wakes.wake(id_, now + 1);
  L2EvictionQueue::Entry* e = evictions_.fetching(reply.tag & ~kEvictionTag);
  if (!e) throw std::logic_error("L2: fill for an eviction that is gone");
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!((reply.mask & e->fetch) >> s & 1)) continue;
    judge_.check(now, global_line(e->line), s, reply.data.sector(s), e->dirty[s], reply.source);
    merge_sector(e->write.data.sector(s), reply.data.sector(s), ~e->dirty[s]);
  }
  e->fetch &= static_cast<SectorMask>(~reply.mask);
  e->ready = now + 1;
}

void L2Slice::fill(Cycle now, const ReadReply& reply) {
  ++context_.progress;
  freed(now + 1);
  if (reply.tag & kEvictionTag) return fill_eviction(now, reply);
  if (reply.tag >= mshrs_.size()) throw std::logic_error("L2: fill with an unknown tag");
  L2Mshrs::Entry& m = mshrs_[reply.tag];
  L2Tags::Tag& t = tags_[m.way];
  if (t.mshr != reply.tag || tags_.line(m.way) != reply.line || (reply.mask & ~t.pending))
    throw std::logic_error(fmt::format("L2 slice {}: fill of line {} mask {:x}: no such sectors are pending", number_,
                                       reply.line, reply.mask));
  const GlobalLine global = global_line(reply.line);
  for (SectorMask left = reply.mask; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    const std::uint32_t newer = tags_.dirty_bytes(m.way, s);
    judge_.check(now, global, s, reply.data.sector(s), newer, reply.source);
    merge_sector(tags_.data(m.way).sector(s), reply.data.sector(s), ~newer);
  }
  for (std::uint32_t h = m.head; h != kNone; h = context_.packets[h].next) {
    Packet& p = context_.packets[h];
    if (p.kind != PacketKind::read) continue;
    for (SectorMask left = p.mask & reply.mask; left; left &= left - 1) {
      const auto s = static_cast<unsigned>(__builtin_ctz(left));
      merge_sector(p.data.sector(s), reply.data.sector(s), ~p.bytes[s]);
      p.bytes[s] = kFullSector;
    }
  }
  t.pending &= static_cast<SectorMask>(~reply.mask);
  t.valid |= reply.mask;
  wake_waiting(now, m, reply.mask);
  context_.wakes.wake(id_, stalled_ ? now + 1 : std::max(replies_.due(), now + 1));
}

/// Answers the waiting packets that have all their sectors; atomics in order of arrival, reads not before an older
/// atomic to their sectors.
void L2Slice::wake_waiting(Cycle now, L2Mshrs::Entry& m, SectorMask arrived) {
  std::uint32_t previous = kNone;
  bool atomic_waits = false;
  SectorMask before_atomic = 0;
  for (std::uint32_t h = m.head; h != kNone;) {
    Packet& p = context_.packets[h];
    const std::uint32_t next = p.next;
    p.need &= static_cast<SectorMask>(~arrived);
    const bool atomic = p.kind == PacketKind::atomic;
    if (p.need || (atomic ? atomic_waits : (p.mask & before_atomic) != 0)) {
      atomic_waits = atomic_waits || atomic;
      if (atomic) before_atomic |= p.mask;
      previous = h;
    } else {
      Cycle busy = 0;
      if (atomic) {
        const SectorMask changed = p.mask;
        busy = perform_atomic(now, p, m.way, h);
        read_out(now, p, m.way);
        for (std::uint32_t later = next; later != kNone; later = context_.packets[later].next)
          if (Packet& l = context_.packets[later]; l.kind == PacketKind::read) copy_out(l, m.way, changed);
      } else {
        judge_.answer_waiting(now, p);
      }
      mshrs_.remove(m, previous, h);
      replies_.push_fill(h, now + p_.fill_latency + busy);
    }
    h = next;
  }
  L2Tags::Tag& t = tags_[m.way];
  if (m.head == kNone && !t.pending) {
    mshrs_.give(t.mshr);
    t.mshr = kNone;
  }
}

}  // namespace warpsieve::memsys
