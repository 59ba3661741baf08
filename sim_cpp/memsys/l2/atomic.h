// apply_atomic(): one 32-bit atomic operation on bytes in memory.
#pragma once

#include <cstdint>
#include <cstring>

#include "simt/warp_trace.h"

namespace warpsieve::memsys {

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

}  // namespace warpsieve::memsys
