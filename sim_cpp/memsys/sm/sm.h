// SM: replays the instruction streams of its warps.
//
//   occupancy   blocks are taken while threads, registers, shared memory and block slots last
//   schedulers  4, warp slot w belongs to scheduler w % 4; each issues one instruction per cycle. Greedy then
//               oldest: the warp that issued last if it can, else the one dispatched first. Loose round robin
//               (sm.scheduler = 1): the next slot that can, behind the one that issued last
//   scoreboard  an instruction issues when the instructions of its source[] list have their results; in
//               program order per warp. alu 4, sfu 16, shared 24, constant 8 cycles; by class: units.h
//   groups      sm.alu_chain % of the `count` instructions of an alu wait for the one before. The result of the
//               group is that of its last instruction
//   barrier     opens in the cycle after the last live warp of the block has issued it
//   LSU         one memory instruction at a time per SM; it issues in cycle t, its first line request goes to
//               the L1 at t + 1, then one per cycle; the next memory instruction can issue in the cycle in
//               which the last one went. Of several schedulers the lowest number gets it, or with sm.lsu_fair
//               the next one behind the last that did
//   loads       done when the last sector has arrived; a reply taken in cycle t serves issue at t + 1
//   stores      no instruction waits for them; a kernel ends when all are acknowledged
// Loads and stores of private memory (spilled registers) go the same way, to LocalSpace; a word of each lane is one
// line access. Parameters: `sm.*` in profile.cpp (CMD Table II: 4 schedulers, 1,024 threads, 65,536 registers, 64
// KB).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memsys/context.h"
#include "memsys/l1/l1.h"
#include "memsys/local/local_space.h"
#include "memsys/noc/network.h"
#include "memsys/sm/coalescer.h"
#include "memsys/sm/units.h"

namespace warpsieve::memsys {

struct SmStats {
  explicit SmStats(Stats& stats);
  Counter warp_instructions, thread_instructions, memory_instructions, loads, stores, atomics, line_requests,
      barriers, blocks, active_cycles, lsu_busy;
};

class Sm {
 public:
  Sm(Context& context, SmStats& stats, L1Stats& l1, LocalStats& local, std::uint32_t number, std::uint32_t wake_id,
     Network& requests, Network& replies, Scheme& scheme);

  /// Shared memory left over by as many blocks of this kernel as fit at a time.
  std::uint32_t spare_shared_bytes(const simt::LaunchShape& shape) const;
  /// Before the first block of a kernel.
  void start_kernel(Cycle now, const simt::LaunchShape& shape) { l1_.start_kernel(now, spare_shared_bytes(shape)); }
  bool has_room(const simt::LaunchShape& shape) const;
  /// There is room as long as no block is resident.
  bool can_hold(const simt::LaunchShape& shape) const;
  /// There must be room.
  void start(Cycle now, const simt::LaunchShape& shape, simt::BlockTrace&& trace);
  Cycle tick(Cycle now);
  /// Prefetches on the host what the replies of the cycles from `now` to before `end` access.
  void expect(Ahead step, Cycle now, Cycle end) const;
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
  bool idle() const { return resident_ == 0 && !lsu_busy_ && l1_.idle() && local_.idle(); }
  std::string describe() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Warp {
    const simt::WarpTrace* trace = nullptr;
    std::uint32_t pc = 0, repeat = 0, block = 0;
    std::uint32_t outstanding = 0;  ///< loads and atomics under way
    bool at_barrier = false;
    Cycle last_done = 0;
    Cycle group_done = 0;  ///< latest result of the group under way; unless units_.simple()
    std::uint64_t age = 0;
    std::vector<Cycle> done;  ///< when the result of each instruction is there
  };
  struct Block {
    bool used = false;
    simt::BlockTrace trace;
    std::uint32_t warps = 0;
    std::uint32_t live = 0;     ///< warps with instructions left (or at a barrier)
    std::uint32_t running = 0;  ///< warps that are live or have loads under way
    std::uint32_t waiting = 0;  ///< warps at the barrier
    std::uint32_t threads = 0, registers = 0, shared = 0;
    Cycle end = 0;  ///< release time once nothing runs any more
  };
  struct Slot {
    std::uint32_t warp = 0, instr = 0, remaining = 0;
    Cycle done = 0;
  };

  void take_replies(Cycle now);
  template <bool kPlain>
  Cycle schedule(Cycle now);
  void decode(Cycle now, Packet& p);
  bool l1_taken(Cycle now);
  bool lsu_waits();
  void lsu_step(Cycle now);
  void lsu_refused();
  L1Cache::Answer lsu_offer(Cycle now);
  void replay_step(Cycle now);
  template <bool kPlain>
  bool goes_before(std::uint32_t s, std::uint32_t w, std::uint32_t chosen) const;
  void issue(Cycle now, std::uint32_t w);
  bool issue_to_unit(Cycle now, std::uint32_t w, const simt::WarpInstr& instr, Cycle& done);
  void leave(Cycle now, std::uint32_t w);
  void retire(Cycle now, std::uint32_t w);
  void complete(Cycle now, std::uint32_t slot, Cycle done);
  void find_ready(Cycle now, std::uint32_t w);
  void set_ready(std::uint32_t w, Cycle at) {
    ready_[w] = at;
    if (at == kNever)
      runnable_.reset(w);
    else
      runnable_.set(w);
  }
  void open_barrier(Cycle now, Block& block, std::uint32_t index);
  void release_blocks(Cycle now);

  Context& context_;
  SmStats& stats_;
  SmParams p_;
  std::uint32_t number_, id_;
  Network& requests_;
  Network& replies_;
  const Arrival& arrival_;  ///< head of `replies_`
  L1Cache l1_;
  LocalSpace local_;
  Coalescer coalescer_;
  std::unique_ptr<ReplyDecoder> decoder_;

  std::vector<Warp> warps_;
  std::vector<Cycle> ready_;  ///< per warp slot: earliest issue of its next instruction
  BitSet runnable_;           ///< warp slots for which that is not kNever, but for those of lsu_waiting_
  BitSet lsu_waiting_;        ///< warp slots that were found ready while the LSU was busy
  Units units_;
  bool plain_;  ///< greedy then oldest, the LSU by number and nothing but the LSU to wait for: a shorter schedule()
  static constexpr Units::Gate kLsuGate = 0xff;
  std::vector<Units::Gate> gate_;    ///< per warp slot: what its next instruction needs besides its sources
  std::vector<std::uint32_t> last_;  ///< per scheduler
  std::vector<Block> blocks_;
  std::uint32_t per_scheduler_ = 0;
  std::uint32_t resident_ = 0, free_threads_, free_registers_, free_shared_, finished_ = 0;
  std::vector<std::uint32_t> free_warps_;
  std::uint64_t age_ = 0;
  Cycle next_release_ = kNever;

  // LSU
  bool lsu_busy_ = false, lsu_stalled_ = false;
  std::uint32_t lsu_turn_ = 0;  ///< first scheduler of the round
  bool lsu_for_room_ = false;   ///< what was refused is tried again when there is room, not only with the next reply
  simt::Op lsu_op_ = simt::Op::load;  // copies: a block may be gone before its last store went out
  simt::AtomicOp lsu_atomic_ = simt::AtomicOp::add_u32;
  std::uint32_t lsu_next_ = 0, lsu_count_ = 0, lsu_slot_ = kNone;
  std::uint32_t lsu_no_room_ = kNone;  ///< line of the load that only waits for room in the request queue
  Pool<Slot> slots_;
  std::vector<std::uint32_t> completed_;
};

}  // namespace warpsieve::memsys
