// ThreadChoice: how many threads a loop of similar pieces of work should have, by measurement.
//
//   candidates   the most, half of it, ..., 1
//   trial        kPieces pieces with each candidate, every kPeriod pieces. The one with the lowest median time per
//                work wins; more threads must be faster by kGain
// A trial with the losers is short against the period, so that a wrong choice is soon corrected and costs little. The
// median leaves out pieces in which the host ran something else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpsieve {

class ThreadChoice {
 public:
  static constexpr std::uint32_t kPieces = 9, kPeriod = 1024;
  static constexpr double kGain = 0.97;

  explicit ThreadChoice(unsigned most) {
    for (unsigned n = std::max(most, 1u); n > 0; n /= 2) candidates_.push_back(n);
    chosen_ = 0;
  }
  /// For the next piece.
  unsigned threads() const { return candidates_[trying_ < candidates_.size() ? trying_ : chosen_]; }
  /// The last piece took so long for so much work; pieces without work do not count.
  void measured(double seconds, std::uint64_t work) {
    if (candidates_.size() == 1) return;
    if (trying_ == candidates_.size()) {
      if (++since_ < kPeriod) return;
      since_ = 0;
      trying_ = 0;
      best_ = std::numeric_limits<double>::max();
      return;
    }
    if (work) costs_.push_back(seconds / static_cast<double>(work));
    if (costs_.size() < kPieces) return;
    const auto middle = costs_.begin() + kPieces / 2;
    std::nth_element(costs_.begin(), middle, costs_.end());
    // Candidates come with fewer and fewer threads: those that are not slower by much win.
    if (*middle * kGain < best_) {
      best_ = std::min(best_, *middle);
      chosen_ = trying_;
    }
    costs_.clear();
    ++trying_;
  }

 private:
  std::vector<unsigned> candidates_;  ///< descending
  std::size_t chosen_ = 0, trying_ = 0;
  std::uint32_t since_ = 0;
  double best_ = std::numeric_limits<double>::max();
  std::vector<double> costs_;
};

}  // namespace warpsieve
