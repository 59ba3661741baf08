// DRAM channel: one GDDR6 channel of one memory controller, with its contents.
//
//   requests ─▶ queues (dram_queues.h) ─▶ scheduler (dram_scheduler.h) ─▶ commands ─▶ banks (dram_timing.h)
//                 reads or writes (dram_drain.h) ─┘      refresh (dram_refresh.h) ─┘
//   data     ◀─ dram.latency ◀─ contents (dram_store.h)
//
//   banks        groups x banks_per_group (4 x 4), open page
//   throughput   one command per command cycle; 32 bytes of data in `burst` = 2 of them: 28 GB/s at 1750 MHz
//   latency      idle channel, closed row: tRCD + tCL + burst command cycles, plus dram.latency core cycles
//   forwarding   a read of a sector whose bytes are all in queued writes is answered from the queue; what queued
//                writes hold in part is merged over what the banks bring. Requests to one sector keep their order
//   byte mask    a write of some bytes of a sector takes the time of a whole one
// Units: core cycles at the interface, command cycles inside. Timing parameters: CMD Table II and profile.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ratio.h"
#include "core/ring.h"
#include "core/stats.h"
#include "core/wake.h"
#include "memsys/dram/dram_address.h"
#include "memsys/dram/dram_drain.h"
#include "memsys/dram/dram_queues.h"
#include "memsys/dram/dram_refresh.h"
#include "memsys/dram/dram_scheduler.h"
#include "memsys/dram/dram_store.h"
#include "memsys/dram/dram_timing.h"
#include "memsys/profile.h"
#include "memsys/request_kind.h"

namespace warpsieve::memsys {

class DramChannel {
 public:
  DramChannel(const DramParams& params, Stats& stats);

  /// False: queue full. `now` in core cycles; after tick(now) if that is due, so that the request takes part from the
  /// next command cycle on.
  bool read(Cycle now, std::uint64_t address, RequestKind kind, std::uint64_t cookie) {
    if (queues_.full(false) && queues_.size(true) == 0) return false;
    return take_read(now, address, kind, cookie);
  }
  /// `bytes`: those that are written.
  bool write(Cycle now, std::uint64_t address, RequestKind kind, const std::uint8_t* sector,
             std::uint32_t bytes = kFullSector);
  /// Issues all commands up to `now`.
  void tick(Cycle now) { run_to(command_cycle(now)); }
  /// When tick() is due again if nothing is read, written or popped until then: when a change of the channel can be
  /// seen. kNever: nothing is queued or under way.
  Cycle due(Cycle now) const {
    Cycle next = column_from_ >= kFar ? kNever : core_cycle(column_from_);
    if (!done_.empty()) next = std::min(next, done_.front().at);
    if (!forwarded_.empty()) next = std::min(next, forwarded_.front().at);
    return std::max(now + 1, next);
  }
  /// Performs and counts the refreshes of an idle channel that are due before `now`. Without the call they are
  /// counted with the next request; timing is the same.
  void count_idle_refreshes(Cycle now) {
    if (queues_.empty()) refresh_.catch_up(command_cycle(now));
  }

  struct Done {
    std::uint64_t cookie = 0, address = 0;
    Cycle at = 0;
    alignas(32) std::uint8_t data[kSectorBytes] = {};
  };
  /// Read data that is there at `now`, or nullptr.
  const Done* front(Cycle now) const {
    if (!forwarded_.empty() && forwarded_.front().at <= now &&
        (done_.empty() || forwarded_.front().at <= done_.front().at))
      return &forwarded_.front();
    if (!done_.empty() && done_.front().at <= now) return &done_.front();
    return nullptr;
  }
  void pop();
  /// True once after a request left a queue since the last call.
  bool take_room() {
    const bool room = room_;
    room_ = false;
    return room;
  }

  DramStore& store() { return store_; }
  /// Data from the banks that are under way, oldest first.
  const Ring<Done>& under_way() const { return done_; }
  bool idle() const { return queues_.empty() && done_.empty() && forwarded_.empty(); }
  /// Command cycle after the last data burst so far.
  std::uint64_t last_data() const { return last_data_; }
  /// Every command is appended here when set (for the timing checker).
  void record(std::vector<DramCommand>* commands) { bus_.record(commands); }
  std::string describe() const;

 private:
  static constexpr std::uint32_t kNone = DramQueues::kNone;
  static constexpr std::uint64_t kFar = DramScheduler::kFar;
  bool take_read(Cycle now, std::uint64_t address, RequestKind kind, std::uint64_t cookie);
  std::uint64_t command_cycle(Cycle core) const { return commands_per_core_.floor(core); }
  Cycle core_cycle(std::uint64_t command) const { return cores_per_command_.ceil(command); }
  std::uint64_t make_ready(Cycle now, bool& alone);
  void queued(std::uint64_t c, std::uint32_t bank, bool write, std::uint32_t entry, bool alone);
  void run_to(std::uint64_t limit);
  void step(std::uint64_t c);
  void activate(std::uint64_t c, std::uint32_t bank, bool write);
  void precharge(std::uint64_t c, std::uint32_t bank, bool write);
  void column(std::uint64_t c, std::uint32_t bank, bool write);

  DramParams p_;
  DramDecoder decoder_;
  Ratio commands_per_core_, cores_per_command_;
  DramStore store_;
  DramQueues queues_;
  DramCommandBus bus_;
  DramTiming timing_;
  DramDrain drain_;
  DramScheduler scheduler_;
  DramRefresh refresh_;
  bool room_ = false;
  bool turning_ = false;                ///< with the next command between draining writes and reading
  std::uint64_t cursor_ = kNever;       ///< next command cycle to look at
  std::uint64_t column_from_ = kNever;  ///< no column command goes out before
  std::uint64_t last_data_ = 0;
  Ring<Done> done_, forwarded_;
  std::vector<Counter> requests_;  ///< by kind
  Counter reads_, writes_, forwards_, row_hits_, activate_count_, precharge_count_, busy_, turns_;
};

}  // namespace warpsieve::memsys
