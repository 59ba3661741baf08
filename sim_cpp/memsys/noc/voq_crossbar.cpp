#include "memsys/noc/voq_crossbar.h"

#include <algorithm>
#include <utility>

namespace warpsieve::memsys {

VoqCrossbar::VoqCrossbar(Context& context, const std::string& name, std::uint32_t inputs, std::uint32_t outputs,
                         std::uint32_t first_producer, std::uint32_t first_consumer, bool producers_follow)
    : CrossbarOutputs(context, name, outputs, first_producer, first_consumer, producers_follow),
      places_(context.profile.noc.input_queue), inputs_(inputs, Input{.coming = Ring<Item>(places_, kQueueStart)}),
      queues_(std::size_t{inputs} * outputs), demands_(outputs, Demand{.inputs = BitSet(inputs)}), arrivals_(inputs),
      links_(inputs), ports_(outputs), free_(inputs), open_(outputs) {}

void VoqCrossbar::push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) {
  Input& in = inputs_[input];
  if (in.coming.empty() && apart_) {
    in.fresh = true;
  } else if (in.coming.empty()) {
    arrivals_.add(input, now + 1);
    context_.wakes.wake(id_, now + 1);
  }
  in.coming.push({packet, static_cast<std::uint16_t>(output), static_cast<std::uint16_t>(bytes), now});
  ++in.held;
  if (apart_)
    in.pushed.add(bytes);
  else
    count_in(bytes);
}

Cycle VoqCrossbar::fold_inputs() {
  Cycle first = kNever;
  for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
    Input& in = inputs_[i];
    count_in(in.pushed);
    if (!in.fresh) continue;
    in.fresh = false;
    const Cycle at = in.coming.front().pushed + 1;
    arrivals_.add(i, at);
    first = std::min(first, at);
  }
  return first;
}

void VoqCrossbar::run(Cycle now) {
  ran_ = now;
  if (context_.wakes.take(id_, now)) context_.wakes.wake(id_, tick(now));
}

Cycle VoqCrossbar::tick(Cycle now) {
  arrivals_.take(now, [&](std::size_t i) { enter(now, static_cast<std::uint32_t>(i)); });
  links_.take(now, [&](std::size_t i) { free_.set(i); });
  ports_.take(now, [&](std::size_t o) { consider(now, o); });
  credits_.take(now, [&](std::size_t o) { consider(now, o); });
  match(now);
  return std::min({arrivals_.next(now), links_.next(now), ports_.next(now), credits_.next(now)});
}

/// What was pushed before this cycle goes into the virtual queues.
void VoqCrossbar::enter(Cycle now, std::uint32_t input) {
  Input& in = inputs_[input];
  for (; !in.coming.empty() && in.coming.front().pushed < now; in.coming.pop()) {
    const Item& item = in.coming.front();
    const std::uint32_t node = nodes_.take();
    nodes_[node] = {item.packet, item.bytes, kNone};
    Queue& q = queue(input, item.output);
    if (q.first == kNone) {
      q.first = node;
      Demand& demand = demands_[item.output];
      demand.inputs.set(input);
      if (++demand.count == 1) consider(now, item.output);
    } else {
      nodes_[q.last].next = node;
    }
    q.last = node;
    if (++in.queued > 1) continue;
    if (in.free > now)
      links_.add(input, in.free);
    else
      free_.set(input);
  }
  if (!in.coming.empty()) arrivals_.add(input, in.coming.front().pushed + 1);
}

void VoqCrossbar::consider(Cycle now, std::size_t output) {
  if (demands_[output].count == 0) return;
  if (outputs_[output].free > now)
    ports_.add(output, outputs_[output].free);
  else
    open_.set(output);
}

void VoqCrossbar::match(Cycle now) {
  for (std::size_t o = open_.from(0); o != BitSet::npos; o = open_.from(o + 1)) {
    if (!outputs_[o].has_credit(now)) {
      open_.reset(o);  // its credit() names it again
      continue;
    }
    const std::uint32_t owed = demands_[o].owed;
    if (waits_for_owed(o) && free_.test(owed)) transfer(now, owed, static_cast<std::uint32_t>(o));
  }
  do grant(now);
  while (!granted_inputs_.empty());
  count_granted();
}

/// One iteration: outputs grant, inputs accept.
void VoqCrossbar::grant(Cycle now) {
  granted_inputs_.clear();
  const auto outputs = static_cast<std::uint32_t>(outputs_.size());
  for (std::size_t at = open_.from(0); at != BitSet::npos; at = open_.from(at + 1)) {
    const auto o = static_cast<std::uint32_t>(at);
    if (waits_for_owed(o)) continue;
    const BitSet& asking = demands_[o].inputs;
    std::size_t i = asking.from(outputs_[o].turn, free_);
    if (i == BitSet::npos) i = asking.from(0, free_);
    if (i == BitSet::npos) continue;
    Input& in = inputs_[i];
    const auto distance = [&](std::uint32_t output) {
      return (output >= in.turn ? output : output + outputs) - in.turn;
    };
    if (in.best == kNone)
      granted_inputs_.push_back(static_cast<std::uint32_t>(i));
    else if (distance(in.best) < distance(o))
      continue;
    in.best = o;
  }
  for (const std::uint32_t i : granted_inputs_) transfer(now, i, std::exchange(inputs_[i].best, kNone));
}

void VoqCrossbar::transfer(Cycle now, std::uint32_t input, std::uint32_t output) {
  keep_account(output, input);
  Input& in = inputs_[input];
  Output& out = outputs_[output];
  Queue& q = queue(input, output);
  const std::uint32_t node = q.first;
  in.free = send(now, output, nodes_[node].packet, nodes_[node].bytes);
  out.turn = input + 1;
  in.turn = output + 1;
  q.first = nodes_[node].next;
  nodes_.give(node);
  Demand& demand = demands_[output];
  if (q.first == kNone) {
    demand.inputs.reset(input);
    --demand.count;
  }
  open_.reset(output);
  if (demand.count) ports_.add(output, out.free);
  free_.reset(input);
  if (--in.queued) links_.add(input, in.free);
  --in.held;
  if (in.refused) {
    in.refused = false;
    context_.wakes.wake(first_producer_ + input, now + until_room_);
  }
}

/// Before the output sends a packet of the input: counts how often an input was passed over.
void VoqCrossbar::keep_account(std::uint32_t output, std::uint32_t input) {
  Demand& demand = demands_[output];
  if (demand.owed == kNone) {
    std::size_t first = demand.inputs.from(outputs_[output].turn);
    if (first == BitSet::npos) first = demand.inputs.from(0);
    if (first == input) return;
    demand.owed = static_cast<std::uint32_t>(first);
  }
  if (demand.owed == input) {
    demand.owed = kNone;
    demand.passed = 0;
  } else {
    ++demand.passed;
  }
}

std::string VoqCrossbar::describe() const {
  std::string out;
  for (std::uint32_t o = 0; o < outputs_.size(); ++o) out += CrossbarOutputs::describe(o, demands_[o].count);
  return out;
}

}  // namespace warpsieve::memsys
