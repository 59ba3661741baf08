#include "memsys/sm/units.h"

#include <algorithm>

namespace warpsieve::memsys {

Units::Units(const SmParams& p) : free_(std::size_t{p.schedulers} * kGates, 0) {
  const auto or_else = [](std::uint32_t latency, std::uint32_t wider) { return latency ? latency : wider; };
  rows_[kInteger] = {or_else(p.int_latency, p.alu_latency), p.int_interval};
  rows_[kSingle] = {or_else(p.fp_latency, p.alu_latency), p.fp_interval};
  rows_[kDouble] = {or_else(p.dp_latency, p.alu_latency), p.dp_interval};
  rows_[kSpecial] = {p.sfu_latency, p.sfu_interval};
  rows_[kSfuDouble] = {or_else(p.dp_latency, p.sfu_latency), p.dp_interval};
  rows_[kMatrix] = {or_else(p.tensor_latency, p.sfu_latency), p.tensor_interval};
  rows_[kShared] = {p.shared_latency, p.shared_interval};
  rows_[kConstant] = {p.constant_latency, p.constant_interval};
  for (unsigned op = 0; op < kFirstRow.size(); ++op)
    if (kFirstRow[op] != kRows) op_latency_[op] = rows_[kFirstRow[op]].latency;
  // A scheduler issues one instruction per cycle: an interval of 1 holds nothing up.
  for (unsigned r = 0; r < kRows; ++r)
    if (rows_[r].interval > 1 || (r == kShared && rows_[r].interval)) rows_[r].gate = static_cast<Gate>(r + 1);
  rows_[kSfuDouble].gate = rows_[kDouble].gate;
  const auto same = [&](Row a, Row b) { return rows_[a].latency == rows_[b].latency; };
  simple_ = p.alu_chain == 100 && same(kSingle, kInteger) && same(kDouble, kInteger) && same(kSfuDouble, kSpecial) &&
            same(kMatrix, kSpecial) && std::ranges::all_of(rows_, [](const Timing& t) { return t.gate == kOpen; });
}

Units::Row Units::row(const simt::WarpInstr& instr, unsigned index) {
  const Row first = kFirstRow[static_cast<unsigned>(instr.op)];
  if (first == kShared || first == kConstant) return first;
  switch (instr.unit(index)) {
    case simt::Unit::integer: return kInteger;
    case simt::Unit::single_precision: return kSingle;
    case simt::Unit::double_precision: return first == kSpecial ? kSfuDouble : kDouble;
    case simt::Unit::special: return kSpecial;
    case simt::Unit::matrix: return kMatrix;
  }
  return first;
}

Cycle Units::issue(Cycle now, std::uint32_t scheduler, const simt::WarpInstr& instr, unsigned index) {
  const Timing& timing = rows_[row(instr, index)];
  if (timing.gate == kOpen) return now + timing.latency;
  Cycle& free = free_[scheduler * kGates + timing.gate];
  if (instr.op != simt::Op::shared) {
    free = now + timing.interval;
    return now + timing.latency;
  }
  const Cycle start = std::max(now, shared_free_), last = Cycle{instr.passes() - 1} * timing.interval;
  shared_free_ = start + last + timing.interval;
  free = start + 1;
  return start + last + timing.latency;
}

}  // namespace warpsieve::memsys
