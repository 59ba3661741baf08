// Recency: which of the ways of a set was used longest ago (LRU). Ways are numbered set by set. A use is one store;
// the victim is found by comparing several ways at a time, as in core/find_key.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/find_key.h"
#include "core/prefetch.h"

namespace warpsieve {

class Recency {
 public:
  /// `last`: the time at which times are numbered anew; tests have it come soon.
  Recency(std::uint32_t sets, std::uint32_t ways, std::int32_t last = std::numeric_limits<std::int32_t>::max())
      : ways_(ways), last_(last), used_(std::size_t{sets} * ways) {}
  void use(std::uint32_t way) {
    if (now_ == last_) renumber();
    used_[way] = ++now_;
  }
  /// As if it had never been used.
  void forget(std::uint32_t way) { used_[way] = 0; }
  void forget_all() { std::fill(used_.begin(), used_.end(), 0); }
  /// The set will be asked for its oldest() soon.
  void expect(std::uint32_t first) const { prefetch(used_.data() + first); }
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// Of the set whose first way is `first`: the way used longest ago, the first of those never used.
  std::uint32_t oldest(std::uint32_t first) const { return first + find_least(used_.data() + first, ways_); }
  /// The same among those that `may` be chosen; kNone: there is none.
  template <class May>
  std::uint32_t oldest(std::uint32_t first, May&& may) const {
    const std::uint32_t way = oldest(first);
    if (may(way)) return way;
    std::uint32_t found = kNone;
    for (std::uint32_t w = first; w < first + ways_; ++w)
      if (may(w) && (found == kNone || used_[w] < used_[found])) found = w;
    return found;
  }

 private:
  /// Small times in the same order, set by set.
  void renumber() {
    std::vector<std::int32_t> times;
    for (auto set = used_.begin(); set != used_.end(); set += ways_) {
      times.assign(set, set + ways_);
      std::sort(times.begin(), times.end());
      for (auto time = set; time != set + ways_; ++time)
        if (*time)
          *time = 1 + static_cast<std::int32_t>(std::lower_bound(times.begin(), times.end(), *time) - times.begin());
    }
    now_ = static_cast<std::int32_t>(ways_);
  }

  std::uint32_t ways_;
  std::int32_t last_, now_ = 0;
  std::vector<std::int32_t> used_;  ///< when each way was used last; 0: never
};

}  // namespace warpsieve
