// FR-FCFS scheduler of a DRAM channel: the best command for the queued requests of one kind.
//
//   choice       ready column commands first, then by age. While the data bus idles anyway, an activate of that very
//                cycle comes first: activates are spaced by tRRD, and one that slips delays all that follow
//   starvation   if the oldest request of a bank is starved (older than dram.starvation command cycles), an open row
//                closes after dram.starved_hits column commands. It stays open until these hits are served: under
//                load every request is starved, and row hits are most of the throughput
// What each bank could do is kept until a command or a request changes it, so a decision looks at few banks.
// Source: Rixner et al., Memory Access Scheduling, ISCA 2000; parameters in profile.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "memsys/dram/dram_queues.h"
#include "memsys/dram/dram_store.h"
#include "memsys/dram/dram_timing.h"

namespace warpsieve::memsys {

class DramScheduler {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint64_t kFar = kNever / 2;  ///< a command cycle that never comes, also with timings added
  enum Step : std::uint32_t { kActivate, kPrecharge, kColumn };
  /// What the scheduler could do for the requests of a bank and kind: a column command for the first one to the open
  /// row that is not blocked, else a command to open the row of the first one that is not blocked.
  struct Candidate {
    std::uint64_t at = kFar;         ///< earliest command cycle as far as the bank decides; kFar: all are blocked
    std::uint64_t seq = kNever;      ///< of the request
    std::uint64_t starved = kNever;  ///< from here on an older request of the bank comes first
    std::uint32_t step = kNone;      ///< the next command
    std::uint32_t entry = kNone, before = kNone;  ///< the request and what is before it in the list
  };
  /// Command cycles before which no command can go out, and no column command.
  struct Next {
    std::uint64_t command = kFar, column = kFar;
  };

  DramScheduler(const DramParams& params, const DramQueues& queues, const DramTiming& timing, const DramStore& store);

  const Candidate& candidate(bool write, std::uint32_t bank) const { return candidates_[write][bank]; }
  /// The bank's state changed.
  void changed(std::uint32_t bank) {
    stale_[0] |= std::uint64_t{1} << bank;
    stale_[1] |= std::uint64_t{1} << bank;
  }
  /// The list of a bank changed.
  void changed(std::uint32_t bank, bool write) { stale_[write] |= std::uint64_t{1} << bank; }
  /// Finds the candidate of a bank anew.
  void update(std::uint64_t c, std::uint32_t bank, bool write);
  /// The same for all banks that changed.
  void update_changed(std::uint64_t c, bool write);
  /// Bank of the best command that can go out at `c`, or kNone. After update_changed().
  std::uint32_t pick(std::uint64_t c, bool write);
  /// The candidate's command went out: its next one is `step`, possible from `at` on.
  void follow(std::uint32_t bank, bool write, Step step, std::uint64_t at);
  /// When a bank that is up to date can have a command.
  Next next(std::uint32_t bank, bool write) const;
  /// The same for all banks after a step in cycle `c`.
  Next next_of_all(std::uint64_t c, bool write) const;

 private:
  /// Banks whose candidates have the same next step.
  struct Group {
    std::uint64_t ripe = 0;      ///< `at` has come: only the channel's limit counts
    std::uint64_t unripe = 0;    ///< the others, as seen last
    std::uint64_t first = kFar;  ///< none of these has its `at` before
  };
  void find_starved(std::uint64_t c, bool write);
  void ripen(std::uint64_t c, bool write, Group& group);

  const DramQueues& queues_;
  const DramTiming& timing_;
  const DramStore& store_;
  std::uint32_t starved_hits_, tRCD_, tRP_;
  // Reads and writes apart:
  std::vector<Candidate> candidates_[2];     ///< by bank
  std::uint64_t stale_[2] = {0, 0};          ///< banks whose candidate must be found anew
  std::uint64_t passing_[2] = {0, 0};        ///< banks whose candidate has a time of `starved`
  std::uint64_t starved_[2] = {kFar, kFar};  ///< none of passing_ has it before
  std::array<Group, 3> groups_[2];           ///< by Candidate::step
};

}  // namespace warpsieve::memsys
