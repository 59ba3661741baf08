// Requests of a slice: lookup, hits, misses, stores, atomics.
#include "memsys/l2/l2.h"

#include <fmt/format.h>

namespace warpsieve::memsys {

L2Slice::L2Slice(Context& context, L2Stats& stats, std::uint32_t number, std::uint32_t wake_id, Network& requests,
                 Network& replies)
    : context_(context), stats_(stats), p_(context.profile.l2), number_(number), id_(wake_id), requests_(requests),
      arrival_(requests.outlets().head(number)), tags_(p_), mshrs_(context.packets, p_.mshrs), judge_(context),
      misses_(p_.miss_queue), evictions_(p_.eviction_queue), replies_(context, number, replies), atomics_(p_),
      copies_(16), written_back_(context.map.local_lines()), copies_pass_(context.profile.host_copies == 0) {}

void L2Slice::connect(ControllerPath& path, std::unique_ptr<L2VictimPort> victims, ReplyPort* replies) {
  path_ = &path;
  victims_ = std::move(victims);
  reply_port_ = replies;
  replies_.connect(replies);
  // A sector that is here must not be in the FIFO, too.
  fetch_pairs_ = p_.fetch_sectors == 2 && !victims_;
  if (fetch_pairs_)
    pair_sectors_ =
        context_.stats.add("l2.pair_sectors", "sectors", "fetched beside the one of their 64 bytes that missed");
  partial_writes_ = p_.partial_writes && path.takes_partial_sectors();
  if (partial_writes_)
    partial_sectors_ = context_.stats.add("l2.partial_sectors", "sectors",
                                          "of those taken by the controller: some bytes only, with their mask");
}

void L2Slice::push_copy(Cycle now, std::uint32_t packet) {
  copies_.push(packet);
  context_.wakes.wake(id_, now + 1);
}

void L2Slice::preload(LocalLine line) {
  const std::uint32_t way = tags_.victim(line);
  tags_.put(way, line);
  tags_[way].valid = kAllSectors;
  std::memcpy(tags_.data(way).bytes.data(), context_.golden.line(global_line(line)), kLineBytes);
}

/// Makes room for the line. Returns kNone when all ways wait for fills, or a dirty victim finds the eviction queue
/// full.
std::uint32_t L2Slice::claim(Cycle now, LocalLine line) {
  const std::uint32_t way = tags_.victim(line);
  if (way == kNone) return kNone;
  if (const L2Tags::Tag& t = tags_[way]; t.present) {
    if (evictions_.full() && t.dirty) return kNone;
    use_port(now, t.dirty);
    evict(now, way);
  }
  tags_.put(way, line);
  return way;
}

/// Each part acts in the first tick from its due cycle on, so that further ticks change nothing.
Cycle L2Slice::tick(Cycle now) {
  if (!evictions_.empty()) send_eviction(now);
  bool snooped = false;
  if (!misses_.empty() && misses_.front().ready <= now && read_from_ <= now) snooped = !send_read(now);
  if (request_due() <= now) try_request(now);
  Cycle next = replies_.due();
  if (next <= now) {
    const L2Replies::Sent sent = replies_.send(now);
    if (sent.freed) freed(now + 1);
    next = sent.next;
  }
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

/// Tries the first request; stalled_ tells whether it is held up.
void L2Slice::try_request(Cycle now) {
  const bool copy = !copies_.empty();
  const std::uint32_t handle = copy ? copies_.front() : arrival_.packet;
  const SectorMask sectors = context_.packets[handle].mask;  // the packet may be given back
  const Step step = serve(now, handle);
  if (step != Step::taken) {
    try_from_ = step == Step::stalled ? kNever : atomics_.free();  // freed() sets it otherwise
    if (!stalled_) {
      stalled_ = true;
      stalled_since_ = now;
    }
    return;
  }
  use_port(now, sectors);
  if (copy)
    copies_.pop();
  else
    requests_.pop(number_, now);
  ++context_.progress;
  ++stats_.requests;
  if (stalled_) stats_.stall_cycles += now - stalled_since_;
  stalled_ = false;
}

inline L2Slice::Step L2Slice::serve(Cycle now, std::uint32_t handle) {
  Packet& p = context_.packets[handle];
  // A line whose partly written sectors are being completed for eviction must leave before it is touched again, or
  // the fetched bytes could not be told from newer ones.
  if (!evictions_.empty() && evictions_.is_fetching(p.line)) return Step::stalled;
  const std::uint32_t way = tags_.find(p.line);
  if (reply_port_ && p.kind != PacketKind::read) reply_port_->written(now, p.line);
  switch (p.kind) {
    case PacketKind::read: return serve_read(now, handle, p, way);
    case PacketKind::write: return serve_write(now, handle, p, way);
    default: return serve_atomic(now, handle, p, way);
  }
}

inline void L2Slice::finish_hit(std::uint32_t handle, const Packet& p, Cycle ready) {
  if (p.sm == kHostSm)
    context_.packets.give(handle);
  else
    replies_.push_hit(handle, ready);
}

void L2Slice::read_out(Cycle now, Packet& p, std::uint32_t way) {
  copy_sectors(p.data, tags_.data(way), p.mask);
  judge_.answer(now, p);
}

inline L2Slice::Step L2Slice::serve_read(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t way) {
  if (reply_port_ && !p.merge_tried) {
    p.ticket = kNoTicket;
    if (reply_port_->merge(now, p)) {
      ++context_.merged_reads;
      context_.packets.give(handle);
      return Step::taken;
    }
    p.merge_tried = true;
  }
  const SectorMask valid = way == kNone ? SectorMask{0} : tags_[way].valid;
  const auto missing = static_cast<SectorMask>(p.mask & ~valid);
  if (missing || (way != kNone && mshrs_.has_atomic(tags_[way].mshr, p.mask)))
    return wait_for(now, handle, p, way, missing);
  if (replies_.hits_full()) return Step::stalled;
  tags_.use(way);
  stats_.read_sectors += count_sectors(p.mask);
  stats_.read_hits += count_sectors(p.mask);
  read_out(now, p, way);
  finish_hit(handle, p, now + p_.latency);
  return Step::taken;
}

/// Of each sector the other one of its 64 bytes.
inline SectorMask other_of_pairs(SectorMask sectors) {
  return static_cast<SectorMask>((sectors & 0b0101) << 1 | (sectors & 0b1010) >> 1);
}

/// Queues a read or atomic until `missing` has arrived, and reads from the controller what is not under way.
L2Slice::Step L2Slice::wait_for(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t way, SectorMask missing) {
  if (misses_.full() || replies_.fills_full(mshrs_.waiting())) return Step::stalled;
  if (way == kNone || tags_[way].mshr == kNone) {
    if (mshrs_.full()) return Step::stalled;
  } else if (mshrs_[tags_[way].mshr].waiting >= p_.merges) {
    return Step::stalled;
  }
  if (way == kNone && (way = claim(now, p.line)) == kNone) return Step::stalled;
  L2Tags::Tag& t = tags_[way];
  tags_.use(way);
  stats_.read_sectors += count_sectors(p.mask);
  stats_.read_hits += count_sectors(static_cast<SectorMask>(p.mask & ~missing));
  unsigned extra = 0;
  if (victims_) {
    unsigned cycles = 0;
    if (const auto wanted = static_cast<SectorMask>(missing & ~(t.pending | t.dirty))) {
      const L2VictimPort::Taken taken = victims_->take(now, p.line, wanted, tags_.data(way));
      for (SectorMask left = taken.sectors; left; left &= left - 1) {
        const auto s = static_cast<unsigned>(__builtin_ctz(left));
        judge_.check(now, p.global_line, s, tags_.data(way).sector(s), 0, Source::victim_fifo);
        ++stats_.victim_hits;
      }
      t.valid |= taken.sectors;
      missing &= static_cast<SectorMask>(~taken.sectors);
      cycles = taken.cycles;
    }
    port_free_ = std::max(port_free_, now + cycles);
    extra = std::max(1u, cycles);
  }
  if (!missing && t.mshr == kNone && !replies_.hits_full()) {
    const Cycle busy = p.kind == PacketKind::atomic ? perform_atomic(now, p, way, kNone) : 0;
    read_out(now, p, way);
    finish_hit(handle, p, now + p_.latency + extra + busy);
    return Step::taken;
  }
  if (t.mshr == kNone) t.mshr = mshrs_.take(way);
  L2Mshrs::Entry& m = mshrs_[t.mshr];
  auto ask = static_cast<SectorMask>(missing & ~t.pending);
  if (ask) {
    stats_.read_misses += count_sectors(ask);
    if (fetch_pairs_) {
      const auto others = static_cast<SectorMask>(other_of_pairs(ask) & ~(ask | t.valid | t.pending));
      pair_sectors_ += count_sectors(others);
      ask |= others;
    }
    misses_.push({{p.line, ask, t.mshr}, now + p_.miss_latency + extra});
    t.pending |= ask;
  }
  judge_.wait(p);
  if (p.kind == PacketKind::read) copy_out(p, way, p.mask);
  p.need = missing;
  mshrs_.append(m, handle);
  if (!missing) wake_waiting(now, m, 0);  // everything came from the victim port while others wait
  return Step::taken;
}

L2Slice::Step L2Slice::serve_write(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t way) {
  if (p.sm == kHostSm ? copies_pass_ : replies_.hits_full())
    return p.sm == kHostSm ? pass_by(now, handle, p, way) : Step::stalled;
  const bool hit = way != kNone;
  if (hit) {
    // An atomic that waits for its sectors was here first.
    if (mshrs_.has_atomic(tags_[way].mshr)) return Step::stalled;
  } else if ((way = claim(now, p.line)) == kNone) {
    return Step::stalled;
  }
  const L2Tags::Tag& t = tags_[way];
  tags_.use(way);
  stats_.write_sectors += count_sectors(p.mask);
  if (hit) stats_.write_hits += count_sectors(p.mask);
  // What is here in any form is not there.
  if (const auto stale = static_cast<SectorMask>(p.mask & ~(t.valid | t.pending | t.dirty)); victims_ && stale)
    port_free_ = std::max(port_free_, now + victims_->invalidate(now, p.line, stale));
  for (SectorMask left = p.mask; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    tags_.store(way, s, p.data.sector(s), p.bytes[s]);
  }
  judge_.store(now, p, mshrs_.find(t.mshr));
  finish_hit(handle, p, now + p_.latency);
  return Step::taken;
}

/// A copy by the host that the cache does not keep. No kernel runs, so that no sector is pending.
L2Slice::Step L2Slice::pass_by(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t way) {
  if (evictions_.full()) return Step::stalled;
  const SectorMask here = way == kNone ? SectorMask{0} : static_cast<SectorMask>(tags_[way].valid | tags_[way].dirty);
  if (const auto stale = static_cast<SectorMask>(p.mask & ~here); victims_ && stale)
    victims_->invalidate(now, p.line, stale);
  SectorMask parts = 0;
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(p.mask >> s & 1)) continue;
    if (p.bytes[s] != kFullSector) parts |= static_cast<SectorMask>(1u << s);
    if (way != kNone) tags_.store(way, s, p.data.sector(s), p.bytes[s]);
  }
  judge_.store(now, p, nullptr);
  if (way != kNone) {
    evict(now, way, false);
  } else {
    ++stats_.dirty_evictions;
    L2EvictionQueue::Entry& e = evictions_.push(p.line, parts, p.bytes, leaves_masked(p.line, parts));
    e.write.mask = p.mask;
    e.write.data = p.data;
  }
  finish_hit(handle, p, now);
  return Step::taken;
}

L2Slice::Step L2Slice::serve_atomic(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t way) {
  const SectorMask valid = way == kNone ? SectorMask{0} : tags_[way].valid;
  const auto missing = static_cast<SectorMask>(p.mask & ~valid);
  if (missing || (way != kNone && mshrs_.has_atomic(tags_[way].mshr))) return wait_for(now, handle, p, way, missing);
  if (replies_.hits_full()) return Step::stalled;
  if (atomics_.free() > now) return Step::atomic_unit_busy;
  tags_.use(way);
  stats_.read_sectors += count_sectors(p.mask);
  stats_.read_hits += count_sectors(p.mask);
  const Cycle busy = perform_atomic(now, p, way, kNone);
  read_out(now, p, way);
  finish_hit(handle, p, now + p_.latency + busy);
  return Step::taken;
}

/// Returns the cycles that the packet spends in the atomic unit and in front of it, beyond the first. `end`: the
/// first packet waiting for the line that is younger.
Cycle L2Slice::perform_atomic(Cycle now, Packet& p, std::uint32_t way, std::uint32_t end) {
  apply_atomics(p, tags_.data(way).bytes.data());
  for (unsigned i = 0; i < p.ops; ++i)
    tags_.make_dirty(way, p.offset[i] / kSectorBytes, 0xfu << (p.offset[i] % kSectorBytes));
  judge_.atomic(now, p, mshrs_.find(tags_[way].mshr), end);
  stats_.atomics += p.ops;
  stats_.atomic_sectors += count_sectors(p.mask);
  return atomics_.take(now, p);
}

SectorMask L2Slice::probe(Cycle now, LocalLine line, SectorMask mask, LineData& data) {
  ++stats_.probes;
  port_free_ = std::max(port_free_, now + 1);
  const std::uint32_t way = tags_.find(line);
  if (way == kNone) return 0;
  const L2Tags::Tag& t = tags_[way];
  const auto found = static_cast<SectorMask>(mask & t.valid & ~t.dirty);
  copy_sectors(data, tags_.data(way), found);
  stats_.probe_hits += count_sectors(found);
  return found;
}

std::uint32_t L2Slice::newer_bytes(LocalLine line, unsigned sector) const {
  const std::uint32_t way = tags_.find(line);
  const std::uint32_t here = way == kNone ? 0 : tags_.dirty_bytes(way, sector);
  return here | evictions_.dirty_bytes(line, sector);
}

bool L2Slice::idle() const {
  return misses_.empty() && evictions_.empty() && replies_.empty() && copies_.empty() && mshrs_.idle() &&
         judge_.idle() && flush_next_ == kNoFlush;
}

std::string L2Slice::describe() const {
  if (idle() && !stalled_) return "";
  std::string out =
      fmt::format("l2 slice {}: {} MSHRs in use, {} reads and {} evictions wait for the controller, {} replies",
                  number_, mshrs_.used(), misses_.size(), evictions_.size(), replies_.size());
  if (!evictions_.empty())
    out += fmt::format("; eviction of line {} {}", evictions_.front().line,
                       evictions_.front().fetch ? "waits for its fetch" : "is not taken");
  if (!misses_.empty()) out += fmt::format("; read of line {} is first", misses_.front().request.line);
  if (stalled_) out += "; its next request is held up";
  return out + "\n";
}

}  // namespace warpsieve::memsys
