// Gpu: the whole memory model. Builds the machine of a profile around a scheme, replays a workload and
// judges what came out.
//
//   Profile profile = load_profile("cmd-quarter", {"l2.sets=64"});
//   Gpu gpu(profile, scheme, workload);      // scheme must outlive the Gpu
//   Result result = gpu.run();
//
// The clock is the core clock. Components run in a fixed order inside a cycle (partitions, interconnect, SMs,
// dispatcher); cycles in which no component is due are skipped. Same input, same bytes of output.
//
// A partition runs Interconnect::lookahead() cycles at a time before the others come to them: nothing that happens in
// these cycles elsewhere can reach it, and its state stays in the cache of the simulating machine. It makes no
// difference to any result: what it hands over carries its cycle. The packets of these cycles are known at their
// start, so what they access is prefetched (host_prefetch.h). While a kernel runs, the SMs run so many cycles at a
// time, too, when several threads simulate it (windows.h).
//
//   launch      gpu.launch_latency cycles before the first block; they belong to the kernel's cycles
//   end         of a kernel: the cycle in which all its blocks have retired, and all its stores and atomics have been
//               acknowledged (with local.flush also the write-backs of private memory). The L1s are then empty, and
//               the next launch begins. What the memory system does on its own (write-back, deduplication, metadata,
//               refresh) goes on under it. Source: decision "Kernel end"
//   cycles      of a run: the sum over its kernels. Not in them: copies by the host, and what the memory system still
//               has to finish before a copy and after the last kernel. The latter is in all other counters, copies
//               and the final flush and read-back are in none
//   copies      by the host, between launches: first everything under way is finished, at least lookahead() cycles
//               long, until the first cycle in which nothing is left; then they are written; then these are finished,
//               too (gpu.host_copies)
//   sample      gpu.launch_sample: a launch that is not simulated is executed on the host, and its results are copied
//               in as by the host. It is in no counter and no cycle
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "memsys/cluster/cluster.h"
#include "memsys/context.h"
#include "memsys/dispatcher.h"
#include "memsys/host_prefetch.h"
#include "memsys/noc/network.h"
#include "memsys/partition/partition.h"
#include "memsys/ports.h"
#include "memsys/sm/sm.h"
#include "memsys/windows.h"
#include "simt/spill.h"
#include "simt/warp_trace.h"

namespace warpsieve::memsys {

/// Nothing moved for gpu.patience cycles, or work is left and no component is due. what() names what each
/// component waits for.
class Deadlock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Progress for a terminal; called every 2^16 cycles in which a component was due.
struct Progress {
  std::string kernel;
  std::uint32_t blocks_done = 0, blocks = 0;
  Cycle cycle = 0;
  std::uint64_t warp_instructions = 0;
};

struct Result {
  nlohmann::ordered_json
      stats;  ///< workload, scheme, profile, cycles, ipc, counters, kernels, integrity, scheme report
  nlohmann::ordered_json integrity;  ///< the golden memory's report (also in stats)
  bool clean = false;                ///< no corruption and the functional image was reached
  std::string verify;                ///< the workload's own check, empty when right
  Cycle cycles = 0;
  std::uint64_t warp_instructions = 0;
};

class Gpu {
 public:
  /// Calls workload.setup(); the machine is the profile as scheme.amend() leaves it. `threads` simulate it, where its
  /// network allows more than one: no result depends on their number.
  Gpu(const Profile& profile, Scheme& scheme, simt::Workload& workload, Threads threads = {});
  ~Gpu();

  Result run(std::function<void(const Progress&)> progress = {});
  /// The cycle that the simulation is in, copies by the host and the final read-back included.
  const Cycle& now() const { return context_.now; }

  /// For bytes that depend on the order of float atomics (GoldenMemory::compare_image).
  static constexpr double kTolerance = 1e-3;

  // For tests.
  Stats& stats() { return context_.stats; }
  GoldenMemory& golden() { return context_.golden; }
  Partition& partition(unsigned i) { return *partitions_[i]; }
  /// Partitions keep to the clock from now on; no result may differ.
  void run_in_step() { in_step_ = true; }
  /// Prefetches on a small machine, too; no result may differ.
  void prefetch_always() { prefetches_ = true; }
  /// In every cycle many components are woken that have nothing to do in it; no result may differ.
  void wake_needlessly(std::uint32_t seed) { needless_ = seed | 1; }
  /// nullptr: one thread simulates the machine cycle by cycle.
  const Windows* windows() const { return windows_.get(); }

 private:
  std::unique_ptr<Interconnect> make_noc();
  bool advance();
  void run_cycle();
  bool advance_window();
  void window_alone();
  void window_together();
  bool kernel_done() { return dispatcher_.done() && sms_idle(); }
  Cycle next_due();
  void run_sms();
  void run_partitions();
  void pass(Cycle to);
  void meet();
  void settle();
  bool settled() const;
  bool sms_idle();
  void finish_blocks();
  void wake_some();
  void run_launch(simt::Launch& launch);
  bool in_sample(const simt::Launch& launch);
  void skip_launch(simt::Launch& launch);
  void host_writes(const std::vector<simt::HostWrite>& writes);
  void finish_memory();
  void check_conservation() const;
  void watch();
  std::uint64_t progress() const;
  std::uint64_t warp_instructions() const;
  [[noreturn]] void deadlock(const std::string& why) const;
  template <class F>
  void untimed(F&& work);

  Context context_;
  std::vector<std::unique_ptr<Context>> parts_;  ///< with several threads: of each SM, then of each partition
  struct Counters {
    explicit Counters(Stats& stats) : sm(stats), l1(stats), l2(stats), local(stats) {}
    SmStats sm;
    L1Stats l1;
    L2Stats l2;
    LocalStats local;
  };
  Scheme& scheme_;
  simt::Workload& workload_;
  std::function<void(const Progress&)> progress_;
  Counters counters_;
  std::vector<std::unique_ptr<Counters>> part_counters_;  ///< of each of parts_
  simt::Spiller spiller_;
  std::uint32_t first_sm_id_, first_slice_id_, first_partition_id_ = 0;
  std::uint32_t clock_id_ = 0;    ///< of a cycle that is waited for: pass()
  Clusters* clusters_ = nullptr;  ///< noc_, on a machine with clusters
  std::unique_ptr<Interconnect> noc_;
  HostPrefetch::Sms sms_;
  HostPrefetch::Partitions partitions_;
  HostPrefetch prefetch_;
  bool prefetches_;
  Dispatcher dispatcher_;
  std::unique_ptr<Windows> windows_;  ///< nullptr: cycle by cycle
  Cycle now_ = 0, untimed_cycles_ = 0;
  Cycle ahead_ = 0;               ///< partitions have been run up to here, but for those that wait for the network
  Cycle partitions_ran_ = 0;      ///< last cycle in which one did
  bool partitions_wait_ = false;  ///< one of them does, for the network
  bool in_step_ = false;          ///< partitions keep to the clock
  bool moved_ = false;            ///< the clock is at a cycle that has not been run
  std::uint32_t needless_ = 0;    ///< state of wake_needlessly(), 0: off

  std::size_t idle_sms_ = 0;  ///< the first SMs, known to be idle since the last block was done
  // Deadlock watch
  std::uint64_t last_progress_ = 0, steps_ = 0;
  Cycle last_moved_ = 0;
  nlohmann::ordered_json kernels_;
  std::map<std::string, std::uint32_t> launches_;  ///< so far, by kernel
  std::uint64_t skipped_ = 0;                      ///< launches
};

}  // namespace warpsieve::memsys
