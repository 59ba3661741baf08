#include "memsys/host_prefetch.h"

#include <bit>

namespace warpsieve::memsys {

bool HostPrefetch::pays(const Profile& p, Cycle lookahead) {
  const std::uint64_t lines = std::uint64_t{p.sms} * p.l1.sets * p.l1.ways +
                              std::uint64_t{p.controllers} * kSlicesPerController * p.l2.sets * p.l2.ways;
  return lookahead >= 8 && lines * kLineBytes >= 1u << 20;
}

/// Each partition is a pass further than the next one; `last` gets the first.
void HostPrefetch::passes(std::size_t last, Cycle now, Cycle end) const {
  for (const Pass pass : {Pass::packets, Pass::sets, Pass::lines})
    if (const std::size_t i = last - static_cast<std::size_t>(pass); i < partitions_.size())
      partition(pass, *partitions_[i], now, end);
}

void HostPrefetch::partition(Pass pass, const Partition& partition, Cycle now, Cycle end) const {
  for (unsigned s = 0; s < kSlicesPerController; ++s)
    requests(pass, partition.slice(s), partition.controller() * kSlicesPerController + s, now, end);
  dram_data(pass, partition, end);
}

void HostPrefetch::requests(Pass pass, const L2Slice& slice, std::uint32_t number, Cycle now, Cycle end) const {
  const L2Tags& tags = slice.tags();
  requests_.each_from(number, now, end, [&](std::uint32_t handle) {
    const Packet& p = context_.packets[handle];
    if (pass == Pass::packets) return prefetch(&p);
    if (pass == Pass::sets) {
      tags.prefetch_set(p.line);
      tags.prefetch_order(p.line);
      prefetch(slice.written_back_at(p.line));
      context_.golden.prefetch_version(p.global_line);
      return;
    }
    const std::uint32_t way = tags.find(p.line);
    if (way != L2Tags::kNone) {
      const auto sector = static_cast<unsigned>(std::countr_zero(p.mask));
      prefetch(tags.data(way).sector(sector));
      prefetch(context_.golden.line(p.global_line) + sector * kSectorBytes);
    } else {  // what is replaced goes elsewhere
      const LineData& replaced = tags.data(tags.oldest(p.line));
      prefetch(replaced.sector(0));
      prefetch(replaced.sector(2));
    }
  });
}

/// Data on its way from the DRAM to lines of the L2.
void HostPrefetch::dram_data(Pass pass, const Partition& partition, Cycle end) const {
  const Ring<DramChannel::Done>& data = partition.dram().under_way();
  for (std::size_t i = 0; i < data.size() && data[i].at < end; ++i) {
    const std::uint64_t address = data[i].address;
    if (address >= partition.data_bytes()) continue;
    const auto line = static_cast<LocalLine>(address / kLineBytes);
    const L2Slice& slice = partition.slice(AddressMap::slice(line));
    if (pass == Pass::packets) {
      const GlobalLine global = context_.map.global_line(partition.controller(), line);  // compared with it
      if (global < context_.golden.lines()) prefetch(context_.golden.line(global) + address % kLineBytes);
      continue;
    }
    if (pass == Pass::sets) {
      slice.tags().prefetch_set(line);
      continue;
    }
    const std::uint32_t way = slice.tags().find(line);
    if (way == L2Tags::kNone) continue;
    const auto sector = static_cast<unsigned>(address / kSectorBytes % kSectors);
    prefetch(slice.tags().data(way).sector(sector));
    const L2Mshrs::Entry* mshr = slice.mshrs().find(slice.tags()[way].mshr);
    if (!mshr || mshr->head == L2Mshrs::kNone) continue;
    const Packet& waiting = context_.packets[mshr->head];
    prefetch(&waiting);
    prefetch(waiting.data.sector(sector));
  }
}

void HostPrefetch::before_sms(Cycle now, Cycle end) const {
  for (const Pass pass : {Pass::packets, Pass::sets, Pass::lines})
    for (std::uint32_t i = 0; i < sms_.size(); ++i)
      if (replies_.head(i).at < end) replies(pass, *sms_[i], i, now, end);
}

void HostPrefetch::replies(Pass pass, const Sm& sm, std::uint32_t number, Cycle now, Cycle end) const {
  const L1Tags& tags = sm.l1().tags();
  const L1Mshrs& mshrs = sm.l1().mshrs();
  replies_.each_from(number, now, end, [&](std::uint32_t handle) {
    const Packet& p = context_.packets[handle];
    if (pass == Pass::packets) {
      prefetch(&p);
      prefetch(&p.data);
      return;
    }
    if (p.kind != PacketKind::read || sm.local().owns(p.global_line)) return;
    if (pass == Pass::sets) {
      prefetch(&mshrs[p.token]);
      mshrs.prefetch_bucket(p.global_line);
      tags.prefetch_lines(p.global_line);
      tags.prefetch_order(p.global_line);
      tags.prefetch_states(p.global_line);
      return;
    }
    const std::uint32_t here = tags.find(p.global_line);
    const std::uint32_t way = here != L1Tags::kNone ? here : tags.oldest(p.global_line);
    prefetch(tags.data(way).sector(static_cast<unsigned>(std::countr_zero(p.asked))));
    prefetch(&sm.l1().judge().of(way));
    if (const L1Mshrs::Waiting* waiting = mshrs.first_waiting(p.token)) prefetch(waiting);
  });
}

}  // namespace warpsieve::memsys
