#include "memsys/noc/crossbar.h"

#include <fmt/format.h>

#include "memsys/ports.h"

namespace warpsieve::memsys {

Crossbar::Crossbar(Context& context, const std::string& name, std::uint32_t inputs, std::uint32_t outputs,
                   std::uint32_t first_producer, std::uint32_t first_consumer)
    : context_(context), name_(name), id_(context.wakes.add(1)), first_producer_(first_producer),
      first_consumer_(first_consumer), latency_(context.profile.noc.latency),
      queue_(inputs, Ring<Item>(context.profile.noc.input_queue)),
      arrived_(outputs, Ring<Arrival>(context.profile.noc.output_queue)),
      popped_(outputs, Ring<Cycle>(context.profile.noc.output_queue)), input_free_(inputs), output_free_(outputs),
      waiting_(outputs, BitSet(inputs)), turn_(outputs), refused_(inputs), unlisted_(inputs), active_(outputs),
      packets_(context.stats.add("noc." + name + "_packets", "packets", "packets granted")),
      flits_(context.stats.add("noc." + name + "_flits", "flits", "32-byte flits granted")) {}

void Crossbar::push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) {
  if (queue_[input].empty()) {
    input_free_[input] = std::max(input_free_[input], now + 1);
    unlisted_.set(input);
    context_.wakes.wake(id_, input_free_[input]);
  }
  queue_[input].push({packet, output, bytes, now});
  count_in(bytes);
}

void Crossbar::pop(std::uint32_t output, Cycle now) {
  auto& q = arrived_[output];
  if (q.full()) credit(now + 1, output);
  count_out(q.front().bytes);
  q.pop();
  popped_[output].push(now);
}

/// Those that wait for an output that was full are looked at in cycle `at`, or in a tick in the cycle before.
void Crossbar::credit(Cycle at, std::uint32_t output) {
  credits_.emplace(at, output);
  context_.wakes.wake(id_, at);
}

/// A credit is there for a grant now. The oldest pops are forgotten when their credits are needed.
bool Crossbar::has_credit(std::uint32_t output, Cycle now) {
  auto& popped = popped_[output];
  while (!popped.empty() && popped.front() <= now) popped.pop();
  return arrived_[output].size() + popped.size() < arrived_[output].capacity();
}

Cycle Crossbar::tick(Cycle now) {
  Cycle next = kNever;
  for (; !credits_.empty() && credits_.top().first <= now + 1; credits_.pop())
    if (const std::uint32_t output = credits_.top().second; waiting_[output].any()) active_.set(output);
  unlisted_.for_each([&](std::size_t i) {
    if (input_free_[i] > now) {
      next = std::min(next, input_free_[i]);
      return;
    }
    const std::uint32_t output = queue_[i].front().output;
    waiting_[output].set(i);
    active_.set(output);
    unlisted_.reset(i);
  });
  active_.for_each([&](std::size_t o) {
    if (output_free_[o] > now) {
      next = std::min(next, output_free_[o]);
      return;
    }
    if (!has_credit(o, now)) {
      active_.reset(o);  // until its credit()
      return;
    }
    std::size_t i = waiting_[o].from(turn_[o]);
    if (i == BitSet::npos) i = waiting_[o].from(0);
    const Item item = queue_[i].front();
    const unsigned f = flits(item.bytes);
    arrived_[o].push({item.packet, item.bytes, now + latency_ + f - 1});
    // A consumer with older packets waiting knows about them.
    if (arrived_[o].size() == 1)
      context_.wakes.wake(static_cast<std::uint32_t>(first_consumer_ + o), arrived_[o].front().at);
    if (!has_credit(o, now) && !popped_[o].empty())
      credit(popped_[o].front() + 1, static_cast<std::uint32_t>(o));  // pop() did not know that it is full
    queue_[i].pop();
    waiting_[o].reset(i);
    turn_[o] = static_cast<std::uint32_t>(i + 1 == queue_.size() ? 0 : i + 1);
    input_free_[i] = output_free_[o] = now + f;
    ++packets_;
    flits_ += f;
    ++context_.progress;
    if (refused_[i]) {
      refused_[i] = false;
      context_.wakes.wake(static_cast<std::uint32_t>(first_producer_ + i), now + 1);
    }
    if (!queue_[i].empty()) {
      input_free_[i] = std::max(input_free_[i], queue_[i].front().pushed + 1);
      unlisted_.set(i);
      next = std::min(next, input_free_[i]);
    }
    if (waiting_[o].any())
      next = std::min(next, output_free_[o]);
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
  for (Crossbar* net : {&requests_, &replies_}) {
    if (!context_.wakes.take(net->wake_id(), now)) continue;
    const Cycle again = net->tick(now);
    if (again != kNever) context_.wakes.wake(net->wake_id(), std::max(again, now + 1));
  }
}

std::string Crossbar::describe() const {
  std::string out;
  for (std::size_t o = 0; o < arrived_.size(); ++o)
    if (!arrived_[o].empty() || waiting_[o].any()) {
      std::size_t heads = 0;
      waiting_[o].for_each([&](std::size_t) { ++heads; });
      out += fmt::format("noc {}: output {} holds {} of {} packets, {} inputs wait for it\n", name_, o,
                         arrived_[o].size(), arrived_[o].capacity(), heads);
    }
  return out;
}

}  // namespace warpsieve::memsys
