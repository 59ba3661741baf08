#include "memsys/dram/dram_scheduler.h"

#include <algorithm>

namespace warpsieve::memsys {
namespace {
std::uint32_t first_of(std::uint64_t banks) { return static_cast<std::uint32_t>(__builtin_ctzll(banks)); }
}  // namespace

DramScheduler::DramScheduler(const DramParams& p, const DramQueues& queues, const DramTiming& timing,
                             const DramStore& store)
    : queues_(queues), timing_(timing), store_(store), starved_hits_(p.starved_hits), tRCD_(p.tRCD), tRP_(p.tRP) {
  for (auto& candidates : candidates_) candidates.resize(p.banks());
}

void DramScheduler::follow(std::uint32_t b, bool write, Step step, std::uint64_t at) {
  const std::uint64_t bit = std::uint64_t{1} << b;
  stale_[write] &= ~bit;
  Candidate& ready = candidates_[write][b];
  groups_[write][ready.step].ripe &= ~bit;
  ready.step = step;
  ready.at = at;
  Group& group = groups_[write][step];
  group.unripe |= bit;
  group.first = std::min(group.first, at);
}

void DramScheduler::update(std::uint64_t c, std::uint32_t b, bool write) {
  const std::vector<DramQueues::Entry>& entries = queues_.entries(write);
  const DramTiming::Bank& bank = timing_.bank(b);
  const std::uint64_t bit = std::uint64_t{1} << b;
  Candidate& ready = candidates_[write][b];
  if (ready.step != kNone) {
    Group& group = groups_[write][ready.step];
    group.ripe &= ~bit;
    group.unripe &= ~bit;
  }
  stale_[write] &= ~bit;
  passing_[write] &= ~bit;
  ready = {};
  std::uint32_t before = kNone, at = queues_.head(write, b);
  while (at != kNone && entries[at].blockers) {
    before = at;
    at = entries[at].next;
  }
  if (at == kNone) return;
  const std::uint32_t oldest = at;
  ready.entry = oldest;
  ready.before = before;
  if (!bank.open) {
    ready.step = kActivate;
    ready.at = bank.activate_ok;
  } else {
    while (at != kNone && (entries[at].row != bank.row || entries[at].blockers)) {
      before = at;
      at = entries[at].next;
    }
    const std::uint64_t starved = queues_.starved_from(entries[oldest]);
    const bool more = bank.served < starved_hits_;
    if (at != kNone && (at == oldest || more || c < starved)) {
      ready.step = kColumn;
      ready.at = bank.column_ok;
      ready.entry = at;
      ready.before = before;
      if (at != oldest && !more) {
        ready.starved = starved;
        passing_[write] |= bit;
        starved_[write] = std::min(starved_[write], starved);
      }
      store_.prefetch(entries[at].address);  // it is the next of its bank: soon enough, and not too early
    } else {
      ready.step = kPrecharge;
      ready.at = bank.precharge_ok;
    }
  }
  ready.seq = entries[ready.entry].seq;
  Group& group = groups_[write][ready.step];
  if (ready.at <= c) {
    group.ripe |= bit;
  } else {
    group.unripe |= bit;
    group.first = std::min(group.first, ready.at);
  }
}

/// Candidates that are no longer allowed to precede an older request are found anew.
void DramScheduler::find_starved(std::uint64_t c, bool write) {
  starved_[write] = kFar;
  for (std::uint64_t banks = passing_[write]; banks; banks &= banks - 1) {
    const std::uint64_t at = candidates_[write][first_of(banks)].starved;
    if (c >= at)
      stale_[write] |= banks & -banks;
    else
      starved_[write] = std::min(starved_[write], at);
  }
}

void DramScheduler::update_changed(std::uint64_t c, bool write) {
  if (c >= starved_[write]) find_starved(c, write);
  for (std::uint64_t banks = stale_[write]; banks; banks &= banks - 1) update(c, first_of(banks), write);
}

/// Moves the banks whose time has come.
inline void DramScheduler::ripen(std::uint64_t c, bool write, Group& group) {
  const Candidate* const ready = candidates_[write].data();
  std::uint64_t come = 0, first = kFar;
  for (std::uint64_t banks = group.unripe; banks; banks &= banks - 1) {
    const std::uint64_t at = ready[first_of(banks)].at;
    if (at <= c)
      come |= banks & -banks;
    else
      first = std::min(first, at);
  }
  group.unripe ^= come;
  group.ripe |= come;
  group.first = first;
}

std::uint32_t DramScheduler::pick(std::uint64_t c, bool write) {
  const Candidate* const ready = candidates_[write].data();
  std::uint32_t best = kNone;
  std::uint64_t oldest = kNever;
  const auto consider = [&](std::uint64_t banks) {
    for (; banks; banks &= banks - 1) {
      const std::uint32_t b = first_of(banks);
      best = ready[b].seq < oldest ? b : best;
      oldest = std::min(ready[b].seq, oldest);
    }
  };
  const auto ripe = [&](Step step) {
    Group& group = groups_[write][step];
    if (group.first <= c) ripen(c, write, group);
    return group.ripe;
  };
  const bool can_activate = timing_.activates_ok() <= c;
  if (can_activate && c > timing_.any_column_ok()) {
    consider(ripe(kActivate));
    if (best != kNone) return best;
  }
  if (timing_.columns_ok(write) <= c) {
    std::uint64_t now = 0;  // banks whose group can have one, too
    for (std::uint64_t banks = ripe(kColumn); banks; banks &= banks - 1)
      if (timing_.group_column_ok(first_of(banks)) <= c) now |= banks & -banks;
    consider(now);
    if (best != kNone) return best;
  }
  if (can_activate) consider(ripe(kActivate));
  consider(ripe(kPrecharge));
  return best;
}

DramScheduler::Next DramScheduler::next(std::uint32_t b, bool write) const {
  const Candidate& ready = candidates_[write][b];
  switch (ready.step) {
    case kActivate: {
      const std::uint64_t at = std::max(ready.at, timing_.activates_ok());
      return {at, at + tRCD_};
    }
    case kPrecharge: return {ready.at, ready.at + tRP_ + tRCD_};
    case kColumn: {
      const std::uint64_t at = std::max({ready.at, timing_.columns_ok(write), timing_.group_column_ok(b)});
      return {std::min(at, ready.starved), at};
    }
    default: return {};
  }
}

DramScheduler::Next DramScheduler::next_of_all(std::uint64_t c, bool write) const {
  const Group &activates = groups_[write][kActivate], &precharges = groups_[write][kPrecharge];
  const Group& columns = groups_[write][kColumn];
  const std::uint64_t precharge = precharges.ripe ? c + 1 : precharges.first;
  const std::uint64_t activate = std::max(activates.ripe ? c + 1 : activates.first, timing_.activates_ok());
  const std::uint64_t column_ok = timing_.columns_ok(write);
  std::uint64_t column = std::max(columns.first, column_ok);
  for (std::uint64_t banks = columns.ripe; banks; banks &= banks - 1)
    column = std::min(column, std::max(timing_.group_column_ok(first_of(banks)), column_ok));
  Next next{std::min({precharge, activate, column, starved_[write]}), std::max(column, c + 1)};
  if (activate == next.column && activate > timing_.any_column_ok() && activates.ripe)
    ++next.column;  // it goes first: pick()
  next.column = std::min(next.column, std::min(activate, precharge + tRP_) + tRCD_);
  return next;
}

}  // namespace warpsieve::memsys
