// Prefetching on the machine that runs the simulation. It models nothing and changes no state: it walks const state
// of the components, so that what they are about to read at random is in the cache when they come to it.
//
//   window    partitions run Interconnect::lookahead() cycles at a time (gpu.h). The packets and DRAM data of these
//             cycles are known at their start. Three passes, each over what the one before has fetched: packets,
//             sets, lines. Each partition is a pass ahead of the one that runs before it
//   SMs       the same for the replies that reach them in these cycles
//   load      tags and MSHR bucket of the next line access of a load
//   addresses the lanes' addresses of a memory instruction that issues soon
// `prefetch_*` names in this project are always about the simulating machine, never about a GPU's prefetcher.
#pragma once

#include <memory>
#include <vector>

#include "core/prefetch.h"
#include "memsys/l1/l1.h"
#include "memsys/partition/partition.h"
#include "memsys/sm/sm.h"

namespace warpsieve::memsys {

class HostPrefetch {
 public:
  using Partitions = std::vector<std::unique_ptr<Partition>>;
  using Sms = std::vector<std::unique_ptr<Sm>>;
  /// The vectors may grow before the first call.
  HostPrefetch(const Context& context, const Outlets& requests, const Outlets& replies, const Partitions& partitions,
               const Sms& sms)
      : context_(context), requests_(requests), replies_(replies), partitions_(partitions), sms_(sms) {}

  /// Whether it pays: not when few cycles are run at a time, nor when most of the machine fits into the caches.
  static bool pays(const Profile& profile, Cycle lookahead);
  /// Before the first partition runs the cycles from `now` to before `end`.
  void before_partitions(Cycle now, Cycle end) const {
    for (std::size_t i = 0; i < kPasses; ++i) passes(i, now, end);
  }
  /// Before partition `i` runs.
  void before_partition(std::size_t i, Cycle now, Cycle end) const { passes(i + kPasses, now, end); }
  /// The same without a look at another partition, which may be running.
  void before_partition_alone(std::size_t i, Cycle now, Cycle end) const {
    for (const Pass pass : {Pass::packets, Pass::sets, Pass::lines}) partition(pass, *partitions_[i], now, end);
  }
  /// Before the SMs run these cycles.
  void before_sms(Cycle now, Cycle end) const;
  /// Before SM `i` does.
  void before_sm_alone(std::uint32_t i, Cycle now, Cycle end) const {
    if (replies_.head(i).at >= end) return;
    for (const Pass pass : {Pass::packets, Pass::sets, Pass::lines}) replies(pass, *sms_[i], i, now, end);
  }

 private:
  enum class Pass { packets, sets, lines };
  static constexpr std::size_t kPasses = 3;
  void passes(std::size_t last, Cycle now, Cycle end) const;
  void partition(Pass pass, const Partition& partition, Cycle now, Cycle end) const;
  void requests(Pass pass, const L2Slice& slice, std::uint32_t number, Cycle now, Cycle end) const;
  void dram_data(Pass pass, const Partition& partition, Cycle end) const;
  void replies(Pass pass, const Sm& sm, std::uint32_t number, Cycle now, Cycle end) const;

  const Context& context_;
  const Outlets& requests_;
  const Outlets& replies_;
  const Partitions& partitions_;
  const Sms& sms_;
};

/// A load of this line comes next.
inline void prefetch_load(const L1Cache& l1, GlobalLine line) {
  l1.tags().prefetch_lines(line);
  l1.mshrs().prefetch_bucket(line);
  l1.tags().prefetch_order(line);
}

/// A global memory instruction is about to be split into line accesses.
inline void prefetch_addresses(const simt::WarpTrace& trace, const simt::WarpInstr& instr) {
  prefetch(trace.addresses.data() + instr.payload);  // a row, mostly
}

}  // namespace warpsieve::memsys
