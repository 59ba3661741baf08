// DRAM channel: one GDDR6 channel of one memory controller, with its scheduler and its contents.
//
//   banks        groups x banks_per_group (4 x 4), open page
//   data bus     32 bytes in `burst` = 2 command cycles: 28 GB/s at 1750 MHz (peak_gbytes())
//   scheduler    FR-FCFS: ready column commands first (while the data bus idles: activates), then the oldest
//   starvation   a request older than `starvation` cycles is starved. If the oldest request of a bank is starved, an
//                open row closes after `starved_hits` column commands. If a read is starved, a drain ends after two
//                thirds of write_high - write_low writes. The oldest read then precedes the next drain, and so do
//                all starved reads unless the write queue fills up. A row stays open until these hits are served:
//                under load every request is starved, and row hits are most of the throughput
//   queues       reads and writes apart; reads first; writes are drained from `write_high` down to
//                `write_low`, or whenever there are no reads. A read of a sector whose bytes are all in queued
//                writes is answered from the queue; what queued writes hold in part is merged over what the
//                banks bring. A write never passes an older read of its sector, nor reads or writes of one
//                sector each other
//   byte mask    a write of some bytes of a sector takes what one of all takes
//   latency      idle channel, closed row: tRCD + tCL + burst command cycles, plus dram.latency core cycles
//   refresh      all banks, every tREFI, tRFC long; refreshes that fall into idle time are caught up with
//                when the next request arrives, so idle time costs nothing
//   address      offset 5 | column 6 | bank group 2 | bank 2 | row; group_bit moves the bank group down,
//                with low_group_bits only the lowest bits of it
//   contents     paged flat array from address 0 (data lines, then whatever the scheme keeps behind them)
// One command per command cycle. Timing parameters: CMD Table II and profile.cpp, in command cycles.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/prefetch.h"
#include "core/ratio.h"
#include "core/ring.h"
#include "core/stats.h"
#include "core/wake.h"
#include "memsys/ports.h"
#include "memsys/profile.h"

namespace warpsieve::memsys {

enum class DramCommandKind : std::uint8_t { activate, precharge, precharge_all, read, write, refresh };

struct DramCommand {
  std::uint64_t cycle = 0;  ///< command cycle
  DramCommandKind kind = DramCommandKind::activate;
  std::uint32_t bank = 0;  ///< group * banks_per_group + bank
  std::uint64_t row = 0;
};

struct DramAddress {
  std::uint32_t bank = 0, group = 0, column = 0;
  std::uint64_t row = 0;
};
DramAddress decode(const DramParams& params, std::uint64_t address);
/// Inverse of decode, for tests and generators of access patterns.
std::uint64_t encode(const DramParams& params, const DramAddress& place);

/// Contents of a channel: 64 KB pages made at the first write; the rest reads as zero. The table of pages is dense,
/// up to the highest page written: contents are for devices whose data begin at address 0.
class DramStore {
 public:
  /// Nothing is kept, whatever is written: every sector reads as zero. Before the first write.
  void keep_nothing() { kept_ = false; }
  void read(std::uint64_t address, std::uint8_t* sector) const;
  /// The sector will be read soon.
  void prefetch(std::uint64_t address) const {
    const std::uint64_t page = address / kPage;
    if (page < pages_.size() && pages_[page]) warpsieve::prefetch(pages_[page].get() + address % kPage);
  }
  /// `bytes`: those that are written.
  void write(std::uint64_t address, const std::uint8_t* sector, std::uint32_t bytes = kFullSector);

 private:
  static constexpr std::uint64_t kPage = 65536;
  bool grow(std::uint64_t page);  ///< false: nothing is kept
  std::vector<std::unique_ptr<std::uint8_t[]>> pages_;
  bool kept_ = true;
};

class DramChannel {
 public:
  DramChannel(const DramParams& params, Stats& stats);

  /// False: queue full. `now` in core cycles; after tick(now) if that is due, so that the request takes part from the
  /// next command cycle on.
  bool read(Cycle now, std::uint64_t address, RequestKind kind, std::uint64_t cookie) {
    if (free_[0] == kNone && queued_[1] == 0) return false;
    return take_read(now, address, kind, cookie);
  }
  /// `bytes`: those that are written.
  bool write(Cycle now, std::uint64_t address, RequestKind kind, const std::uint8_t* sector,
             std::uint32_t bytes = kFullSector);
  /// Issues all commands up to `now`.
  void tick(Cycle now) { run_to(command_cycle(now)); }
  /// When tick() is due again if nothing is read, written or popped until then: when something may be seen of the
  /// channel. kNever: nothing is queued or under way.
  Cycle due(Cycle now) const {
    Cycle next = column_from_ >= kFar ? kNever : core_cycle(column_from_);
    if (!done_.empty()) next = std::min(next, done_.front().at);
    if (!forwarded_.empty()) next = std::min(next, forwarded_.front().at);
    return std::max(now + 1, next);
  }
  /// Nobody asks an idle channel: does the refreshes that are due before `now` and have not been done, so that they
  /// are counted. Without it they are done, and counted, with the next request; timing is the same.
  void count_idle_refreshes(Cycle now);

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
  bool idle() const { return queued_[0] + queued_[1] == 0 && done_.empty() && forwarded_.empty(); }
  /// Command cycle after the last data burst so far.
  std::uint64_t last_data() const { return last_data_; }
  /// Every command is appended here when set (for the timing checker).
  void record(std::vector<DramCommand>* commands) { trace_ = commands; }
  std::string describe() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint64_t kFar = kNever / 2;  ///< a command cycle that never comes, also with timings added
  struct alignas(64) Entry {
    std::uint64_t address = 0, cookie = 0, row = 0, seq = 0, arrival = 0;
    std::uint32_t next = kNone;  ///< of its bank, or of those that are free
    std::uint32_t blockers = 0;  ///< write: older reads of the same sector
  };
  using Sector = std::array<std::uint8_t, kSectorBytes>;
  /// Requests of one bank and direction in order of arrival.
  struct List {
    std::uint32_t head = kNone, tail = kNone;
  };
  /// What the scheduler could do for such a list: columns for the first request to the open row that is not blocked,
  /// else a command to open the row of the first that is not blocked. Kept until something changes it.
  struct Ready {
    std::uint64_t at = kFar;         ///< earliest command cycle as far as the bank decides; kFar: all are blocked
    std::uint64_t seq = kNever;      ///< of the request
    std::uint64_t starved = kNever;  ///< from here on an older request of the bank comes first
    std::uint32_t limit = kNone;     ///< which of the channel's limits counts beside `at`
    std::uint32_t entry = kNone, before = kNone;  ///< the request and what is before it in the list
  };
  enum Limit : std::uint32_t { kActivate, kPrecharge, kColumn };
  /// Banks, reads and writes apart, by the limit of their Ready.
  struct Kind {
    std::uint64_t ripe = 0;      ///< whose `at` has come: only the limit counts
    std::uint64_t unripe = 0;    ///< the others, as seen last
    std::uint64_t first = kFar;  ///< none of these has its `at` before
  };
  /// Command cycles before which no command can go out, and no column command.
  struct Next {
    std::uint64_t command = kFar, column = kFar;
  };
  struct Bank {
    bool open = false;
    std::uint32_t group = 0;
    std::uint32_t served = 0;  ///< column commands since the row was opened
    std::uint64_t row = 0;
    std::uint64_t activate_ok = 0, column_ok = 0, precharge_ok = 0, precharged = 0;
    List list[2];
  };
  bool take_read(Cycle now, std::uint64_t address, RequestKind kind, std::uint64_t cookie);
  std::uint64_t command_cycle(Cycle core) const { return commands_per_core_.floor(core); }
  Cycle core_cycle(std::uint64_t command) const { return cores_per_command_.ceil(command); }
  /// decode() of what the scheduler wants to know.
  std::uint32_t bank_of(std::uint64_t address) const {
    const std::uint64_t group = (address >> group_shift_ & low_group_) | (address >> high_group_shift_ & high_group_);
    return static_cast<std::uint32_t>(group * p_.banks_per_group +
                                      (address >> bank_shift_ & (p_.banks_per_group - 1)));
  }
  std::uint64_t row_of(std::uint64_t address) const { return address >> row_shift_; }
  std::uint32_t merge_queued(std::uint64_t address, std::uint64_t before, std::uint8_t* sector) const;
  std::uint32_t enqueue(Cycle now, bool write, std::uint64_t address, std::uint32_t blockers);
  void catch_up(std::uint64_t until);
  bool refresh_step(std::uint64_t c, std::uint64_t& next);
  void run_to(std::uint64_t limit);
  void step(std::uint64_t c);
  /// First command cycle in which the channel takes an activate, or a column command as far as groups do not matter.
  std::uint64_t activates_ok() const { return std::max(any_activate_ok_, activates_[activate_turn_]); }
  std::uint64_t columns_ok(bool write) const { return std::max(write ? write_ok_ : read_ok_, any_column_ok_); }
  void ripen(std::uint64_t c, bool write, Kind& kind);
  std::uint32_t pick(std::uint64_t c, bool write);
  void follow(std::uint32_t bank, bool write, Limit limit, std::uint64_t at);
  Next next_of(std::uint32_t bank, bool write) const;
  Next next_of_all(std::uint64_t c, bool write) const;
  bool wanted_mode(std::uint64_t c) const;
  void mark_starved_reads(std::uint64_t c);
  void turn(std::uint64_t c);
  std::uint64_t starved_from(const Entry& e) const { return e.arrival + p_.starvation + 1; }
  void look_over(std::uint64_t c, std::uint32_t bank, bool write);
  void find_starved(std::uint64_t c, bool write);
  void look_over_stale(std::uint64_t c, bool write);
  void changed(std::uint32_t bank) {
    stale_[0] |= std::uint64_t{1} << bank;
    stale_[1] |= std::uint64_t{1} << bank;
  }
  void activate(std::uint64_t c, std::uint32_t bank, std::uint64_t row);
  void precharge(std::uint64_t c, std::uint32_t bank);
  void column(std::uint64_t c, std::uint32_t bank, bool write);
  void log(std::uint64_t c, DramCommandKind kind, std::uint32_t bank, std::uint64_t row);

  DramParams p_;
  unsigned group_shift_, high_group_shift_, bank_shift_, row_shift_;  ///< of the fields of an address
  std::uint32_t low_group_, high_group_;                              ///< bits of the group below and above columns
  Ratio commands_per_core_, cores_per_command_;
  std::vector<Bank> banks_;
  std::vector<Ready> ready_[2];  ///< by bank, reads and writes apart
  // Sets of banks, reads and writes apart:
  std::uint64_t stale_[2] = {0, 0};           ///< whose Ready must be found anew
  std::uint64_t passing_[2] = {0, 0};         ///< whose Ready has a time of `starved`
  std::uint64_t starved_[2] = {kFar, kFar};   ///< none of passing_ has it before
  std::array<Kind, 3> kinds_[2];              ///< by Ready::limit
  std::uint32_t blocked_ = 0;                 ///< writes with blockers
  std::vector<Entry> entries_[2];             ///< 0 reads, 1 writes
  std::vector<Sector> written_;               ///< data of each write
  std::vector<std::uint32_t> written_bytes_;  ///< and which of its bytes are written
  std::uint32_t partial_ = 0;                 ///< queued writes of a part of their sector
  std::uint32_t free_[2] = {kNone, kNone};    ///< the first of the list of free entries
  std::uint32_t queued_[2] = {0, 0};
  bool draining_ = false, room_ = false;
  bool turning_ = false;               ///< with the next command between draining writes and reading
  std::uint32_t drain_least_;          ///< writes of a drain that starved reads cannot prevent
  std::uint32_t drained_ = 0;          ///< writes of this drain so far
  std::uint32_t waiting_reads_ = 0;    ///< marked reads that are still queued
  std::uint64_t last_read_ = 0;        ///< seq of the youngest marked read
  std::uint64_t first_read_ = kNever;  ///< of the oldest if it comes before the next drain in any case
  std::uint64_t read_starved_ = kFar;  ///< during a drain: when the oldest read becomes starved
  std::uint64_t seq_ = 0;
  std::uint64_t cursor_ = kNever;       ///< next command cycle to look at
  std::uint64_t column_from_ = kNever;  ///< no column command goes out before
  std::uint64_t last_data_ = 0;
  std::uint64_t bus_free_ = 0;                 ///< first command cycle without a command
  std::uint64_t activates_[4] = {0, 0, 0, 0};  ///< earliest activate after each of the last four (tFAW)
  unsigned activate_turn_ = 0;
  std::uint64_t any_activate_ok_ = 0, any_column_ok_ = 0, read_ok_ = 0, write_ok_ = 0;
  std::vector<std::uint64_t> group_column_ok_;
  std::uint64_t refresh_due_;
  Ring<Done> done_, forwarded_;
  DramStore store_;
  std::vector<DramCommand>* trace_ = nullptr;
  Counter requests_[kRequestKinds], reads_, writes_, forwards_, row_hits_, activate_count_, precharge_count_,
      refresh_count_, busy_, turns_;
};

}  // namespace warpsieve::memsys
