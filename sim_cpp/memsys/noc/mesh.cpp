#include "memsys/noc/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace warpsieve::memsys {
namespace {
using enum MeshRouter::Port;
constexpr auto channel_of = MeshRouter::channel_of;
}  // namespace

Mesh::Places Mesh::places(const Profile& profile) {
  const std::uint32_t width = profile.noc.mesh_width, height = profile.noc.mesh_height;
  std::vector<bool> taken(width * height);
  Places out;
  // Half of the controllers in the top row, the rest in the bottom row, from the first column to the last.
  const std::uint32_t top = height > 1 ? (profile.controllers + 1) / 2 : profile.controllers;
  for (std::uint32_t c = 0; c < profile.controllers; ++c) {
    const bool upper = c < top;
    const std::uint32_t count = upper ? top : profile.controllers - top, i = upper ? c : c - top;
    const std::uint32_t column = count > 1 ? (i * (width - 1) * 2 + count - 1) / (2 * (count - 1)) : width / 2;
    const std::uint32_t node = (upper ? 0 : (height - 1) * width) + column;
    taken[node] = true;
    out.slice.insert(out.slice.end(), kSlicesPerController, node);
  }
  for (std::uint32_t node = 0; node < width * height && out.sm.size() < profile.sm_links(); ++node)
    if (!taken[node]) out.sm.push_back(node);
  return out;
}

Mesh::Mesh(Context& context, const Places& places, std::uint32_t first_sm_id, std::uint32_t first_slice_id)
    : context_(context), flits_(context.profile.noc), id_(context.wakes.add(1)),
      width_(context.profile.noc.mesh_width), height_(context.profile.noc.mesh_height),
      router_cycles_(context.profile.noc.router_cycles), link_cycles_(context.profile.noc.link_cycles),
      places_(places), routers_(width_ * height_, MeshRouter(context.profile.noc.vc_flits)),
      injectors_(width_ * height_), waiting_(width_ * height_), busy_(width_ * height_) {
  for (std::uint32_t node = 0; node < routers_.size(); ++node)
    at_.push_back({static_cast<std::uint16_t>(node % width_), static_cast<std::uint16_t>(node / width_)});
  const auto sms = static_cast<std::uint32_t>(places.sm.size()),
             slices = static_cast<std::uint32_t>(places.slice.size());
  sides_.emplace_back(*this, 0, sms, slices, first_sm_id, first_slice_id, "request");
  sides_.emplace_back(*this, 1, slices, sms, first_slice_id, first_sm_id, "reply");
  for (Side& side : sides_)
    for (std::uint32_t i = 0; i < side.sources.size(); ++i)
      injectors_[node_of(side.cls, true, i)][side.cls].inputs.push_back(i);
  hops_ = context.stats.add("noc.flit_hops", "flits", "flits over links between routers");
}

unsigned Mesh::hops(std::uint32_t a, std::uint32_t b) const {
  const auto distance = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
  return distance(a % width_, b % width_) + distance(a / width_, b / width_);
}

Cycle Mesh::zero_load(unsigned hops, unsigned flits) const {
  return 1 + Cycle{hops + 1} * (router_cycles_ + link_cycles_) + flits - 1;
}

std::uint32_t Mesh::node_of(unsigned cls, bool source, std::uint32_t endpoint) const {
  const bool sm = (cls == 0) == source;
  return sm ? places_.sm[endpoint] : places_.slice[endpoint];
}

std::uint8_t Mesh::direction(std::uint32_t node, std::uint32_t to, unsigned cls) const {
  const auto [x, y] = at_[node];
  const auto [tx, ty] = at_[to];
  const std::uint8_t along_x = x < tx ? kEast : x > tx ? kWest : kLocal;
  const std::uint8_t along_y = y < ty ? kSouth : y > ty ? kNorth : kLocal;
  const std::uint8_t first = cls == 0 ? along_x : along_y;
  return first != kLocal ? first : cls == 0 ? along_y : along_x;
}

std::uint32_t Mesh::neighbour(std::uint32_t node, unsigned port) const {
  switch (port) {
    case kEast: return node + 1;
    case kWest: return node - 1;
    case kNorth: return node - width_;
    default: return node + width_;
  }
}

void Mesh::run(Cycle now) {
  if (!context_.wakes.take(id_, now)) return;
  const auto first = static_cast<unsigned>(now % kPorts);
  for (std::size_t n = busy_.from(0); n != BitSet::npos; n = busy_.from(n + 1)) {
    const auto node = static_cast<std::uint32_t>(n);
    route(node, first, now);
    if (waiting_[node][0] + waiting_[node][1])
      inject(node, now);
    else if (routers_[node].empty())
      emptied_.push_back(node);
  }
  for (const std::uint32_t node : emptied_)  // unless a neighbour sent a flit after that
    if (routers_[node].empty()) busy_.reset(node);
  emptied_.clear();
  for (const Credit& c : credits_) routers_[c.node].credit(c.channel);
  credits_.clear();
  if (busy_.any()) context_.wakes.wake(id_, now + 1);
}

/// One flit per cycle, of either class, from a node's endpoints into the local port of its router.
void Mesh::inject(std::uint32_t node, Cycle now) {
  for (unsigned k = 0; k < kClasses; ++k) {
    const unsigned cls = (static_cast<unsigned>(now) + k) % kClasses;
    Injector& from = injectors_[node][cls];
    if (waiting_[node][cls] == 0) continue;
    Side& side = sides_[cls];
    for (std::size_t i = 0; !from.busy && i < from.inputs.size(); ++i) {
      const auto& queue = side.sources[from.inputs[from.turn]].queue;
      from.busy = !queue.empty() && transits_[queue.front()].pushed < now;
      from.sent = 0;
      if (!from.busy) from.turn = from.turn + 1 == from.inputs.size() ? 0 : from.turn + 1;
    }
    if (!from.busy) continue;
    if (routers_[node].full(channel_of(kLocal, cls))) continue;
    Source& source = side.sources[from.inputs[from.turn]];
    const std::uint32_t transit = source.queue.front();
    const unsigned count = flits_.of(transits_[transit].bytes);
    ++from.sent;
    routers_[node].push(channel_of(kLocal, cls), {transit, from.sent == 1, from.sent == count, now + router_cycles_});
    ++side.flits;
    ++context_.progress;
    if (from.sent == count) {
      const std::uint32_t input = from.inputs[from.turn];
      source.queue.pop();
      --waiting_[node][cls];
      ++side.packets;
      from.busy = false;
      from.turn = from.turn + 1 == from.inputs.size() ? 0 : from.turn + 1;
      if (source.refused) {
        source.refused = false;
        context_.wakes.wake(side.first_producer + input, now + cls);  // SMs run after it in a cycle, slices before
      }
    }
    break;
  }
}

Mesh::ChannelSet Mesh::with_place(const MeshRouter& router, ChannelSet leaving) const {
  for (ChannelSet left = leaving & router.heads(); left; left &= left - 1) {
    const auto c = static_cast<unsigned>(std::countr_zero(left));
    const std::uint32_t endpoint = transits_[router.front(c).transit()].output;
    if (sides_[c % kClasses].reserved[endpoint] >= context_.profile.noc.output_queue) leaving &= ~(1u << c);
  }
  return leaving;
}

void Mesh::route(std::uint32_t node, unsigned first, Cycle now) {
  MeshRouter& router = routers_[node];
  for (ChannelSet left = router.arrive(now); left; left &= left - 1) {
    const auto c = static_cast<unsigned>(std::countr_zero(left));
    router.ask(c, direction(node, transits_[router.front(c).transit()].node, c % kClasses));
  }
  for (MoveSet moves = router.moves(); moves;) {
    const unsigned port = MeshRouter::port_of(moves, first);
    ChannelSet can = MeshRouter::of_port(moves, port);
    if (port == kLocal) can = with_place(router, can);
    if (!can) {
      moves &= ~MeshRouter::of_all(port);
      continue;
    }
    const unsigned channel = router.choose(port, can);
    moves = MeshRouter::without(moves, port, channel);
    cross(node, port, channel, now);
  }
}

void Mesh::cross(std::uint32_t node, unsigned port, unsigned channel, Cycle now) {
  MeshRouter& router = routers_[node];
  const MeshRouter::Flit flit = router.front(channel);
  router.pop(channel);
  ++context_.progress;
  const unsigned cls = channel % kClasses, output = channel_of(port, cls);
  if (channel / kClasses != kLocal) {
    // The credit goes back over the link the flit came by: the neighbour's opposite port.
    constexpr std::uint8_t kOpposite[kPorts] = {kLocal, kWest, kEast, kSouth, kNorth};
    const unsigned came = channel / kClasses;
    credits_.push_back({neighbour(node, came), static_cast<std::uint8_t>(channel_of(kOpposite[came], cls))});
  }
  router.leaves(channel, port, flit.tail());
  if (port != kLocal) {
    constexpr std::uint8_t kArrives[kPorts] = {kLocal, kWest, kEast, kSouth, kNorth};
    const std::uint32_t next = neighbour(node, port);
    router.spend(output);
    routers_[next].push(channel_of(kArrives[port], cls), flit.at(now + link_cycles_ + router_cycles_));
    busy_.set(next);
    ++hops_;
    return;
  }
  Side& side = sides_[cls];
  const Transit& t = transits_[flit.transit()];
  if (flit.head()) ++side.reserved[t.output];
  if (!flit.tail()) return;
  if (side.arrived.put(t.output, {t.packet, t.bytes, now + link_cycles_}))
    context_.wakes.wake(side.first_consumer + t.output, now + link_cycles_);
  transits_.give(flit.transit());
}

void Mesh::check_empty() const {
  for (std::size_t n = 0; n < routers_.size(); ++n)
    if (!routers_[n].clean()) throw std::logic_error(fmt::format("mesh: router {} is idle but not empty", n));
  if (transits_.used()) throw std::logic_error("mesh: packets were lost on the way");
}

Mesh::Side::Side(Mesh& m, unsigned c, std::uint32_t inputs, std::uint32_t outputs, std::uint32_t producer,
                 std::uint32_t consumer, const std::string& n)
    : Network(arrived), mesh(m), cls(c), first_producer(producer), first_consumer(consumer), name(n), sources(inputs),
      arrived(outputs, m.context_.profile.noc.output_queue), reserved(outputs),
      packets(m.context_.stats.add("noc." + n + "_packets", "packets", "packets granted")),
      flits(m.context_.stats.add("noc." + n + "_flits", "flits", m.flits_.doc())) {
  for (Source& s : sources) s.queue = Ring<std::uint32_t>(m.context_.profile.noc.input_queue);
}

bool Mesh::Side::can_push(std::uint32_t input) {
  if (!sources[input].queue.full()) return true;
  sources[input].refused = true;
  return false;
}

void Mesh::Side::push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) {
  const std::uint32_t transit = mesh.transits_.take();
  mesh.transits_[transit] = {packet, output, mesh.node_of(cls, false, output), bytes, now};
  sources[input].queue.push(transit);
  const std::uint32_t node = mesh.node_of(cls, true, input);
  ++mesh.waiting_[node][cls];
  mesh.busy_.set(node);
  mesh.context_.wakes.wake(mesh.id_, now + 1);
  count_in(bytes);
}

void Mesh::Side::pop(std::uint32_t output, Cycle) {
  count_out(arrived.head(output).bytes);
  arrived.take(output);
  --reserved[output];
}

std::string Mesh::Side::describe() const {
  std::string out;
  for (std::uint32_t o = 0; o < arrived.outputs(); ++o)
    if (reserved[o])
      out += fmt::format("mesh {}: output {} holds {} packets, {} more on their last link\n", name, o,
                         arrived.size(o), reserved[o] - arrived.size(o));
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (!sources[i].queue.empty())
      out += fmt::format("mesh {}: {} packets wait at input {}\n", name, sources[i].queue.size(), i);
  return out;
}

}  // namespace warpsieve::memsys
