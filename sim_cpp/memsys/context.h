// What all components of one simulated GPU share.
#pragma once

#include "core/ring.h"
#include "core/stats.h"
#include "core/wake.h"
#include "memsys/golden_memory/golden_memory.h"
#include "memsys/profile.h"
#include "memsys/types.h"

namespace warpsieve::memsys {

struct Context {
  Profile profile;
  AddressMap map;
  WakeTimes wakes;
  Stats stats;
  Pool<Packet> packets;
  GoldenMemory golden;
  std::uint64_t merged_reads = 0;  ///< reads answered by the reply to another
  std::uint64_t progress = 0;      ///< goes up whenever anything moves; the deadlock watch looks at it
  /// Cycle of the component that is running, for observers outside (windows of waveforms). No component reads it.
  Cycle now = 0;
};

}  // namespace warpsieve::memsys
