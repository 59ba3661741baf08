#include "memsys/cluster/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace warpsieve::memsys {

ClusterStats::ClusterStats(Stats& s)
    : primary(s.add("cluster.primary_misses", "loads", "line requests of loads that an L1 asked its port for")),
      replicated(s.add("cluster.replicated_misses", "loads", "of these: valid in the L1 of a peer in that cycle")),
      in_flight(s.add("cluster.in_flight_misses", "loads", "of these: valid in no L1 but on their way to a peer's")),
      merged(s.add("cluster.merged_misses", "loads", "line requests of loads that joined one on its way")),
      merged_replicated(s.add("cluster.merged_replicated", "loads", "of these: valid in the L1 of a peer")),
      lookups(s.add("cluster.lookups", "loads", "looked up by the scheme")),
      redirects(s.add("cluster.redirects", "loads", "of these: sent to a peer's L1")),
      remote_hits(s.add("cluster.remote_hits", "loads", "of these: answered by it")),
      captured(
          s.add("cluster.captured", "loads", "of these: replicated when they missed (cluster.replicated_misses)")),
      false_positives(s.add("cluster.false_positives", "loads",
                            "redirected to an L1 that did not have the line, or not all sectors")),
      false_negatives(
          s.add("cluster.false_negatives", "loads", "looked up, valid in the L1 of a peer, but sent to the L2")),
      no_credit(s.add("cluster.no_credit", "loads", "sent to the L2 for want of a place in the response buffer")),
      stale_sectors(
          s.add("cluster.stale_sectors", "sectors",
                "from a peer, other than the L2's content: older (decision R10), or newer by a store on its way")),
      bytes_saved(s.add("cluster.noc_bytes_saved", "bytes", "requests and replies that did not cross the network")),
      held_stores(
          s.add("cluster.held_stores", "cycles", "a store waited for a redirected load of its SM to the line")),
      buffer_full(s.add("cluster.buffer_full", "cycles", "a reply found no place in the response buffer")) {}

Clusters::Clusters(Context& context, std::uint32_t first_sm_id, std::uint32_t first_slice_id)
    : context_(context), stats_(context.stats), flits_(context.profile.noc), size_(context.profile.noc.cluster),
      first_sm_id_(first_sm_id), first_id_(context.wakes.add(context.profile.sm_links())),
      links_(make_interconnect(context, first_id_, first_slice_id)), delivered_(context.profile.sms, 2),
      requests_(*this), replies_(*this) {
  for (std::uint32_t c = 0; c < context.profile.sm_links(); ++c) ports_.push_back(std::make_unique<Port>(*this, c));
}

void Clusters::connect(const std::vector<L1Cache*>& l1s, Scheme& scheme) {
  for (auto& port : ports_) {
    port->l1s.assign(l1s.begin() + port->first, l1s.begin() + port->first + port->count);
    for (L1Cache* l1 : port->l1s) l1->watch(*this);
    port->path = scheme.make_cluster_path(port->number, port->count, *port, context_.stats);
    if (!port->path) continue;
    port->times = port->path->times();
    port->visibility = std::make_unique<Visibility>(context_, port->l1s);
  }
}

void Clusters::end_kernel() {
  for (auto& port : ports_)
    if (port->path) {
      port->path->clear();
      port->visibility->clear();
    }
}

void Clusters::run(Cycle now) {
  links_->run(now);
  for (auto& port : ports_)
    if (context_.wakes.take(first_id_ + port->number, now)) port->run(now);
}

void Clusters::check_empty() const {
  links_->check_empty();
  for (const auto& port : ports_) port->check_empty();
  const Network &requests = links_->requests(), &replies = links_->replies();
  if (!requests.idle() || !replies.idle() || requests.bytes_in() != requests.bytes_out() ||
      replies.bytes_in() != replies.bytes_out())
    throw std::logic_error("clusters: packets or bytes were lost between the links");
  const std::uint64_t peers = requests_.packets_in() - requests.packets_in();
  if (replies_.packets_out() - replies.packets_out() != peers)
    throw std::logic_error(fmt::format("clusters: {} requests did not take the link, but {} replies", peers,
                                       static_cast<std::int64_t>(replies_.packets_out() - replies.packets_out())));
}

void Clusters::merged(std::uint32_t sm, GlobalLine line, SectorMask mask) {
  const Port& port = port_of(sm);
  ++stats_.merged;
  if (port.holders(sm - port.first, line, mask, false)) ++stats_.merged_replicated;
}

bool Clusters::Requests::can_push(std::uint32_t sm) {
  Port& port = all_.port_of(sm);
  if (!port.queues[sm - port.first].full()) return true;
  port.refused[sm - port.first] = true;
  return false;
}

void Clusters::Requests::push(Cycle now, std::uint32_t sm, std::uint32_t output, std::uint32_t packet,
                              unsigned bytes) {
  Port& port = all_.port_of(sm);
  port.sent(now, sm - port.first, output, packet);
  count_in(bytes);
}

void Clusters::Requests::pop(std::uint32_t output, Cycle now) {
  Network& link = all_.links_->requests();
  const std::uint64_t before = link.bytes_out();
  link.pop(output, now);
  count_out(static_cast<unsigned>(link.bytes_out() - before));
}

std::string Clusters::Requests::describe() const {
  std::string out;
  for (const auto& port : all_.ports_) out += port->describe();
  return out + all_.links_->requests().describe();
}

bool Clusters::Replies::can_push(std::uint32_t slice) { return all_.links_->replies().can_push(slice); }

void Clusters::Replies::push(Cycle now, std::uint32_t slice, std::uint32_t sm, std::uint32_t packet, unsigned bytes) {
  all_.links_->replies().push(now, slice, sm / all_.size_, packet, bytes);
  count_in(bytes);
}

void Clusters::Replies::pop(std::uint32_t sm, Cycle) {
  count_out(all_.delivered_.head(sm).bytes);
  all_.delivered_.take(sm);
}

std::string Clusters::Replies::describe() const { return all_.links_->replies().describe(); }

}  // namespace warpsieve::memsys
