// DedupGuard: opens and closes a deduplication unit, so that no reset of what is around it loses data.
//
//   open     reads and writes pass
//   drop     the L2 is in reset: replies for it go nowhere, its probes are answered with no sector
//   drained  closed, and the unit is at rest: not busy, no probe without an answer, no fetch without its sector
//   latency  1 cycle from an input to an output
// RTL: rtl/dedup_safe/dedup_guard.sv, whose header has the states.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cosim/block.h"

namespace warpsieve::dedup_safe {

struct GuardParams {
  unsigned ids = 17;  ///< of probes: 0 to ids - 1; at most one of an id without an answer
  unsigned id_bits = 5;
  unsigned caches = 4;
  unsigned fetches = 8;  ///< of one cache, at a time
};

/// What is there in one cycle.
struct GuardIn {
  bool drain = false, warm = false;
  bool image_done = true;
  bool busy = false;  ///< of the unit
  /// Id of a probe that is taken, of an answer that the unit takes.
  std::optional<unsigned> sent = std::nullopt, back = std::nullopt;
  unsigned fetch = 0, fill = 0;  ///< per cache a bit: a fetch is taken, its sector is
};

struct GuardOut {
  bool open = false, drop = false, drained = false;
  std::optional<unsigned> answer;  ///< id of a probe, until it is taken
  bool operator==(const GuardOut&) const = default;
};
std::string describe(const GuardOut& out);

struct DedupGuard : Clocked {
  virtual void in(const GuardIn& in) = 0;  ///< of this cycle
  virtual GuardOut out() const = 0;
};

/// Backends model and rtl. Throws std::invalid_argument for any other and for a point not compiled.
std::unique_ptr<DedupGuard> make_dedup_guard(const GuardParams& params, Backend backend,
                                             const std::string& name = "dedup_guard");

}  // namespace warpsieve::dedup_safe
