// L1Tags: the tag array of an L1 with its sector states and data.
//
//   set          low bits of the line number, or a hash of it (l1.set_hash)
//   replacement  LRU, or tree pseudo-LRU (l1.replacement = 1); never a way that is reserved for an MSHR
//   lookup       sets of up to 32 ways compare all tags, wider ones use a hash table
// It takes no time of its own. L1Cache models ports and latency (l1.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "blocks/common/plru_tree.h"
#include "core/find_key.h"
#include "core/prefetch.h"
#include "core/recency.h"
#include "core/set_index.h"
#include "core/way_lookup.h"
#include "memsys/profile.h"
#include "memsys/types.h"

namespace warpsieve::memsys {

class L1Tags {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  explicit L1Tags(const L1Params& params);

  std::size_t size() const { return lines_.size(); }
  /// The line of a way, numbered over all sets; kNone: free.
  GlobalLine line(std::uint32_t way) const { return GlobalLine{lines_[way]}; }
  std::uint32_t find(GlobalLine line) const {
    if (lookup_) return lookup_->find(lines_, line);
    const std::uint32_t first = first_way(line);
    const std::uint32_t way = find_key(lines_.data() + first, ways_, line);
    return way == ways_ ? kNone : first + way;
  }
  /// The way that a new line gets: free, or the one to be replaced. kNone: all are reserved.
  std::uint32_t victim(GlobalLine line) const;
  /// Another way of the line's set than those reserved can be reserved, and one stays.
  bool can_reserve(GlobalLine line) const;
  /// The way, which has no line, gets one.
  void put(std::uint32_t way, GlobalLine line) {
    lines_[way] = line;
    if (lookup_) lookup_->insert(lines_, way);
  }
  /// The way becomes free and comes before all that are taken as victim.
  void vacate(std::uint32_t way) {
    if (lookup_ && lines_[way] != kNone) lookup_->erase(lines_, way);
    lines_[way] = kNone;
    recency_.forget(way);
  }
  void touch(std::uint32_t way) {
    if (tree_)
      tree_->touch(way / ways_, way % ways_);
    else
      recency_.use(way);
  }
  /// All ways become free.
  void clear();

  SectorMask& valid(std::uint32_t way) { return valid_[way]; }
  SectorMask valid(std::uint32_t way) const { return valid_[way]; }
  /// Sectors that loads asked for since the line came.
  SectorMask& touched(std::uint32_t way) { return touched_[way]; }
  /// Valid sectors that came from the L2 and contain every store of the cluster that has passed its port.
  SectorMask& current(std::uint32_t way) { return current_[way]; }
  SectorMask current(std::uint32_t way) const { return current_[way]; }
  std::uint8_t& reserved(std::uint32_t way) { return reserved_[way]; }
  LineData& data(std::uint32_t way) { return data_[way]; }
  const LineData& data(std::uint32_t way) const { return data_[way]; }

  // For prefetching on the simulating machine (host_prefetch.h).
  void prefetch_lines(GlobalLine line) const {
    if (lookup_)
      lookup_->prefetch_line(line);
    else
      prefetch(lines_.data() + first_way(line));
  }
  void prefetch_order(GlobalLine line) const { recency_.prefetch_set(first_way(line)); }
  void prefetch_states(GlobalLine line) const;
  std::uint32_t oldest(GlobalLine line) const { return recency_.oldest(first_way(line)); }

 private:
  std::uint32_t set_of(GlobalLine line) const { return set_(line); }
  std::uint32_t first_way(GlobalLine line) const { return set_of(line) * ways_; }

  std::uint32_t ways_;
  SetIndex set_;
  std::vector<std::uint32_t> lines_;
  std::optional<WayLookup> lookup_;  ///< of wide sets
  std::vector<SectorMask> valid_, touched_, current_;
  std::vector<std::uint8_t> reserved_;
  Recency recency_;  ///< ways without a line were never used
  std::optional<common::PlruSets> tree_;
  std::vector<LineData> data_;
};

}  // namespace warpsieve::memsys
