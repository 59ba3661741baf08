// Visibility: judges what a load got from a peer's L1, beside the rules for every hit (l1/l1_judge.h). It models
// nothing and costs no cycle.
//
// Weak loads may see old values, so a peer's copy may legally be older than the L2's content (decision R10). But each
// of its sectors contains every store and atomic that the asking SM had sent to it before it sent the load: an SM
// never sees a value older than its own store. Anything else is recorded in the golden memory as corruption.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "memsys/context.h"
#include "memsys/l1/l1.h"

namespace warpsieve::memsys {

class Visibility {
 public:
  /// SMs are numbered within the cluster.
  Visibility(Context& context, const std::vector<L1Cache*>& l1s);
  /// The answer to a store or atomic leaves the response buffer for the SM.
  void performed(unsigned sm, std::uint32_t packet);
  /// The load `packet` of `sm` was answered from the L1 of `owner`, which held all it asked for.
  void check(Cycle now, unsigned sm, unsigned owner, std::uint32_t packet);
  void clear();

 private:
  /// Of the line after the last store or atomic to each sector that was answered.
  using Versions = std::array<std::uint32_t, kSectors>;

  Context& context_;
  const std::vector<L1Cache*>& l1s_;
  std::vector<std::unordered_map<std::uint32_t, Versions>> wrote_;  ///< by line
};

}  // namespace warpsieve::memsys
