// L2Tags: the tag array of an L2 slice with its dirty masks and data. Sets x ways, LRU.
//
//   tag        valid, pending and dirty bits per sector; pending: asked of the controller, not back yet
//   dirty      a bit per byte; a sector whose bytes are all dirty is valid
//   set        low bits of the line number within the slice, or a hash of it (l2.set_hash)
// It takes no time of its own. The slice models ports and latency (l2.h).
#pragma once

#include <cstdint>
#include <vector>

#include "core/find_key.h"
#include "core/prefetch.h"
#include "core/recency.h"
#include "core/set_index.h"
#include "memsys/ports.h"
#include "memsys/profile.h"

namespace warpsieve::memsys {

class L2Tags {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// State of a way beside its line. Small, because thousands are read at random.
  struct Tag {
    bool present = false;
    SectorMask valid = 0, pending = 0, dirty = 0;  ///< dirty: sectors with dirty bytes
    std::uint32_t mshr = kNone;
  };

  explicit L2Tags(const L2Params& params);

  std::size_t size() const { return tags_.size(); }
  /// Returns the way that holds the line, numbered over all sets, or kNone.
  std::uint32_t find(LocalLine line) const {
    const std::uint32_t first = first_way(line);
    const std::uint32_t way = find_key(lines_.data() + first, ways_, line);
    return way == ways_ ? kNone : first + way;
  }
  /// Returns the way that a new line gets: a free one, else the least recently used without pending sectors, or
  /// kNone.
  std::uint32_t victim(LocalLine line) const;
  Tag& operator[](std::uint32_t way) { return tags_[way]; }
  const Tag& operator[](std::uint32_t way) const { return tags_[way]; }
  LocalLine line(std::uint32_t way) const { return LocalLine{lines_[way]}; }
  LineData& data(std::uint32_t way) { return data_[way]; }
  const LineData& data(std::uint32_t way) const { return data_[way]; }
  /// The way becomes the most recently used of its set.
  void use(std::uint32_t way) { recency_.use(way); }
  /// Gives the way to a line without valid sectors.
  void put(std::uint32_t way, LocalLine line) {
    tags_[way] = Tag{.present = true};
    lines_[way] = line;
    recency_.use(way);
  }
  void remove(std::uint32_t way) {
    tags_[way].present = false;
    lines_[way] = kNone;
  }

  std::uint32_t dirty_bytes(std::uint32_t way, unsigned sector) const {
    return tags_[way].dirty >> sector & 1 ? dirty_[way][sector] : 0;
  }
  void make_dirty(std::uint32_t way, unsigned sector, std::uint32_t bytes) {
    if (!bytes) return;
    dirty_[way][sector] = dirty_bytes(way, sector) | bytes;
    tags_[way].dirty |= static_cast<SectorMask>(1u << sector);
  }
  /// Writes bytes of a sector. A pending sector stays invalid until its fill.
  void store(std::uint32_t way, unsigned sector, const std::uint8_t* from, std::uint32_t bytes) {
    merge_sector(data_[way].sector(sector), from, bytes);
    make_dirty(way, sector, bytes);
    if (dirty_bytes(way, sector) == kFullSector && !(tags_[way].pending >> sector & 1))
      tags_[way].valid |= static_cast<SectorMask>(1u << sector);
  }

  // For prefetching on the simulating machine (host_prefetch.h).
  void prefetch_set(LocalLine line) const;
  void prefetch_order(LocalLine line) const { recency_.prefetch_set(first_way(line)); }
  std::uint32_t oldest(LocalLine line) const { return recency_.oldest(first_way(line)); }

 private:
  std::uint32_t set_of(LocalLine line) const { return set_(line / kSlicesPerController); }
  std::uint32_t first_way(LocalLine line) const { return set_of(line) * ways_; }

  std::uint32_t ways_;
  SetIndex set_;
  std::vector<Tag> tags_;
  std::vector<ByteMask> dirty_;       ///< per way, counts where the tag's dirty bit is set
  std::vector<std::uint32_t> lines_;  ///< per way, kNone when free: what a lookup compares
  Recency recency_;
  std::vector<LineData> data_;
};

}  // namespace warpsieve::memsys
