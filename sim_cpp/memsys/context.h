// What all components of one simulated GPU share.
//
// Components that run on threads of their own have parts of it: Context part(kPart, whole). All parts mean the same
// machine and the same packets; each counts for itself (core/stats.h, core/shared_pool.h, golden_memory.h).
#pragma once

#include <memory>
#include <utility>

#include "core/part.h"
#include "core/shared_pool.h"
#include "core/stats.h"
#include "core/wake.h"
#include "memsys/golden_memory/golden_memory.h"
#include "memsys/profile.h"
#include "memsys/types.h"

namespace warpsieve::memsys {

struct Context {
  explicit Context(Profile machine, AddressMap addresses = {})
      : profile(std::move(machine)), map(std::move(addresses)), own_wakes(std::make_unique<WakeTimes>()),
        wakes(*own_wakes) {}
  /// After the golden memory has been loaded; `whole` must outlive it.
  Context(Part part, Context& whole)
      : profile(whole.profile), map(whole.map), wakes(whole.wakes), stats(part, whole.stats),
        packets(part, whole.packets), golden(part, whole.golden) {}

  Profile profile;
  AddressMap map;
  std::unique_ptr<WakeTimes> own_wakes;  ///< of the whole
  WakeTimes& wakes;
  Stats stats;
  SharedPool<Packet> packets;
  GoldenMemory golden;
  std::uint64_t merged_reads = 0;  ///< reads answered by the reply to another
  std::uint64_t progress = 0;      ///< goes up whenever anything moves; the deadlock watch looks at it
  /// Cycle of the component that is running, for observers outside (windows of waveforms). No component reads it.
  Cycle now = 0;
};

}  // namespace warpsieve::memsys
