// rata: remote access tag array of one SM cluster: which SM fetched a line last, so that an L1 miss of
// another SM may be served from there instead of from the L2 (RATA paper, section II; decisions R1 to R14).
//
//   latency     lookup: the response is on offer after the second tick, the one that took it included;
//               update: in effect for lookups taken after the second tick
//   throughput  one operation per cycle: a lookup every cycle, or an update every cycle, or the two in turns
//   order       a lookup taken in the cycle in which an update is taken, or in which an update waits for its
//               turn, comes before that update; otherwise the order of taking. Responses in lookup order
//   replacement true LRU in each set. A lookup hit and an allocation are uses; a miss is none, and so is a
//               lookup by the owner itself (R3)
//   ready       lookup: less than three lookups unanswered, and no update has its turn. update: no update
//               waits, or it has its turn (never kept waiting by unanswered lookups, R8)
//
// Storage: sets x ways x (1 + tag_bits + sm_bits) bits; exact LRU costs none, because the entries of a set
// stand in the order of their use.
// RTL: rtl/rata/rata.sv. Compiled RTL points: rtl/rata/points.txt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cosim/ports.h"

namespace warpsieve::rata {

struct RataParams {
  unsigned sets = 64;      ///< power of two, 2 and up
  unsigned ways = 16;      ///< 2 and up
  unsigned tag_bits = 27;  ///< line address = {tag, set}
  unsigned sm_bits = 3;    ///< SM number within the cluster
  bool operator==(const RataParams&) const = default;
  unsigned storage_bits() const { return sets * ways * (1 + tag_bits + sm_bits); }
};

inline constexpr RataParams paper_point{};           ///< R1: 1,024 entries, 3.9 KB
inline constexpr RataParams six_point{.ways = 6};    ///< as many entries as one L1 has lines
inline constexpr RataParams full_point{.ways = 48};  ///< an entry for every line of eight L1s
inline constexpr RataParams odd_point{.sets = 4, .ways = 3, .tag_bits = 5, .sm_bits = 2};

struct RataLookup {
  std::uint64_t line = 0;  ///< line address (byte address / 128)
  unsigned sm = 0;         ///< the SM that asks
  bool operator==(const RataLookup&) const = default;
};

struct RataRsp {
  bool hit = false;    ///< another SM of the cluster had the line last
  unsigned owner = 0;  ///< that SM; 0 for a miss
  bool operator==(const RataRsp&) const = default;
};

enum class RataOp : std::uint8_t {
  allocate,    ///< a response for `sm` left the response buffer: `sm` owns the line (R4)
  invalidate,  ///< a store to the line passed (R10)
  drop,        ///< the probe of `sm`'s L1 failed: forget the line if `sm` still owns it (R6, optional)
  clear,       ///< end of kernel: forget everything (R10)
};

struct RataUpdate {
  RataOp op = RataOp::allocate;
  std::uint64_t line = 0;
  unsigned sm = 0;
  bool operator==(const RataUpdate&) const = default;
};

std::string describe(const RataLookup& lookup);
std::string describe(const RataRsp& rsp);
std::string describe(const RataUpdate& update);

class Rata : public Clocked {
 public:
  In<"lookup", RataLookup> lookup;
  Out<"rsp", RataRsp> rsp;
  In<"update", RataUpdate> update;
  auto visit_ports(auto&& visit) { return visit(lookup, rsp, update); }
};

/// Throws std::invalid_argument when the parameters are out of range, or when `backend` needs RTL and no
/// compiled point has these parameters (the model takes any).
std::unique_ptr<Rata> make_rata(const RataParams& params, Backend backend, std::string name = "rata");

}  // namespace warpsieve::rata
