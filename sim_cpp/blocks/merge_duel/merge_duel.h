// MergeDuel: shall the L2 complete partly written sectors before it writes them back? Decided by set dueling (C34).
//
//   group       bits of the line number, folded by xor to leader_bits bits. All 0: always completed. All 1: never
//   level       + a DRAM sector of a line that is always completed, - one of a line that never is; it stops at
//               +-(2^(level_bits-1) - 1). Other lines are completed from -2^(level_bits-3) or less on, until 0 or
//               more
//   latency     whole() is about the line asked for in the cycle before; events act on it two cycles later
//   throughput  one event of each kind per cycle; never refuses any
// RTL: rtl/merge_duel/merge_duel.sv.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cosim/block.h"

namespace warpsieve::merge_duel {

struct DuelParams {
  unsigned line_bits = 21;   ///< 1 to 31
  unsigned tag_bits = 10;    ///< 1 to 16
  unsigned leader_bits = 7;  ///< one line of 2^leader_bits is in each group; 1 to line_bits
  unsigned level_bits = 9;   ///< 6 to 16
  bool operator==(const DuelParams&) const = default;
};

/// What happens in one cycle.
struct DuelEvents {
  struct Open {
    std::uint32_t tag, line;
  };
  struct Sent {
    std::uint32_t tag;
    std::uint8_t mask;
  };
  struct Done {
    std::uint32_t line;
    std::uint8_t sectors;  ///< 0 to 15
  };
  std::optional<std::uint32_t> ask{};  ///< a line that is evicted with partly written sectors
  std::optional<Open> open{};          ///< a read of the L2 is taken
  std::optional<Sent> sent{};          ///< sectors of a read that was taken in an earlier cycle are read from DRAM
  std::optional<Done> done{};          ///< a line was written back: sectors written and read for it
};
std::string describe(const DuelEvents& events);

struct MergeDuel : Clocked {
  virtual void in(const DuelEvents& events) = 0;  ///< of this cycle
  virtual bool whole() const = 0;                 ///< sectors of the line last asked for are to be completed
  virtual int level() const = 0;
};

/// Throws std::invalid_argument for parameters out of range, or when `backend` needs RTL and no compiled point has
/// them.
std::unique_ptr<MergeDuel> make_merge_duel(const DuelParams& params, Backend backend,
                                           std::string name = "merge_duel");

}  // namespace warpsieve::merge_duel
