#include "memsys/noc/crossbar.h"

#include <fmt/format.h>

#include "memsys/ports.h"

namespace warpsieve::memsys {

Crossbar::Crossbar(Context& context, const std::string& name, std::uint32_t inputs, std::uint32_t outputs,
                   std::uint32_t first_producer, std::uint32_t first_consumer)
    : Network(outlets_), context_(context), name_(name), id_(context.wakes.add(1)), first_producer_(first_producer),
      first_consumer_(first_consumer), latency_(context.profile.noc.latency),
      inputs_(inputs, Input{.queue = Ring<Item>(context.profile.noc.input_queue)}),
      outputs_(outputs, Output{.popped = Ring<Cycle>(context.profile.noc.output_queue),
                               .waiting = BitSet(inputs),
                               .credits = context.profile.noc.output_queue}),
      outlets_(outputs, context.profile.noc.output_queue), unlisted_(inputs), active_(outputs),
      packets_(context.stats.add("noc." + name + "_packets", "packets", "packets granted")),
      flits_(context.stats.add("noc." + name + "_flits", "flits", "32-byte flits granted")) {}

void Crossbar::push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) {
  Input& in = inputs_[input];
  if (in.queue.empty()) {
    in.free = std::max(in.free, now + 1);
    unlisted_.set(input);
    context_.wakes.wake(id_, in.free);
  }
  in.queue.push({packet, output, bytes, now});
  count_in(bytes);
}

void Crossbar::pop(std::uint32_t output, Cycle now) {
  const bool full = outlets_.full(output);
  count_out(outlets_.head(output).bytes);
  outlets_.take(output);
  outputs_[output].popped.push(now);
  if (full) credit(now + 1, output);
}

/// Those that wait for an output that was full are looked at in cycle `at`, or in a tick in the cycle before.
void Crossbar::credit(Cycle at, std::uint32_t output) {
  credits_.emplace(at, output);
  context_.wakes.wake(id_, at);
}

Cycle Crossbar::tick(Cycle now) {
  Cycle next = kNever;
  for (; !credits_.empty() && credits_.top().first <= now + 1; credits_.pop())
    if (const std::uint32_t output = credits_.top().second; outputs_[output].waiting.any()) active_.set(output);
  unlisted_.for_each([&](std::size_t i) {
    Input& in = inputs_[i];
    if (in.free > now) {
      next = std::min(next, in.free);
      return;
    }
    const std::uint32_t output = in.queue.front().output;
    outputs_[output].waiting.set(i);
    active_.set(output);
    unlisted_.reset(i);
  });
  active_.for_each([&](std::size_t member) {
    const auto o = static_cast<std::uint32_t>(member);
    Output& out = outputs_[o];
    if (out.free > now) {
      next = std::min(next, out.free);
      return;
    }
    if (!out.has_credit(now)) {
      active_.reset(o);  // until its credit()
      return;
    }
    std::size_t i = out.waiting.from(out.turn);
    if (i == BitSet::npos) i = out.waiting.from(0);
    Input& in = inputs_[i];
    const Item& item = in.queue.front();
    const unsigned f = flits(item.bytes);
    const Cycle at = now + latency_ + f - 1;
    if (outlets_.put(o, {item.packet, item.bytes, at})) context_.wakes.wake(first_consumer_ + o, at);
    --out.credits;
    if (!out.has_credit(now) && !out.popped.empty())
      credit(out.popped.front() + 1, o);  // pop() did not know that it is full
    in.queue.pop();
    out.waiting.reset(i);
    out.turn = static_cast<std::uint32_t>(i + 1 == inputs_.size() ? 0 : i + 1);
    in.free = out.free = now + f;
    ++packets_;
    flits_ += f;
    ++context_.progress;
    if (in.refused) {
      in.refused = false;
      context_.wakes.wake(static_cast<std::uint32_t>(first_producer_ + i), now + 1);
    }
    if (!in.queue.empty()) {
      in.free = std::max(in.free, in.queue.front().pushed + 1);
      unlisted_.set(i);
      next = std::min(next, in.free);
    }
    if (out.waiting.any())
      next = std::min(next, out.free);
    else
      active_.reset(o);
  });
  return credits_.empty() ? next : std::min(next, credits_.top().first);
}

CrossbarPair::CrossbarPair(Context& context, std::uint32_t first_sm_id, std::uint32_t first_slice_id)
    : context_(context), requests_(context, "request", context.profile.sm_links(),
                                   context.profile.controllers * kSlicesPerController, first_sm_id, first_slice_id),
      replies_(context, "reply", context.profile.controllers * kSlicesPerController, context.profile.sm_links(),
               first_slice_id, first_sm_id) {}

void CrossbarPair::run(Cycle now) {
  const auto run = [&](Crossbar& net) {
    WakeTimes& wakes = context_.wakes;
    if (wakes.take(net.wake_id(), now)) wakes.wake(net.wake_id(), std::max(net.tick(now), now + 1));
  };
  run(requests_);
  run(replies_);
}

std::string Crossbar::describe() const {
  std::string out;
  for (std::uint32_t o = 0; o < outputs_.size(); ++o)
    if (const Output& output = outputs_[o]; outlets_.size(o) || output.waiting.any()) {
      std::size_t heads = 0;
      output.waiting.for_each([&](std::size_t) { ++heads; });
      out += fmt::format("noc {}: output {} holds {} of {} packets, {} inputs wait for it\n", name_, o,
                         outlets_.size(o), output.popped.capacity(), heads);
    }
  return out;
}

}  // namespace warpsieve::memsys
