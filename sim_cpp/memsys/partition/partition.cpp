#include "memsys/partition/partition.h"

#include <fmt/format.h>

namespace warpsieve::memsys {

Partition::Partition(Context& context, L2Stats& l2, Scheme& scheme, std::uint32_t controller,
                     std::uint32_t first_slice_id, Network& requests, Network& replies)
    : context_(context), replies_(replies), controller_(controller), first_slice_id_(first_slice_id),
      id_(context.wakes.add(1)), path_id_(context.wakes.add(1)), dram_id_(context.wakes.add(1)),
      lines_(context.map.local_lines()),
      dram_(context.profile.dram, context.stats), slices_{L2Slice(context, l2, controller * kSlicesPerController,
                                                                  first_slice_id, requests, replies),
                                                          L2Slice(context, l2, controller * kSlicesPerController + 1,
                                                                  first_slice_id + 1, requests, replies)} {
  for (const std::uint32_t own : {path_id_, dram_id_, first_slice_id, first_slice_id + 1})
    context.wakes.entrust(own, id_);
  path_ = scheme.make_path(controller, *this, context.stats);
  if (!path_) throw std::logic_error(fmt::format("scheme {} makes no memory path", scheme.name()));
  reply_port_ = scheme.make_reply_port(controller, context.profile, context.stats);
  for (unsigned s = 0; s < kSlicesPerController; ++s)
    slices_[s].connect(*path_, scheme.make_victim_port(controller, s, context.stats), reply_port_.get());
}

Partition::Times Partition::times() {
  WakeTimes& wakes = context_.wakes;
  return {wakes.own(dram_id_), wakes.own(path_id_), {wakes.own(first_slice_id_), wakes.own(first_slice_id_ + 1)}};
}

Cycle Partition::run_open(Cycle now, Cycle end) {
  Cycle last = 0;
  const std::uint32_t slice = controller_ * kSlicesPerController;
  const auto room_for_both = [&] { return std::min(replies_.room(slice), replies_.room(slice + 1)); };
  std::size_t room = 0;
  const Times times = this->times();
  for (Cycle cycle; (cycle = times.next()) < end; last = cycle) {
    if (cycle > now && room-- == 0) {
      room = room_for_both();
      if (room-- == 0) break;
    }
    context_.now = cycle;
    run_cycle(cycle, times);
  }
  waits_ = room_for_both() == 0;
  return last;
}

void Partition::close() { context_.wakes.rest(id_, times().next()); }

inline void Partition::run_cycle(Cycle now, const Times& times) {
  if (times.dram.take(now)) {
    run_dram(now);
    times.dram.wake(dram_.due(now));
  }
  if (times.path.take(now)) {
    times.path.wake(std::max(path_->tick(now), now + 1));
    if (reading_) read_back_step(now);
    if (slices_[0].refused() || slices_[1].refused()) {
      const bool reads = !path_->refuses_reads();
      for (auto& s : slices_) s.retry(now, reads);  // slices run after the path in this cycle
    }
  }
  for (unsigned s = 0; s < kSlicesPerController; ++s)
    if (times.slices[s].take(now)) times.slices[s].wake(slices_[s].tick(now));
}

void Partition::run_dram(Cycle now) {
  dram_.tick(now);
  while (const DramChannel::Done* done = dram_.front(now)) {
    ++context_.progress;
    path_->on_dram_read(now, done->cookie, done->data);
    dram_.pop();
  }
  if (dram_.take_room()) {
    ++context_.progress;
    if (refused_) {
      refused_ = false;
      path_->on_room();
      wake_path(now);
    }
    for (auto& s : slices_) s.retry(now);
  }
}

bool Partition::dram_read(Cycle now, std::uint64_t address, RequestKind kind, std::uint64_t cookie) {
  if (!dram_.read(now, address, kind, cookie)) {
    refused_ = true;
    return false;
  }
  context_.wakes.wake(dram_id_, dram_.due(now));
  ++context_.progress;
  return true;
}

bool Partition::dram_write(Cycle now, std::uint64_t address, RequestKind kind, const std::uint8_t* sector,
                           std::uint32_t bytes) {
  if (!dram_.write(now, address, kind, sector, bytes)) {
    refused_ = true;
    return false;
  }
  context_.wakes.wake(dram_id_, dram_.due(now));
  ++context_.progress;
  return true;
}

void Partition::reply(Cycle now, const ReadReply& reply) {
  if (!(reply.tag & L2Slice::kReadBackTag)) {
    slices_[AddressMap::slice(reply.line)].fill(now, reply);
    return;
  }
  const GlobalLine global = context_.map.global_line(controller_, reply.line);
  for (unsigned s = 0; s < kSectors; ++s)
    if (reply.mask >> s & 1) context_.golden.check(now, global, s, reply.data.sector(s), 0, Source::read_back);
  sectors_in_flight_ -= count_sectors(reply.mask);
  ++context_.progress;
  wake_path(now + 1);
}

SectorMask Partition::probe(Cycle now, LocalLine line, SectorMask mask, LineData& data) {
  return slices_[AddressMap::slice(line)].probe(now, line, mask, data);
}

RequestKind Partition::read_kind(LocalLine line, unsigned sector) const {
  return slices_[AddressMap::slice(line)].written_back(line, sector) ? RequestKind::data_read
                                                                     : RequestKind::read_only;
}

void Partition::check(Cycle now, LocalLine line, SectorMask mask, const LineData& data, Source source) {
  const GlobalLine global = context_.map.global_line(controller_, line);
  if (global >= context_.golden.lines()) return;
  for (unsigned s = 0; s < kSectors; ++s)
    if (mask >> s & 1)
      context_.golden.check(now, global, s, data.sector(s), slices_[AddressMap::slice(line)].newer_bytes(line, s),
                            source);
}

void Partition::wake_slices(Cycle at) {
  for (auto& s : slices_) s.retry(at);
}

void Partition::start_read_back(Cycle now) {
  reading_ = true;
  next_line_ = LocalLine{};
  wake_path(now + 1);
}

void Partition::read_back_step(Cycle now) {
  while (next_line_ < lines_ && sectors_in_flight_ < kReadsInFlight * kSectors) {
    const GlobalLine global = context_.map.global_line(controller_, next_line_);
    if (global < context_.golden.lines() && !context_.golden.untouched(global)) {
      if (!path_->push_read(now, AddressMap::slice(next_line_), {next_line_, 0xf, L2Slice::kReadBackTag})) break;
      sectors_in_flight_ += kSectors;
    }
    ++next_line_;
  }
  if (next_line_ < lines_ && sectors_in_flight_ < kReadsInFlight * kSectors) wake_path(now + 1);
  if (next_line_ == lines_ && sectors_in_flight_ == 0) reading_ = false;
}

bool Partition::idle() const {
  return slices_[0].idle() && slices_[1].idle() && path_->idle() && dram_.idle() && !reading_;
}

std::string Partition::describe() const {
  if (idle()) return "";
  std::string out = slices_[0].describe() + slices_[1].describe();
  if (!path_->idle()) out += fmt::format("controller {}: {}\n", controller_, path_->describe());
  if (!dram_.idle()) out += fmt::format("controller {}: {}", controller_, dram_.describe());
  return out;
}

}  // namespace warpsieve::memsys
