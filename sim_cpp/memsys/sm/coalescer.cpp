#include "memsys/sm/coalescer.h"

#include <fmt/format.h>

#include <stdexcept>

#include "core/find_key.h"

namespace warpsieve::memsys {

LineAccess& Coalescer::line(std::uint32_t number, bool clear) {
  if (const std::uint32_t i = find_key(numbers_.data(), count_, number); i != count_) return lines_[i];
  if (count_ == lines_.size()) {
    lines_.emplace_back();
    numbers_.emplace_back();
  }
  numbers_[count_] = number;
  LineAccess& a = lines_[count_++];
  a.line = number;
  a.mask = 0;
  a.ops = 0;
  if (clear) a.bytes = {};
  return a;
}

void Coalescer::split(const simt::WarpTrace& trace, const simt::WarpInstr& instr) {
  count_ = 0;
  const simt::Addr* address = trace.addresses.data() + instr.payload;
  const std::uint8_t* value = instr.op == simt::Op::load ? nullptr : trace.data.data() + instr.values;
  const unsigned bytes = instr.bytes;
  for (std::uint32_t lanes = instr.mask; lanes; lanes &= lanes - 1, ++address, value += value ? bytes : 0) {
    const simt::Addr first = *address - map_.base;
    const unsigned width = instr.op == simt::Op::atomic ? 4 : bytes;
    if (*address < map_.base || first + width > map_.size)
      throw std::out_of_range(fmt::format("address {:#x} is outside of device memory", *address));
    unsigned offset = first % kLineBytes;
    auto number = static_cast<std::uint32_t>(first / kLineBytes);
    if (instr.op == simt::Op::atomic) {
      if (offset % 4) throw std::out_of_range(fmt::format("atomic at {:#x} is not aligned", *address));
      LineAccess& a = line(number, false);
      a.mask |= static_cast<SectorMask>(1u << (offset / kSectorBytes));
      // 8 bytes per lane: compare value, then new value (compare-and-swap).
      std::memcpy(a.data.bytes.data() + 4 * a.ops, value + (bytes == 8 ? 4 : 0), 4);
      std::memcpy(&a.compare[a.ops], value, 4);
      a.offset[a.ops++] = static_cast<std::uint8_t>(offset);
      continue;
    }
    unsigned done = 0;
    while (done < bytes) {
      LineAccess& a = line(number, value != nullptr);
      if (!value) {
        a.lane_bytes = instr.bytes;
        a.offset[a.ops++] = static_cast<std::uint8_t>(offset);
      }
      const unsigned here = std::min(bytes - done, kLineBytes - offset);
      const unsigned last = (offset + here - 1) / kSectorBytes;
      for (unsigned s = offset / kSectorBytes; s <= last; ++s) a.mask |= static_cast<SectorMask>(1u << s);
      if (value) {
        std::memcpy(a.data.bytes.data() + offset, value + done, here);
        for (unsigned i = offset; i < offset + here;) {
          const unsigned n = std::min(offset + here - i, kSectorBytes - i % kSectorBytes);
          a.bytes[i / kSectorBytes] |=
              static_cast<std::uint32_t>(((std::uint64_t{1} << n) - 1) << (i % kSectorBytes));
          i += n;
        }
      }
      done += here;
      offset = 0;
      ++number;
    }
  }
}

}  // namespace warpsieve::memsys
