#include "memsys/noc/crossbar.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace warpsieve::memsys {

CrossbarOutputs::CrossbarOutputs(Context& context, const std::string& name, std::uint32_t outputs,
                                 std::uint32_t first_producer, std::uint32_t first_consumer, bool producers_follow)
    : Network(outlets_), context_(context), name_(name), format_(context.profile.noc), id_(context.wakes.add(1)),
      first_producer_(first_producer), first_consumer_(first_consumer), latency_(context.profile.noc.latency),
      until_room_(producers_follow ? 0 : 1),
      outputs_(outputs, Output{.popped = Ring<Cycle>(context.profile.noc.output_queue, kQueueStart),
                               .credits = context.profile.noc.output_queue}),
      outlets_(outputs, context.profile.noc.output_queue), credits_(outputs),
      packets_(context.stats.add("noc." + name + "_packets", "packets", "packets granted")),
      flits_(context.stats.add("noc." + name + "_flits", "flits", format_.doc())) {}

void CrossbarOutputs::pop(std::uint32_t output, Cycle now) {
  const bool full = outlets_.full(output);
  Output& out = outputs_[output];
  if (apart_)
    out.taken.add(outlets_.head(output).bytes);
  else
    count_out(outlets_.head(output).bytes);
  outlets_.take(output);
  if (now <= ran_)  // it counts in every grant to come
    ++out.credits;
  else
    out.popped.push(now);
  if (!full) return;
  if (apart_)
    out.freed = now + 1;
  else
    credit(now + 1, output);
}

void CrossbarOutputs::open(Cycle now) {
  ran_ = std::min(ran_, now - 1);  // the last window may have ended later, with nothing to do
  due_ = context_.wakes.at(id_);
  context_.wakes.busy(id_);
  apart_ = true;
}

void CrossbarOutputs::fold() {
  due_ = std::min(due_, fold_inputs());
  for (std::uint32_t o = 0; o < outputs_.size(); ++o) {
    Output& out = outputs_[o];
    count_out(out.taken);
    if (out.freed == kNever) continue;
    credits_.add(o, out.freed);
    due_ = std::min(due_, out.freed);
    out.freed = kNever;
  }
}

void CrossbarOutputs::run_until(Cycle end) {
  while (due_ < end) {
    ran_ = due_;
    due_ = tick(ran_);
  }
  ran_ = end - 1;
}

void CrossbarOutputs::close() {
  fold();
  apart_ = false;
  context_.progress += moved_;
  moved_ = 0;
  context_.wakes.rest(id_, due_);
}

void CrossbarOutputs::count_granted() {
  packets_ += granted_;
  flits_ += flits_granted_;
  (apart_ ? moved_ : context_.progress) += granted_;
  granted_ = flits_granted_ = 0;
}

std::string CrossbarOutputs::describe(std::uint32_t output, std::size_t waiting) const {
  if (!outlets_.size(output) && !waiting) return "";
  return fmt::format("noc {}: output {} holds {} of {} packets, {} inputs wait for it\n", name_, output,
                     outlets_.size(output), outputs_[output].popped.capacity(), waiting);
}

Crossbar::Crossbar(Context& context, const std::string& name, std::uint32_t inputs, std::uint32_t outputs,
                   std::uint32_t first_producer, std::uint32_t first_consumer, bool producers_follow)
    : CrossbarOutputs(context, name, outputs, first_producer, first_consumer, producers_follow),
      inputs_(inputs, Input{.queue = Ring<Item>(context.profile.noc.input_queue, kQueueStart)}),
      waiting_(outputs, Contenders(inputs)), heads_(inputs), grants_(outputs) {}

void Crossbar::push(Cycle now, std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) {
  Input& in = inputs_[input];
  if (in.queue.empty()) {
    in.free = std::max(in.free, now + 1);
    if (apart_) {
      in.fresh = true;
    } else {
      heads_.add(input, in.free);
      context_.wakes.wake(id_, in.free);
    }
  }
  in.queue.push({packet, static_cast<std::uint16_t>(output), static_cast<std::uint16_t>(bytes), now});
  if (apart_)
    in.pushed.add(bytes);
  else
    count_in(bytes);
}

Cycle Crossbar::fold_inputs() {
  Cycle first = kNever;
  for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
    Input& in = inputs_[i];
    count_in(in.pushed);
    if (!in.fresh) continue;
    in.fresh = false;
    heads_.add(i, in.free);
    first = std::min(first, in.free);
  }
  return first;
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
    if (waiting_[output].size()) contended(output);
  };
  free_.clear();
  credits_.take(now, credited);
  grants_.take(now, contended);
  heads_.take(now, [&](std::size_t i) {
    if (inputs_[i].free != now)
      throw std::logic_error(fmt::format("noc {}: a packet was pushed too far ahead", name_));
    const std::uint32_t output = inputs_[i].queue.front().output;
    waiting_[output].add(static_cast<std::uint32_t>(i));
    if (waiting_[output].size() == 1) contended(output);  // else it is known to be
  });
  grant(now);
  return std::min({heads_.next(now), grants_.next(now), credits_.next(now)});
}

/// Each output of `free_` to one of those that contend for it, if there is a credit; else it waits for its credit().
void Crossbar::grant(Cycle now) {
  for (const std::uint32_t o : free_) {
    Output& out = outputs_[o];
    if (out.free > now || !out.has_credit(now)) continue;  // > now: it was named twice, for a credit, too
    const std::uint32_t i = waiting_[o].take(out.turn);
    out.turn = i + 1;
    Input& in = inputs_[i];
    const Item& item = in.queue.front();
    in.free = send(now, o, item.packet, item.bytes);
    in.queue.pop();
    if (in.refused) {
      in.refused = false;
      context_.wakes.wake(first_producer_ + i, now + until_room_);
    }
    if (!in.queue.empty()) {
      in.free = std::max(in.free, in.queue.front().pushed + 1);
      heads_.add(i, in.free);
    }
    if (waiting_[o].size()) grants_.add(o, out.free);
  }
  count_granted();
}

std::string Crossbar::describe() const {
  std::string out;
  for (std::uint32_t o = 0; o < outputs_.size(); ++o) out += CrossbarOutputs::describe(o, waiting_[o].size());
  return out;
}

}  // namespace warpsieve::memsys
