#include "memsys/l1/l1.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace warpsieve::memsys {

L1Stats::L1Stats(Stats& s)
    : load_requests(s.add("l1.load_requests", "line requests", "line requests of loads taken")),
      load_sectors(s.add("l1.load_sectors", "sectors", "sectors asked for by loads")),
      hit_sectors(s.add("l1.hit_sectors", "sectors", "of these: valid")),
      miss_sectors(s.add("l1.miss_sectors", "sectors", "of these: asked of the L2")),
      merged_sectors(s.add("l1.merged_sectors", "sectors", "of these: already on their way")),
      store_requests(s.add("l1.store_requests", "line requests", "line requests of stores taken")),
      store_sectors(s.add("l1.store_sectors", "sectors", "sectors written")),
      store_hit_sectors(s.add("l1.store_hit_sectors", "sectors", "of these: valid, and updated or dropped")),
      atomic_requests(s.add("l1.atomic_requests", "line requests", "line requests of atomics passed to the L2")),
      fills(s.add("l1.fills", "replies", "read replies taken")),
      stale_hits(s.add("l1.stale_hits", "sectors", "hits on copies older than the L2's content")),
      stalls(s.add("l1.stalls", "tries", "line requests that could not be taken when offered")),
      load_latency(s.add("l1.miss_latency_sum", "cycles", "read request sent to reply taken, summed over replies")) {}

L1Cache::L1Cache(Context& context, L1Stats& stats, std::uint32_t sm, Network& requests, Scheme& scheme)
    : context_(context), stats_(stats), p_(context.profile.l1), sm_(sm), requests_(requests),
      port_(scheme.make_l1_port(sm, *this, context.stats)), tags_(std::size_t{p_.sets} * p_.ways, kNone),
      valid_(tags_.size()), used_(tags_.size()), current_(tags_.size()), data_(tags_.size()), mshrs_(p_.mshrs),
      buckets_(p_.mshrs, kNone) {
  if (p_.replacement == kPlruReplacement) tree_.emplace(p_.sets, p_.ways);
  for (std::uint32_t i = p_.mshrs; i-- > 0;) free_.push_back(i);
}

std::uint32_t L1Cache::find(std::uint32_t line) const {
  const std::uint32_t first = line % p_.sets * p_.ways;
  for (std::uint32_t i = first; i < first + p_.ways; ++i)
    if (tags_[i] == line) return i;
  return kNone;
}

std::uint32_t L1Cache::find_mshr(std::uint32_t line) const {
  for (std::uint32_t i = buckets_[line % buckets_.size()]; i != kNone; i = mshrs_[i].next)
    if (mshrs_[i].line == line) return i;
  return kNone;
}

std::uint32_t L1Cache::send(Cycle now, PacketKind kind, const LineAccess& access, SectorMask mask) {
  const std::uint32_t handle = context_.packets.take();
  Packet& p = context_.packets[handle];
  const AddressMap::Place place = context_.map.place(access.line);
  p.kind = kind;
  p.mask = mask;
  p.sm = static_cast<std::uint16_t>(sm_);
  p.line = place.line;
  p.global_line = access.line;
  p.born = now;
  p.no_fill = p.from_peer = false;
  p.version = 0;
  if (kind == PacketKind::write) {
    p.bytes = access.bytes;
    p.data = access.data;
  } else if (kind == PacketKind::atomic) {
    p.ops = access.ops;
    p.data = access.data;
    p.offset = access.offset;
    p.compare = access.compare;
  }
  ++under_way_;
  requests_.push(now, sm_, place.controller * 2 + (place.line & 1), handle, request_bytes(p));
  return handle;
}

/// The port's plan, or the L1's own: all valid sectors hit; the rest, or the rest of the line, is fetched.
LoadPlan L1Cache::plan(Cycle now, const LineAccess& access, SectorMask valid, SectorMask pending) {
  if (port_) return port_->load(now, access, valid, pending);
  LoadPlan plan;
  plan.hit = static_cast<SectorMask>(access.mask & valid);
  const auto missing = static_cast<SectorMask>(access.mask & ~valid);
  plan.fetch = p_.line_fill && (missing & ~pending) ? static_cast<SectorMask>(kAllSectors & ~valid) : missing;
  return plan;
}

L1Cache::Answer L1Cache::load(Cycle now, const LineAccess& access, std::uint32_t slot) {
  const std::uint32_t way = find(access.line);
  const SectorMask valid = way == kNone ? SectorMask{0} : valid_[way];
  const bool all_here = !port_ && !(access.mask & ~valid);
  std::uint32_t index = all_here ? kNone : find_mshr(access.line);
  const SectorMask pending = index == kNone ? SectorMask{0} : mshrs_[index].pending;
  const bool room = index == kNone ? !free_.empty() : mshrs_[index].waiting < p_.merges;
  if (port_) {  // asked once: only when its plan can be carried out
    const LoadNeeds needs = port_->needs(access, valid, pending);
    if ((needs.entry && !room) || (needs.packet && !requests_.can_push(sm_))) {
      ++stats_.stalls;
      return {};
    }
  }
  const LoadPlan plan = this->plan(now, access, valid, pending);
  const auto hit = static_cast<SectorMask>(plan.hit & access.mask);
  const auto missing = static_cast<SectorMask>(access.mask & ~hit & ~plan.held);
  const auto ask = static_cast<SectorMask>(missing ? plan.fetch & ~pending : 0);
  if (plan.wait || (missing && (!room || (ask && !requests_.can_push(sm_))))) {
    ++stats_.stalls;
    return {};
  }
  if ((hit & ~valid) || (missing & ~(pending | ask)))
    throw std::logic_error(fmt::format("L1 of SM {}: a plan leaves sectors of a load out", sm_));
  ++stats_.load_requests;
  stats_.load_sectors += count_sectors(access.mask);
  stats_.hit_sectors += count_sectors(hit);
  if (way != kNone) {
    touch(way);
    for (unsigned s = 0; s < kSectors; ++s)
      if ((hit >> s & 1) && !context_.golden.same(access.line, s, data_[way].sector(s))) ++stats_.stale_hits;
  }
  if (!missing) return {true, now + std::max(hit ? p_.latency : 1, plan.held ? plan.latency : 1)};
  if (index == kNone) {
    index = free_.back();
    free_.pop_back();
    std::uint32_t& bucket = buckets_[access.line % buckets_.size()];
    mshrs_[index] = Mshr{.line = access.line, .replace = plan.replace, .next = bucket};
    bucket = index;
  }
  Mshr& m = mshrs_[index];
  if (plan.keep == LoadPlan::Keep::l1) m.to_l1 |= missing | ask;
  if (plan.keep == LoadPlan::Keep::port) m.to_port |= missing;
  stats_.miss_sectors += count_sectors(ask);
  stats_.merged_sectors += count_sectors(static_cast<SectorMask>(missing & ~ask));
  const std::uint32_t w = waiting_.take();
  waiting_[w] = {slot, kNone, missing};
  (m.tail == kNone ? m.head : waiting_[m.tail].next) = w;
  m.tail = w;
  ++m.waiting;
  m.pending |= ask;
  if (ask)
    context_.packets[send(now, PacketKind::read, access, ask)].token = index;
  else if (watch_)
    watch_->merged(sm_, access.line, missing);
  return {true, kNever};
}

bool L1Cache::store(Cycle now, const LineAccess& access) {
  if (!requests_.can_push(sm_)) {
    ++stats_.stalls;
    return false;
  }
  ++stats_.store_requests;
  if (port_) port_->store(now, access);
  stats_.store_sectors += count_sectors(access.mask);
  if (const std::uint32_t way = find(access.line); way != kNone) {
    touch(way);
    const auto hit = static_cast<SectorMask>(access.mask & valid_[way]);
    stats_.store_hit_sectors += count_sectors(hit);
    for (unsigned s = 0; s < kSectors; ++s)
      if (hit >> s & 1) merge_sector(data_[way].sector(s), access.data.sector(s), access.bytes[s]);
    if (p_.store_evicts) drop(now, way, hit);
  }
  if (const std::uint32_t m = find_mshr(access.line); m != kNone) mshrs_[m].stale |= access.mask & mshrs_[m].pending;
  send(now, PacketKind::write, access, access.mask);
  return true;
}

bool L1Cache::atomic(Cycle now, const LineAccess& access, simt::AtomicOp op, std::uint32_t slot) {
  if (!requests_.can_push(sm_)) {
    ++stats_.stalls;
    return false;
  }
  ++stats_.atomic_requests;
  if (port_) port_->atomic(now, access);
  if (const std::uint32_t way = find(access.line); way != kNone) drop(now, way, access.mask);
  if (const std::uint32_t m = find_mshr(access.line); m != kNone) mshrs_[m].stale |= access.mask & mshrs_[m].pending;
  Packet& p = context_.packets[send(now, PacketKind::atomic, access, access.mask)];
  p.token = slot;
  p.op = op;
  return true;
}

void L1Cache::fill(Cycle now, const Packet& reply, std::vector<std::uint32_t>& completed) {
  Mshr& m = mshrs_[reply.token];
  if (m.line != reply.global_line || (reply.mask & ~m.pending))
    throw std::logic_error(fmt::format("L1 of SM {}: reply that nobody asked for", sm_));
  ++stats_.fills;
  stats_.load_latency += now - reply.born;
  const auto keep = static_cast<SectorMask>(reply.no_fill ? 0 : reply.mask & ~m.stale);
  const auto here = static_cast<SectorMask>(keep & m.to_l1),
             there = static_cast<SectorMask>(keep & m.to_port & ~here);
  if (there) port_->fill(now, m.line, there, reply.data);
  if (here) {
    std::uint32_t way = find(m.line);
    if (way == kNone) way = claim(now, m.line);
    if (m.replace) {
      valid_[way] = 0;
      m.replace = false;
    }
    touch(way);
    for (unsigned s = 0; s < kSectors; ++s)
      if (here >> s & 1) std::memcpy(data_[way].sector(s), reply.data.sector(s), kSectorBytes);
    valid_[way] |= here;
    current_[way] = here == kAllSectors && !m.passed && !reply.from_peer;
  }
  m.pending &= static_cast<SectorMask>(~reply.mask);
  m.stale &= m.pending;
  m.to_l1 &= m.pending;
  m.to_port &= m.pending;
  std::uint32_t previous = kNone;
  for (std::uint32_t w = m.head; w != kNone;) {
    Waiting& waiting = waiting_[w];
    const std::uint32_t next = waiting.next;
    waiting.need &= static_cast<SectorMask>(~reply.mask);
    if (waiting.need) {
      previous = w;
    } else {
      completed.push_back(waiting.slot);
      (previous == kNone ? m.head : waiting_[previous].next) = next;
      --m.waiting;
      waiting_.give(w);
    }
    w = next;
  }
  m.tail = previous;
  if (!m.pending) drop_mshr(reply.token);
}

void L1Cache::touch(std::uint32_t way) {
  if (tree_)
    tree_->touch(way / p_.ways, way % p_.ways);
  else
    used_[way] = ++use_;
}

/// A way of the line's set, the one to be replaced if all are taken.
std::uint32_t L1Cache::claim(Cycle now, std::uint32_t line) {
  const std::uint32_t first = line % p_.sets * p_.ways;
  std::uint32_t way = first;
  bool free = false;
  for (std::uint32_t i = first; i < first + p_.ways && !free; ++i) {
    free = tags_[i] == kNone;
    if (free || used_[i] < used_[way]) way = i;
  }
  if (!free && tree_) way = first + tree_->victim(line % p_.sets);
  if (port_ && tags_[way] != kNone) port_->evicted(now, tags_[way], valid_[way]);
  tags_[way] = line;
  valid_[way] = 0;
  current_[way] = 0;
  return way;
}

/// Sectors become invalid, and with the last of them the line.
void L1Cache::drop(Cycle now, std::uint32_t way, SectorMask mask) {
  const SectorMask before = valid_[way];
  valid_[way] &= static_cast<SectorMask>(~mask);
  if (valid_[way]) return;
  if (port_) port_->evicted(now, tags_[way], before);
  tags_[way] = kNone;
}

void L1Cache::drop_mshr(std::uint32_t index) {
  Mshr& m = mshrs_[index];
  if (m.head != kNone) throw std::logic_error("L1: loads wait for sectors nobody fetches");
  std::uint32_t* link = &buckets_[m.line % buckets_.size()];
  while (*link != index) link = &mshrs_[*link].next;
  *link = m.next;
  free_.push_back(index);
}

void L1Cache::end_kernel() {
  if (port_) port_->end_kernel();
  std::fill(tags_.begin(), tags_.end(), kNone);
  std::fill(valid_.begin(), valid_.end(), SectorMask{0});
}

std::string L1Cache::describe() const {
  return fmt::format("{} of {} L1 MSHRs in use", mshrs_.size() - free_.size(), mshrs_.size());
}

}  // namespace warpsieve::memsys
