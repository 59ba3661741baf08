#include "memsys/windows.h"

#include <algorithm>
#include <stdexcept>

namespace warpsieve::memsys {

namespace {

/// Shorter windows cost more than they bring.
constexpr Cycle kShortest = 8;

}  // namespace

bool Windows::possible(Interconnect& noc) { return noc.windows()[0] && noc.lookahead() >= kShortest; }

Windows::Windows(const Machine& machine, Threads threads)
    : machine_(machine), networks_(machine.noc.windows()),
      first_owner_(machine.context.wakes.add(static_cast<std::uint32_t>(machine.sms.size()))),
      stops_(machine.sms.size(), Sm::Stop::end), last_(machine.partitions.size()), by_(threads.by),
      choice_(threads.most), drawn_(threads.most), team_(threads.most) {
  for (std::uint32_t i = 0; i < machine.sms.size(); ++i)
    machine.context.wakes.entrust(machine.first_sm_id + i, first_owner_ + i);
}

void Windows::open(Cycle now) {
  for (auto& p : machine_.partitions) p->open();
  for (std::uint32_t i = 0; i < machine_.sms.size(); ++i) machine_.context.wakes.busy(first_owner_ + i);
  for (WindowNetwork* network : networks_) network->open(now);
}

void Windows::close() {
  for (auto& p : machine_.partitions) p->close();
  for (std::uint32_t i = 0; i < machine_.sms.size(); ++i) machine_.context.wakes.rest(first_owner_ + i, due(i));
  for (WindowNetwork* network : networks_) network->close();
  balance();
  machine_.context.packets.together(true);
}

/// Packets that partitions have given back go to SMs that have none.
void Windows::balance() {
  auto& parts = machine_.parts;
  if (parts.empty()) return;
  SharedPool<Packet>& spare = machine_.context.packets;
  for (std::size_t i = machine_.sms.size(); i < parts.size(); ++i)
    if (!parts[i]->packets.none_free()) parts[i]->packets.move_free(spare);
  for (std::size_t i = 0; i < machine_.sms.size() && !spare.none_free(); ++i)
    if (parts[i]->packets.none_free()) spare.move_free(parts[i]->packets);
}

Cycle Windows::partitions_open(Cycle now, Cycle end) {
  const auto count = static_cast<std::uint32_t>(machine_.partitions.size());
  team_.run(
      count + (machine_.dispatcher.ahead() ? 1 : 0),
      [&](std::uint32_t i) {
        if (i == count) return machine_.dispatcher.execute_ahead();
        if (machine_.prefetches) machine_.prefetch.before_partition_alone(i, now, end);
        last_[i] = machine_.partitions[i]->run_open(now, end);
      },
      kPartitions);
  machine_.context.golden.show_kept();
  return *std::max_element(last_.begin(), last_.end());
}

bool Windows::partition_waits() const {
  return std::any_of(machine_.partitions.begin(), machine_.partitions.end(),
                     [](const auto& p) { return p->waits(); });
}

/// The first cycle, before `end`, to which a partition that waits has not come.
Cycle Windows::partitions_at(Cycle end) const {
  Cycle at = end;
  for (const auto& p : machine_.partitions)
    if (p->waits()) at = std::min(at, p->due());
  return at;
}

bool Windows::network_stops() const {
  return std::find(stops_.begin(), stops_.end(), Sm::Stop::network) != stops_.end();
}

/// All SMs, as far as they come.
void Windows::sms_open(Cycle now, Cycle end) {
  const Cycle until = partitions_at(end);
  const auto count = static_cast<std::uint32_t>(machine_.sms.size());
  team_.run(
      count + (machine_.dispatcher.ahead() ? 1 : 0),
      [&](std::uint32_t i) {
        if (i == count) return machine_.dispatcher.execute_ahead();
        if (machine_.prefetches) machine_.prefetch.before_sm_alone(i, now, end);
        if (has_room(i))
          stops_[i] = Sm::Stop::room;  // from the window before
        else
          run_sm(i, now - 1, until, end);
      },
      kSms);
}

Cycle Windows::run(Cycle now, Cycle end, bool partitions) {
  if (const unsigned threads = this->threads(); team_.used() != threads) team_.use(threads);
  machine_.context.packets.together(false);
  open(now);
  Cycle ran = partitions ? partitions_open(now, end) : 0;
  sms_open(now, end);
  if (start_blocks(now, end) && !partition_waits())
    networks(end);
  else
    step_by_step(now, end, ran), ++counts_.stepped;
  for (auto& sm : machine_.sms)
    if (const std::uint32_t n = sm->take_finished()) machine_.dispatcher.finished(n);
  close();
  return ran;
}

unsigned Windows::threads() const {
  switch (by_) {
    case Threads::By::measurement: return choice_.threads();
    case Threads::By::chance: return drawn_;
    case Threads::By::force: break;
  }
  return team_.threads();
}

void Windows::measured(bool alone, double seconds, std::uint64_t progress) {
  ++counts_.windows;
  counts_.alone += alone;
  choice_.measured(seconds, progress);
  if (random_() % 4 == 0) drawn_ = 1 + static_cast<unsigned>(random_() % team_.threads());
}

/// No component waits for a network.
void Windows::networks(Cycle end) {
  team_.run(
      2,
      [&](std::uint32_t i) {
        networks_[i]->fold();
        networks_[i]->run_until(end);
      },
      kNetworks);
}

/// Those that stopped after this cycle.
void Windows::finished_in(Cycle now) {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    Sm& sm = *machine_.sms[i];
    if (stops_[i] != Sm::Stop::room || sm.ran() != now) continue;
    if (const std::uint32_t n = sm.take_finished()) machine_.dispatcher.finished(n);
  }
}

/// Those that stopped for a block run the cycles before `end`. False: an SM waits for the network.
bool Windows::come_to(Cycle now, Cycle end) {
  const Cycle until = partitions_at(end);
  for (std::size_t i = 0; i < stops_.size(); ++i)
    while (stops_[i] == Sm::Stop::room && due(i) < end) run_sm(i, now - 1, until, end);
  return !network_stops();
}

/// Starts blocks in SMs that stopped for them, and lets them go on. False: an SM waits for the network, and may be
/// behind all others.
bool Windows::start_blocks(Cycle now, Cycle end) {
  Dispatcher& dispatcher = machine_.dispatcher;
  const Cycle until = partitions_at(end);
  for (;;) {
    if (network_stops()) return false;
    Cycle at = std::max(now, dispatcher.due());
    bool held = false;
    for (std::size_t i = 0; i < stops_.size(); ++i) {
      if (stops_[i] != Sm::Stop::room) continue;
      held = true;
      if (machine_.sms[i]->has_finished()) at = std::min(at, machine_.sms[i]->ran());
    }
    if (at == kNever && held) throw std::logic_error("windows: an SM waits for a block, and none is to be started");
    if (at >= end) return come_to(now, end);
    if (!come_to(now, at + 1)) return false;
    finished_in(at);
    dispatcher.dispatch(at);
    free_.clear();
    for (std::uint32_t i = 0; i < stops_.size(); ++i) {
      if (stops_[i] != Sm::Stop::room) continue;
      const Sm& sm = *machine_.sms[i];
      if (!dispatcher.blocks_left() || (sm.ran() <= at && !sm.has_room(dispatcher.shape()))) free_.push_back(i);
    }
    const auto go_on = [&](std::uint32_t i) { run_sm(free_[i], now - 1, until, end); };
    if (free_.size() >= 2 * std::size_t{team_.used()})
      team_.run(static_cast<std::uint32_t>(free_.size()), go_on, kSms);
    else
      for (std::uint32_t i = 0; i < free_.size(); ++i) go_on(i);
  }
}

/// The networks come to each cycle before those that wait for them.
void Windows::step_by_step(Cycle now, Cycle end, Cycle& ran) {
  Dispatcher& dispatcher = machine_.dispatcher;
  for (Cycle c = now; c < end; ++c) {
    for (auto& p : machine_.partitions) {
      if (!p->waits()) continue;
      ran = std::max(ran, p->run_open(c, end));
      machine_.context.golden.show_kept();
    }
    const Cycle until = partitions_at(end);
    for (WindowNetwork* network : networks_) {
      network->fold();
      network->run_until(c + 1);
    }
    for (std::size_t i = 0; i < stops_.size(); ++i) {
      while (stops_[i] == Sm::Stop::room && due(i) <= c) run_sm(i, c, c + 1);
      if (stops_[i] == Sm::Stop::network) run_sm(i, c, until, end);
    }
    finished_in(c);
    if (dispatcher.due() <= c) dispatcher.dispatch(c);
    for (std::size_t i = 0; i < stops_.size(); ++i) {
      if (stops_[i] != Sm::Stop::room) continue;
      const Sm& sm = *machine_.sms[i];
      if (!dispatcher.blocks_left() || (sm.ran() <= c && !sm.has_room(dispatcher.shape()))) run_sm(i, c, until, end);
    }
  }
}

}  // namespace warpsieve::memsys
