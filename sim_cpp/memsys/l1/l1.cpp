#include "memsys/l1/l1.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace warpsieve::memsys {

L1Stats::L1Stats(Stats& s)
    : load_requests(s.add("l1.load_requests", "line requests", "line requests of loads taken")),
      load_sectors(s.add("l1.load_sectors", "sectors", "sectors asked for by loads")),
      hit_sectors(s.add("l1.hit_sectors", "sectors", "of these: valid")),
      miss_sectors(s.add("l1.miss_sectors", "sectors",
                         "of these: asked of the L2; with l1.line_fill also the rest of the line")),
      merged_sectors(s.add("l1.merged_sectors", "sectors", "of these: already on their way")),
      store_requests(s.add("l1.store_requests", "line requests", "line requests of stores taken")),
      store_sectors(s.add("l1.store_sectors", "sectors", "sectors written")),
      store_hit_sectors(s.add("l1.store_hit_sectors", "sectors", "of these: valid, and updated or dropped")),
      atomic_requests(s.add("l1.atomic_requests", "line requests", "line requests of atomics passed to the L2")),
      fills(s.add("l1.fills", "replies", "read replies taken")),
      stale_hits(s.add("l1.stale_hits", "sectors",
                       "hits on copies other than the L2's content: older, or newer by a store on its way")),
      stalls(s.add("l1.stalls", "tries", "line requests that could not be taken when offered")),
      load_latency(s.add("l1.miss_latency_sum", "cycles", "read request sent to reply taken, summed over replies")),
      miss_requests(s.add("l1.miss_requests", "line requests", "of the loads': some sector was not valid")),
      replays(s.add("l1.replays", "line requests", "loads that waited until their line had been fetched")),
      emptied_lines(s.add("l1.emptied_lines", "lines", "replaced, dropped or lost at a kernel's end")),
      emptied_used_sectors(s.add("l1.emptied_used_sectors", "sectors", "of these lines: ever asked for by a load")),
      fill_sectors(s.add("l1.fill_sectors", "sectors", "of read replies: written into the L1")),
      peer_sectors(s.add("l1.peer_sectors", "sectors", "looked up for loads of peers")) {}

L1Cache::L1Cache(Context& context, L1Stats& stats, std::uint32_t sm, Network& requests, Scheme& scheme)
    : context_(context), stats_(stats), p_(context.profile.l1),
      last_set_(std::has_single_bit(p_.sets) ? p_.sets - 1 : 0),
      set_bits_(static_cast<unsigned>(std::countr_zero(p_.sets))),
      hash_(static_cast<HashKind>(p_.set_hash), set_bits_), sm_(sm), requests_(requests),
      port_(scheme.make_l1_port(sm, *this, context.stats)), tags_(std::size_t{p_.sets} * p_.ways, kNone),
      valid_(tags_.size()), touched_(tags_.size()), reserved_(tags_.size()), recency_(p_.sets, p_.ways),
      current_(tags_.size()), data_(tags_.size()), copies_(context, sm, tags_.size()), mshrs_(p_.mshrs),
      buckets_(std::bit_ceil(p_.mshrs), kNone), last_bucket_(static_cast<std::uint32_t>(buckets_.size() - 1)) {
  if (p_.ways > WayLookup::kScanned) lookup_.emplace(p_.sets * p_.ways);
  if (p_.replacement == kPlruReplacement) tree_.emplace(p_.sets, p_.ways);
  for (std::uint32_t i = p_.mshrs; i-- > 0;) free_.push_back(i);
}

void L1Cache::keep_local_lines(LocalVictims& victims) {
  words_.resize(tags_.size());
  victims_ = &victims;
}

std::uint32_t L1Cache::find_mshr(std::uint32_t line) const {
  for (std::uint32_t i = buckets_[bucket_of(line)]; i != kNone; i = mshrs_[i].next)
    if (mshrs_[i].line == line) return i;
  return kNone;
}

std::uint32_t L1Cache::send(Cycle now, PacketKind kind, const LineAccess& access, SectorMask mask) {
  const std::uint32_t handle = context_.packets.take();
  Packet& p = context_.packets[handle];
  const AddressMap::Place place = context_.map.place(access.line);
  p.kind = kind;
  p.mask = p.asked = mask;
  p.merged = 0;
  p.ticketed = p.wired = false;
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
  context_.golden.prefetch_version(access.line);
  ++under_way_;
  requests_.push(now, sm_, place.controller * 2 + (place.line & 1), handle, request_bytes(p));
  return handle;
}

L1Cache::Answer L1Cache::load(Cycle now, const LineAccess& access, std::uint32_t slot) {
  return port_ ? load_as<true>(now, access, slot) : load_as<false>(now, access, slot);
}

/// With a port or, as mostly, without: then much is known beforehand.
template <bool kPort>
L1Cache::Answer L1Cache::load_as(Cycle now, const LineAccess& access, std::uint32_t slot) {
  const std::uint32_t way = find(access.line);
  const SectorMask valid = way == kNone ? SectorMask{0} : valid_[way];
  const bool all_here = !kPort && !(access.mask & ~valid);
  std::uint32_t index = all_here ? kNone : find_mshr(access.line);
  const SectorMask pending = index == kNone ? SectorMask{0} : mshrs_[index].pending;
  // What a store or atomic of this SM has overtaken is older than what this load must see.
  if (index != kNone && (access.mask & mshrs_[index].stale & (pending | mshrs_[index].brought))) {
    ++stats_.stalls;
    return {};
  }
  const bool room = index == kNone ? !free_.empty() : mshrs_[index].waiting < p_.merges;
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
    wait(mshrs_[index], {.slot = slot, .replay = true, .parked = parked});
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
    touch(way);
    touched_[way] |= hit;
    if (hit) stats_.stale_hits += copies_.check(now, way, access.line, hit, data_[way], Source::l1);
  }
  if (!missing) return {true, now + std::max(hit ? p_.latency : 1, plan.held ? plan.latency : 1)};
  ++stats_.miss_requests;
  const bool first = index == kNone;
  if (first) {
    index = free_.back();
    free_.pop_back();
    std::uint32_t& bucket = buckets_[bucket_of(access.line)];
    mshrs_[index] =
        Mshr{.line = access.line, .replace = plan.replace, .absent = way == kNone, .whole = whole, .next = bucket};
    bucket = index;
  }
  Mshr& m = mshrs_[index];
  if (whole && way != kNone && first) {  // refetched: the tag stays, the content is invalid until all is there
    m.brought = plan.replace ? SectorMask{0} : valid;
    valid_[way] = 0;
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
  wait(m, {.slot = slot, .need = need ? need : coming});
  m.pending |= ask;
  if (ask)
    context_.packets[send(now, PacketKind::read, access, ask)].token = index;
  else if (watch_)
    watch_->merged(sm_, access.line, missing);
  return {true, kNever};
}

inline void L1Cache::wait(Mshr& m, const Waiting& waiting) {
  const std::uint32_t w = waiting_.take();
  waiting_[w] = waiting;
  (m.tail == kNone ? m.head : waiting_[m.tail].next) = w;
  m.tail = w;
  ++m.waiting;
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
  const std::uint32_t index = find_mshr(access.line);
  if (index == kNone) return;
  Mshr& m = mshrs_[index];
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
  if (const std::uint32_t way = find(access.line); way != kNone) {
    touch(way);
    copies_.stored(way, access, data_[way]);
    const auto hit = static_cast<SectorMask>(access.mask & valid_[way]);
    stats_.store_hit_sectors += count_sectors(hit);
    for (unsigned s = 0; s < kSectors; ++s)
      if (hit >> s & 1) merge_sector(data_[way].sector(s), access.data.sector(s), access.bytes[s]);
    if (p_.store_evicts && hit) drop_sectors(now, way, hit);
  }
  overtake(access);
  copies_.sent(send(now, PacketKind::write, access, access.mask));
  return true;
}

bool L1Cache::atomic(Cycle now, const LineAccess& access, simt::AtomicOp op, std::uint32_t slot) {
  if (!requests_.can_push(sm_)) {
    ++stats_.stalls;
    return false;
  }
  ++stats_.atomic_requests;
  if (port_) port_->atomic(now, access);
  if (const std::uint32_t way = find(access.line); way != kNone) {
    copies_.outdated(way, access);
    if (!reserved_[way]) drop_sectors(now, way, access.mask);
  }
  overtake(access);
  const std::uint32_t handle = send(now, PacketKind::atomic, access, access.mask);
  copies_.sent(handle);
  Packet& p = context_.packets[handle];
  p.token = slot;
  p.op = op;
  return true;
}

void L1Cache::fill(Cycle now, const Packet& reply, std::vector<std::uint32_t>& completed) {
  Mshr& m = mshrs_[reply.token];
  const SectorMask arrived = reply.asked;
  if (m.line != reply.global_line || (arrived & ~m.pending))
    throw std::logic_error(fmt::format("L1 of SM {}: reply that nobody asked for", sm_));
  if (arrived & ~reply.mask)
    throw std::logic_error(
        fmt::format("L1 of SM {}: reply for line {} lacks sectors that were asked for: brings {:x}, "
                    "asked {:x}",
                    sm_, m.line, reply.mask, arrived));
  ++stats_.fills;
  stats_.load_latency += now - reply.born;
  if (m.whole)
    keep_whole(now, m, reply);
  else
    keep(now, m, reply);
  m.pending &= static_cast<SectorMask>(~arrived);
  std::uint32_t previous = kNone;
  for (std::uint32_t w = m.head; w != kNone;) {
    Waiting& waiting = waiting_[w];
    const std::uint32_t next = waiting.next;
    waiting.need &= static_cast<SectorMask>(~arrived);
    if (waiting.replay ? m.pending : waiting.need) {
      previous = w;
    } else {
      if (waiting.replay)
        replays_.push_back(waiting.parked);
      else
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

void L1Cache::expect_fill(Ahead step, const Packet& reply) const {
  const std::uint32_t first = first_way(reply.global_line);
  if (step == Ahead::sets) {
    prefetch(&mshrs_[reply.token]);
    prefetch(&buckets_[bucket_of(reply.global_line)]);
    prefetch_tags(reply.global_line);
    recency_.expect(first);
    if (lookup_) return;  // the way is one of many
    prefetch(valid_.data() + first);
    prefetch(touched_.data() + first);
    prefetch(reserved_.data() + first);
    prefetch(current_.data() + first);
    return;
  }
  const std::uint32_t here = find(reply.global_line);
  const std::uint32_t way = here != kNone ? here : recency_.oldest(first);
  prefetch(data_[way].sector(static_cast<unsigned>(std::countr_zero(reply.asked))));
  copies_.expect(way);
  if (const std::uint32_t waiting = mshrs_[reply.token].head; waiting != kNone) prefetch(&waiting_[waiting]);
}

void L1Cache::touch(std::uint32_t way) {
  if (tree_)
    tree_->touch(way / p_.ways, way % p_.ways);
  else
    recency_.use(way);
}

/// Each sector is valid as it comes.
inline void L1Cache::keep(Cycle now, Mshr& m, const Packet& reply) {
  // A port on the way may have added sectors; they could be older than what the line holds.
  const auto fresh = static_cast<SectorMask>(reply.no_fill ? 0 : reply.asked & ~m.stale);
  const auto here = static_cast<SectorMask>(fresh & m.to_l1),
             there = static_cast<SectorMask>(fresh & m.to_port & ~here);
  if (there) port_->fill(now, m.line, there, reply.data);
  std::uint32_t way = kNone;
  if (here) {
    if (!m.absent) way = find(m.line);
    if (way == kNone) way = claim(now, m.line);
    m.absent = false;
    if (m.replace) {
      valid_[way] = 0;
      m.replace = false;
    }
    touch(way);
    stats_.fill_sectors += count_sectors(here);
    copy_sectors(data_[way], reply.data, here);
    valid_[way] |= here;
    current_[way] &= static_cast<SectorMask>(~here);
    if (!reply.from_peer) current_[way] |= static_cast<SectorMask>(here & ~m.passed);
    if (whole_lines() && here != kAllSectors) current_[way] = 0;
    touched_[way] |= m.wanted & here;
  }
  copies_.filled(way, reply, here);
  const auto left = static_cast<SectorMask>(m.pending & ~reply.asked);
  m.stale &= left;
  m.passed &= left;
  m.to_l1 &= left;
  m.to_port &= left;
}

/// The line is valid when nothing is pending, and not kept when something in it was overtaken.
void L1Cache::keep_whole(Cycle now, Mshr& m, const Packet& reply) {
  if (m.way == kNone) reserve(now, m, kNone);
  stats_.fill_sectors += count_sectors(reply.mask);
  copy_sectors(data_[m.way], reply.data, reply.mask);
  m.brought |= reply.mask;
  current_[m.way] &= static_cast<SectorMask>(~reply.mask);
  if (!reply.from_peer) current_[m.way] |= reply.mask;
  copies_.filled(m.way, reply, reply.mask);
  if (reply.no_fill) m.stale |= reply.mask;
  const bool last = !(m.pending & ~reply.asked);
  port_->arrived(now, {m.line, m.way, reply.token, reply.asked, reply.mask, last ? m.brought : SectorMask{0}});
  if (!last) return;
  if (tags_[m.way] == kNone) set_tag(m.way, m.line);
  reserved_[m.way] = 0;
  valid_[m.way] = m.brought;
  touched_[m.way] = m.wanted;
  current_[m.way] &= static_cast<SectorMask>(m.brought & ~m.passed);
  touch(m.way);
  if (m.stale & m.brought) empty(now, m.way);
}

/// `way` (kNone: one that is claimed, without a tag until the line is there) belongs to the MSHR.
void L1Cache::reserve(Cycle now, Mshr& m, std::uint32_t way) {
  m.way = way == kNone ? make_room(now, m.line) : way;
  reserved_[m.way] = 1;
}

bool L1Cache::can_reserve(std::uint32_t line) const {
  if (const std::uint32_t m = find_mshr(line); m != kNone && mshrs_[m].way != kNone) return true;
  const auto first = reserved_.begin() + first_way(line);
  return std::count(first, first + p_.ways, 1) + 1 < static_cast<std::ptrdiff_t>(p_.ways);
}

void L1Cache::drop(Cycle now, std::uint32_t line, SectorMask mask) {
  const std::uint32_t way = find(line);
  if (way != kNone && !reserved_[way] && (valid_[way] & mask)) empty(now, way);
}

/// A way of the line's set without content, the one to be replaced if all are taken.
std::uint32_t L1Cache::make_room(Cycle now, std::uint32_t line) {
  const std::uint32_t first = first_way(line);
  const auto may = [&](std::uint32_t way) { return !reserved_[way]; };
  if (tree_) {
    const std::uint32_t free =
        find_key_if(tags_.data() + first, p_.ways, kNone, [&](std::uint32_t i) { return may(first + i); });
    if (free < p_.ways) return first + free;
  }
  std::uint32_t way = recency_.oldest(first, may);
  if (way == Recency::kNone) throw std::logic_error(fmt::format("L1 of SM {}: all ways of a set are reserved", sm_));
  if (tree_)
    if (const std::uint32_t chosen = first + tree_->victim(set_of(line)); !reserved_[chosen]) way = chosen;
  if (tags_[way] != kNone) empty(now, way);
  return way;
}

/// Sectors become invalid, and with the last of them the line leaves.
void L1Cache::drop_sectors(Cycle now, std::uint32_t way, SectorMask mask) {
  if (valid_[way] & ~mask)
    valid_[way] &= static_cast<SectorMask>(~mask);
  else
    empty(now, way);
}

/// A line leaves.
void L1Cache::empty(Cycle now, std::uint32_t way) {
  if (!words_.empty() && words_[way].valid) {
    if (words_[way].dirty) victims_->evicted(now, tags_[way], words_[way].dirty, data_[way]);
    drop(way);
    return;
  }
  if (port_) port_->evicted(now, tags_[way], valid_[way]);
  copies_.gone(way);
  ++stats_.emptied_lines;
  stats_.emptied_used_sectors += count_sectors(touched_[way]);
  vacate(way);
  valid_[way] = touched_[way] = 0;
  current_[way] = 0;
}

std::uint32_t L1Cache::claim(Cycle now, std::uint32_t line) {
  const std::uint32_t way = make_room(now, line);
  set_tag(way, line);
  return way;
}

inline void L1Cache::drop_mshr(std::uint32_t index) {
  Mshr& m = mshrs_[index];
  if (m.head != kNone) throw std::logic_error("L1: loads wait for sectors nobody fetches");
  std::uint32_t* link = &buckets_[bucket_of(m.line)];
  while (*link != index) link = &mshrs_[*link].next;
  *link = m.next;
  free_.push_back(index);
}

void L1Cache::end_kernel() {
  for (std::size_t i = 0; i < tags_.size(); ++i) {
    if (tags_[i] != kNone && (words_.empty() || !words_[i].valid)) {
      if (port_) port_->lost_at_end(tags_[i], valid_[i]);
      copies_.gone(static_cast<std::uint32_t>(i));
      ++stats_.emptied_lines;
    }
    stats_.emptied_used_sectors += count_sectors(touched_[i]);
    touched_[i] = 0;
  }
  if (port_) port_->end_kernel();
  std::fill(tags_.begin(), tags_.end(), kNone);
  if (lookup_) lookup_->clear();
  recency_.forget_all();
  std::fill(valid_.begin(), valid_.end(), SectorMask{0});
  std::fill(words_.begin(), words_.end(), Words{});
  copies_.end_kernel();
}

void L1Cache::returned(std::uint32_t packet) {
  const Packet& p = context_.packets[packet];
  under_way_ -= 1u + p.merged;
  if (p.kind != PacketKind::read && !context_.map.is_private(p.global_line)) copies_.performed(packet);
}

std::string L1Cache::describe() const {
  return fmt::format("{} of {} L1 MSHRs in use", mshrs_.size() - free_.size(), mshrs_.size());
}

}  // namespace warpsieve::memsys
