// critical_data_tracker: which 32-byte sub-blocks each L1 line holds and each MSHR entry waits for; classifies L1
// reads and merges replies (DPC thesis 3.2, 3.3, 3.5; decisions D5, D7 to D9, D13).
//
//   latency     2 cycles from the tick that takes a request or a fill to the one after which its answer is on offer
//   throughput  1 request and 1 fill per cycle
//   ready       per stream while fewer than three items are inside (state only)
//   order       one answer per item, in order, per stream
//
// The L1 keeps tags, MSHR addresses and data, and tells lines and entries by number. Its rules:
//   - a request carries the look-up of the cycle in which it is taken: line_hit + line, or mshr_hit + the entry that
//     fetches its line; without mshr_hit, alloc offers the free entry `mshr`, which is the request's if the answer is
//     FM or HI and free again otherwise;
//   - from the cycle after a fill is taken no hit is reported on its line's old content; all fills of an entry go to
//     one line, which no other fill touches until the answer `complete`, and which is hit only after it;
//   - the tag of a line with an outstanding HI stays, and the HI's replies go to that line;
//   - from the tick after a request with line_hit is taken until its answer is popped, no eviction names that line,
//     and no fill but those of the entry that fetches it already: only the answer says whether the request is an HI;
//   - each sub-block sent is answered once (replies may be merged, and may bring more than they answer).
// RTL: rtl/request_control/critical_data_tracker.sv.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "blocks/request_control/request_controller.h"
#include "cosim/ports.h"

namespace warpsieve::request_control {

struct TrackerParams {
  unsigned lines = 128;  ///< of the L1 (sets x ways); 16 KB
  unsigned mshrs = 32;   ///< MSHR entries
  bool append = false;   ///< a refetch after HI adds to the line's map instead of replacing it (thesis 4, figure 4.2)
  bool operator==(const TrackerParams&) const = default;
};

enum class Class : std::uint8_t {
  hit,      ///< line valid and holds all of mask
  first,    ///< FM: entry taken
  again,    ///< SM: the line is on its way without all of mask
  merged,   ///< on its way with all of mask: nothing is sent
  invalid,  ///< HI: line valid but lacks some of mask; it is invalid now and fetched again, entry taken
  wait,     ///< replay later: HI outstanding, entry just finished, fill of the same line or entry, or no free entry
};
std::string_view to_string(Class c);

struct TrackerReq {
  std::uint8_t mask = 1;  ///< sub-blocks needed, at least one
  bool line_hit = false;
  std::uint32_t line = 0;
  bool mshr_hit = false;
  bool alloc = false;
  std::uint32_t mshr = 0;
  bool operator==(const TrackerReq&) const = default;
};

struct TrackerRsp {
  Class kind = Class::wait;
  std::uint8_t send = 0;            ///< sub-blocks to ask the memory for
  Reason reason = Reason::partial;  ///< partial when nothing is sent
  bool operator==(const TrackerRsp&) const = default;
};

struct TrackerFill {
  bool evict = false;      ///< invalidate `line`; the other fields mean nothing
  std::uint32_t line = 0;  ///< where the reply goes
  std::uint32_t mshr = 0;
  std::uint8_t asked = 0;  ///< sub-blocks asked that it answers
  std::uint8_t mask = 0;   ///< sub-blocks it brings, a superset
  bool operator==(const TrackerFill&) const = default;
};

/// Fields without meaning are 0.
struct TrackerDone {
  bool complete = false;  ///< the entry is free, its line valid with `map`
  std::uint8_t map = 0;   ///< asked or brought
  LineEvent fetched;  ///< for the windows: what was asked (with append also what the line kept), not what was brought
  bool evicted = false;  ///< old content of the line
  LineEvent old;         ///< as it was fetched
  bool operator==(const TrackerDone&) const = default;
};

std::string describe(const TrackerReq& req);
std::string describe(const TrackerRsp& rsp);
std::string describe(const TrackerFill& fill);
std::string describe(const TrackerDone& done);

class CriticalDataTracker : public Clocked {
 public:
  /// Levels for request_controller, standing until changed; a request uses those of the cycle after it is taken.
  virtual void set_prediction(bool predict, const Verdicts& verdicts) = 0;
  In<"req", TrackerReq> req;
  Out<"rsp", TrackerRsp> rsp;
  In<"fill", TrackerFill> fill;
  Out<"done", TrackerDone> done;
  auto visit_ports(auto&& visit) { return visit(req, rsp, fill, done); }
};

/// Throws std::invalid_argument as make_request_analyzer() does.
std::unique_ptr<CriticalDataTracker> make_critical_data_tracker(const TrackerParams& params, Backend backend,
                                                                std::string name = "critical_data_tracker");

}  // namespace warpsieve::request_control
