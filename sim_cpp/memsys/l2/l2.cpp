#include "memsys/l2/l2.h"

#include <fmt/format.h>

#include <bit>

#include "memsys/l2/atomic.h"

namespace warpsieve::memsys {

L2Stats::L2Stats(Stats& s)
    : read_sectors(s.add("l2.read_sectors", "sectors", "sectors asked for by reads and atomics")),
      read_hits(s.add("l2.read_hits", "sectors", "of these: valid in the slice")),
      read_misses(s.add("l2.read_misses", "sectors", "of these: asked of the controller")),
      write_sectors(s.add("l2.write_sectors", "sectors", "sectors written")),
      write_hits(s.add("l2.write_hits", "sectors", "of these: line present")),
      atomics(s.add("l2.atomics", "lane operations", "atomic operations performed")),
      atomic_sectors(s.add("l2.atomic_sectors", "sectors", "written by atomics, once per request")),
      requests(s.add("l2.requests", "packets", "requests taken")),
      victim_hits(s.add("l2.victim_hits", "sectors", "read misses served by the victim port")),
      evictions(s.add("l2.evictions", "lines", "lines replaced")),
      dirty_evictions(s.add("l2.dirty_evictions", "lines", "of these: with dirty bytes")),
      merge_fetches(
          s.add("l2.merge_fetches", "sectors", "sectors fetched to complete a partly written one at eviction")),
      write_back_sectors(s.add("l2.write_back_sectors", "sectors", "dirty sectors taken by the controller")),
      stall_cycles(
          s.add("l2.stall_cycles", "cycles", "the oldest request of a slice waited for a resource of the slice")),
      snoop_waits(s.add("l2.snoop_waits", "reads", "reads held because their line was still leaving")),
      probes(s.add("l2.probes", "probes", "probes of the controller's scheme")),
      probe_hits(s.add("l2.probe_hits", "sectors", "valid clean sectors found by probes")) {}

L2Slice::L2Slice(Context& context, L2Stats& stats, std::uint32_t number, std::uint32_t wake_id, Network& requests,
                 Network& replies)
    : context_(context), stats_(stats), p_(context.profile.l2),
      last_set_(std::has_single_bit(p_.sets) ? p_.sets - 1 : 0),
      set_bits_(static_cast<unsigned>(std::countr_zero(p_.sets))),
      hash_(static_cast<HashKind>(p_.set_hash), set_bits_), number_(number), id_(wake_id), requests_(requests),
      arrival_(requests.outlets().head(number)), replies_(replies), tags_(std::size_t{p_.sets} * p_.ways),
      dirty_(tags_.size()), keys_(tags_.size(), kNone), recency_(p_.sets, p_.ways), data_(tags_.size()),
      mshrs_(p_.mshrs), misses_(p_.miss_queue), evictions_(p_.eviction_queue), hits_(p_.reply_queue),
      filled_(std::size_t{p_.mshrs} * p_.merges), host_(16), written_back_(context.map.local_lines()),
      host_passes_(context.profile.host_copies == 0) {
  for (std::uint32_t i = p_.mshrs; i-- > 0;) free_mshrs_.push_back(i);
}

void L2Slice::connect(ControllerPath& path, std::unique_ptr<L2VictimPort> victims, ReplyPort* replies) {
  path_ = &path;
  victims_ = std::move(victims);
  reply_port_ = replies;
  partial_writes_ = p_.partial_writes && path.takes_partial_sectors();
  if (partial_writes_)
    partial_sectors_ = context_.stats.add("l2.partial_sectors", "sectors",
                                          "of those taken by the controller: some bytes only, with their mask");
  if (replies) leaving_ = Ring<Outgoing>(replies->cycles() + 2);  // full rate, and two that the network refuses
}

void L2Slice::push_host(Cycle now, std::uint32_t packet) {
  host_.push(packet);
  context_.wakes.wake(id_, now + 1);
}

void L2Slice::preload(LineId line) {
  const std::uint32_t first = set_of(line) * p_.ways, free = find_key(keys_.data() + first, p_.ways, kNone);
  const std::uint32_t slot = free < p_.ways ? first + free : recency_.oldest(first);
  keys_[slot] = line;
  tags_[slot] = Tag{.present = true, .valid = kAllSectors};
  std::memcpy(data_[slot].bytes.data(), context_.golden.line(global_line(line)), kLineBytes);
  recency_.use(slot);
}

/// Makes room for `line`: a free way, else the least recently used line with nothing pending. kNone when
/// all are pending or a dirty victim finds no room in the eviction queue.
std::uint32_t L2Slice::claim(Cycle now, LineId line) {
  const std::uint32_t first = set_of(line) * p_.ways;
  std::uint32_t victim = first + find_key(keys_.data() + first, p_.ways, kNone);
  if (victim == first + p_.ways)
    victim = recency_.oldest(first, [&](std::uint32_t slot) { return tags_[slot].pending == 0; });
  if (victim == Recency::kNone) return kNone;
  Tag& t = tags_[victim];
  if (t.present) {
    if (evictions_.full() && t.dirty) return kNone;
    use_port(now, t.dirty);
    evict(now, victim);
  }
  t = Tag{};
  keys_[victim] = line;
  t.present = true;
  recency_.use(victim);
  return victim;
}

/// Each part has a cycle from which on it can do something and does so in the first tick then, so that further ticks
/// change nothing.
Cycle L2Slice::tick(Cycle now) {
  if (!evictions_.empty()) send_eviction(now);
  bool snooped = false;
  if (!misses_.empty() && misses_.front().ready <= now && read_from_ <= now) snooped = !send_read(now);
  if (request_due() <= now) try_request(now);
  Cycle next = replies_due_ > now ? replies_due_ : send_replies(now);
  if (flush_next_ != kNoFlush) {
    flush_step(now);
    if (flush_next_ != kNoFlush && !evictions_.full()) next = now + 1;
  }
  if (!evictions_.empty()) next = std::min(next, eviction_due());
  if (snooped) {  // until the eviction is taken, and a cycle longer
    if (last_accepted_ == now) next = now + 1;
  } else if (!misses_.empty()) {
    next = std::min(next, std::max(misses_.front().ready, read_from_));
  }
  return std::max(std::min(next, request_due()), now + 1);
}

/// The request that is first; stalled_ says whether it is held up.
void L2Slice::try_request(Cycle now) {
  const bool from_host = !host_.empty();
  const std::uint32_t handle = from_host ? host_.front() : arrival_.packet;
  const SectorMask sectors = context_.packets[handle].mask;  // the packet may be given back
  const Step step = serve(now, handle);
  if (step != Step::taken) {
    try_from_ = step == Step::stalled ? kNever : atomics_free_;  // whatever else frees the way says so
    if (!stalled_) {
      stalled_ = true;
      stalled_since_ = now;
    }
    return;
  }
  use_port(now, sectors);
  if (from_host)
    host_.pop();
  else
    requests_.pop(number_, now);
  ++context_.progress;
  ++stats_.requests;
  if (stalled_) stats_.stall_cycles += now - stalled_since_;
  stalled_ = false;
}

void L2Slice::expect_set(std::uint32_t first) const {
  prefetch(keys_.data() + first);
  constexpr std::uint32_t kTogether = 64 / sizeof(Tag);  // in a cache line of the host
  for (std::uint32_t way = 0; way < p_.ways; way += kTogether) prefetch(&tags_[first + way]);
}

void L2Slice::expect_requests(Ahead step, Cycle now, Cycle end) const {
  requests_.outlets().each_from(number_, now, end, [&](std::uint32_t handle) {
    const Packet& p = context_.packets[handle];
    if (step == Ahead::packets) return prefetch(&p);
    const std::uint32_t first = set_of(p.line) * p_.ways;
    if (step == Ahead::sets) {
      expect_set(first);
      recency_.expect(first);
      prefetch(&written_back_[p.line]);
      context_.golden.prefetch_version(p.global_line);
      return;
    }
    const std::uint32_t way = find_key(keys_.data() + first, p_.ways, p.line);
    if (way < p_.ways) {
      const auto sector = static_cast<unsigned>(std::countr_zero(p.mask));
      prefetch(data_[first + way].sector(sector));
      prefetch(context_.golden.line(p.global_line) + sector * kSectorBytes);
    } else {  // what is replaced goes elsewhere
      const LineData& replaced = data_[recency_.oldest(first)];
      prefetch(replaced.sector(0));
      prefetch(replaced.sector(2));
    }
  });
}

void L2Slice::expect_fill(Ahead step, LineId line, unsigned sector) const {
  const std::uint32_t first = set_of(line) * p_.ways;
  if (step == Ahead::sets) return expect_set(first);
  const std::uint32_t way = find_key(keys_.data() + first, p_.ways, line);
  if (way == p_.ways) return;
  prefetch(data_[first + way].sector(sector));
  const std::uint32_t mshr = tags_[first + way].mshr;
  if (mshr == kNone || mshrs_[mshr].head == kNone) return;
  const Packet& waiting = context_.packets[mshrs_[mshr].head];
  prefetch(&waiting);
  prefetch(waiting.data.sector(sector));
}

/// One reply per cycle into the network, or into the reply port and from there into the network. Returns when the
/// next one can leave; kNever while the network refuses one: it wakes the slice.
Cycle L2Slice::send_replies(Cycle now) {
  Cycle next = kNever;
  bool sent = false;
  const auto push = [&](std::uint32_t handle) {
    const Packet& p = context_.packets[handle];
    replies_.push(now, number_, p.sm, handle, reply_bytes(p));
    sent = true;
  };
  for (Ring<Outgoing>* queue : {&filled_, &hits_}) {
    if (queue->empty()) continue;
    if (queue->front().ready > now) {
      next = std::min(next, queue->front().ready);
      continue;
    }
    if (reply_port_ ? leaving_.full() : !replies_.can_push(number_)) break;
    const std::uint32_t handle = queue->front().packet;
    queue->pop();
    freed(now + 1);
    if (reply_port_) {
      Packet& p = context_.packets[handle];
      finish(handle, p, p.kind == PacketKind::read ? reply_port_->leave(now, p) : now, leaving_);
      sent = true;
    } else {
      push(handle);
    }
    break;
  }
  if (!leaving_.empty()) {
    if (leaving_.front().ready > now) {
      next = std::min(next, leaving_.front().ready);
    } else if (replies_.can_push(number_)) {
      push(leaving_.front().packet);
      leaving_.pop();
    }
  }
  replies_due_ = kNever;
  for (const Ring<Outgoing>* queue : {&filled_, &hits_, &leaving_})
    if (!queue->empty()) replies_due_ = std::min(replies_due_, queue->front().ready);
  return sent ? std::min(next, std::max(replies_due_, now + 1)) : next;
}

inline L2Slice::Step L2Slice::serve(Cycle now, std::uint32_t handle) {
  Packet& p = context_.packets[handle];
  // A line whose partly written sectors are being completed for eviction must leave before it is
  // touched again, or the fetched bytes could not be told from newer ones.
  if (!evictions_.empty() && eviction_pending(p.line, true)) return Step::stalled;
  const std::uint32_t slot = find(p.line);
  if (reply_port_ && p.kind != PacketKind::read) reply_port_->written(now, p.line);
  switch (p.kind) {
    case PacketKind::read: return serve_read(now, handle, p, slot);
    case PacketKind::write: return serve_write(now, handle, p, slot);
    default: return serve_atomic(now, handle, p, slot);
  }
}

inline void L2Slice::finish(std::uint32_t handle, Packet& p, Cycle ready, Ring<Outgoing>& queue) {
  if (p.sm == kHostSm) {
    context_.packets.give(handle);
    return;
  }
  if (!queue.empty()) ready = std::max(ready, queue.back().ready);
  queue.push({handle, ready});
  replies_due_ = std::min(replies_due_, ready);
}

void L2Slice::read_out(Cycle now, Packet& p, std::uint32_t slot) {
  p.version = context_.golden.version(p.global_line);
  copy_sectors(p.data, data_[slot], p.mask);
  for (unsigned s = 0; s < kSectors; ++s)
    if (p.mask >> s & 1) context_.golden.check(now, p.global_line, s, p.data.sector(s), 0, Source::l2_forward);
}

/// To a waiting read: what the line holds of these sectors, at the read's place in the order.
inline void L2Slice::copy_out(Packet& p, std::uint32_t slot, SectorMask sectors) {
  const Tag& t = tags_[slot];
  p.version = context_.golden.version(p.global_line);
  for (SectorMask left = p.mask & sectors; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    p.bytes[s] = t.valid >> s & 1 ? kFullSector : dirty_bytes(slot, s);
    if (p.bytes[s]) std::memcpy(p.data.sector(s), data_[slot].sector(s), kSectorBytes);
  }
  if (p.expected != kNone) copy_golden(p, sectors);
}

void L2Slice::copy_golden(const Packet& p, SectorMask sectors) {
  const std::uint8_t* golden = context_.golden.line(p.global_line);
  for (SectorMask left = p.mask & sectors; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    std::memcpy(expected_[p.expected].sector(s), golden + s * kSectorBytes, kSectorBytes);
  }
}

/// The golden line is about to change: the reads that wait for it, as far as `end`, must bring what it held before.
void L2Slice::keep_golden(const Tag& t, std::uint32_t end) {
  if (t.mshr == kNone) return;
  for (std::uint32_t h = mshrs_[t.mshr].head; h != end; h = context_.packets[h].next) {
    Packet& p = context_.packets[h];
    if (p.kind != PacketKind::read || p.expected != kNone) continue;
    p.expected = expected_.take();
    copy_golden(p, p.mask);
  }
}

/// A waiting read has all its bytes.
inline void L2Slice::hand_out(Cycle now, Packet& p) {
  const std::uint8_t* want =
      p.expected == kNone ? context_.golden.line(p.global_line) : expected_[p.expected].bytes.data();
  for (SectorMask left = p.mask; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    context_.golden.check_copy(now, p.global_line, s, want + s * kSectorBytes, p.data.sector(s), 0,
                               Source::l2_forward);
  }
  if (p.expected != kNone) expected_.give(p.expected);
}

inline L2Slice::Step L2Slice::serve_read(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t slot) {
  if (reply_port_ && !p.ticketed) {
    p.ticket = {};
    if (reply_port_->merge(now, p)) {
      ++context_.merged_reads;
      context_.packets.give(handle);
      return Step::taken;
    }
    p.ticketed = true;
  }
  const SectorMask valid = slot == kNone ? SectorMask{0} : tags_[slot].valid;
  const auto missing = static_cast<SectorMask>(p.mask & ~valid);
  if (missing || (slot != kNone && behind_atomic(tags_[slot], p.mask)))
    return wait_for(now, handle, p, slot, missing);
  if (hits_.full()) return Step::stalled;
  recency_.use(slot);
  stats_.read_sectors += count_sectors(p.mask);
  stats_.read_hits += count_sectors(p.mask);
  read_out(now, p, slot);
  finish(handle, p, now + p_.latency, hits_);
  return Step::taken;
}

/// An atomic to one of these sectors was here first and waits.
bool L2Slice::behind_atomic(const Tag& t, SectorMask mask) const {
  if (t.mshr == kNone || !mshrs_[t.mshr].atomics) return false;
  for (std::uint32_t h = mshrs_[t.mshr].head; h != kNone; h = context_.packets[h].next)
    if (context_.packets[h].kind == PacketKind::atomic && (context_.packets[h].mask & mask)) return true;
  return false;
}

/// Queues a read or atomic until `missing` has arrived, asking the controller for what is not under way.
L2Slice::Step L2Slice::wait_for(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t slot, SectorMask missing) {
  if (misses_.full() || filled_.size() + waiting_ >= filled_.capacity()) return Step::stalled;
  if (slot == kNone || tags_[slot].mshr == kNone) {
    if (free_mshrs_.empty()) return Step::stalled;
  } else if (mshrs_[tags_[slot].mshr].waiting >= p_.merges) {
    return Step::stalled;
  }
  if (slot == kNone && (slot = claim(now, p.line)) == kNone) return Step::stalled;
  Tag& t = tags_[slot];
  recency_.use(slot);
  stats_.read_sectors += count_sectors(p.mask);
  stats_.read_hits += count_sectors(static_cast<SectorMask>(p.mask & ~missing));
  unsigned extra = 0;
  if (victims_) {
    unsigned looked_up = 0;
    for (SectorMask left = missing & ~(t.pending | t.dirty); left; left &= left - 1) {
      const auto s = static_cast<unsigned>(__builtin_ctz(left));
      ++looked_up;
      std::uint8_t* sector = data_[slot].sector(s);
      if (!victims_->take(now, p.line, s, sector)) continue;
      context_.golden.check(now, p.global_line, s, sector, 0, Source::victim_fifo);
      t.valid |= static_cast<SectorMask>(1u << s);
      missing &= static_cast<SectorMask>(~(1u << s));
      ++stats_.victim_hits;
    }
    port_free_ = std::max(port_free_, now + looked_up);
    extra = std::max(1u, looked_up);
  }
  if (!missing && t.mshr == kNone && !hits_.full()) {
    const Cycle busy = p.kind == PacketKind::atomic ? perform_atomic(now, p, slot) : 0;
    read_out(now, p, slot);
    finish(handle, p, now + p_.latency + extra + busy, hits_);
    return Step::taken;
  }
  if (t.mshr == kNone) {
    t.mshr = free_mshrs_.back();
    free_mshrs_.pop_back();
    mshrs_[t.mshr] = Mshr{slot, kNone, kNone, 0, 0};
  }
  Mshr& m = mshrs_[t.mshr];
  const auto ask = static_cast<SectorMask>(missing & ~t.pending);
  if (ask) {
    misses_.push({{p.line, ask, t.mshr}, now + p_.miss_latency + extra});
    t.pending |= ask;
    stats_.read_misses += count_sectors(ask);
  }
  p.expected = kNone;
  if (p.kind == PacketKind::read) copy_out(p, slot, p.mask);
  p.need = missing;
  p.next = kNone;
  (m.tail == kNone ? m.head : context_.packets[m.tail].next) = handle;
  m.tail = handle;
  ++m.waiting;
  ++waiting_;
  m.atomics += p.kind == PacketKind::atomic;
  if (!missing) wake_waiting(now, m, 0);  // everything came from the victim port while others wait
  return Step::taken;
}

L2Slice::Step L2Slice::serve_write(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t slot) {
  if (p.sm == kHostSm ? host_passes_ : hits_.full())
    return p.sm == kHostSm ? pass_by(now, handle, p, slot) : Step::stalled;
  const bool hit = slot != kNone;
  if (hit) {
    // An atomic that waits for its sectors was here first.
    const Tag& t = tags_[slot];
    if (t.mshr != kNone && mshrs_[t.mshr].atomics) return Step::stalled;
  } else if ((slot = claim(now, p.line)) == kNone) {
    return Step::stalled;
  }
  Tag& t = tags_[slot];
  recency_.use(slot);
  stats_.write_sectors += count_sectors(p.mask);
  keep_golden(t, kNone);
  context_.golden.keep(now, p.global_line);
  if (hit) stats_.write_hits += count_sectors(p.mask);
  unsigned invalidated = 0;
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(p.mask >> s & 1)) continue;
    if (victims_ && !((t.valid | t.pending | t.dirty) >> s & 1)) {  // what is here in any form is not there
      victims_->invalidate(now, p.line, s);
      ++invalidated;
    }
    merge_sector(data_[slot].sector(s), p.data.sector(s), p.bytes[s]);
    merge_sector(context_.golden.line(p.global_line) + s * kSectorBytes, p.data.sector(s), p.bytes[s]);
    make_dirty(slot, s, p.bytes[s]);
    // A sector under way stays invalid until its fill, so that every fill finds its waiting requests.
    if (dirty_bytes(slot, s) == kFullSector && !(t.pending >> s & 1)) t.valid |= static_cast<SectorMask>(1u << s);
  }
  port_free_ = std::max(port_free_, now + invalidated);
  p.version = context_.golden.written(p.global_line);
  finish(handle, p, now + p_.latency, hits_);
  return Step::taken;
}

/// A write of the host that the cache does not keep, while no kernel runs: no sector is pending.
L2Slice::Step L2Slice::pass_by(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t slot) {
  if (evictions_.full()) return Step::stalled;
  const SectorMask here =
      slot == kNone ? SectorMask{0} : static_cast<SectorMask>(tags_[slot].valid | tags_[slot].dirty);
  SectorMask parts = 0;
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(p.mask >> s & 1)) continue;
    if (victims_ && !(here >> s & 1)) victims_->invalidate(now, p.line, s);
    if (p.bytes[s] != kFullSector) parts |= static_cast<SectorMask>(1u << s);
    merge_sector(context_.golden.line(p.global_line) + s * kSectorBytes, p.data.sector(s), p.bytes[s]);
    if (slot == kNone) continue;
    merge_sector(data_[slot].sector(s), p.data.sector(s), p.bytes[s]);
    make_dirty(slot, s, p.bytes[s]);
    if (dirty_bytes(slot, s) == kFullSector) tags_[slot].valid |= static_cast<SectorMask>(1u << s);
  }
  p.version = context_.golden.written(p.global_line);
  if (slot != kNone) {
    evict(now, slot, false);
  } else {
    Eviction& e = leave(p.line, parts, p.bytes);
    e.write.mask = p.mask;
    e.write.data = p.data;
  }
  finish(handle, p, now, hits_);
  return Step::taken;
}

L2Slice::Step L2Slice::serve_atomic(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t slot) {
  const SectorMask valid = slot == kNone ? SectorMask{0} : tags_[slot].valid;
  const auto missing = static_cast<SectorMask>(p.mask & ~valid);
  const bool behind = slot != kNone && tags_[slot].mshr != kNone && mshrs_[tags_[slot].mshr].atomics;
  if (missing || behind) return wait_for(now, handle, p, slot, missing);
  if (hits_.full()) return Step::stalled;
  if (atomics_free_ > now) return Step::atomic_unit_busy;
  recency_.use(slot);
  stats_.read_sectors += count_sectors(p.mask);
  stats_.read_hits += count_sectors(p.mask);
  keep_golden(tags_[slot], kNone);
  const Cycle busy = perform_atomic(now, p, slot);
  read_out(now, p, slot);
  finish(handle, p, now + p_.latency + busy, hits_);
  return Step::taken;
}

/// How long a packet keeps the atomic unit.
Cycle L2Slice::atomic_cycles(const Packet& p) const {
  const Cycle cycles = p_.atomic_ops ? (p.ops + p_.atomic_ops - 1) / p_.atomic_ops : 1;
  if (!p_.atomic_same_address) return cycles;
  std::array<std::uint8_t, kLineBytes / 4> of_word{};
  unsigned most = 0;
  for (unsigned i = 0; i < p.ops; ++i) most = std::max<unsigned>(most, ++of_word[p.offset[i] / 4]);
  return std::max<Cycle>(cycles, Cycle{most} * p_.atomic_same_address);
}

/// Returns the cycles that the packet spends in the atomic unit and in front of it, beyond the first.
Cycle L2Slice::perform_atomic(Cycle now, Packet& p, std::uint32_t slot) {
  context_.golden.keep(now, p.global_line);
  std::uint8_t* ours = data_[slot].bytes.data();
  std::uint8_t* golden = context_.golden.line(p.global_line);
  for (unsigned i = 0; i < p.ops; ++i) {
    const unsigned at = p.offset[i];
    std::uint32_t operand;
    std::memcpy(&operand, p.data.bytes.data() + 4 * i, 4);
    apply_atomic(p.op, ours + at, operand, p.compare[i]);
    apply_atomic(p.op, golden + at, operand, p.compare[i]);
    make_dirty(slot, at / kSectorBytes, 0xfu << (at % kSectorBytes));
  }
  context_.golden.written(p.global_line);
  stats_.atomics += p.ops;
  stats_.atomic_sectors += count_sectors(p.mask);
  if (!p_.atomic_ops && !p_.atomic_same_address) return 0;
  atomics_free_ = std::max(atomics_free_, now) + atomic_cycles(p);
  return atomics_free_ - now - 1;
}

void L2Slice::fill(Cycle now, const ReadReply& reply) {
  ++context_.progress;
  freed(now + 1);
  if (reply.tag & kEvictionTag) {
    context_.wakes.wake(id_, now + 1);
    for (std::size_t i = 0; i < evictions_.size(); ++i) {
      Eviction& e = evictions_[i];
      if (e.number != (reply.tag & ~kEvictionTag)) continue;
      for (unsigned s = 0; s < kSectors; ++s) {
        if (!((reply.mask & e.fetch) >> s & 1)) continue;
        context_.golden.check(now, e.global_line, s, reply.data.sector(s), e.dirty[s], reply.source);
        merge_sector(e.write.data.sector(s), reply.data.sector(s), ~e.dirty[s]);
      }
      e.fetch &= static_cast<SectorMask>(~reply.mask);
      e.ready = now + 1;
      return;
    }
    throw std::logic_error("L2: fill for an eviction that is gone");
  }
  if (reply.tag >= mshrs_.size()) throw std::logic_error("L2: fill with an unknown tag");
  Mshr& m = mshrs_[reply.tag];
  Tag& t = tags_[m.slot];
  if (t.mshr != reply.tag || keys_[m.slot] != reply.line || (reply.mask & ~t.pending))
    throw std::logic_error(
        fmt::format("L2 slice {}: fill of line {} mask {:x} that nobody waits for", number_, reply.line, reply.mask));
  const std::uint32_t global = global_line(reply.line);
  for (SectorMask left = reply.mask; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    const std::uint32_t newer = dirty_bytes(m.slot, s);
    context_.golden.check(now, global, s, reply.data.sector(s), newer, reply.source);
    merge_sector(data_[m.slot].sector(s), reply.data.sector(s), ~newer);
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
  context_.wakes.wake(id_, stalled_ ? now + 1 : std::max(replies_due_, now + 1));
}

/// Answers the waiting packets that have all their sectors; atomics in order of arrival, reads not before an
/// older atomic to their sectors.
void L2Slice::wake_waiting(Cycle now, Mshr& m, SectorMask arrived) {
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
        keep_golden(tags_[m.slot], h);
        busy = perform_atomic(now, p, m.slot);
        --m.atomics;
        read_out(now, p, m.slot);
        for (std::uint32_t later = next; later != kNone; later = context_.packets[later].next)
          if (Packet& l = context_.packets[later]; l.kind == PacketKind::read) copy_out(l, m.slot, changed);
      } else {
        hand_out(now, p);
      }
      --m.waiting;
      --waiting_;
      (previous == kNone ? m.head : context_.packets[previous].next) = next;
      finish(h, p, now + p_.fill_latency + busy, filled_);
    }
    h = next;
  }
  m.tail = previous;
  Tag& t = tags_[m.slot];
  if (m.head == kNone && !t.pending) {
    free_mshrs_.push_back(t.mshr);
    t.mshr = kNone;
  }
}

SectorMask L2Slice::probe(Cycle now, LineId line, SectorMask mask, LineData& data) {
  ++stats_.probes;
  port_free_ = std::max(port_free_, now + 1);
  const std::uint32_t slot = find(line);
  if (slot == kNone) return 0;
  const Tag& t = tags_[slot];
  const auto found = static_cast<SectorMask>(mask & t.valid & ~t.dirty);
  copy_sectors(data, data_[slot], found);
  stats_.probe_hits += count_sectors(found);
  return found;
}

std::uint32_t L2Slice::newer_bytes(LineId line, unsigned sector) const {
  std::uint32_t newer = 0;
  const std::uint32_t slot = find(line);
  if (slot != kNone) newer |= dirty_bytes(slot, sector);
  for (std::size_t i = 0; evicting_[near(line)] && i < evictions_.size(); ++i)
    if (evictions_[i].line == line) newer |= evictions_[i].dirty[sector];
  return newer;
}

/// The first of misses_, which is ready and may be taken. False: its line has to leave first.
inline bool L2Slice::send_read(Cycle now) {
  const ReadRequest& r = misses_.front().request;
  if ((!evictions_.empty() && eviction_pending(r.line, false)) ||
      (last_accepted_ == now && last_accepted_line_ == r.line)) {
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

bool L2Slice::idle() const {
  return misses_.empty() && evictions_.empty() && hits_.empty() && filled_.empty() && leaving_.empty() &&
         host_.empty() && free_mshrs_.size() == mshrs_.size() && expected_.used() == 0 && flush_next_ == kNoFlush;
}

std::string L2Slice::describe() const {
  if (idle() && !stalled_) return "";
  std::string out =
      fmt::format("l2 slice {}: {} MSHRs in use, {} reads and {} evictions wait for the controller, {} replies",
                  number_, mshrs_.size() - free_mshrs_.size(), misses_.size(), evictions_.size(),
                  hits_.size() + filled_.size() + leaving_.size());
  if (!evictions_.empty())
    out += fmt::format("; eviction of line {} {}", evictions_.front().line,
                       evictions_.front().fetch ? "waits for its fetch" : "is not taken");
  if (!misses_.empty()) out += fmt::format("; read of line {} is first", misses_.front().request.line);
  if (stalled_) out += "; its next request is held up";
  return out + "\n";
}

}  // namespace warpsieve::memsys
