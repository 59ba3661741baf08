// pdr_table: PDR detector and data-filtering table of a memory controller (DPC thesis 3.3.1, 3.4; decision D14).
//
//   latency     2 cycles from the tick that takes an item to the one after which its answer is on offer, both streams
//   throughput  1 request and 1 leaving reply per cycle
//   ready       per stream while fewer than three items are inside (state only)
//
// sets x ways entries, key {SM, line}. Each way has a hash of its own (skewed), so a key has one possible place per
// way; entries go to the lowest free way. The thesis has 256 entries and says nothing of their organisation: here a
// request is refused (no_room) when the `ways` places of its key are taken, not when all entries are.
// RTL: rtl/packet_filter/pdr_table.sv.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cosim/ports.h"

namespace warpsieve::packet_filter {

struct TableParams {
  unsigned sets = 32;       ///< rows per way, power of two
  unsigned ways = 8;        ///< 1..64
  unsigned sm_bits = 6;     ///< bits of an SM number
  unsigned line_bits = 25;  ///< bits of a line number, at least log2(sets)
  bool operator==(const TableParams&) const = default;
  unsigned entries() const { return sets * ways; }
};

enum class Action : std::uint8_t {
  full,        ///< all sub-blocks needed: no entry; token = the mask
  registered,  ///< first of its key; token = the entry
  merged,      ///< added to the entry of its key, goes no further; token = the entry
  no_room,     ///< to be served in full; token = the mask
};
std::string_view to_string(Action action);

struct ReadRequest {
  std::uint32_t sm = 0;
  std::uint32_t line = 0;
  std::uint8_t mask = 1;  ///< sub-blocks needed, at least one
  bool operator==(const ReadRequest&) const = default;
};

struct Forward {
  Action action = Action::full;
  std::uint32_t token = 0;  ///< travels to the L2 and back
  bool operator==(const Forward&) const = default;
};

/// A reply about to leave; nothing merges into its entry from the cycle after it is taken.
struct Leaving {
  bool registered = false;  ///< its request was answered `registered`
  std::uint32_t token = 0;
  bool operator==(const Leaving&) const = default;
};

struct AskedMask {
  std::uint8_t asked = 0;  ///< by all requests merged
  bool full = false;       ///< the whole line is to be sent: asked for, or no entry
  bool operator==(const AskedMask&) const = default;
};

std::string describe(const ReadRequest& request);
std::string describe(const Forward& forward);
std::string describe(const Leaving& leaving);
std::string describe(const AskedMask& mask);

/// Row of the key in `way`, as the RTL computes it.
unsigned row_of(const TableParams& params, unsigned way, std::uint32_t sm, std::uint32_t line);

class PdrTable : public Clocked {
 public:
  In<"req", ReadRequest> req;
  Out<"fwd", Forward> fwd;
  In<"take", Leaving> take;
  Out<"mask", AskedMask> mask;
  auto visit_ports(auto&& visit) { return visit(req, fwd, take, mask); }
  virtual unsigned used() const = 0;  ///< entries
};

/// Throws std::invalid_argument when the parameters are out of range, or when `backend` needs RTL and no compiled
/// point has them (rtl/packet_filter/points.txt).
std::unique_ptr<PdrTable> make_pdr_table(const TableParams& params, Backend backend, std::string name = "pdr_table");

}  // namespace warpsieve::packet_filter
