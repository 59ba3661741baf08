// Visibility: judges what a load got from a peer's L1. It models nothing and costs no cycle.
//
// Weak loads may see old values, so a copy may legally be older than the L2's content (decision R10). Legal is:
//   - the copy was filled in this kernel by a reply of the L2, and equals that reply (which was compared with the
//     golden memory when it left the L2) with the owner's own stores over it, byte by byte;
//   - while the L2 holds the line in the version the copy was made from, the copy equals the golden memory except for
//     bytes that its owner stored and that are on their way;
//   - each of its sectors contains every store and atomic that the asking SM had sent to it before it sent the
//     load: an SM never sees a value older than its own store.
// Anything else is recorded in the golden memory as corruption.
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
  /// A packet leaves the SM.
  void sent(unsigned sm, std::uint32_t packet);
  /// A reply leaves the response buffer for the SM; `remote`: it came from a peer.
  void answered(unsigned sm, std::uint32_t packet, bool remote);
  /// The load `packet` of `sm` was answered from the L1 of `owner`.
  void check(Cycle now, unsigned sm, unsigned owner, std::uint32_t packet);
  void clear();

 private:
  using Versions = std::array<std::uint32_t, kSectors>;
  struct Copy {
    SectorMask filled = 0;
    Versions version{};  ///< of the line when the sector left the L2
    ByteMask own{};      ///< bytes the owner stored since
    LineData data;
  };
  struct Stores {
    std::vector<std::uint32_t> pending;  ///< packets, oldest first
    Versions version{};                  ///< of the line after the last one to the sector that was answered
  };
  void prune(unsigned sm);

  Context& context_;
  const std::vector<L1Cache*>& l1s_;
  std::size_t limit_;
  std::vector<std::unordered_map<std::uint32_t, Copy>> copies_;
  std::unordered_map<std::uint32_t, Copy> incoming_;  ///< by packet: from a peer, not at the SM yet
  std::vector<std::unordered_map<std::uint32_t, Stores>> stores_;
};

}  // namespace warpsieve::memsys
