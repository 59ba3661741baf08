// Atomic operations of an L2 slice, and how long its atomic unit takes for a packet of them.
//
//   throughput   l2.atomic_ops lane operations per cycle; 0: a packet per cycle
//   conflicts    l2.atomic_same_address cycles for each lane operation to one word; 0: they are combined
//   latency      the packet's time in the unit, and what it waits for the unit, add to the latency of its reply
// The unit has one packet at a time. Sources: the two parameters in profile.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "memsys/profile.h"
#include "memsys/types.h"
#include "simt/warp_trace.h"

namespace warpsieve::memsys {

/// One 32-bit operation on bytes in memory.
inline void apply_atomic(simt::AtomicOp op, std::uint8_t* at, std::uint32_t operand, std::uint32_t compare) {
  std::uint32_t old, value = operand;
  std::memcpy(&old, at, 4);
  switch (op) {
    case simt::AtomicOp::add_u32: value = old + operand; break;
    case simt::AtomicOp::add_f32: {
      float a, b;
      std::memcpy(&a, &old, 4);
      std::memcpy(&b, &operand, 4);
      a += b;
      std::memcpy(&value, &a, 4);
      break;
    }
    case simt::AtomicOp::min_u32: value = old < operand ? old : operand; break;
    case simt::AtomicOp::max_u32: value = old > operand ? old : operand; break;
    case simt::AtomicOp::exch_u32: break;
    case simt::AtomicOp::cas_u32: value = old == compare ? operand : old; break;
  }
  std::memcpy(at, &value, 4);
}

/// All operations of a packet on a line, in lane order.
inline void apply_atomics(const Packet& p, std::uint8_t* line) {
  for (unsigned i = 0; i < p.ops; ++i) {
    std::uint32_t operand;
    std::memcpy(&operand, p.data.bytes.data() + 4 * i, 4);
    apply_atomic(p.op, line + p.offset[i], operand, p.compare[i]);
  }
}

class AtomicUnit {
 public:
  explicit AtomicUnit(const L2Params& p) : ops_(p.atomic_ops), same_address_(p.atomic_same_address) {}
  /// First cycle in which the unit has nothing to do.
  Cycle free() const { return free_; }
  /// Returns the cycles that the packet spends in the unit and in front of it, beyond the first.
  Cycle take(Cycle now, const Packet& p) {
    if (!ops_ && !same_address_) return 0;
    free_ = std::max(free_, now) + cycles(p);
    return free_ - now - 1;
  }

 private:
  Cycle cycles(const Packet& p) const {
    const Cycle all = ops_ ? (p.ops + ops_ - 1) / ops_ : 1;
    if (!same_address_) return all;
    std::array<std::uint8_t, kLineBytes / 4> of_word{};
    unsigned most = 0;
    for (unsigned i = 0; i < p.ops; ++i) most = std::max<unsigned>(most, ++of_word[p.offset[i] / 4]);
    return std::max<Cycle>(all, Cycle{most} * same_address_);
  }

  std::uint32_t ops_, same_address_;
  Cycle free_ = 0;
};

}  // namespace warpsieve::memsys
