#include "memsys/noc/crossbar.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "memsys/ports.h"

namespace warpsieve::memsys {

Crossbar::Crossbar(Context& context, const std::string& name, std::uint32_t inputs, std::uint32_t outputs,
                   std::uint32_t first_producer, std::uint32_t first_consumer)
    : Network(outlets_), context_(context), name_(name), id_(context.wakes.add(1)), first_producer_(first_producer),
      first_consumer_(first_consumer), latency_(context.profile.noc.latency),
      inputs_(inputs, Input{.queue = Ring<Item>(context.profile.noc.input_queue)}),
      outputs_(outputs, Output{.popped = Ring<Cycle>(context.profile.noc.output_queue),
                               .waiting = Contenders(inputs),
                               .credits = context.profile.noc.output_queue}),
      outlets_(outputs, context.profile.noc.output_queue), heads_(inputs), grants_(outputs), credits_(outputs),
      packets_(context.stats.add("noc." + name + "_packets", "packets", "packets granted")),
      flits_(context.stats.add("noc." + name + "_flits", "flits", "32-byte flits granted")) {}

void Crossbar::push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) {
  Input& in = inputs_[input];
  if (in.queue.empty()) {
    in.free = std::max(in.free, now + 1);
    heads_.add(input, in.free);
    context_.wakes.wake(id_, in.free);
  }
  in.queue.push({packet, static_cast<std::uint16_t>(output), static_cast<std::uint16_t>(bytes), now});
  count_in(bytes);
}

void Crossbar::pop(std::uint32_t output, Cycle now) {
  const bool full = outlets_.full(output);
  count_out(outlets_.head(output).bytes);
  outlets_.take(output);
  if (now <= ran_)  // it counts in every grant to come
    ++outputs_[output].credits;
  else
    outputs_[output].popped.push(now);
  if (full) credit(now + 1, output);
}

/// Those that wait for an output that was full are looked at in cycle `at`, or in a tick in the cycle before.
void Crossbar::credit(Cycle at, std::uint32_t output) {
  credits_.add(output, at);
  context_.wakes.wake(id_, at);
}

void Crossbar::run(Cycle now) {
  ran_ = now;
  if (context_.wakes.take(id_, now)) context_.wakes.wake(id_, tick(now));
}

Cycle Crossbar::tick(Cycle now) {
  const auto contended = [&](std::size_t output) {
    if (outputs_[output].free > now)
      grants_.add(output, outputs_[output].free);
    else
      free_.push_back(static_cast<std::uint32_t>(output));
  };
  const auto credited = [&](std::size_t output) {
    if (outputs_[output].waiting.size()) contended(output);
  };
  free_.clear();
  credits_.take(now, credited);
  credits_.take(now + 1, credited);
  grants_.take(now, contended);
  heads_.take(now, [&](std::size_t i) {
    if (inputs_[i].free != now)
      throw std::logic_error(fmt::format("noc {}: a packet was pushed too far ahead", name_));
    const std::uint32_t output = inputs_[i].queue.front().output;
    outputs_[output].waiting.add(static_cast<std::uint32_t>(i));
    if (outputs_[output].waiting.size() == 1) contended(output);  // else it is known to be
  });
  grant(now);
  return std::min({heads_.next(now), grants_.next(now), credits_.next(now)});
}

/// Each output of `free_` to one of those that contend for it, if there is a credit; else it waits for its credit().
void Crossbar::grant(Cycle now) {
  unsigned granted = 0, flits_granted = 0;
  for (const std::uint32_t o : free_) {
    Output& out = outputs_[o];
    if (out.free > now || !out.has_credit(now)) continue;  // > now: it was named twice, for a credit, too
    const std::uint32_t i = out.waiting.take(out.turn);
    out.turn = i + 1;
    Input& in = inputs_[i];
    const Item& item = in.queue.front();
    const unsigned f = flits(item.bytes);
    const Cycle at = now + latency_ + f - 1;
    if (outlets_.put(o, {item.packet, item.bytes, at})) context_.wakes.wake(first_consumer_ + o, at);
    --out.credits;
    if (!out.has_credit(now) && !out.popped.empty())
      credit(out.popped.front() + 1, o);  // pop() did not know that it is full
    in.queue.pop();
    in.free = out.free = now + f;
    ++granted;
    flits_granted += f;
    if (in.refused) {
      in.refused = false;
      context_.wakes.wake(first_producer_ + i, now + 1);
    }
    if (!in.queue.empty()) {
      in.free = std::max(in.free, in.queue.front().pushed + 1);
      heads_.add(i, in.free);
    }
    if (out.waiting.size()) grants_.add(o, out.free);
  }
  packets_ += granted;
  flits_ += flits_granted;
  context_.progress += granted;
}

CrossbarPair::CrossbarPair(Context& context, std::uint32_t first_sm_id, std::uint32_t first_slice_id)
    : requests_(context, "request", context.profile.sm_links(), context.profile.controllers * kSlicesPerController,
                first_sm_id, first_slice_id),
      replies_(context, "reply", context.profile.controllers * kSlicesPerController, context.profile.sm_links(),
               first_slice_id, first_sm_id) {}

void CrossbarPair::run(Cycle now) {
  requests_.run(now);
  replies_.run(now);
}

std::string Crossbar::describe() const {
  std::string out;
  for (std::uint32_t o = 0; o < outputs_.size(); ++o)
    if (const Output& output = outputs_[o]; outlets_.size(o) || output.waiting.size()) {
      out += fmt::format("noc {}: output {} holds {} of {} packets, {} inputs wait for it\n", name_, o,
                         outlets_.size(o), output.popped.capacity(), output.waiting.size());
    }
  return out;
}

}  // namespace warpsieve::memsys
