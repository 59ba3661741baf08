// Occupancy: threads, registers, shared memory and block slots of an SM, and which thread blocks they hold.
//
// A block takes whole warps of threads, and its registers for all of them. Parameters: `sm.*` in profile.cpp.
#pragma once

#include <cstdint>

#include "memsys/profile.h"
#include "simt/warp_trace.h"

namespace warpsieve::memsys {

/// Shared memory left over by as many blocks of this shape as fit at a time.
std::uint32_t spare_shared_bytes(const SmParams& sm, const simt::LaunchShape& shape);

class Occupancy {
 public:
  /// What one block takes.
  struct Share {
    std::uint32_t threads = 0, registers = 0, shared = 0;
  };
  static Share share(const simt::LaunchShape& shape);

  explicit Occupancy(const SmParams& sm)
      : all_{sm.threads, sm.registers, sm.shared_bytes}, free_(all_), blocks_(sm.blocks) {}
  bool has_room(const simt::LaunchShape& shape) const { return resident_ < blocks_ && fits(shape, free_); }
  /// There is room as long as no block is resident.
  bool can_hold(const simt::LaunchShape& shape) const { return fits(shape, all_); }
  std::uint32_t resident() const { return resident_; }
  void take(const Share& share);
  void give(const Share& share);

 private:
  static bool fits(const simt::LaunchShape& shape, const Share& in);

  Share all_, free_;
  std::uint32_t blocks_, resident_ = 0;
};

}  // namespace warpsieve::memsys
