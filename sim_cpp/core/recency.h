// Recency: finds the least recently used way of a set. Ways are numbered set by set. A use costs one store. A victim
// is found by comparing several ways at a time, as in core/find_key.h. Sets of more than kScanned ways keep a list
// in the order of use instead.
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
      : ways_(ways), last_(last), used_(ways > kScanned ? 0 : std::size_t{sets} * ways) {
    if (ways <= kScanned) return;
    links_.resize(std::size_t{sets} * ways);
    ends_.resize(sets);
    forget_all();
  }
  static constexpr std::uint32_t kScanned = 32;
  void use(std::uint32_t way) {
    if (!links_.empty()) return move(way, true);
    if (now_ == last_) renumber();
    used_[way] = ++now_;
  }
  /// As if it had never been used.
  void forget(std::uint32_t way) {
    if (!links_.empty()) return move(way, false);
    used_[way] = 0;
  }
  void forget_all() {
    std::fill(used_.begin(), used_.end(), 0);
    for (std::uint32_t set = 0; set < ends_.size(); ++set) {
      const std::uint32_t first = set * ways_, end = first + ways_;
      for (std::uint32_t way = first; way < end; ++way)
        links_[way] = {way == first ? kNone : way - 1, way + 1 == end ? kNone : way + 1};
      ends_[set] = {end - 1, first};
    }
  }
  /// Prefetches what oldest() of this set reads.
  void prefetch_set(std::uint32_t first) const {
    if (links_.empty())
      prefetch(used_.data() + first);
    else
      prefetch(&ends_[first / ways_]);
  }
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// Of the set whose first way is `first`: the way used longest ago, one of those never used if there are any (the
  /// first of them in sets of up to kScanned ways).
  std::uint32_t oldest(std::uint32_t first) const {
    return links_.empty() ? first + find_least(used_.data() + first, ways_) : ends_[first / ways_].newer;
  }
  /// The same among those that `may` be chosen; kNone: there is none.
  template <class May>
  std::uint32_t oldest(std::uint32_t first, May&& may) const {
    const std::uint32_t way = oldest(first);
    if (may(way)) return way;
    if (!links_.empty()) {
      std::uint32_t next = links_[way].newer;
      while (next != kNone && !may(next)) next = links_[next].newer;
      return next;
    }
    std::uint32_t found = kNone;
    for (std::uint32_t w = first; w < first + ways_; ++w)
      if (may(w) && (found == kNone || used_[w] < used_[found])) found = w;
    return found;
  }

 private:
  /// Neighbours of a way in the order of use; of a set's ends: the newest and the oldest way.
  struct Links {
    std::uint32_t older = kNone, newer = kNone;
  };
  /// To the newest or the oldest end of its set's list.
  void move(std::uint32_t way, bool to_newest) {
    Links& ends = ends_[way / ways_];
    if (way == (to_newest ? ends.older : ends.newer)) return;
    Links& own = links_[way];
    (own.older == kNone ? ends.newer : links_[own.older].newer) = own.newer;
    (own.newer == kNone ? ends.older : links_[own.newer].older) = own.older;
    if (to_newest) {
      own = {ends.older, kNone};
      links_[ends.older].newer = way;
      ends.older = way;
    } else {
      own = {kNone, ends.newer};
      links_[ends.newer].older = way;
      ends.newer = way;
    }
  }
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
  // Sets of more than kScanned ways:
  std::vector<Links> links_;  ///< of each way
  std::vector<Links> ends_;   ///< of each set's list; `older` is its newest way, `newer` its oldest
};

}  // namespace warpsieve
