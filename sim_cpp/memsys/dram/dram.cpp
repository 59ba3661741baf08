#include "memsys/dram/dram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace warpsieve::memsys {
namespace {
unsigned log2_of(std::uint32_t n) { return static_cast<unsigned>(__builtin_ctz(n)); }
std::uint32_t first_of(std::uint64_t banks) { return static_cast<std::uint32_t>(__builtin_ctzll(banks)); }
}  // namespace

DramAddress decode(const DramParams& p, std::uint64_t address) {
  const unsigned group_bits = log2_of(p.groups), bank_bits = log2_of(p.banks_per_group);
  const unsigned low_group_bits = std::min(group_bits, p.low_group_bits);
  const unsigned low_bits = p.group_bit - 5, high_bits = p.column_bits - low_bits;
  const auto take = [&](unsigned bits) {
    const std::uint64_t field = address & ((std::uint64_t{1} << bits) - 1);
    address >>= bits;
    return static_cast<std::uint32_t>(field);
  };
  DramAddress place;
  take(5);
  place.column = take(low_bits);
  place.group = take(low_group_bits);
  place.column |= take(high_bits) << low_bits;
  place.group |= take(group_bits - low_group_bits) << low_group_bits;
  place.bank = place.group * p.banks_per_group + take(bank_bits);
  place.row = address;
  return place;
}

std::uint64_t encode(const DramParams& p, const DramAddress& place) {
  const unsigned group_bits = log2_of(p.groups), bank_bits = log2_of(p.banks_per_group);
  const unsigned low_group_bits = std::min(group_bits, p.low_group_bits);
  const unsigned low_bits = p.group_bit - 5, high_bits = p.column_bits - low_bits;
  const std::uint32_t group = place.bank / p.banks_per_group;
  std::uint64_t a = place.row;
  a = (a << bank_bits) | (place.bank & (p.banks_per_group - 1));
  a = (a << (group_bits - low_group_bits)) | (group >> low_group_bits);
  a = (a << high_bits) | (place.column >> low_bits);
  a = (a << low_group_bits) | (group & ((1u << low_group_bits) - 1));
  a = (a << low_bits) | (place.column & ((1u << low_bits) - 1));
  return a << 5;
}

void DramStore::read(std::uint64_t address, std::uint8_t* sector) const {
  const std::uint64_t page = address / kPage;
  if (page < pages_.size() && pages_[page])
    std::memcpy(sector, pages_[page].get() + address % kPage, kSectorBytes);
  else
    std::memset(sector, 0, kSectorBytes);
}

bool DramStore::grow(std::uint64_t page) {
  if (kept_) pages_.resize(page + 1);
  return kept_;
}

void DramStore::write(std::uint64_t address, const std::uint8_t* sector, std::uint32_t bytes) {
  const std::uint64_t page = address / kPage;
  if (page >= pages_.size() && !grow(page)) return;
  if (!pages_[page]) pages_[page] = std::make_unique<std::uint8_t[]>(kPage);
  merge_sector(pages_[page].get() + address % kPage, sector, bytes);
}

DramChannel::DramChannel(const DramParams& params, Stats& stats)
    : p_(params), group_shift_(params.group_bit), high_group_shift_(5 + params.column_bits),
      bank_shift_(high_group_shift_ + log2_of(params.groups)),
      row_shift_(bank_shift_ + log2_of(params.banks_per_group)),
      low_group_((1u << std::min(log2_of(params.groups), params.low_group_bits)) - 1),
      high_group_((params.groups - 1) & ~low_group_), commands_per_core_(params.command_mhz, params.core_mhz),
      cores_per_command_(params.core_mhz, params.command_mhz), banks_(params.banks()),
      drain_least_((2 * (params.write_high - params.write_low) + 2) / 3), group_column_ok_(params.groups),
      refresh_due_(params.tREFI) {
  for (std::uint32_t b = 0; b < banks_.size(); ++b) banks_[b].group = b / p_.banks_per_group;
  const std::uint32_t sizes[2] = {p_.read_queue, p_.write_queue};
  for (unsigned k = 0; k < 2; ++k) {
    entries_[k].resize(sizes[k]);
    ready_[k].resize(banks_.size());
    for (std::uint32_t i = sizes[k]; i-- > 0; free_[k] = i) entries_[k][i].next = free_[k];
  }
  written_.resize(p_.write_queue);
  written_bytes_.resize(p_.write_queue);
  // Reads under way are bounded by the time from issue to delivery; one column command per tCCD_S. What is delivered
  // is taken once per core cycle, in which a slow core sees many commands: up to a queue of reads.
  const std::uint64_t under_way =
      (p_.tCL + p_.burst + (std::uint64_t{p_.latency} + 1) * p_.command_mhz / p_.core_mhz) / p_.tCCD_S +
      p_.read_queue + 64;
  done_ = Ring<Done>(under_way);
  forwarded_ = Ring<Done>(p_.latency + std::size_t{p_.read_queue} + 64);
  for (unsigned k = 0; k < kRequestKinds; ++k) {
    const std::string kind = name(static_cast<RequestKind>(k));
    requests_[k] = stats.add("dram.requests_" + kind, "32-byte requests",
                             "requests of kind " + kind + " taken by the DRAM queues");
  }
  reads_ = stats.add("dram.reads", "bursts", "read commands");
  writes_ = stats.add("dram.writes", "bursts", "write commands");
  forwards_ = stats.add("dram.forwarded_reads", "32-byte requests",
                        "reads answered from the write queue; not among the requests");
  row_hits_ = stats.add("dram.row_hits", "bursts", "column commands to a row opened for an earlier one");
  activate_count_ = stats.add("dram.activates", "commands", "activate commands");
  precharge_count_ = stats.add("dram.precharges", "commands", "single-bank precharge commands");
  refresh_count_ = stats.add("dram.refreshes", "commands", "all-bank refreshes");
  busy_ = stats.add("dram.data_bus_cycles", "command cycles", "data bus occupied");
  turns_ = stats.add("dram.turnarounds", "turns", "changes between reading and draining writes");
}

/// `blockers`: Entry::blockers.
std::uint32_t DramChannel::enqueue(Cycle now, bool write, std::uint64_t address, std::uint32_t blockers) {
  const std::uint64_t c = command_cycle(now);
  run_to(c);
  const std::uint32_t i = free_[write], b = bank_of(address);
  Entry& e = entries_[write][i];
  free_[write] = e.next;
  e.address = address;
  e.row = row_of(address);
  e.seq = seq_++;
  e.arrival = c;
  e.next = kNone;
  e.blockers = blockers;
  List& list = banks_[b].list[write];
  (list.tail == kNone ? list.head : entries_[write][list.tail].next) = i;
  list.tail = i;
  const bool alone = queued_[0] + queued_[1] == 0;
  if (alone) catch_up(c);
  ++queued_[write];
  blocked_ += blockers != 0;
  if (!write && queued_[0] == 1) read_starved_ = starved_from(e);
  if (write && !draining_ && queued_[1] == p_.write_high && waiting_reads_ == 0) {
    mark_starved_reads(c);
    first_read_ = kNever;  // a full write queue need not wait
  }
  // To a bank that has others of its kind it is only one more, unless it is for the row that they would close.
  const std::uint32_t limit = ready_[write][b].limit;
  const bool news = limit == kNone || (limit == kPrecharge && e.row == banks_[b].row);
  const std::uint64_t from = std::max(c + 1, bus_free_);
  turning_ = wanted_mode(c) != draining_;
  if (alone || turning_) {
    if (news) stale_[write] |= std::uint64_t{1} << b;
    cursor_ = std::min(cursor_, from);
    column_from_ = std::min(column_from_, from);
  } else if (news && write != draining_) {
    stale_[write] |= std::uint64_t{1} << b;
  } else if (news) {
    look_over(c, b, write);
    const Next next = next_of(b, write);
    cursor_ = std::min(cursor_, std::max(from, next.command));
    column_from_ = std::min(column_from_, std::max(from, next.column));
  }
  return i;
}

/// Merges what the queued writes of this sector with a seq below `before` hold over `sector`; returns which bytes.
std::uint32_t DramChannel::merge_queued(std::uint64_t address, std::uint64_t before, std::uint8_t* sector) const {
  std::uint32_t bytes = 0;
  for (std::uint32_t i = banks_[bank_of(address)].list[1].head; i != kNone; i = entries_[1][i].next) {
    if (entries_[1][i].address != address || entries_[1][i].seq >= before) continue;
    merge_sector(sector, written_[i].data(), written_bytes_[i]);
    bytes |= written_bytes_[i];
  }
  return bytes;
}

bool DramChannel::take_read(Cycle now, std::uint64_t address, RequestKind kind, std::uint64_t cookie) {
  if (address % kSectorBytes) throw std::logic_error("DramChannel: address is not a multiple of 32");
  Sector newest;
  if (queued_[1] && merge_queued(address, kNever, newest.data()) == kFullSector) {
    if (forwarded_.full()) return false;
    Done& d = forwarded_.next();
    d.cookie = cookie;
    d.address = address;
    d.at = now + 1 + p_.latency;
    std::memcpy(d.data, newest.data(), kSectorBytes);
    ++forwards_;  // never leaves the chip: not among the requests
    return true;
  }
  if (free_[0] == kNone) return false;
  entries_[0][enqueue(now, false, address, 0)].cookie = cookie;
  ++requests_[static_cast<unsigned>(kind)];
  return true;
}

bool DramChannel::write(Cycle now, std::uint64_t address, RequestKind kind, const std::uint8_t* sector,
                        std::uint32_t bytes) {
  if (address % kSectorBytes) throw std::logic_error("DramChannel: address is not a multiple of 32");
  if (free_[1] == kNone) return false;
  std::uint32_t older = 0;
  if (queued_[0])
    for (std::uint32_t i = banks_[bank_of(address)].list[0].head; i != kNone; i = entries_[0][i].next)
      older += entries_[0][i].address == address;
  const std::uint32_t i = enqueue(now, true, address, older);
  std::memcpy(written_[i].data(), sector, kSectorBytes);
  written_bytes_[i] = bytes;
  partial_ += bytes != kFullSector;
  ++requests_[static_cast<unsigned>(kind)];
  return true;
}

void DramChannel::pop() {
  if (!forwarded_.empty() && (done_.empty() || forwarded_.front().at <= done_.front().at)) {
    room_ = room_ || forwarded_.full();  // it may have been this that a read had no room in
    forwarded_.pop();
  } else {
    done_.pop();
  }
}

void DramChannel::run_to(std::uint64_t limit) {
  while (cursor_ <= limit) step(cursor_);
}

void DramChannel::log(std::uint64_t c, DramCommandKind kind, std::uint32_t bank, std::uint64_t row) {
  bus_free_ = c + 1;
  if (trace_) trace_->push_back({c, kind, bank, row});
}

void DramChannel::count_idle_refreshes(Cycle now) {
  if (queued_[0] + queued_[1] == 0) catch_up(command_cycle(now));
}

/// Refreshes whose whole sequence would have been issued before `until`, while nothing was queued.
void DramChannel::catch_up(std::uint64_t until) {
  std::uint64_t next = 0;
  while (refresh_due_ < until) {
    // All but the last of a long idle time at once: each finds the banks closed and is over before the next.
    const bool settled = bus_free_ <= refresh_due_ && std::all_of(banks_.begin(), banks_.end(), [&](const Bank& b) {
                           return !b.open && b.precharged <= refresh_due_;
                         });
    const std::uint64_t skipped = (until - 1 - refresh_due_) / p_.tREFI;
    if (settled && skipped > 0 && !trace_) {
      refresh_due_ += skipped * p_.tREFI;
      refresh_count_ += skipped;
    }
    std::uint64_t c = std::max(refresh_due_, bus_free_);
    while (c < until) {
      const std::uint64_t due = refresh_due_;
      if (refresh_step(c, next)) next = c + 1;
      if (refresh_due_ != due) break;
      c = next;
    }
    if (c >= until) return;
  }
}

/// One step of the refresh that is due: closes the banks, then refreshes. True when a command went out,
/// else `next` is the cycle to try again.
bool DramChannel::refresh_step(std::uint64_t c, std::uint64_t& next) {
  bool open = false;
  std::uint64_t at = bus_free_;
  for (const Bank& b : banks_) {
    open = open || b.open;
    at = std::max(at, b.open ? b.precharge_ok : 0);
  }
  if (!open)
    for (const Bank& b : banks_) at = std::max(at, b.precharged);
  if (c < at) {
    next = at;
    return false;
  }
  if (open) {
    log(c, DramCommandKind::precharge_all, 0, 0);
    for (std::uint32_t b = 0; b < banks_.size(); ++b)
      if (banks_[b].open) precharge(c, b);
    return true;
  }
  log(c, DramCommandKind::refresh, 0, 0);
  for (std::uint32_t b = 0; b < banks_.size(); ++b) {
    banks_[b].activate_ok = std::max(banks_[b].activate_ok, c + p_.tRFC);
    banks_[b].precharged = std::max(banks_[b].precharged, c + p_.tRFC);
    changed(b);
  }
  refresh_due_ += p_.tREFI;
  ++refresh_count_;
  return true;
}

void DramChannel::precharge(std::uint64_t c, std::uint32_t b) {
  Bank& bank = banks_[b];
  bank.open = false;
  changed(b);
  bank.precharged = c + p_.tRP;
  bank.activate_ok = std::max(bank.activate_ok, c + p_.tRP);
}

/// Whether writes should be drained. Evaluated after each request that comes or goes, in that request's cycle.
bool DramChannel::wanted_mode(std::uint64_t c) const {
  bool drain = draining_;
  if (drain) {
    const bool cut = drained_ >= drain_least_ && c >= read_starved_;
    if (queued_[1] == 0 || (queued_[0] && (queued_[1] <= p_.write_low || cut))) drain = false;
  } else if (queued_[0] == 0) {
    drain = true;
  } else if (queued_[1] >= p_.write_high) {
    drain = waiting_reads_ == 0 || (first_read_ == kNever && queued_[1] == p_.write_queue);
  }
  // Writes that all wait for older reads of their sectors: the reads go first.
  return drain && !(queued_[0] && queued_[1] == blocked_);
}

/// The reads that are starved at `c` come before the next drain. O(queued reads), at most twice per drain.
void DramChannel::mark_starved_reads(std::uint64_t c) {
  waiting_reads_ = 0;
  first_read_ = kNever;
  for (const Bank& b : banks_)
    for (std::uint32_t i = b.list[0].head; i != kNone && c >= starved_from(entries_[0][i]); i = entries_[0][i].next) {
      ++waiting_reads_;
      last_read_ = waiting_reads_ == 1 ? entries_[0][i].seq : std::max(last_read_, entries_[0][i].seq);
      first_read_ = std::min(first_read_, entries_[0][i].seq);
    }
}

/// From now on writes are drained, or no longer.
void DramChannel::turn(std::uint64_t c) {
  draining_ = !draining_;
  ++turns_;
  if (draining_) {
    drained_ = waiting_reads_ = 0;
    first_read_ = kNever;
    read_starved_ = kFar;
    for (const Bank& b : banks_)
      if (b.list[0].head != kNone) read_starved_ = std::min(read_starved_, starved_from(entries_[0][b.list[0].head]));
  } else if (queued_[1] > p_.write_low && c >= read_starved_) {
    mark_starved_reads(c);
  }
}

/// Issues what can go out at `c`, and finds out when something may follow.
void DramChannel::step(std::uint64_t c) {
  if (refresh_due_ <= c) {
    std::uint64_t next = c + 1;
    refresh_step(c, next);
    cursor_ = column_from_ = next;
    return;
  }
  if (turning_) {
    turning_ = false;
    turn(c);
  }
  const bool write = draining_;
  look_over_stale(c, write);
  if (const std::uint32_t b = pick(c, write); b != kNone) {
    const Ready& ready = ready_[write][b];
    switch (ready.limit) {
      case kActivate:
        activate(c, b, entries_[write][ready.entry].row);
        follow(b, write, kColumn, c + p_.tRCD);
        store_.prefetch(entries_[write][ready.entry].address);
        break;
      case kPrecharge:
        log(c, DramCommandKind::precharge, b, banks_[b].row);
        precharge(c, b);
        ++precharge_count_;
        follow(b, write, kActivate, banks_[b].activate_ok);
        break;
      default:
        column(c, b, write);
        if (queued_[0] + queued_[1] == 0) {
          cursor_ = column_from_ = kNever;
          return;
        }
        turning_ = wanted_mode(c) != write;
        if (turning_) {
          cursor_ = column_from_ = c + 1;
          return;
        }
        look_over(c, b, write);
    }
  }
  const Next next = next_of_all(c, write);
  cursor_ = std::max(c + 1, std::min(refresh_due_, next.command));
  column_from_ = std::max(c + 1, next.column);
}

/// The bank is a step nearer to the column command for the request of its Ready: `limit` and `at` of the next step.
void DramChannel::follow(std::uint32_t b, bool write, Limit limit, std::uint64_t at) {
  const std::uint64_t bit = std::uint64_t{1} << b;
  stale_[write] &= ~bit;
  Ready& ready = ready_[write][b];
  kinds_[write][ready.limit].ripe &= ~bit;
  ready.limit = limit;
  ready.at = at;
  Kind& kind = kinds_[write][limit];
  kind.unripe |= bit;
  kind.first = std::min(kind.first, at);
}

/// Brings what is known of a list up to date.
void DramChannel::look_over(std::uint64_t c, std::uint32_t b, bool write) {
  const std::vector<Entry>& entries = entries_[write];
  const Bank& bank = banks_[b];
  const std::uint64_t bit = std::uint64_t{1} << b;
  Ready& ready = ready_[write][b];
  if (ready.limit != kNone) {
    Kind& kind = kinds_[write][ready.limit];
    kind.ripe &= ~bit;
    kind.unripe &= ~bit;
  }
  stale_[write] &= ~bit;
  passing_[write] &= ~bit;
  ready = {};
  std::uint32_t before = kNone, at = bank.list[write].head;
  while (at != kNone && entries[at].blockers) {
    before = at;
    at = entries[at].next;
  }
  if (at == kNone) return;
  const std::uint32_t oldest = at;
  ready.entry = oldest;
  ready.before = before;
  if (!bank.open) {
    ready.limit = kActivate;
    ready.at = bank.activate_ok;
  } else {
    while (at != kNone && (entries[at].row != bank.row || entries[at].blockers)) {
      before = at;
      at = entries[at].next;
    }
    const std::uint64_t starved = starved_from(entries[oldest]);
    const bool more = bank.served < p_.starved_hits;
    if (at != kNone && (at == oldest || more || c < starved)) {
      ready.limit = kColumn;
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
      ready.limit = kPrecharge;
      ready.at = bank.precharge_ok;
    }
  }
  ready.seq = entries[ready.entry].seq;
  Kind& kind = kinds_[write][ready.limit];
  if (ready.at <= c) {
    kind.ripe |= bit;
  } else {
    kind.unripe |= bit;
    kind.first = std::min(kind.first, ready.at);
  }
}

/// Those whose oldest request must go first from now on are looked over again.
void DramChannel::find_starved(std::uint64_t c, bool write) {
  starved_[write] = kFar;
  for (std::uint64_t banks = passing_[write]; banks; banks &= banks - 1) {
    const std::uint64_t at = ready_[write][first_of(banks)].starved;
    if (c >= at)
      stale_[write] |= banks & -banks;
    else
      starved_[write] = std::min(starved_[write], at);
  }
}

inline void DramChannel::look_over_stale(std::uint64_t c, bool write) {
  if (c >= starved_[write]) find_starved(c, write);
  for (std::uint64_t banks = stale_[write]; banks; banks &= banks - 1) look_over(c, first_of(banks), write);
}

/// Moves those whose time has come.
inline void DramChannel::ripen(std::uint64_t c, bool write, Kind& kind) {
  const Ready* const ready = ready_[write].data();
  std::uint64_t come = 0, first = kFar;
  for (std::uint64_t banks = kind.unripe; banks; banks &= banks - 1) {
    const std::uint64_t at = ready[first_of(banks)].at;
    if (at <= c)
      come |= banks & -banks;
    else
      first = std::min(first, at);
  }
  kind.unripe ^= come;
  kind.ripe |= come;
  kind.first = first;
}

/// Bank of the best command that can go out at `c`, or kNone. Column commands first, then by age. While the data bus
/// idles anyway, an activate of that very cycle is worth more than a column command: activates are spaced by tRRD,
/// and each that slips by a cycle slips all that follow.
inline std::uint32_t DramChannel::pick(std::uint64_t c, bool write) {
  const Ready* const ready = ready_[write].data();
  std::uint32_t best = kNone;
  std::uint64_t oldest = kNever;
  const auto consider = [&](std::uint64_t banks) {
    for (; banks; banks &= banks - 1) {
      const std::uint32_t b = first_of(banks);
      best = ready[b].seq < oldest ? b : best;
      oldest = std::min(ready[b].seq, oldest);
    }
  };
  const auto ripe = [&](Limit limit) {
    Kind& kind = kinds_[write][limit];
    if (kind.first <= c) ripen(c, write, kind);
    return kind.ripe;
  };
  const bool can_activate = activates_ok() <= c;
  if (can_activate && c > any_column_ok_) {
    consider(ripe(kActivate));
    if (best != kNone) return best;
  }
  if (columns_ok(write) <= c) {
    std::uint64_t now = 0;  // whose group can have one, too
    for (std::uint64_t banks = ripe(kColumn); banks; banks &= banks - 1)
      if (group_column_ok_[banks_[first_of(banks)].group] <= c) now |= banks & -banks;
    consider(now);
    if (best != kNone) return best;
  }
  if (can_activate) consider(ripe(kActivate));
  consider(ripe(kPrecharge));
  return best;
}

/// What a bank that is up to date may have its turn for first.
DramChannel::Next DramChannel::next_of(std::uint32_t b, bool write) const {
  const Ready& ready = ready_[write][b];
  switch (ready.limit) {
    case kActivate: {
      const std::uint64_t at = std::max(ready.at, activates_ok());
      return {at, at + p_.tRCD};
    }
    case kPrecharge: return {ready.at, ready.at + p_.tRP + p_.tRCD};
    case kColumn: {
      const std::uint64_t at = std::max({ready.at, columns_ok(write), group_column_ok_[banks_[b].group]});
      return {std::min(at, ready.starved), at};
    }
    default: return {};
  }
}

/// The same for all banks after a step in cycle `c`.
inline DramChannel::Next DramChannel::next_of_all(std::uint64_t c, bool write) const {
  const Kind &activates = kinds_[write][kActivate], &precharges = kinds_[write][kPrecharge];
  const Kind& columns = kinds_[write][kColumn];
  const std::uint64_t precharge = precharges.ripe ? c + 1 : precharges.first;
  const std::uint64_t activate = std::max(activates.ripe ? c + 1 : activates.first, activates_ok());
  const std::uint64_t column_ok = columns_ok(write);
  std::uint64_t column = std::max(columns.first, column_ok);
  for (std::uint64_t banks = columns.ripe; banks; banks &= banks - 1)
    column = std::min(column, std::max(group_column_ok_[banks_[first_of(banks)].group], column_ok));
  Next next{std::min({precharge, activate, column, starved_[write]}), std::max(column, c + 1)};
  if (activate == next.column && activate > any_column_ok_ && activates.ripe) ++next.column;  // it goes first: pick()
  next.column = std::min(next.column, std::min(activate, precharge + p_.tRP) + p_.tRCD);
  return next;
}

void DramChannel::activate(std::uint64_t c, std::uint32_t b, std::uint64_t row) {
  log(c, DramCommandKind::activate, b, row);
  Bank& bank = banks_[b];
  bank.open = true;
  bank.row = row;
  changed(b);
  bank.column_ok = c + p_.tRCD;
  bank.precharge_ok = c + p_.tRAS;
  bank.activate_ok = c + p_.tRC;
  any_activate_ok_ = c + p_.tRRD;
  activates_[activate_turn_] = c + p_.tFAW;
  activate_turn_ = (activate_turn_ + 1) % 4;
  bank.served = 0;
  ++activate_count_;
}

void DramChannel::column(std::uint64_t c, std::uint32_t b, bool write) {
  Bank& bank = banks_[b];
  const std::uint32_t entry = ready_[write][b].entry, before = ready_[write][b].before;
  log(c, write ? DramCommandKind::write : DramCommandKind::read, b, bank.row);
  Entry& e = entries_[write][entry];
  List& list = bank.list[write];
  (before == kNone ? list.head : entries_[write][before].next) = e.next;
  e.next = free_[write];
  free_[write] = entry;
  if (list.tail == entry) list.tail = before;
  changed(b);
  --queued_[write];
  room_ = true;
  if (write) {
    ++drained_;
  } else if (waiting_reads_) {
    waiting_reads_ -= e.seq <= last_read_;
    if (e.seq == first_read_) first_read_ = kNever;
  }

  any_column_ok_ = c + p_.tCCD_S;
  group_column_ok_[bank.group] = c + p_.tCCD;
  busy_ += p_.burst;
  last_data_ = std::max(last_data_, c + (write ? p_.tWL : p_.tCL) + p_.burst);
  row_hits_ += bank.served != 0;
  ++bank.served;
  if (write) {
    store_.write(e.address, written_[entry].data(), written_bytes_[entry]);
    partial_ -= written_bytes_[entry] != kFullSector;
    bank.precharge_ok = std::max(bank.precharge_ok, c + p_.tWL + p_.burst + p_.tWR);
    read_ok_ = c + p_.tWL + p_.burst + p_.tWTR;
    ++writes_;
    return;
  }
  bank.precharge_ok = std::max(bank.precharge_ok, c + p_.tRTP);
  write_ok_ = c + p_.tRTW;
  Done& d = done_.next();
  d.cookie = e.cookie;
  d.address = e.address;
  d.at = core_cycle(c + p_.tCL + p_.burst) + p_.latency;
  store_.read(e.address, d.data);
  if (partial_) merge_queued(e.address, e.seq, d.data);
  ++reads_;
  if (blocked_ == 0) return;
  for (std::uint32_t i = bank.list[1].head; i != kNone; i = entries_[1][i].next) {
    Entry& w = entries_[1][i];
    if (!w.blockers || w.address != e.address || w.seq < e.seq) continue;
    blocked_ -= --w.blockers == 0;
  }
}

std::string DramChannel::describe() const {
  return fmt::format("dram: {} reads and {} writes queued, {} reads under way, {}\n", queued_[0], queued_[1],
                     done_.size() + forwarded_.size(), draining_ ? "draining writes" : "reading");
}

}  // namespace warpsieve::memsys
