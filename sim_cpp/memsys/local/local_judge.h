// LocalJudge: a copy of one SM's private memory in program order. Every word that a load reads, and every dirty word
// that is dropped at the end of a kernel, is compared with it. It models nothing and costs no cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "memsys/context.h"
#include "memsys/local/lane_words.h"

namespace warpsieve::memsys {

class LocalJudge {
 public:
  /// `first`: line of the device address space at which the SM's lines begin.
  LocalJudge(Context& context, std::uint32_t first, std::uint32_t lines)
      : golden_(context.golden), first_(first), lines_(lines) {}
  void store(std::uint32_t line, std::uint32_t mask, const LaneWords& words) { merge(lines_[line], words, mask); }
  /// What a load that issues now must read.
  const LaneWords& content(std::uint32_t line) const { return lines_[line]; }
  void check(Cycle now, std::uint32_t line, std::uint32_t mask, const LaneWords& expected, const LaneWords& found) {
    golden_.check_words(now, GlobalLine{first_ + line}, mask, expected.data(), found.data(), Source::local);
  }

 private:
  GoldenMemory& golden_;
  std::uint32_t first_;
  std::vector<LaneWords> lines_;
};

}  // namespace warpsieve::memsys
