#include "memsys/sm/coalescer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "core/find_key.h"

namespace warpsieve::memsys {

inline std::uint64_t Coalescer::place(simt::Addr address, unsigned bytes) const {
  const simt::Addr first = address - map_.base;
  if (address < map_.base || first + bytes > map_.size)
    throw std::out_of_range(fmt::format("address {:#x} is outside of device memory", address));
  return first;
}

LineAccess& Coalescer::add(std::uint32_t number) {
  if (count_ == numbers_.size()) {
    lines_.emplace_back();
    numbers_.emplace_back();
  }
  numbers_[count_] = number;
  LineAccess& a = lines_[count_++];
  a.line = GlobalLine{number};
  a.mask = 0;
  a.ops = 0;
  a.bytes = {};
  return a;
}

inline LineAccess& Coalescer::line(std::uint32_t number) {
  const std::uint64_t bit = std::uint64_t{1} << (number % 64);
  if (seen_ & bit) {
    if (numbers_[count_ - 1] == number) return lines_[count_ - 1];  // of neighbours, mostly
    if (const std::uint32_t i = find_key(numbers_.data(), count_, number); i != count_) return lines_[i];
  }
  seen_ |= bit;
  return add(number);
}

template <class F>
inline void Coalescer::each_part(std::uint64_t first, unsigned bytes, F&& f) {
  auto number = static_cast<std::uint32_t>(first / kLineBytes);
  unsigned offset = first % kLineBytes;
  while (bytes) {
    const unsigned here = std::min(bytes, kLineBytes - offset);
    LineAccess& a = line(number);
    const unsigned last = (offset + here - 1) / kSectorBytes;
    a.mask |= static_cast<SectorMask>((2u << last) - (1u << offset / kSectorBytes));
    f(a, offset, here);
    bytes -= here;
    offset = 0;
    ++number;
  }
}

/// `lanes` accesses, `step` bytes from one to the next, none of them across a line's end. `value`: of a store.
inline void Coalescer::add_row(std::uint64_t first, unsigned lanes, unsigned bytes, unsigned step,
                               const std::uint8_t* value) {
  auto number = static_cast<std::uint32_t>(first / kLineBytes);
  unsigned offset = first % kLineBytes;
  while (lanes) {
    const unsigned here = step ? std::min(lanes, (kLineBytes - offset) / step) : lanes;
    const unsigned size = step ? here * step : bytes, end = offset + size;
    LineAccess& a = add(number);
    a.mask = static_cast<SectorMask>((2u << (end - 1) / kSectorBytes) - (1u << offset / kSectorBytes));
    if (value) {
      std::memcpy(a.data.bytes.data() + offset, value, size);
      value += size;
      for (unsigned s = 0; s < kSectors; ++s) {
        const unsigned from = std::max(offset, s * kSectorBytes), to = std::min(end, (s + 1) * kSectorBytes);
        if (from < to)
          a.bytes[s] = static_cast<std::uint32_t>(((std::uint64_t{1} << (to - from)) - 1) << from % kSectorBytes);
      }
    } else {
      a.lane_bytes = static_cast<std::uint8_t>(bytes);
      a.ops = static_cast<std::uint8_t>(here);
      for (unsigned lane = 0; lane < here; ++lane) a.offset[lane] = static_cast<std::uint8_t>(offset + lane * step);
    }
    lanes -= here;
    offset = 0;
    ++number;
  }
}

bool Coalescer::split_row(const simt::WarpTrace& trace, const simt::WarpInstr& instr, unsigned lanes) {
  const bool store = instr.op == simt::Op::store;
  if (lanes < 2 || !(store || instr.op == simt::Op::load)) return false;
  const simt::Addr word = trace.addresses[instr.payload];
  if (!simt::AddressRow::is(word)) return false;
  const simt::AddressRow row(word);
  const simt::Addr bytes = instr.bytes, step = static_cast<simt::Addr>(row.step());
  if ((step != bytes && (step != 0 || store)) || (bytes & (bytes - 1)) || bytes > kSectorBytes) return false;
  const simt::Addr place = row.first() - map_.base;
  if (place & (bytes - 1)) return false;  // not aligned: it may run over a sector's end
  if (row.first() < map_.base || place >= map_.size || place + lanes * bytes > map_.size) return false;
  add_row(place, lanes, instr.bytes, static_cast<unsigned>(step), store ? trace.data.data() + instr.values : nullptr);
  return true;
}

void Coalescer::split(const simt::WarpTrace& trace, const simt::WarpInstr& instr) {
  count_ = 0;
  seen_ = 0;
  const unsigned lanes = simt::count_lanes(instr.mask);
  if (lanes == 0 || split_row(trace, instr, lanes)) return;
  simt::LaneAddresses room;
  const simt::Addr* address = trace.list(instr, room);
  const simt::Addr* const end = address + lanes;
  const unsigned bytes = instr.bytes;
  if (instr.op == simt::Op::load) {
    const auto put = [&](LineAccess& a, unsigned offset, unsigned) {
      a.lane_bytes = instr.bytes;
      a.offset[a.ops++] = static_cast<std::uint8_t>(offset);
    };
    for (; address != end; ++address) {
      const std::uint64_t first = place(*address, bytes);
      const unsigned offset = first % kLineBytes;
      if (offset % kSectorBytes + bytes > kSectorBytes) {
        each_part(first, bytes, put);
        continue;
      }
      LineAccess& a = line(static_cast<std::uint32_t>(first / kLineBytes));
      a.mask |= static_cast<SectorMask>(1u << offset / kSectorBytes);
      put(a, offset, bytes);
    }
    return;
  }
  const std::uint8_t* value = trace.data.data() + instr.values;
  for (; address != end; ++address) {
    if (instr.op == simt::Op::atomic) {
      const std::uint64_t first = place(*address, 4);
      const unsigned offset = first % kLineBytes;
      if (offset % 4) throw std::out_of_range(fmt::format("atomic at {:#x} is not aligned", *address));
      LineAccess& a = line(static_cast<std::uint32_t>(first / kLineBytes));
      a.mask |= static_cast<SectorMask>(1u << (offset / kSectorBytes));
      // 8 bytes per lane: compare value, then new value (compare-and-swap).
      std::memcpy(a.data.bytes.data() + 4 * a.ops, value + (bytes == 8 ? 4 : 0), 4);
      std::memcpy(&a.compare[a.ops], value, 4);
      a.offset[a.ops++] = static_cast<std::uint8_t>(offset);
      value += bytes;
      continue;
    }
    each_part(place(*address, bytes), bytes, [&](LineAccess& a, unsigned offset, unsigned here) {
      std::memcpy(a.data.bytes.data() + offset, value, here);
      value += here;
      for (unsigned i = offset; i < offset + here;) {
        const unsigned n = std::min(offset + here - i, kSectorBytes - i % kSectorBytes);
        a.bytes[i / kSectorBytes] |= static_cast<std::uint32_t>(((std::uint64_t{1} << n) - 1) << (i % kSectorBytes));
        i += n;
      }
    });
  }
}

}  // namespace warpsieve::memsys
