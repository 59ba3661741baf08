#include "memsys/l1/l1.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace warpsieve::memsys {

L1Cache::L1Cache(Context& context, L1Stats& stats, std::uint32_t sm, Network& requests, Scheme& scheme)
    : context_(context), stats_(stats), p_(context.profile.l1), sm_(sm), requests_(requests),
      port_(scheme.make_l1_port(sm, *this, context.stats)), tags_(p_), private_(tags_), mshrs_(p_.mshrs),
      judge_(context, sm, tags_.size()) {}

std::uint32_t L1Cache::send(Cycle now, PacketKind kind, const LineAccess& access, SectorMask mask) {
  const std::uint32_t handle = context_.packets.take();
  Packet& p = context_.packets[handle];
  const AddressMap::Place place = context_.map.place(access.line);
  p.start(kind, static_cast<std::uint16_t>(sm_), access.line, place.line, mask, now);
  if (kind == PacketKind::write) {
    p.bytes = access.bytes;
    p.data = access.data;
  } else if (kind == PacketKind::atomic) {
    p.ops = access.ops;
    p.data = access.data;
    p.offset = access.offset;
    p.compare = access.compare;
  }
  context_.golden.prefetch_version(access.line);
  ++under_way_;
  requests_.push(now, sm_, place.slice(), handle, request_bytes(p));
  return handle;
}

L1Cache::Answer L1Cache::load(Cycle now, const LineAccess& access, std::uint32_t slot) {
  return port_ ? load_as<true>(now, access, slot) : load_as<false>(now, access, slot);
}

/// With a port or, as mostly, without: then much is known beforehand.
template <bool kPort>
L1Cache::Answer L1Cache::load_as(Cycle now, const LineAccess& access, std::uint32_t slot) {
  const std::uint32_t way = tags_.find(access.line);
  const SectorMask valid = way == kNone ? SectorMask{0} : tags_.valid(way);
  const bool all_here = !kPort && !(access.mask & ~valid);
  std::uint32_t index = all_here ? kNone : mshrs_.find(access.line);
  const SectorMask pending = index == kNone ? SectorMask{0} : mshrs_[index].pending;
  // What a store or atomic of this SM has overtaken is older than what this load must see.
  if (index != kNone && (access.mask & mshrs_[index].stale & (pending | mshrs_[index].brought))) {
    ++stats_.stalls;
    return {};
  }
  const bool room = index == kNone ? !mshrs_.full() : mshrs_[index].waiting < p_.merges;
  const bool asks = (access.mask & ~valid & ~pending) != 0;
  // A port is asked for its plan once: only when that can be carried out.
  const LoadNeeds needs =
      kPort ? port_->needs(access, valid, pending) : LoadNeeds{.entry = !all_here, .packet = asks};
  lacked_room_ = false;
  if ((needs.entry && !room) || (needs.packet && !requests_.can_push(sm_))) {
    ++stats_.stalls;
    lacked_room_ = !kPort && (!needs.entry || room);
    return {};
  }
  LoadPlan plan;
  if (kPort) {
    plan = port_->load(now, access, valid, pending);
  } else {  // all valid sectors hit; the rest, or the rest of the line, is fetched
    plan.hit = static_cast<SectorMask>(access.mask & valid);
    plan.fetch = static_cast<SectorMask>(access.mask & ~valid);
    if (p_.line_fill && (plan.fetch & ~pending)) plan.fetch = static_cast<SectorMask>(kAllSectors & ~valid);
  }
  if (plan.replay && index != kNone) {
    ++stats_.replays;
    const std::uint32_t parked = parked_.take();
    parked_[parked].access = access;
    parked_[parked].slot = slot;
    mshrs_.wait(mshrs_[index], {.slot = slot, .replay = true, .parked = parked});
    return {true, kNever};
  }
  const auto hit = static_cast<SectorMask>(plan.hit & access.mask);
  const auto missing = static_cast<SectorMask>(access.mask & ~hit & ~plan.held);
  const auto ask = static_cast<SectorMask>(missing ? plan.fetch & ~pending : 0);
  if (plan.wait || plan.replay || (kPort && missing && (!room || (ask && !requests_.can_push(sm_))))) {
    ++stats_.stalls;
    return {};
  }
  const bool whole = plan.keep == LoadPlan::Keep::whole;
  const auto coming = static_cast<SectorMask>(pending | ask);
  if ((hit & ~valid) || (missing && !coming) || (!whole && (missing & ~coming)))
    throw std::logic_error(fmt::format("L1 of SM {}: a plan leaves sectors of a load out", sm_));
  ++stats_.load_requests;
  stats_.load_sectors += count_sectors(access.mask);
  stats_.hit_sectors += count_sectors(hit);
  if (way != kNone) {
    tags_.touch(way);
    tags_.touched(way) |= hit;
    if (hit) stats_.stale_hits += judge_.check(now, way, access.line, hit, tags_.data(way), Source::l1);
  }
  if (!missing) return {true, now + std::max(hit ? p_.latency : 1, plan.held ? plan.latency : 1)};
  ++stats_.miss_requests;
  const bool first = index == kNone;
  if (first) {
    index = mshrs_.take(access.line);
    mshrs_[index].replace = plan.replace;
    mshrs_[index].absent = way == kNone;
    mshrs_[index].whole = whole;
  }
  L1Mshrs::Entry& m = mshrs_[index];
  if (whole && way != kNone && first) {  // refetched: the tag stays, the content is invalid until all is there
    m.brought = plan.replace ? SectorMask{0} : valid;
    tags_.valid(way) = 0;
    reserve(now, m, way);
  } else if (whole && ask && !first && m.way == kNone) {
    reserve(now, m, kNone);  // several replies are gathered in one place
  }
  if (plan.keep == LoadPlan::Keep::l1) m.to_l1 |= missing | ask;
  if (plan.keep == LoadPlan::Keep::port) m.to_port |= missing;
  m.wanted |= access.mask;
  stats_.miss_sectors += count_sectors(ask);
  stats_.merged_sectors += count_sectors(static_cast<SectorMask>(missing & ~ask));
  // Of a whole line some may have come already: then the load waits for the rest with the others.
  const auto need = static_cast<SectorMask>(missing & coming);
  mshrs_.wait(m, {.slot = slot, .need = need ? need : coming});
  m.pending |= ask;
  if (ask)
    context_.packets[send(now, PacketKind::read, access, ask)].token = index;
  else if (watch_)
    watch_->merged(sm_, access.line, missing);
  return {true, kNever};
}

L1Cache::Answer L1Cache::replay(Cycle now, std::uint32_t& slot) {
  const std::uint32_t parked = replays_.front();
  slot = parked_[parked].slot;
  const Answer answer = load(now, parked_[parked].access, slot);
  if (answer.taken) {
    replays_.pop_front();
    parked_.give(parked);
  }
  return answer;
}

/// What is on its way may be older than this store or atomic.
void L1Cache::overtake(const LineAccess& access) {
  const std::uint32_t index = mshrs_.find(access.line);
  if (index == kNone) return;
  L1Mshrs::Entry& m = mshrs_[index];
  m.stale |= m.whole ? access.mask : static_cast<SectorMask>(access.mask & m.pending);
}

bool L1Cache::store(Cycle now, const LineAccess& access) {
  if (!requests_.can_push(sm_)) {
    ++stats_.stalls;
    return false;
  }
  ++stats_.store_requests;
  if (port_) port_->store(now, access);
  stats_.store_sectors += count_sectors(access.mask);
  if (const std::uint32_t way = tags_.find(access.line); way != kNone) {
    tags_.touch(way);
    judge_.stored(way, access, tags_.data(way));
    const auto hit = static_cast<SectorMask>(access.mask & tags_.valid(way));
    stats_.store_hit_sectors += count_sectors(hit);
    for (unsigned s = 0; s < kSectors; ++s)
      if (hit >> s & 1) merge_sector(tags_.data(way).sector(s), access.data.sector(s), access.bytes[s]);
    if (p_.store_evicts && hit) drop_sectors(now, way, hit);
  }
  overtake(access);
  judge_.sent(send(now, PacketKind::write, access, access.mask));
  return true;
}

bool L1Cache::atomic(Cycle now, const LineAccess& access, simt::AtomicOp op, std::uint32_t slot) {
  if (!requests_.can_push(sm_)) {
    ++stats_.stalls;
    return false;
  }
  ++stats_.atomic_requests;
  if (port_) port_->atomic(now, access);
  if (const std::uint32_t way = tags_.find(access.line); way != kNone) {
    judge_.outdated(way, access);
    if (!tags_.reserved(way)) drop_sectors(now, way, access.mask);
  }
  overtake(access);
  const std::uint32_t handle = send(now, PacketKind::atomic, access, access.mask);
  judge_.sent(handle);
  Packet& p = context_.packets[handle];
  p.token = slot;
  p.op = op;
  return true;
}

/// A way of the line's set without content, the one to be replaced if all are taken.
std::uint32_t L1Cache::make_room(Cycle now, GlobalLine line) {
  const std::uint32_t way = tags_.victim(line);
  if (way == kNone) throw std::logic_error(fmt::format("L1 of SM {}: all ways of a set are reserved", sm_));
  if (tags_.line(way) != kNone) empty(now, way);
  return way;
}

/// Sectors become invalid, and with the last of them the line leaves.
void L1Cache::drop_sectors(Cycle now, std::uint32_t way, SectorMask mask) {
  if (tags_.valid(way) & ~mask)
    tags_.valid(way) &= static_cast<SectorMask>(~mask);
  else
    empty(now, way);
}

/// A line leaves.
void L1Cache::empty(Cycle now, std::uint32_t way) {
  if (private_.has(way)) return private_.evict(now, way);
  if (port_) port_->evicted(now, tags_.line(way), tags_.valid(way));
  judge_.gone(way);
  ++stats_.emptied_lines;
  stats_.emptied_used_sectors += count_sectors(tags_.touched(way));
  tags_.vacate(way);
  tags_.valid(way) = tags_.touched(way) = 0;
  tags_.current(way) = 0;
}

std::uint32_t L1Cache::claim(Cycle now, GlobalLine line) {
  const std::uint32_t way = make_room(now, line);
  tags_.put(way, line);
  return way;
}

void L1Cache::end_kernel() {
  for (std::uint32_t way = 0; way < tags_.size(); ++way) {
    if (tags_.line(way) != kNone && !private_.has(way)) {
      if (port_) port_->lost_at_end(tags_.line(way), tags_.valid(way));
      judge_.gone(way);
      ++stats_.emptied_lines;
    }
    stats_.emptied_used_sectors += count_sectors(tags_.touched(way));
    tags_.touched(way) = 0;
  }
  if (port_) port_->end_kernel();
  tags_.clear();
  private_.clear();
  judge_.end_kernel();
}

void L1Cache::returned(std::uint32_t packet) {
  const Packet& p = context_.packets[packet];
  under_way_ -= 1u + p.merged;
  if (p.kind != PacketKind::read && !context_.map.is_private(p.global_line)) judge_.performed(packet);
}

std::string L1Cache::describe() const {
  return fmt::format("{} of {} L1 MSHRs in use", mshrs_.used(), mshrs_.size());
}

}  // namespace warpsieve::memsys
