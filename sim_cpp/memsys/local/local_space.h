// Private (local) memory of the threads of one SM: what spilled registers live in.
//
//   address     one line of 128 bytes per warp slot of the SM and spill slot (local_layout.h)
//   L1          shared with the global space, line by line; write-back, write-allocate, a valid and a dirty bit per
//               word, so a store needs no fetch (decision X2). Load hit: l1.latency cycles. A load that misses
//               words fetches the line; words stored meanwhile are not overwritten
//   port        a scheme's LocalPort stands before the L1; a load that hits in it takes one cycle more (A15), and
//               the words it lacks are looked up in the L1 and fetched as above (A12)
//   memory      lines of the device address space behind the workload's image, through the same interconnect, L2
//               and DRAM; write-backs are masked, one 128-byte transaction each, in order with the fetches;
//               a write-back waits while a fetch of its line is under way
//   kernel end  private data die with their threads: dirty words are checked and dropped; local.flush = 1 writes
//               them back
// Every word that a load reads is compared with a copy of private memory in program order (local_judge.h).
// Units: core clock cycles. Throughput: one line access per cycle. Source: AVC paper, decisions A8 to A17, X2.
#pragma once

#include <deque>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "memsys/l1/l1.h"
#include "memsys/local/local_judge.h"
#include "memsys/local/local_layout.h"
#include "memsys/local/local_port.h"
#include "memsys/local/local_stats.h"

namespace warpsieve::memsys {

class LocalSpace final : private PrivateVictims {
 public:
  LocalSpace(Context& context, LocalStats& stats, std::uint32_t sm, std::uint32_t warps, L1Cache& l1,
             Network& requests, Scheme& scheme);

  /// There is private memory; without it begin() and clock() do nothing.
  bool on() const { return lines_ != 0; }
  /// A block of a kernel that needs `slots` per thread starts. The first one of a kernel decides the layout.
  void start_block(std::uint32_t slots) { layout_.start_block(slots); }
  /// An instruction issues (program order): splits it into line accesses and notes its stores.
  void issue(const simt::WarpTrace& trace, const simt::WarpInstr& instr, std::uint32_t warp);
  std::uint32_t size() const { return static_cast<std::uint32_t>(accesses_.size()); }
  /// Access `i` of the instruction that issued last, as L1Cache::load() and store().
  L1Cache::Answer load(Cycle now, std::uint32_t i, std::uint32_t slot);
  bool store(Cycle now, std::uint32_t i);

  bool owns(GlobalLine global_line) const { return global_line >= first_ && global_line < first_ + lines_; }
  /// The waiting load has its data at `there`.
  void reply(Cycle now, const Packet& reply, Cycle there);
  /// First thing in a cycle, after the replies: answers of the port, fills, transactions. True: something moved that
  /// an access may have waited for.
  bool begin(Cycle now);
  /// Last thing in a cycle: the clock edge of the port. Returns when it wants the next cycle.
  Cycle clock(Cycle now);
  /// Loads that have their data since the last call: slot and cycle.
  std::vector<std::pair<std::uint32_t, Cycle>>& completed() { return completed_; }

  /// After the last block of a kernel; write-backs, if there are any, follow.
  void flush(Cycle now);
  void end_kernel() { layout_.end_kernel(); }
  bool idle() const;
  std::string describe() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::size_t kTransactions = 8;  ///< waiting for the interconnect, before the path is held up
  static constexpr std::size_t kRequests = 16;     ///< in the port

  struct Access {
    std::uint32_t line = 0, mask = 0;
    LaneWords words{};  ///< store: data; load: what it must read
  };
  struct Waiting {
    std::uint32_t slot = 0;
    Access access;
  };
  struct Fetch {
    std::uint32_t line = 0, mshr = 0;
    std::uint32_t wanted = 0;  ///< words that loads wait for
    std::uint32_t fresh = 0;   ///< words of the fetched line that cannot be older than what is on chip
    bool sent = false, arrived = false, in_port = false, full = false;
    LaneWords words{};
    std::vector<Waiting> waiting;
  };
  struct Sent {
    LocalOp op = LocalOp::load;
    Access access;
    std::uint32_t slot = 0;
    Fetch* fetch = nullptr;
  };
  struct Transaction {
    bool write = false;
    LineAccess access;
    std::uint32_t mshr = 0;
  };
  enum class Rest { here, waits, held_up };

  void evicted(Cycle now, GlobalLine line, std::uint32_t dirty, const LineData& data) override;
  void count(const Access& access);
  Rest look_up(Cycle now, const Access& access, std::uint32_t mask, std::uint32_t in_port, std::uint32_t slot);
  void write_l1(Cycle now, const Access& access, std::uint32_t mask, bool dirty);
  void clear_l1(std::uint32_t line, std::uint32_t mask);
  void overtake(std::uint32_t line, std::uint32_t mask);
  void write_back(std::uint32_t line, std::uint32_t mask, const LineData& data);
  bool handle(Cycle now, const LocalAnswer& answer);
  bool filled(Cycle now, const Sent& sent, const LocalAnswer& answer);
  void push(const Sent& sent);
  void push_fill();
  bool can_send() const;
  GlobalLine global(std::uint32_t private_line) const { return GlobalLine{first_ + private_line}; }
  void drop_all(Cycle now);
  void flush_l1();
  void erase(const Fetch& fetch);

  Context& context_;
  LocalStats& stats_;
  std::uint32_t sm_, first_, lines_, latency_;
  bool write_back_at_end_;  ///< local.flush
  L1Cache& l1_;
  L1PrivateLines& in_l1_;
  Network& requests_;
  std::unique_ptr<LocalPort> port_;
  LocalLayout layout_;
  LocalJudge judge_;
  std::vector<Access> accesses_;
  std::list<Fetch> fetches_;
  std::deque<Sent> sent_;
  std::deque<Transaction> transactions_;
  std::vector<std::pair<std::uint32_t, Cycle>> completed_;
  bool pushed_ = false, flush_wanted_ = false;
  bool clocked_ = false;  ///< the port, since the last begin()
};

}  // namespace warpsieve::memsys
