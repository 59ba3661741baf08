#include "trace/records.h"

#include <fmt/format.h>

#include <bit>
#include <limits>

namespace warpsieve::trace {
namespace {

using simt::Addr;
using simt::Op;
using simt::WarpInstr;

constexpr std::array<unsigned, kMaxRecordColumns> kWidth = {2, 1, 1, 1, 2, 4, 1, 4, kAddressBytes, 4, kAddressBytes,
                                                            1, 2};
constexpr const char* kName[kMaxRecordColumns] = {"run length", "run end", "kind",   "bytes", "count",
                                                  "mask",       "atomic",  "source", "base",  "stride",
                                                  "delta",      "data",    "detail"};

bool access_size(unsigned bytes) { return bytes <= 16 && std::has_single_bit(bytes); }

/// The step per lane that all active lanes agree on, if there is one.
bool find_stride(std::uint32_t mask, const Addr* address, std::int32_t& stride) {
  stride = 0;
  const auto lanes = static_cast<unsigned>(std::popcount(mask));
  if (lanes == 1) return true;
  const int first = std::countr_zero(mask);
  std::uint32_t rest = mask & (mask - 1);
  const std::int64_t step = static_cast<std::int64_t>(address[1] - address[0]), gap = std::countr_zero(rest) - first;
  if (step % gap != 0) return false;
  const std::int64_t s = step / gap;
  if (s < std::numeric_limits<std::int32_t>::min() || s > std::numeric_limits<std::int32_t>::max()) return false;
  for (unsigned k = 1; k < lanes; ++k, rest &= rest - 1)
    if (static_cast<std::int64_t>(address[k] - address[0]) != s * (std::countr_zero(rest) - first)) return false;
  stride = static_cast<std::int32_t>(s);
  return true;
}

}  // namespace

RecordEncoder::RecordEncoder() {
  for (const unsigned width : kWidth) columns_.emplace_back(width);
}

std::size_t RecordEncoder::add(const simt::WarpTrace& warp, std::size_t first, bool last_of_thread_block) {
  if (first == 0) address_ = data_ = 0;
  const std::size_t end = std::min<std::size_t>(warp.instrs.size(), first + kRecordsPerBlock - records_);
  for (std::size_t i = first; i < end; ++i) add(warp, static_cast<std::uint32_t>(i));
  const bool whole = end == warp.instrs.size();
  column(kRunLength).add(end - first);
  column(kRunEnd).add((whole ? kEndsWarp : 0u) | (whole && last_of_thread_block ? kEndsThreadBlock : 0u));
  ++runs_;
  return end;
}

void RecordEncoder::add(const simt::WarpTrace& warp, std::uint32_t number) {
  const WarpInstr& i = warp.instrs[number];
  auto kind = static_cast<std::uint8_t>(static_cast<unsigned>(i.op) | unsigned{i.sources} << kSourceShift);
  column(kBytes).add(i.bytes);
  column(kCount).add(i.count);
  column(kDetail).add(i.detail[0] | i.detail[1] << 8);
  has_detail_ |= i.detail[0] || i.detail[1];
  column(kMask).add(i.mask);
  for (unsigned s = 0; s < i.sources; ++s) column(kSource).add(number - i.source[s]);
  if (is_memory(i.op)) {
    const auto lanes = static_cast<unsigned>(std::popcount(i.mask));
    if (i.payload != address_ || address_ >= warp.addresses.size() ||
        address_ + warp.address_words(i) > warp.addresses.size())
      throw std::logic_error("trace: the addresses of a warp are not in program order");
    simt::LaneAddresses room;
    add_addresses(i.mask, warp.list(i, room), kind);
    address_ += warp.address_words(i);
    if (i.op == Op::atomic) column(kAtomic).add(static_cast<unsigned>(i.atomic));
    if (i.op != Op::load) {
      const std::size_t n = std::size_t{lanes} * i.bytes;
      if (i.values != data_ || data_ + n > warp.data.size())
        throw std::logic_error("trace: the operands of a warp are not in program order");
      column(kData).add(std::span(warp.data).subspan(data_, n));
      data_ += n;
    }
  }
  column(kKind).add(kind);
  ++records_;
}

void RecordEncoder::add_addresses(std::uint32_t mask, const Addr* address, std::uint8_t& kind) {
  column(kBase).add(address[0]);
  std::int32_t stride;
  if (find_stride(mask, address, stride)) {
    column(kStride).add(static_cast<std::uint32_t>(stride));
    return;
  }
  kind |= kDeltaMode;
  const auto lanes = static_cast<unsigned>(std::popcount(mask));
  for (unsigned k = 1; k < lanes; ++k) column(kDelta).add(address[k] - address[k - 1]);
}

std::vector<Column> RecordEncoder::take() {
  std::vector<Column> out;
  for (ColumnBuilder& c : columns_) out.push_back(c.take());
  if (!has_detail_) out.resize(kRecordColumns);
  has_detail_ = false;
  records_ = runs_ = 0;
  return out;
}

/// Next element of every column whose length is not one per record or run.
struct RecordDecoder::Cursor {
  std::size_t atomic = 0, source = 0, memory = 0, stride = 0, delta = 0, data = 0;
};

void RecordDecoder::start(const simt::LaunchShape& shape) {
  current_ = {};
  warp_ = {};
  blocks_ = shape.blocks;
  warps_per_block_ = (shape.threads + simt::kLanes - 1) / simt::kLanes;
  ++totals_.launches;
}

void RecordDecoder::decode(const Block& block, const BlockReader& reader) {
  const auto& columns = block.columns;
  if (columns.size() < kRecordColumns || columns.size() > kMaxRecordColumns)
    reader.fail(fmt::format("{} columns of records: expected {} or {}", columns.size(), unsigned{kRecordColumns},
                            unsigned{kMaxRecordColumns}));
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].width != kWidth[c])
      reader.fail(fmt::format("column {} ({}) has elements of {} bytes: expected {}", c, kName[c], columns[c].width,
                              kWidth[c]));
  const std::size_t records = columns[kKind].size(), runs = columns[kRunLength].size();
  if (records > kRecordsPerBlock || runs > kRecordsPerBlock || runs == 0)
    reader.fail(
        fmt::format("{} records in {} runs: expected at most {} in 1 or more", records, runs, kRecordsPerBlock));
  for (const auto c : {kBytes, kCount, kMask, kDetail})
    if (c < columns.size() && columns[c].size() != records)
      reader.fail(fmt::format("column {} ({}) has {} elements for {} records", static_cast<unsigned>(c), kName[c],
                              columns[c].size(), records));
  if (columns[kRunEnd].size() != runs)
    reader.fail(fmt::format("column 1 (run end) has {} elements for {} runs", columns[kRunEnd].size(), runs));
  Cursor at;
  std::size_t record = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::size_t n = columns[kRunLength].get<2>(run);
    const std::uint8_t end = columns[kRunEnd].planes[run];
    if (n > records - record) reader.fail(fmt::format("run {} goes on behind the last of {} records", run, records));
    if (current_.block == blocks_) reader.fail(fmt::format("more than the launch's {} thread blocks", blocks_));
    if (end != 0 && end != kEndsWarp && end != (kEndsWarp | kEndsThreadBlock))
      reader.fail(fmt::format("run {} ends with {}: expected 0, 1 or 3", run, end));
    for (std::size_t k = 0; k < n; ++k) decode_record(block, at, record++, reader);
    totals_.records += n;
    if (!(end & kEndsWarp)) continue;
    ++totals_.warps;
    current_.warps.push_back(std::move(warp_));
    warp_ = {};
    const bool last = current_.warps.size() == warps_per_block_;
    if (last != ((end & kEndsThreadBlock) != 0))
      reader.fail(fmt::format("thread block {} has {} warps so far: expected its end at {}", current_.block,
                              current_.warps.size(), warps_per_block_));
    if (!last) continue;
    ++totals_.thread_blocks;
    const std::uint32_t number = current_.block;
    ready_.push_back(std::move(current_));
    current_ = {};
    current_.block = number + 1;
  }
  const auto used = [&](RecordColumn c, std::size_t n) {
    if (columns[c].size() != n)
      reader.fail(fmt::format("column {} ({}) has {} elements: the records use {}", static_cast<unsigned>(c),
                              kName[c], columns[c].size(), n));
  };
  used(kKind, record);
  used(kAtomic, at.atomic);
  used(kSource, at.source);
  used(kBase, at.memory);
  used(kStride, at.stride);
  used(kDelta, at.delta);
  used(kData, at.data);
}

void RecordDecoder::decode_record(const Block& block, Cursor& at, std::size_t i, const BlockReader& reader) {
  const auto& columns = block.columns;
  const auto bad = [&](const std::string& why) { reader.fail(fmt::format("record {}: {}", i, why)); };
  const auto missing = [&](RecordColumn c) {
    bad(fmt::format("column {} ({}) ends before it", static_cast<unsigned>(c), kName[c]));
  };
  const std::uint8_t kind = columns[kKind].planes[i];
  const auto number = static_cast<std::uint32_t>(warp_.instrs.size());
  WarpInstr instr;
  instr.op = static_cast<Op>(kind & kOpBits);
  instr.sources = static_cast<std::uint8_t>((kind & kSourceBits) >> kSourceShift);
  instr.bytes = columns[kBytes].planes[i];
  instr.count = static_cast<std::uint16_t>(columns[kCount].get<2>(i));
  instr.mask = static_cast<std::uint32_t>(columns[kMask].get<4>(i));
  if (kind & ~(kOpBits | kSourceBits | kDeltaMode)) bad(fmt::format("kind {:#04x}", kind));
  if (instr.mask == 0) bad("no lane is active");
  if (instr.count == 0) bad("a count of 0");
  if (columns.size() > kDetail) {
    const auto detail = columns[kDetail].get<2>(i);
    instr.detail[0] = static_cast<std::uint8_t>(detail);
    instr.detail[1] = static_cast<std::uint8_t>(detail >> 8);
    if (!instr.detail_fits())
      bad(fmt::format("detail {:#06x} of operation {} with a count of {}", detail, kind & kOpBits, instr.count));
  }
  if (columns[kSource].size() - at.source < instr.sources) missing(kSource);
  for (unsigned s = 0; s < instr.sources; ++s) {
    const auto back = static_cast<std::uint32_t>(columns[kSource].get<4>(at.source++));
    if (back == 0 || back > number)
      bad(fmt::format("a source {} records back, as number {} of its warp", back, number));
    instr.source[s] = number - back;
  }
  if (is_memory(instr.op)) {
    if (!access_size(instr.bytes)) bad(fmt::format("access of {} bytes: expected 1, 2, 4, 8 or 16", instr.bytes));
    if (instr.op == Op::atomic) {
      if (at.atomic == columns[kAtomic].size()) missing(kAtomic);
      const std::uint8_t atomic = columns[kAtomic].planes[at.atomic++];
      if (atomic > static_cast<std::uint8_t>(simt::AtomicOp::cas_u32) || instr.bytes != 4)
        bad(fmt::format("atomic {} of {} bytes: expected 0 to 5, of 4 bytes", atomic, instr.bytes));
      instr.atomic = static_cast<simt::AtomicOp>(atomic);
    }
    instr.payload = static_cast<std::uint32_t>(warp_.addresses.size());
    decode_addresses(block, at, instr, (kind & kDeltaMode) != 0, reader);
    if (instr.op != Op::load) {
      const std::size_t n = static_cast<std::size_t>(std::popcount(instr.mask)) * instr.bytes;
      if (columns[kData].size() - at.data < n) missing(kData);
      instr.values = static_cast<std::uint32_t>(warp_.data.size());
      const auto from = columns[kData].planes.begin() + static_cast<std::ptrdiff_t>(at.data);
      warp_.data.insert(warp_.data.end(), from, from + static_cast<std::ptrdiff_t>(n));
      at.data += n;
    }
  } else if (kind & kDeltaMode) {
    bad("addresses of an instruction that has none");
  }
  warp_.instrs.push_back(instr);
}

void RecordDecoder::decode_addresses(const Block& block, Cursor& at, const WarpInstr& instr, bool deltas,
                                     const BlockReader& reader) {
  const auto& columns = block.columns;
  const auto lanes = static_cast<unsigned>(std::popcount(instr.mask));
  if (at.memory == columns[kBase].size() ||
      (deltas ? columns[kDelta].size() - at.delta < lanes - 1 : at.stride == columns[kStride].size()))
    reader.fail(fmt::format("an address column ends before record {} of its warp", warp_.instrs.size()));
  Addr a = columns[kBase].get<kAddressBytes>(at.memory++);
  const std::size_t n = warp_.addresses.size();
  warp_.addresses.resize(n + lanes);
  Addr* out = warp_.addresses.data() + n;
  Addr low = a, high = a, all = a;  // all: OR of the addresses, for their alignment
  const auto place = [&](Addr next) {
    low = std::min(low, next);
    high = std::max(high, next);
    all |= next;
    *out++ = next;
  };
  if (deltas) {
    place(a);
    for (unsigned k = 1; k < lanes; ++k) {
      a = (a + columns[kDelta].get<kAddressBytes>(at.delta++)) % kAddressSpace;
      place(a);
    }
  } else {
    const auto stride =
        static_cast<Addr>(static_cast<std::int64_t>(static_cast<std::int32_t>(columns[kStride].get<4>(at.stride++))));
    const auto first = static_cast<unsigned>(std::countr_zero(instr.mask));
    if (instr.mask == ~std::uint32_t{0}) {
      for (unsigned l = 0; l < simt::kLanes; ++l, a += stride) place(a);
    } else {
      for (std::uint32_t m = instr.mask; m; m &= m - 1)
        place(a + stride * (static_cast<unsigned>(std::countr_zero(m)) - first));
    }
  }
  if (low < base_ || high >= end_ || end_ - high < instr.bytes || (all & (instr.bytes - 1u)) != 0)
    reader.fail(
        fmt::format("record {} of its warp: {} bytes at {:#x} to {:#x}: expected aligned addresses in device "
                    "memory, [{:#x}, {:#x})",
                    warp_.instrs.size(), instr.bytes, low, high, base_, end_));
  warp_.pack(lanes);
}

simt::BlockTrace RecordDecoder::take_partial() {
  if (!warp_.instrs.empty()) current_.warps.push_back(std::move(warp_));
  warp_ = {};
  simt::BlockTrace out = std::move(current_);
  current_ = {};
  current_.block = out.block;
  return out;
}

}  // namespace warpsieve::trace
