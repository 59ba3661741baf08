// Addresses of private memory: one line of 128 bytes per warp slot of an SM and spill slot, one word per lane.
//
//   warp-major   local.layout = 0: the slots of a warp are neighbours (decision A8)
//   slot-major   local.layout = 1: the warps of a slot are neighbours
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

#include "memsys/profile.h"
#include "simt/warp_trace.h"

namespace warpsieve::memsys {

class LocalLayout {
 public:
  /// Lines of one SM.
  static std::uint32_t lines(const Profile& profile) {
    const std::uint32_t schedulers = profile.sm.schedulers;
    const std::uint32_t warps = (profile.sm.threads / simt::kLanes + schedulers - 1) / schedulers * schedulers;
    return (warps * profile.local.slots + 15) / 16 * 16;
  }

  LocalLayout(const LocalParams& params, std::uint32_t warps)
      : slots_(params.slots), slot_major_(params.layout != 0), warps_(warps) {}
  /// A block of a kernel that needs `slots` per thread starts. The first one of a kernel decides the layout.
  void start_block(std::uint32_t slots) {
    if (slots > slots_)
      throw std::invalid_argument(
          fmt::format("a kernel spills {} words per thread, local.slots = {} is too small", slots, slots_));
    if (!stride_) stride_ = slots;
  }
  void end_kernel() { stride_ = 0; }
  /// Line of the SM.
  std::uint32_t line(std::uint32_t warp, std::uint32_t slot) const {
    if (slot >= slots_) throw std::out_of_range(fmt::format("spill slot {}, local.slots = {}", slot, slots_));
    const std::uint32_t stride = stride_ ? stride_ : slots_;
    if (slot_major_) return slot * warps_ + warp;
    // Slots that a later block of the kernel adds lie behind those of all warps.
    return slot < stride ? warp * stride + slot : warps_ * stride + (slot - stride) * warps_ + warp;
  }

 private:
  std::uint32_t slots_;
  bool slot_major_;
  std::uint32_t warps_;
  std::uint32_t stride_ = 0;  ///< spill slots per warp in the layout of this kernel
};

}  // namespace warpsieve::memsys
