// L1 data cache of one SM, global space.
//
//   size        sets x ways x 128 B (32 x 16: 64 KB), 4 sectors of 32 B per line, LRU, carries data
//   loads       hit: data `latency` cycles after the line request was taken. Missing sectors are asked of
//               the L2 (with l1.line_fill all that the line lacks, decision X1); requests for sectors on
//               their way wait in the MSHR of their line
//   fills       allocate on fill (decision X3): a line is replaced when data arrives
//   stores      write-through, no write-allocate, a hit updates the line (decision X2)
//   atomics     performed at the L2; the sectors they touch are dropped here
//   flush       everything is invalid after a kernel (decision X2)
// A store or atomic to a sector on its way marks it: the fill answers its loads but is not kept, since
// it may be older than the store. Copies may still be stale with respect to other SMs, as on real
// GPUs; such hits are counted (l1.stale_hits), never treated as corruption.
// Parameters: `l1.*` in profile.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memsys/context.h"
#include "memsys/noc/network.h"

namespace warpsieve::memsys {

struct L1Stats {
  explicit L1Stats(Stats& stats);
  Counter load_requests, load_sectors, hit_sectors, miss_sectors, merged_sectors, store_requests, store_sectors,
      store_hit_sectors, atomic_requests, fills, stale_hits, stalls, load_latency;
};

/// Part of a warp memory instruction that falls into one line.
struct LineAccess {
  std::uint32_t line = 0;  ///< line of the device address space
  SectorMask mask = 0;
  std::uint8_t ops = 0;  ///< atomic: lanes
  ByteMask bytes{};      ///< store: bytes written
  LineData data;         ///< store: data; atomic: operands
  std::array<std::uint8_t, simt::kLanes> offset{};
  std::array<std::uint32_t, simt::kLanes> compare{};
};

class L1Cache {
 public:
  L1Cache(Context& context, L1Stats& stats, std::uint32_t sm, Network& requests);

  struct Answer {
    bool taken = false;
    Cycle done = kNever;  ///< loads: when the data is there; kNever: complete() tells
  };
  Answer load(Cycle now, const LineAccess& access, std::uint32_t slot);
  bool store(Cycle now, const LineAccess& access);
  bool atomic(Cycle now, const LineAccess& access, simt::AtomicOp op, std::uint32_t slot);

  /// Takes a read reply; appends the slot of every load request it completes to `completed`.
  void fill(Cycle now, const Packet& reply, std::vector<std::uint32_t>& completed);
  void invalidate();
  /// A packet of this SM came back.
  void returned() { --under_way_; }
  std::uint32_t under_way() const { return under_way_; }
  bool idle() const { return under_way_ == 0 && free_.size() == mshrs_.size(); }
  std::string describe() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Mshr {
    std::uint32_t line = 0;
    SectorMask pending = 0, stale = 0;
    std::uint32_t waiting = 0, head = kNone, tail = kNone, next = kNone;
  };
  struct Waiting {
    std::uint32_t slot = 0, next = kNone;
    SectorMask need = 0;
  };

  std::uint32_t find(std::uint32_t line) const;
  std::uint32_t find_mshr(std::uint32_t line) const;
  void drop_mshr(std::uint32_t index);
  std::uint32_t send(Cycle now, PacketKind kind, const LineAccess& access, SectorMask mask);

  Context& context_;
  L1Stats& stats_;
  L1Params p_;
  std::uint32_t sm_;
  Network& requests_;
  std::vector<std::uint32_t> tags_;  ///< line, kNone when free
  std::vector<SectorMask> valid_;
  std::vector<std::uint64_t> used_;
  std::vector<LineData> data_;
  std::vector<Mshr> mshrs_;
  std::vector<std::uint32_t> free_, buckets_;
  Pool<Waiting> waiting_;
  std::uint64_t use_ = 0;
  std::uint32_t under_way_ = 0;
};

}  // namespace warpsieve::memsys
