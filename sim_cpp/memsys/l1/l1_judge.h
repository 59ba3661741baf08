// L1Judge: what the L1 of one SM may hand out. It models nothing and costs no cycle: it judges.
//
// Global L1s are not coherent, so a hit may legally differ from the L2's content: older, or newer by the SM's own
// stores on their way. Legal is (decision R10):
//   - what replies of this kernel brought (each was compared with the golden memory when it left the L2) with the
//   SM's
//     own stores since over it. Known by a sum per sector instead of its bytes, one cache line of the simulating
//     machine per L1 line: a wrong byte, and whatever else is wrong in one 8-byte word, always changes it;
//   - in sectors the SM has not stored to since: the golden memory, while the L2 holds the line in the version the
//     copy was made from;
//   - nothing that lacks a store or atomic which the SM sent before the copy arrived.
// Anything else is recorded in the golden memory as corruption.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "memsys/context.h"

namespace warpsieve::memsys {

class L1Judge {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct alignas(64) Copy {
    GlobalLine line{kNone};
    SectorMask filled = 0;
    SectorMask stored = 0;                          ///< of `filled`: to which the SM has stored since
    SectorMask lacks = 0;                           ///< of `filled`: came without an older store of the SM itself
    std::array<std::uint32_t, kSectors> version{};  ///< of the line when the sector left the L2
    std::array<std::uint64_t, kSectors> sum{};
  };

  L1Judge(Context& context, std::uint32_t sm, std::size_t ways)
      : context_(context), sm_(sm), copies_(ways), under_way_(kBuckets) {}

  /// A store of the SM to a line that the L1 has in `way`, with this content before it.
  void stored(std::uint32_t way, const LineAccess& access, const LineData& before);
  /// An atomic of the SM to it: performed at the L2, so that no copy may stay.
  void outdated(std::uint32_t way, const LineAccess& access);
  /// The packet of a store or atomic leaves.
  void sent(std::uint32_t packet);
  /// Its answer is back.
  void performed(std::uint32_t packet);
  /// The reply to `packet` is made from this copy of a peer.
  void expect(const Packet& packet, const Copy& of_peer) {
    coming_.push_back({packet.global_line, packet.mask, of_peer});
  }
  /// A reply came, and the L1 keeps `kept` of it, in `way`.
  void filled(std::uint32_t way, const Packet& reply, SectorMask kept);
  /// The line left the L1.
  void gone(std::uint32_t way) { copies_[way].line = GlobalLine{kNone}; }
  /// After the last answer; every line is gone.
  void end_kernel() const;

  /// Judges what the L1 hands out; returns how many sectors are other than the L2's content in cycle `now`.
  unsigned check(Cycle now, std::uint32_t way, GlobalLine line, SectorMask mask, const LineData& found,
                 Source source) const;
  const Copy& of(std::uint32_t way) const { return copies_[way]; }
  /// Each store and atomic to the line that the SM has sent and that has not been answered.
  template <class F>
  void each_under_way(GlobalLine line, F&& f) const {
    if (!(some_under_way_ >> bucket(line) & 1)) return;
    for (const Store& store : under_way_[bucket(line)])
      if (store.line == line) f(context_.packets[store.packet]);
  }

 private:
  static constexpr unsigned kBuckets = 64;
  static unsigned bucket(GlobalLine line) { return line % kBuckets; }
  struct Store {
    GlobalLine line;
    std::uint32_t packet = 0;
  };
  struct Coming {
    GlobalLine line;
    SectorMask mask = 0;
    Copy copy;
  };
  /// What a reply is made from.
  struct Origin {
    SectorMask stored = 0;
    std::array<std::uint32_t, kSectors> version{};
  };
  Origin take_coming(const Packet& reply);

  Context& context_;
  std::uint32_t sm_;
  std::vector<Copy> copies_;  ///< by way
  std::vector<std::vector<Store>> under_way_;
  std::uint64_t some_under_way_ = 0;  ///< buckets of it that are not empty
  std::vector<Coming> coming_;        ///< from peers
};

}  // namespace warpsieve::memsys
