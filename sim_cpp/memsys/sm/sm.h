// SM: replays the instruction streams of its warps.
//
//   blocks ─▶ occupancy ─▶ warps ─▶ schedulers ─┬─▶ execution units (units.h)
//             (occupancy.h)  (warp_scheduler.h) └─▶ load/store unit ─▶ coalescer ─▶ L1, private memory
//                                                   (load_store_unit.h)
//   scoreboard  an instruction issues when the instructions of its source[] list have their results; in program order
//               per warp. Latencies: alu 4, sfu 16, shared 24, constant 8 cycles; by class: units.h
//   groups      sm.alu_chain % of the `count` instructions of an alu wait for the one before. The result of the group
//               is that of its last instruction
//   barrier     opens in the cycle after the last live warp of the block has issued it
//   loads       done when the last sector has arrived; a reply taken in cycle t serves issue at t + 1
//   stores      no instruction waits for them; a kernel ends when all are acknowledged
//   private     loads and stores of spilled registers go the same way; a word of each lane is one line access
// Units: core clock cycles. Throughput: an instruction per scheduler and cycle. Parameters: `sm.*` in profile.cpp
// (CMD Table II: 4 schedulers, 1,024 threads, 65,536 registers, 64 KB).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "memsys/context.h"
#include "memsys/l1/l1.h"
#include "memsys/local/local_space.h"
#include "memsys/noc/network.h"
#include "memsys/sm/load_store_unit.h"
#include "memsys/sm/occupancy.h"
#include "memsys/sm/result_times.h"
#include "memsys/sm/sm_stats.h"
#include "memsys/sm/units.h"
#include "memsys/sm/warp_scheduler.h"

namespace warpsieve::memsys {

class Sm {
 public:
  Sm(Context& context, SmStats& stats, L1Stats& l1, LocalStats& local, std::uint32_t number, std::uint32_t wake_id,
     Network& requests, Network& replies, Scheme& scheme);

  /// Before the first block of a kernel.
  void start_kernel(Cycle now, const simt::LaunchShape& shape) {
    ran_ = 0;  // what it ran behind the end of the last kernel does not count
    l1_.start_kernel(now, shape);
  }
  bool has_room(const simt::LaunchShape& shape) const { return occupancy_.has_room(shape); }
  /// There is room as long as no block is resident.
  bool can_hold(const simt::LaunchShape& shape) const { return occupancy_.can_hold(shape); }
  /// There must be room.
  void start(Cycle now, const simt::LaunchShape& shape, simt::BlockTrace&& trace);
  Cycle tick(Cycle now);
  /// Why run() is not at its end: the network may have to come to a cycle first; there is room for a block.
  enum class Stop { end, network, room };
  /// Runs every cycle before `end` in which it is due, ahead of the network, which has come to `exact`: past that,
  /// its queue must have room for all that a cycle can push. With `blocks`, the shape of those that are left, it
  /// stops after a cycle in which it has room for one.
  Stop run(Cycle exact, Cycle end, const simt::LaunchShape* blocks);
  /// The last cycle of the last run(); the one in which it became idle.
  Cycle ran() const { return ran_; }
  /// After a tick in `now`; run() does so itself.
  void note_idle(Cycle now) {
    if (!idle()) return;
    if (!was_idle_) idle_since_ = now;
    was_idle_ = true;
  }
  Cycle idle_since() const { return idle_since_; }
  bool has_finished() const { return finished_ != 0; }
  /// Blocks finished since the last call.
  std::uint32_t take_finished() {
    const std::uint32_t n = finished_;
    finished_ = 0;
    return n;
  }
  /// Private memory of a kernel whose blocks are all done; see LocalSpace::flush().
  void flush_private(Cycle now);
  void end_kernel() {
    local_.end_kernel();
    l1_.end_kernel();
  }
  L1Cache& l1() { return l1_; }
  /// Nothing is left of its blocks: they may be gone before their last store went out and was acknowledged.
  bool idle() const { return occupancy_.resident() == 0 && !lsu_.busy() && l1_.idle() && local_.idle(); }
  std::string describe() const;

  // State, for prefetching on the simulating machine (host_prefetch.h).
  const L1Cache& l1() const { return l1_; }
  const LocalSpace& local() const { return local_; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// Places in the request queue with which no cycle finds it full: two packets, one by the load/store unit and one
  /// by private memory, and one place after them.
  static constexpr std::size_t kPlaces = 3;
  struct Warp {
    const simt::WarpTrace* trace = nullptr;
    std::span<const simt::WarpInstr> instrs;  ///< of it
    std::uint32_t pc = 0, repeat = 0, block = 0;
    std::uint32_t outstanding = 0;  ///< loads and atomics under way
    bool at_barrier = false;
    Cycle last_done = 0;
    Cycle group_done = 0;  ///< latest result of the group under way; unless units_.simple()
    ResultTimes results;
  };
  struct Block {
    bool used = false;
    simt::BlockTrace trace;
    Occupancy::Share share;
    std::uint32_t warps = 0;
    std::uint32_t live = 0;     ///< warps with instructions left (or at a barrier)
    std::uint32_t running = 0;  ///< warps that are live or have loads under way
    std::uint32_t waiting = 0;  ///< warps at the barrier
    Cycle end = 0;              ///< release time once nothing runs any more
  };
  /// A load or atomic under way.
  struct Load {
    std::uint32_t warp = 0, instr = 0;
    std::uint32_t remaining = 0;  ///< line accesses without data
    Cycle done = 0;
  };

  void take_replies(Cycle now);
  void decode(Cycle now, Packet& p);
  void issue(Cycle now, std::uint32_t w);
  bool issue_to_unit(Cycle now, std::uint32_t w, const simt::WarpInstr& instr, Cycle& done);
  void leave(Cycle now, std::uint32_t w);
  void retire(Cycle now, std::uint32_t w);
  void complete(Cycle now, std::uint32_t load, Cycle done);
  void find_ready(Cycle now, std::uint32_t w);
  void open_barrier(Cycle now, Block& block, std::uint32_t index);
  void release_blocks(Cycle now);

  Context& context_;
  SmStats& stats_;
  SmParams p_;
  std::uint32_t number_, id_;
  Network& requests_;
  Network& replies_;
  const Arrival& arrival_;  ///< head of `replies_`
  Units units_;
  WarpScheduler scheduler_;
  L1Cache l1_;
  LocalSpace local_;
  LoadStoreUnit lsu_;
  std::unique_ptr<ReplyDecoder> decoder_;
  Occupancy occupancy_;

  std::vector<Warp> warps_;  ///< by slot of the scheduler
  std::vector<std::uint32_t> free_warps_;
  std::vector<Block> blocks_;
  std::uint32_t finished_ = 0;
  Cycle next_release_ = kNever;
  bool was_idle_ = true;
  Cycle ran_ = 0, idle_since_ = 0;
  Pool<Load> loads_;
  std::vector<std::uint32_t> completed_;  ///< of one reply
};

}  // namespace warpsieve::memsys
