// WayLookup: finds the way that holds a line in sets of many ways, where a scan of all tags is slow.
// It is an open-addressed table of way numbers beside the tags, and keeps no tags itself.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/prefetch.h"

namespace warpsieve {

class WayLookup {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// Sets of up to this many ways are scanned (core/find_key.h).
  static constexpr std::uint32_t kScanned = 32;

  explicit WayLookup(std::uint32_t ways)
      : places_(std::bit_ceil(std::size_t{ways} * 2), kNone), last_(places_.size() - 1),
        shift_(64 - static_cast<unsigned>(std::countr_zero(places_.size()))) {}

  std::uint32_t find(const std::vector<std::uint32_t>& tags, std::uint32_t line) const {
    for (std::size_t i = home(line);; i = (i + 1) & last_) {
      const std::uint32_t way = places_[i];
      if (way == kNone || tags[way] == line) return way;
    }
  }
  /// Requires: `way` has its new tag, and no other way has the same.
  void insert(const std::vector<std::uint32_t>& tags, std::uint32_t way) {
    std::size_t i = home(tags[way]);
    while (places_[i] != kNone) i = (i + 1) & last_;
    places_[i] = way;
  }
  /// Requires: `way` still has the tag that it loses.
  void erase(const std::vector<std::uint32_t>& tags, std::uint32_t way) {
    std::size_t hole = home(tags[way]);
    while (places_[hole] != way) hole = (hole + 1) & last_;
    // What comes behind it moves up, unless it would then stand before its home.
    for (std::size_t i = (hole + 1) & last_; places_[i] != kNone; i = (i + 1) & last_) {
      const std::size_t from_home = (i - home(tags[places_[i]])) & last_;
      if (from_home < ((i - hole) & last_)) continue;
      places_[hole] = places_[i];
      hole = i;
    }
    places_[hole] = kNone;
  }
  void clear() { places_.assign(places_.size(), kNone); }
  /// Prefetches what find() of this line reads.
  void prefetch_line(std::uint32_t line) const { prefetch(&places_[home(line)]); }

 private:
  std::size_t home(std::uint32_t line) const {
    return static_cast<std::size_t>(line * 0x9e3779b97f4a7c15ull >> shift_);
  }
  std::vector<std::uint32_t> places_;
  std::size_t last_;
  unsigned shift_;
};

}  // namespace warpsieve
