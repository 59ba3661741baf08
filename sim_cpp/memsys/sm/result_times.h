// ResultTimes: when the results of a warp's instructions are there (the scoreboard of one warp).
//
//   recent   the last kRecent instructions: a ring
//   late     older ones whose result was not there when they left the ring: loads that take long
//   others   have their results
// So memory does not grow with the stream, which many warps may share. Units: core clock cycles.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "memsys/types.h"

namespace warpsieve::memsys {

class ResultTimes {
 public:
  static constexpr std::uint32_t kRecent = 64;

  /// A warp starts: its first instruction is number 0.
  void start() {
    next_ = 0;
    late_.clear();
  }
  /// The next instruction has issued in cycle `now`. `at`: when its result is there; kNever: arrive() will say.
  void issued(Cycle now, Cycle at) {
    Cycle& place = recent_[next_ % kRecent];
    if (next_ >= kRecent && place > now) {
      std::erase_if(late_, [now](const auto& l) { return l.second <= now; });
      late_.emplace_back(next_ - kRecent, place);
    }
    place = at;
    ++next_;
  }
  void arrive(std::uint32_t instr, Cycle at) {
    if (next_ - instr <= kRecent) {
      recent_[instr % kRecent] = at;
      return;
    }
    std::ranges::find(late_, instr, &Late::first)->second = at;
  }
  /// Of an instruction that has issued; kNever: not known. One that has passed may be given as cycle 0.
  Cycle at(std::uint32_t instr) const {
    if (next_ - instr <= kRecent) return recent_[instr % kRecent];
    if (late_.empty()) return 0;
    const auto found = std::ranges::find(late_, instr, &Late::first);
    return found == late_.end() ? 0 : found->second;
  }

 private:
  using Late = std::pair<std::uint32_t, Cycle>;
  std::uint32_t next_ = 0;
  std::vector<Late> late_;
  std::array<Cycle, kRecent> recent_{};
};

}  // namespace warpsieve::memsys
