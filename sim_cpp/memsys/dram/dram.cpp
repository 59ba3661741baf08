#include "memsys/dram/dram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace warpsieve::memsys {

DramChannel::DramChannel(const DramParams& params, Stats& stats)
    : p_(params), decoder_(params), commands_per_core_(params.command_mhz, params.core_mhz),
      cores_per_command_(params.core_mhz, params.command_mhz), queues_(params), timing_(params),
      drain_(params, queues_), scheduler_(params, queues_, timing_, store_),
      refresh_(params, timing_, bus_, scheduler_) {
  // Reads under way are bounded by the time from issue to delivery; one column command per tCCD_S. What is delivered
  // is taken once per core cycle, in which a slow core sees many commands: up to a queue of reads.
  const std::uint64_t under_way =
      (p_.tCL + p_.burst + (std::uint64_t{p_.latency} + 1) * p_.command_mhz / p_.core_mhz) / p_.tCCD_S +
      p_.read_queue + 64;
  done_ = Ring<Done>(under_way);
  forwarded_ = Ring<Done>(p_.latency + std::size_t{p_.read_queue} + 64);
  for (std::size_t k = 0; k < request_kinds(); ++k) {
    const std::string& kind = name(static_cast<RequestKind>(k));
    requests_.push_back(stats.add("dram.requests_" + kind, "32-byte requests",
                                  "requests of kind " + kind + " taken by the DRAM queues"));
  }
  reads_ = stats.add("dram.reads", "bursts", "read commands");
  writes_ = stats.add("dram.writes", "bursts", "write commands");
  forwards_ = stats.add("dram.forwarded_reads", "32-byte requests",
                        "reads answered from the write queue; not among the requests");
  row_hits_ = stats.add("dram.row_hits", "bursts", "column commands to a row opened for an earlier one");
  activate_count_ = stats.add("dram.activates", "commands", "activate commands");
  precharge_count_ = stats.add("dram.precharges", "commands", "single-bank precharge commands");
  refresh_.count_in(stats);
  busy_ = stats.add("dram.data_bus_cycles", "command cycles", "data bus occupied");
  turns_ = stats.add("dram.turnarounds", "turns", "changes between reading and draining writes");
}

/// Before a request is queued: comes to its command cycle, which is returned. `alone`: no other request is queued.
std::uint64_t DramChannel::make_ready(Cycle now, bool& alone) {
  const std::uint64_t c = command_cycle(now);
  run_to(c);
  alone = queues_.empty();
  if (alone) refresh_.catch_up(c);
  return c;
}

/// A request was queued.
void DramChannel::queued(std::uint64_t c, std::uint32_t b, bool write, std::uint32_t entry, bool alone) {
  const DramQueues::Entry& e = queues_(write, entry);
  drain_.pushed(write, c, e);
  // In a bank that has others of its kind it changes nothing, unless it is for the row that they would close.
  const std::uint32_t step = scheduler_.candidate(write, b).step;
  const DramTiming::Bank& bank = timing_.bank(b);
  const bool news = step == kNone || (step == DramScheduler::kPrecharge && e.row == bank.row);
  const std::uint64_t from = std::max(c + 1, bus_.free());
  turning_ = drain_.wanted(c) != drain_.draining();
  if (alone || turning_) {
    if (news) scheduler_.changed(b, write);
    cursor_ = std::min(cursor_, from);
    column_from_ = std::min(column_from_, from);
  } else if (news && write != drain_.draining()) {
    scheduler_.changed(b, write);
  } else if (news) {
    scheduler_.update(c, b, write);
    const DramScheduler::Next next = scheduler_.next(b, write);
    cursor_ = std::min(cursor_, std::max(from, next.command));
    column_from_ = std::min(column_from_, std::max(from, next.column));
  }
}

bool DramChannel::take_read(Cycle now, std::uint64_t address, RequestKind kind, std::uint64_t cookie) {
  if (address % kSectorBytes) throw std::logic_error("DramChannel: address is not a multiple of 32");
  const std::uint32_t bank = decoder_.bank(address);
  alignas(32) std::uint8_t newest[kSectorBytes];
  if (queues_.size(true) && queues_.merge(bank, address, kNever, newest) == kFullSector) {
    if (forwarded_.full()) return false;
    Done& d = forwarded_.next();
    d.cookie = cookie;
    d.address = address;
    d.at = now + 1 + p_.latency;
    std::memcpy(d.data, newest, kSectorBytes);
    ++forwards_;  // never leaves the chip: not among the requests
    return true;
  }
  if (queues_.full(false)) return false;
  bool alone = false;
  const std::uint64_t c = make_ready(now, alone);
  queued(c, bank, false, queues_.push_read(c, address, bank, decoder_.row(address), cookie), alone);
  ++requests_[static_cast<std::size_t>(kind)];
  return true;
}

bool DramChannel::write(Cycle now, std::uint64_t address, RequestKind kind, const std::uint8_t* sector,
                        std::uint32_t bytes) {
  if (address % kSectorBytes) throw std::logic_error("DramChannel: address is not a multiple of 32");
  if (queues_.full(true)) return false;
  const std::uint32_t bank = decoder_.bank(address);
  bool alone = false;
  const std::uint64_t c = make_ready(now, alone);
  queued(c, bank, true, queues_.push_write(c, address, bank, decoder_.row(address), sector, bytes), alone);
  ++requests_[static_cast<std::size_t>(kind)];
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

/// Issues what can go out at `c`, and finds out when something may follow.
void DramChannel::step(std::uint64_t c) {
  if (refresh_.due() <= c) {
    std::uint64_t next = c + 1;
    refresh_.step(c, next);
    cursor_ = column_from_ = next;
    return;
  }
  if (turning_) {
    turning_ = false;
    drain_.turn(c);
    ++turns_;
  }
  const bool write = drain_.draining();
  scheduler_.update_changed(c, write);
  if (const std::uint32_t b = scheduler_.pick(c, write); b != kNone) {
    switch (scheduler_.candidate(write, b).step) {
      case DramScheduler::kActivate: activate(c, b, write); break;
      case DramScheduler::kPrecharge: precharge(c, b, write); break;
      default:
        column(c, b, write);
        if (queues_.empty()) {
          cursor_ = column_from_ = kNever;
          return;
        }
        turning_ = drain_.wanted(c) != write;
        if (turning_) {
          cursor_ = column_from_ = c + 1;
          return;
        }
        scheduler_.update(c, b, write);
    }
  }
  const DramScheduler::Next next = scheduler_.next_of_all(c, write);
  cursor_ = std::max(c + 1, std::min(refresh_.due(), next.command));
  column_from_ = std::max(c + 1, next.column);
}

void DramChannel::activate(std::uint64_t c, std::uint32_t b, bool write) {
  const DramQueues::Entry& e = queues_(write, scheduler_.candidate(write, b).entry);
  bus_.issue(c, DramCommandKind::activate, b, e.row);
  timing_.activate(c, b, e.row);
  scheduler_.changed(b);
  ++activate_count_;
  scheduler_.follow(b, write, DramScheduler::kColumn, c + p_.tRCD);
  store_.prefetch(e.address);
}

void DramChannel::precharge(std::uint64_t c, std::uint32_t b, bool write) {
  bus_.issue(c, DramCommandKind::precharge, b, timing_.bank(b).row);
  timing_.precharge(c, b);
  scheduler_.changed(b);
  ++precharge_count_;
  scheduler_.follow(b, write, DramScheduler::kActivate, timing_.bank(b).activate_ok);
}

void DramChannel::column(std::uint64_t c, std::uint32_t b, bool write) {
  const std::uint32_t entry = scheduler_.candidate(write, b).entry;
  const DramQueues::Entry& e = queues_(write, entry);
  bus_.issue(c, write ? DramCommandKind::write : DramCommandKind::read, b, timing_.bank(b).row);
  queues_.remove(write, b, scheduler_.candidate(write, b).before, entry);
  scheduler_.changed(b);
  room_ = true;
  drain_.served(write, e);
  row_hits_ += timing_.column(c, b, write);
  busy_ += p_.burst;
  last_data_ = std::max(last_data_, c + (write ? p_.tWL : p_.tCL) + p_.burst);
  if (write) {
    store_.write(e.address, queues_.data(entry), queues_.bytes(entry));
    ++writes_;
    return;
  }
  Done& d = done_.next();
  d.cookie = e.cookie;
  d.address = e.address;
  d.at = core_cycle(c + p_.tCL + p_.burst) + p_.latency;
  store_.read(e.address, d.data);
  if (queues_.has_partial()) queues_.merge(b, e.address, e.seq, d.data);
  ++reads_;
  queues_.unblock(b, e);
}

std::string DramChannel::describe() const {
  return fmt::format("dram: {} reads and {} writes queued, {} reads under way, {}\n", queues_.size(false),
                     queues_.size(true), done_.size() + forwarded_.size(),
                     drain_.draining() ? "draining writes" : "reading");
}

}  // namespace warpsieve::memsys
