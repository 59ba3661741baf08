#include "trace/accelsim/warp_builder.h"

#include <algorithm>
#include <bit>

#include "simt/shared_banks.h"

namespace warpsieve::trace::accelsim {
namespace {

using simt::Op;
using simt::WarpInstr;

/// Calls `each(lane, k)` for the active lanes; k counts them.
template <class F>
void for_lanes(std::uint32_t mask, F&& each) {
  for (unsigned k = 0; mask; mask &= mask - 1) each(static_cast<unsigned>(std::countr_zero(mask)), k++);
}

/// Of a shared-memory access; one without addresses (textures) counts as free of conflicts.
unsigned passes_of(const Instruction& i) {
  std::array<std::uint32_t, simt::kLanes> at;
  for_lanes(i.mask, [&](unsigned, unsigned k) {
    at[k] = static_cast<std::uint32_t>(i.address[k] % kWindow) & ~(i.opcode.bytes - 1u);
  });
  return simt::shared_passes({at.data(), static_cast<std::size_t>(std::popcount(i.mask))}, i.opcode.bytes);
}

}  // namespace

void LocalMemory::lay_out(const KernelHeader& header) {
  if (!used()) return;
  warps = header.warps();
  const std::uint64_t fit = kBudget / (words() * 128 * warps);
  blocks = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(fit, 1, std::min<std::uint64_t>(header.blocks(), kMaxBlocks)));
}

std::uint64_t local_word(const KernelHeader& header, const Instruction& i, unsigned k) {
  std::uint64_t at = i.address[k];
  if (header.local_base != 0 && at - header.local_base < kWindow) at -= header.local_base;
  return at / 4;
}

void DeviceMemory::write(simt::Addr at, unsigned bytes, std::vector<std::uint8_t>& data) {
  if (rule.all_zero()) {
    data.resize(data.size() + bytes);
    return;
  }
  const std::span<std::uint8_t> here = std::span(image).subspan(at - MemoryMap::kBase, bytes);
  rule.fill(here, at, epoch);
  data.insert(data.end(), here.begin(), here.end());
}

void WarpBuilder::start(std::uint32_t block, std::uint32_t warp) {
  block_ = block;
  warp_ = warp;
  trace_ = {};
  writer_ = {};
  copies_.clear();
  groups_.clear();
}

/// Of more than three sources the latest stay: their results are there last.
void WarpBuilder::depend(WarpInstr& out, std::uint32_t record) const {
  if (std::find(out.source, out.source + out.sources, record) != out.source + out.sources) return;
  if (out.sources < std::size(out.source)) {
    out.source[out.sources++] = record;
    return;
  }
  std::uint32_t& oldest = *std::min_element(out.source, out.source + out.sources);
  oldest = std::max(oldest, record);
}

void WarpBuilder::read_registers(WarpInstr& out, const Instruction& i) const {
  const bool memory = has_addresses(i.opcode.kind) || i.opcode.kind == OpClass::shared;
  for (unsigned s = 0; s < i.sources; ++s) {
    const bool address = memory && s == 0;
    const unsigned n = !address ? i.opcode.source_registers : i.opcode.wide_address ? 2 : 1;
    for (unsigned r = i.source[s]; r < std::min<unsigned>(i.source[s] + n, kZeroRegister); ++r)
      if (writer_[r]) depend(out, writer_[r] - 1);
  }
}

/// All groups of copies but the latest `groups_left`; a group counts as done with its last three copies.
void WarpBuilder::wait_for_copies(WarpInstr& out, std::int64_t groups_left) {
  const auto left = static_cast<std::size_t>(std::clamp<std::int64_t>(groups_left, 0, 1 << 30));
  if (left >= groups_.size()) return;
  const std::size_t end = groups_[groups_.size() - 1 - left];
  for (std::size_t k = end > 3 ? end - 3 : 0; k < end; ++k) depend(out, copies_[k]);
}

void WarpBuilder::add(const Instruction& i) {
  const auto first = trace_.instrs.size();
  const auto plain = [&](Op op, unsigned bytes = 0) {
    WarpInstr out;
    out.op = op;
    out.bytes = static_cast<std::uint8_t>(bytes);
    out.mask = i.mask;
    out.set_unit(i.opcode.unit);
    if (op == Op::shared) out.detail[0] = static_cast<std::uint8_t>(passes_of(i) - 1);
    read_registers(out, i);
    if (i.opcode.kind == OpClass::wait_copies) wait_for_copies(out, i.immediate);
    push(out);
  };
  const auto memory = [&](Op op) {
    if (i.space == Space::shared)
      plain(Op::shared, 4);
    else if (i.space == Space::local)
      access_local(op == Op::atomic ? Op::store : op, i);
    else
      access(op, i);
  };
  switch (i.opcode.kind) {
    case OpClass::alu:
    case OpClass::wait_copies:
    case OpClass::unknown: plain(Op::alu); break;
    case OpClass::close_copies:
      plain(Op::alu);
      groups_.push_back(copies_.size());
      break;
    case OpClass::sfu: plain(Op::sfu); break;
    case OpClass::shared: plain(Op::shared, 4); break;
    case OpClass::constant: plain(Op::constant, 4); break;
    case OpClass::barrier: plain(Op::barrier); break;
    case OpClass::global_load:
    case OpClass::local_load:
    case OpClass::generic_load: memory(Op::load); break;
    case OpClass::global_store:
    case OpClass::local_store:
    case OpClass::generic_store: memory(Op::store); break;
    case OpClass::global_atomic:
    case OpClass::generic_atomic: memory(Op::atomic); break;
    case OpClass::copy_to_shared:
      copies_.push_back(static_cast<std::uint32_t>(first));
      memory(Op::load);
      break;
  }
  if (i.result < 0) return;
  const auto record = static_cast<std::uint32_t>(trace_.instrs.size());
  for (unsigned r = 0; r < i.opcode.result_registers && static_cast<unsigned>(i.result) + r < kZeroRegister; ++r)
    writer_[static_cast<unsigned>(i.result) + r] = record;
}

/// A 64-bit atomic counts as one on its low word, and any atomic as an exchange: without values the kind means
/// nothing.
void WarpBuilder::access(Op op, const Instruction& i) {
  WarpInstr out;
  out.op = op;
  out.mask = i.mask;
  out.bytes = static_cast<std::uint8_t>(op == Op::atomic ? 4 : i.opcode.bytes);
  out.atomic = simt::AtomicOp::exch_u32;
  read_registers(out, i);
  out.payload = static_cast<std::uint32_t>(trace_.addresses.size());
  if (op != Op::load) out.values = static_cast<std::uint32_t>(trace_.data.size());
  for_lanes(i.mask, [&](unsigned, unsigned k) {
    const simt::Addr at = memory_.map.device(i.address[k]) & ~simt::Addr{out.bytes - 1u};
    trace_.addresses.push_back(at);
    if (op != Op::load) memory_.write(at, out.bytes, trace_.data);
  });
  trace_.pack(simt::count_lanes(i.mask));
  push(out);
}

/// One access for each 32-bit word: the words of one thread are 128 bytes apart.
void WarpBuilder::access_local(Op op, const Instruction& i) {
  for (unsigned word = 0; word < std::max(1u, i.opcode.bytes / 4); ++word) {
    WarpInstr out;
    out.op = op;
    out.mask = i.mask;
    out.bytes = 4;
    read_registers(out, i);
    out.payload = static_cast<std::uint32_t>(trace_.addresses.size());
    if (op != Op::load) out.values = static_cast<std::uint32_t>(trace_.data.size());
    for_lanes(i.mask, [&](unsigned lane, unsigned k) {
      const std::uint64_t offset = local_.offset(block_, warp_, local_word(header_, i, k) + word, lane);
      trace_.addresses.push_back(memory_.map.local() + offset);
      if (op != Op::load) memory_.write(trace_.addresses.back(), 4, trace_.data);
    });
    trace_.pack(simt::count_lanes(i.mask));
    push(out);
  }
}

}  // namespace warpsieve::trace::accelsim
