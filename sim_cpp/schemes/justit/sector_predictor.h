// SectorPredictor: JUSTIT's 1-1 predictor as an L1 asks it: was this sector loaded by a one-sector request before,
// within the recent past? (JUSTIT paper, section 2; decisions J3 to J6.)
//
// The block bloom_predictor (model, rtl or shadow) answers; its clock follows the SM's, and each request takes
// two cycles of it inside the call. Sizes with another number of hashes than the block's three exist as a
// textbook filter only. An exact history with the same periods judges every answer: an answer "seen" for a sector
// that is not in it is a false positive (counted), the opposite a broken filter (std::logic_error).
#pragma once

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "blocks/bloom_predictor/bloom_predictor.h"
#include "core/key_hash.h"
#include "core/stats.h"
#include "core/wake.h"
#include "memsys/types.h"

namespace warpsieve::schemes {

struct PredictorSizes {
  std::uint32_t counters, counter_bits, hashes, threshold, period;
};

/// Two arrays of exact counts with the roles, periods and clears of the block's.
class ExactHistory {
 public:
  ExactHistory(std::uint32_t threshold, std::uint32_t period, std::uint32_t clear_cycles)
      : threshold_(threshold), period_(period), clear_cycles_(clear_cycles) {}
  /// Tests and records; `clearing` as tick() said.
  bool seen(std::uint64_t sector, bool clearing);
  /// One cycle; true while the array that is not tested is being cleared and takes nothing.
  bool tick();
  void clear();

 private:
  std::uint32_t threshold_, period_, clear_cycles_;
  using Counts = std::array<std::uint32_t, 2>;  ///< in each of the two arrays
  tsl::robin_map<std::uint64_t, Counts, KeyHash> counts_;
  unsigned active_ = 0;
  std::uint32_t taken_ = 0, clear_left_ = 0;
};

class SectorPredictor {
 public:
  virtual ~SectorPredictor() = default;
  /// Records the request and tells whether the sector was seen before.
  bool seen(Cycle now, std::uint32_t line, unsigned sector);
  /// Forgets everything (J13, option).
  virtual void forget() = 0;

 protected:
  explicit SectorPredictor(Stats& stats);
  struct Answer {
    bool filter, exact;
  };
  virtual Answer ask(Cycle now, std::uint32_t line, unsigned sector) = 0;

 private:
  Counter requests_, seen_, false_positives_;
};

/// Throws std::invalid_argument when a size is out of range, or `backend` needs RTL that is not compiled.
std::unique_ptr<SectorPredictor> make_sector_predictor(const PredictorSizes& sizes, Backend backend,
                                                       const std::string& name, Stats& stats);

}  // namespace warpsieve::schemes
