// ThreadChoice: how many threads a loop of similar pieces of work should have, by measurement.
//
//   candidates   the most, half of it, ..., 1
//   trial        kRounds rounds; in each, every candidate has kPieces pieces in a row, so that work which gets dearer
//                meanwhile does so for all. The one with the lowest median time per work wins; more threads must be
//                faster by kGain
//   period       pieces between trials: so many that the time which the losers of the last trial took beyond the
//                winner is at most kShare of all, between kFirst and kLast
// Close candidates are compared often, and a wrong choice is soon corrected; hopeless ones seldom. The median leaves
// out pieces in which the host ran something else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpsieve {

class ThreadChoice {
 public:
  static constexpr std::uint32_t kRounds = 3, kPieces = 4, kFirst = 128, kLast = 1 << 15;
  static constexpr double kGain = 0.97, kShare = 0.005;

  explicit ThreadChoice(unsigned most) {
    for (unsigned n = std::max(most, 1u); n > 0; n /= 2) candidates_.push_back(n);
    costs_.resize(candidates_.size());
  }
  /// For the next piece.
  unsigned threads() const { return candidates_[trial_ ? trying() : chosen_]; }
  /// The last piece took so long for so much work; pieces without work do not count.
  void measured(double seconds, std::uint64_t work) {
    if (candidates_.size() == 1) return;
    if (!trial_) {
      if (++since_ < period_) return;
      since_ = 0;
      trial_ = true;
      return;
    }
    if (!work) return;
    if (piece_ % kPieces) costs_[trying()].push_back(seconds / static_cast<double>(work));
    if (++piece_ == kRounds * kPieces * candidates_.size()) decide();
  }

 private:
  std::size_t trying() const { return piece_ / kPieces % candidates_.size(); }
  void decide() {
    std::size_t chosen = 0;
    double best = 0, sum = 0;
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      const auto middle = costs_[i].begin() + static_cast<std::ptrdiff_t>(costs_[i].size() / 2);
      std::nth_element(costs_[i].begin(), middle, costs_[i].end());
      // Candidates come with fewer and fewer threads: those that are not slower by much win.
      if (i == 0 || *middle * kGain < best) {
        best = i == 0 ? *middle : std::min(best, *middle);
        chosen = i;
      }
      sum += *middle;
      costs_[i].clear();
    }
    // In pieces of the winner.
    const double lost = best > 0 ? kRounds * kPieces * (sum / best - static_cast<double>(costs_.size())) : 0;
    period_ = static_cast<std::uint32_t>(std::clamp<double>(lost / kShare, kFirst, kLast));
    chosen_ = chosen;
    trial_ = false;
    piece_ = 0;
  }

  std::vector<unsigned> candidates_;  ///< descending
  std::vector<std::vector<double>> costs_;
  std::size_t chosen_ = 0;
  bool trial_ = true;
  std::uint32_t piece_ = 0;  ///< of the trial
  std::uint32_t since_ = 0, period_ = kFirst;
};

}  // namespace warpsieve
