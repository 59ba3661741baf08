// One cluster port: arbiter, lookup, probes of peers, response buffer.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "memsys/cluster/cluster.h"

namespace warpsieve::memsys {

Clusters::Port::Port(Clusters& owner, std::uint32_t n)
    : all(owner), context(owner.context_), number(n), first(n * owner.size_),
      count(std::min(owner.size_, owner.context_.profile.sms - first)),
      queues(count, Ring<Item>(context.profile.noc.input_queue)), refused(count),
      probes_(context.profile.noc.response_buffer), failed_(context.profile.noc.response_buffer),
      remote_(context.profile.noc.response_buffer), buffer_(context.profile.noc.response_buffer) {}

std::uint64_t Clusters::Port::holders(unsigned sm, GlobalLine line, SectorMask mask, bool current) const {
  std::uint64_t out = 0;
  for (unsigned i = 0; i < count; ++i)
    if (i != sm && l1s[i]->holds(line, mask, current)) out |= std::uint64_t{1} << i;
  return out;
}

/// An SM hands over a packet; loads are classified here, in the cycle of the miss (decision R2).
void Clusters::Port::sent(Cycle now, unsigned sm, std::uint32_t output, std::uint32_t packet) {
  Item& item = queues[sm].push({.output = output, .packet = packet, .pushed = now});
  context.wakes.wake(all.first_id_ + number, now + 1);
  const Packet& p = context.packets[packet];
  if (!is_load(p)) return;
  ++all.stats_.primary;
  if (holders(sm, p.global_line, p.mask, false)) {
    ++all.stats_.replicated;
    item.replicated = true;
    return;
  }
  for (unsigned i = 0; i < count; ++i)
    if (i != sm && l1s[i]->pending(p.global_line, p.mask)) {
      ++all.stats_.in_flight;
      return;
    }
}

void Clusters::Port::run(Cycle now) {
  probe(now);
  take_responses(now);
  send_response(now);
  if (path) look_up(now);
  pass_request(now);
  schedule(now);
}

void Clusters::Port::take_responses(Cycle now) {
  while (!remote_.empty() && remote_.front().due <= now) {
    buffer_.push(remote_.front());
    remote_.pop();
    --reserved_;
  }
  Network& link = all.links_->replies();
  const std::uint32_t packet = link.front(number, now);
  if (packet == kNoPacket) return;
  if (buffer_.size() + reserved_ == buffer_.capacity()) {
    full_since_ = std::min(full_since_, now);
    return;
  }
  if (full_since_ != kNever) all.stats_.buffer_full += now - std::exchange(full_since_, kNever);
  const std::uint64_t before = link.bytes_out();
  link.pop(number, now);
  buffer_.push({packet, static_cast<unsigned>(link.bytes_out() - before), false, now});
  ++context.progress;
}

void Clusters::Port::send_response(Cycle now) {
  if (buffer_.empty() || exit_free_ > now) return;
  const Response r = buffer_.front();
  buffer_.pop();
  const Packet& p = context.packets[r.packet];
  const unsigned sm = p.sm - first, width = context.profile.noc.response_flits;
  all.delivered_.put(first + sm, {r.packet, r.bytes, now + 1});
  context.wakes.wake(all.first_sm_id_ + p.sm, now + 1);
  exit_free_ = now + (all.flits_.cycles(all.flits_.of(r.bytes)) + width - 1) / width;
  ++context.progress;
  if (!path || is_private(p)) return;
  if (!r.remote && is_load(p) && l1s[sm]->will_serve_peers(p)) path->response(now, sm, p.global_line);
  if (p.kind != PacketKind::read) visibility->performed(sm, r.packet);
}

/// One lookup per cycle; those whose answer is due go to a peer or are free to go to the L2.
void Clusters::Port::look_up(Cycle now) {
  const auto waits = [&](unsigned sm) {
    return !queues[sm].empty() && queues[sm].front().pushed < now &&
           is_load(context.packets[queues[sm].front().packet]);
  };
  if (path->ready(now))
    for (std::uint32_t i = 0; i < count; ++i) {
      const unsigned sm = (lookup_turn_ + i) % count;
      if (!waits(sm) || queues[sm].front().decided) continue;
      Item& item = queues[sm].front();
      const Packet& p = context.packets[item.packet];
      item.peer = path->lookup(now, sm, p.global_line, p.mask);
      item.decided = true;
      item.decision = now + times.lookup;
      lookup_turn_ = sm + 1;
      ++all.stats_.lookups;
      ++context.progress;
      if (!item.peer && holders(sm, p.global_line, p.mask, false)) ++all.stats_.false_negatives;
      break;
    }
  for (unsigned sm = 0; sm < count; ++sm)
    if (waits(sm) && queues[sm].front().decided && queues[sm].front().peer && queues[sm].front().decision <= now)
      decide(now, sm);
}

/// Redirects the head of an SM's queue if its reply is sure to find a place.
void Clusters::Port::decide(Cycle now, unsigned sm) {
  Item& item = queues[sm].front();
  const unsigned peer = *item.peer;
  item.peer.reset();
  if (buffer_.size() + reserved_ == buffer_.capacity() || probes_.size() + failed_.size() == probes_.capacity()) {
    ++all.stats_.no_credit;
    return;
  }
  ++reserved_;
  ++all.stats_.redirects;
  probes_.push({item.packet, item.output, peer, item.replicated, now + times.redirect});
  leave(now, sm);
  probe(now);
}

void Clusters::Port::probe(Cycle now) {
  if (probes_.empty() || probes_.front().due > now) return;
  const Probe probe = probes_.front();
  probes_.pop();
  Packet& p = context.packets[probe.packet];
  const unsigned sm = p.sm - first;
  ++context.progress;
  if (l1s[probe.peer]->probe(now, p.global_line, p.mask, p.data)) {
    ++all.stats_.remote_hits;
    if (probe.replicated) ++all.stats_.captured;
    all.stats_.bytes_saved += request_bytes(p) + reply_bytes(p);
    for (unsigned s = 0; s < kSectors; ++s)
      if ((p.mask >> s & 1) && !context.golden.same(now, p.global_line, s, p.data.sector(s)))
        ++all.stats_.stale_sectors;
    visibility->check(now, sm, probe.peer, probe.packet);
    p.from_peer = true;
    p.no_fill = !times.fill_on_remote;
    const unsigned bytes = reply_bytes(p);
    all.requests_.taken_by_peer(request_bytes(p));
    all.replies_.made_by_peer(bytes);
    remote_.push({probe.packet, bytes, true, now + context.profile.l1.latency});
    return;
  }
  --reserved_;
  ++all.stats_.false_positives;
  path->probe_failed(now, probe.peer, p.global_line);
  failed_.push({.packet = probe.packet, .output = probe.output, .peer = probe.peer, .due = now + 1});
}

bool Clusters::Port::redirected(unsigned sm, GlobalLine line) const {
  for (const Ring<Probe>* ring : {&probes_, &failed_})
    for (std::size_t i = 0; i < ring->size(); ++i) {
      const Packet& p = context.packets[(*ring)[i].packet];
      if (p.global_line == line && p.sm == first + sm) return true;
    }
  return false;
}

void Clusters::Port::leave(Cycle now, unsigned sm) {
  queues[sm].pop();
  ++context.progress;
  if (!refused[sm]) return;
  refused[sm] = false;
  context.wakes.wake(all.first_sm_id_ + first + sm, now);  // SMs run after it in a cycle
}

/// One packet per cycle to the link.
void Clusters::Port::pass_request(Cycle now) {
  Network& link = all.links_->requests();
  blocked_ = !link.can_push(number);
  if (blocked_) return;
  if (!failed_.empty() && failed_.front().due <= now) {
    const Probe probe = failed_.front();
    failed_.pop();
    link.push(now, number, probe.output, probe.packet, request_bytes(context.packets[probe.packet]));
    ++context.progress;
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const unsigned sm = (turn_ + i) % count;
    if (queues[sm].empty() || queues[sm].front().pushed >= now) continue;
    const Item item = queues[sm].front();
    const Packet& p = context.packets[item.packet];
    if (path && is_load(p)) {
      if (!item.decided || item.peer || item.decision > now) continue;
    } else if (redirected(sm, p.global_line)) {
      ++all.stats_.held_stores;
      continue;
    }
    link.push(now, number, item.output, item.packet, request_bytes(p));
    if (path && p.kind != PacketKind::read && !is_private(p)) {
      path->written(now, p.global_line);
      for (unsigned k = 0; k < count; ++k) l1s[k]->passed_store(p.global_line, p.mask, k == sm);
    }
    leave(now, sm);
    turn_ = sm + 1;
    return;
  }
}

void Clusters::Port::schedule(Cycle now) {
  Cycle next = all.links_->replies().next_arrival(number);
  if (buffer_.size() + reserved_ == buffer_.capacity()) next = kNever;  // what follows makes room
  if (!buffer_.empty()) next = std::min(next, exit_free_);
  if (!remote_.empty()) next = std::min(next, remote_.front().due);
  if (!probes_.empty()) next = std::min(next, probes_.front().due);
  if (!failed_.empty() && !blocked_) next = std::min(next, failed_.front().due);
  for (unsigned sm = 0; sm < count; ++sm) {
    if (queues[sm].empty()) continue;
    const Item& item = queues[sm].front();
    const bool load = path && is_load(context.packets[item.packet]);
    const bool settled = !load || (item.decided && !item.peer && item.decision <= now);
    if (!settled || !blocked_) next = now + 1;
  }
  if (next != kNever) context.wakes.wake(all.first_id_ + number, std::max(next, now + 1));
}

void Clusters::Port::check_empty() const {
  bool clean = probes_.empty() && failed_.empty() && remote_.empty() && buffer_.empty() && reserved_ == 0;
  for (unsigned sm = 0; sm < count; ++sm) clean = clean && queues[sm].empty() && all.delivered_.size(first + sm) == 0;
  if (!clean) throw std::logic_error(fmt::format("cluster {}: idle but not empty", number));
}

std::string Clusters::Port::describe() const {
  std::string out;
  for (unsigned sm = 0; sm < count; ++sm)
    if (!queues[sm].empty())
      out +=
          fmt::format("cluster {}: {} packets of SM {} wait for the link\n", number, queues[sm].size(), first + sm);
  if (probes_.size() + failed_.size() + remote_.size() + buffer_.size())
    out += fmt::format(
        "cluster {}: {} of {} packets in the response buffer, {} places reserved, {} loads on their way "
        "to a peer, {} back from one\n",
        number, buffer_.size(), buffer_.capacity(), reserved_, probes_.size(), failed_.size());
  return out;
}

}  // namespace warpsieve::memsys
