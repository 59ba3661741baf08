// Load/store unit of an SM: hands the line accesses of one memory instruction at a time to the L1 or to private
// memory.
//
//   throughput  one line access per cycle
//   latency     an instruction that issues in cycle t offers its first line access at t + 1. The next memory
//   instruction
//               can issue in the cycle in which the last access went
//   stall       an access that is refused holds up those behind it. It is offered again after the next reply, or when
//               there is room in the request queue if that was full
//   order       loads that a scheme's L1Port made wait (L1Cache::replay) go before new ones
// A peer's load that takes the port of the L1 costs the cycle.
#pragma once

#include <cstdint>

#include "memsys/context.h"
#include "memsys/l1/l1.h"
#include "memsys/local/local_space.h"
#include "memsys/noc/network.h"
#include "memsys/sm/coalescer.h"
#include "memsys/sm/sm_stats.h"

namespace warpsieve::memsys {

class LoadStoreUnit {
 public:
  LoadStoreUnit(Context& context, SmStats& stats, std::uint32_t sm, Network& requests, L1Cache& l1,
                LocalSpace& local);

  /// A memory instruction is under way.
  const bool& busy() const { return busy_; }
  /// It waits: step() would change nothing.
  bool stalled() const { return stalled_; }
  /// Takes a memory instruction of a warp; returns its line accesses. 0: no lane is active, and nothing is under way.
  std::uint32_t issue(const simt::WarpTrace& trace, const simt::WarpInstr& instr, std::uint32_t warp);
  /// Its loads and atomics are those of this slot of the scoreboard.
  void answer_to(std::uint32_t slot) { slot_ = slot; }

  /// A load or atomic whose data is known to come in cycle `done`; kNever: there is none.
  struct Done {
    std::uint32_t slot;
    Cycle done;
  };
  /// Offers the next access, once per cycle: if has_replay(), one of those.
  Done step(Cycle now);
  bool has_replay() const { return l1_.has_replay(); }
  /// A reply for the line came, or private memory moved: what was refused can be offered again.
  void retry() { stalled_ = false; }
  void retry(GlobalLine global_line) {
    if (global_line == no_room_) no_room_ = kNone;
    stalled_ = false;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// Nothing has come that what was refused may wait for.
  bool waits() { return stalled_ && !(for_room_ && requests_.can_push(sm_)); }
  bool l1_taken(Cycle now);
  void refused();
  L1Cache::Answer offer(Cycle now);
  Done replay(Cycle now);

  Context& context_;
  SmStats& stats_;
  std::uint32_t sm_;
  Network& requests_;
  L1Cache& l1_;
  LocalSpace& local_;
  Coalescer coalescer_;
  bool busy_ = false, stalled_ = false;
  bool for_room_ = false;  ///< what was refused is tried again when there is room, not only with the next reply
  simt::Op op_ = simt::Op::load;  // copies: a block may be gone before its last store went out
  simt::AtomicOp atomic_ = simt::AtomicOp::add_u32;
  std::uint32_t next_ = 0, count_ = 0, slot_ = kNone;
  std::uint32_t no_room_ = kNone;  ///< line of the load that only waits for room in the request queue
};

}  // namespace warpsieve::memsys
