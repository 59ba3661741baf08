#include "memsys/sm/occupancy.h"

#include <algorithm>

namespace warpsieve::memsys {

std::uint32_t spare_shared_bytes(const SmParams& sm, const simt::LaunchShape& shape) {
  std::uint32_t blocks = sm.blocks;
  const std::uint32_t threads = Occupancy::share(shape).threads;
  if (threads) blocks = std::min(blocks, sm.threads / threads);
  if (threads && shape.registers) blocks = std::min(blocks, sm.registers / (threads * shape.registers));
  if (shape.shared_bytes) blocks = std::min(blocks, sm.shared_bytes / shape.shared_bytes);
  return sm.shared_bytes - blocks * shape.shared_bytes;
}

Occupancy::Share Occupancy::share(const simt::LaunchShape& shape) {
  const std::uint32_t threads = (shape.threads + simt::kLanes - 1) / simt::kLanes * simt::kLanes;
  return {threads, threads * shape.registers, shape.shared_bytes};
}

bool Occupancy::fits(const simt::LaunchShape& shape, const Share& in) {
  const std::uint32_t threads = share(shape).threads;
  return threads <= in.threads && std::uint64_t{threads} * shape.registers <= in.registers &&
         shape.shared_bytes <= in.shared;
}

void Occupancy::take(const Share& share) {
  free_.threads -= share.threads;
  free_.registers -= share.registers;
  free_.shared -= share.shared;
  ++resident_;
}

void Occupancy::give(const Share& share) {
  free_.threads += share.threads;
  free_.registers += share.registers;
  free_.shared += share.shared;
  --resident_;
}

}  // namespace warpsieve::memsys
