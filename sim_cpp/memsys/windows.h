// Windows: runs the machine a window of cycles at a time, on several threads. No byte of any result depends on how
// many there are.
//
//   window       Interconnect::lookahead() cycles. What the networks grant in a window arrives after it, so each
//                partition and each SM can run through it by itself
//   1 partitions side by side, with the execution of the next blocks
//   2 SMs        side by side, with the same; after the partitions, and not past one that waits, because judges and
//                statistics compare what an L1 holds with what the L2 holds in that cycle
//   3 networks   both directions side by side
//   blocks       an SM stops when it has room for a block and blocks are left. Blocks are started in the order of
//                cycles, then the SM goes on
//   full queues  an SM or a partition whose queue into the network may be full waits for the network. Then the rest
//                of the window goes cycle by cycle: waiting partitions, networks, waiting SMs, blocks
//   threads      share the steps of each phase (core/worker_team.h), as many as are faster than fewer, by measurement
//                (core/thread_choice.h). Where one is the fastest, it runs the window cycle by cycle, as if there
//                were no windows. What components share is split: their Context (context.h), counts of the networks
//                per port. Wake times belong to the component while its owner is busy (core/wake.h)
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "core/thread_choice.h"
#include "core/worker_team.h"
#include "memsys/context.h"
#include "memsys/dispatcher.h"
#include "memsys/host_prefetch.h"
#include "memsys/noc/network.h"
#include "memsys/partition/partition.h"
#include "memsys/sm/sm.h"

namespace warpsieve::memsys {

struct Threads {
  unsigned most = 1;
  /// How many of them run a window: as many as are fastest; all, however slow they are; for tests, any number.
  enum class By { measurement, force, chance } by = By::measurement;
};

class Windows {
 public:
  struct Machine {
    Context& context;
    HostPrefetch::Sms& sms;
    HostPrefetch::Partitions& partitions;
    Interconnect& noc;
    const HostPrefetch& prefetch;
    const bool& prefetches;
    Dispatcher& dispatcher;
    std::uint32_t first_sm_id;
    std::vector<std::unique_ptr<Context>>& parts;  ///< of the context: SMs, then partitions; or empty
  };
  /// Takes wake entries: before anything is woken. The SMs are entrusted to it.
  Windows(const Machine& machine, Threads threads);

  /// Phases of a window, as kinds of WorkerTeam::run().
  enum Phase : unsigned { kPartitions, kSms, kNetworks };
  /// Whether an interconnect can run windows that pay.
  static bool possible(Interconnect& noc);
  /// The wake entry in which SM 0 is due; those of the others follow.
  std::uint32_t first_owner() const { return first_owner_; }
  const WorkerTeam& team() const { return team_; }
  struct Counts {
    std::uint64_t windows = 0;
    std::uint64_t stepped = 0;  ///< of these: in part cycle by cycle
    std::uint64_t alone = 0;    ///< of these: by one thread, cycle by cycle
  };
  const Counts& counts() const { return counts_; }

  /// The cycles from `now`, the clock's, to before `end`. `partitions`: they have not been run to `end` yet. Returns
  /// the last cycle in which a partition ran, 0: none.
  Cycle run(Cycle now, Cycle end, bool partitions);
  /// One thread is to run the next window, without run().
  bool alone() const { return threads() == 1; }
  /// The last window, with or without run(), took so long and moved so much: how many threads the next one has is
  /// chosen by it.
  void measured(bool alone, double seconds, std::uint64_t progress);
  /// A partition waits for the network.
  bool partition_waits() const;

 private:
  void open(Cycle now);
  void close();
  Cycle partitions_open(Cycle now, Cycle end);
  void sms_open(Cycle now, Cycle end);
  bool come_to(Cycle now, Cycle end);
  bool start_blocks(Cycle now, Cycle end);
  void step_by_step(Cycle now, Cycle end, Cycle& ran);
  void networks(Cycle end);
  void finished_in(Cycle now);
  void balance();
  unsigned threads() const;
  Cycle partitions_at(Cycle end) const;
  bool network_stops() const;
  /// Shape of the blocks that are left, or nullptr.
  const simt::LaunchShape* blocks() const {
    return machine_.dispatcher.blocks_left() ? &machine_.dispatcher.shape() : nullptr;
  }
  Cycle due(std::size_t sm) const {
    return machine_.context.wakes.at(machine_.first_sm_id + static_cast<std::uint32_t>(sm));
  }
  void run_sm(std::size_t sm, Cycle exact, Cycle end) { stops_[sm] = machine_.sms[sm]->run(exact, end, blocks()); }
  /// To where the partitions have come, which may be before `end`.
  void run_sm(std::size_t sm, Cycle exact, Cycle until, Cycle end) {
    run_sm(sm, exact, until);
    if (stops_[sm] == Sm::Stop::end && due(sm) < end) stops_[sm] = Sm::Stop::network;
  }
  /// The SM gets a block when one is started.
  bool has_room(std::size_t sm) const { return blocks() && machine_.sms[sm]->has_room(*blocks()); }

  Machine machine_;
  std::array<WindowNetwork*, 2> networks_;
  std::uint32_t first_owner_;
  std::vector<Sm::Stop> stops_;      ///< of each SM
  std::vector<std::uint32_t> free_;  ///< SMs that can go on
  std::vector<Cycle> last_;          ///< of each partition: in which it ran
  Counts counts_;
  Threads::By by_;
  ThreadChoice choice_;
  std::minstd_rand random_;  ///< for Threads::By::chance
  unsigned drawn_;
  WorkerTeam team_;  ///< last: its threads end first
};

}  // namespace warpsieve::memsys
