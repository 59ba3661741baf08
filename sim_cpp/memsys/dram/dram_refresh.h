// Refresh of a DRAM channel: all banks every dram.tREFI command cycles, dram.tRFC long. Open banks are closed before.
//
// Refreshes that fall into idle time are caught up with when the next request arrives. They take no time of the
// simulation then, and delay the request as they would have.
#pragma once

#include <cstdint>

#include "core/stats.h"
#include "memsys/dram/dram_scheduler.h"
#include "memsys/dram/dram_timing.h"

namespace warpsieve::memsys {

class DramRefresh {
 public:
  DramRefresh(const DramParams& params, DramTiming& timing, DramCommandBus& bus, DramScheduler& scheduler);
  /// Declares the counter of refreshes.
  void count_in(Stats& stats) { count_ = stats.add("dram.refreshes", "commands", "all-bank refreshes"); }
  /// Command cycle of the next refresh.
  std::uint64_t due() const { return due_; }
  /// One step of the refresh that is due: closes the banks, or refreshes. Returns true when a command went out; else
  /// `next` is the command cycle to try again.
  bool step(std::uint64_t c, std::uint64_t& next);
  /// Refreshes whose whole sequence would have been issued before `until`, while nothing was queued.
  void catch_up(std::uint64_t until);

 private:
  DramParams p_;
  DramTiming& timing_;
  DramCommandBus& bus_;
  DramScheduler& scheduler_;
  std::uint64_t due_;
  Counter count_;
};

}  // namespace warpsieve::memsys
