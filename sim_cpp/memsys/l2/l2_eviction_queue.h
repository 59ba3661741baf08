// L2EvictionQueue: dirty lines on their way from an L2 slice to its controller, in order.
//
//   depth     l2.eviction_queue lines
//   fetches   a partly written sector is completed before it leaves: the slice reads it from the controller, and the
//             fill merges under the dirty bytes. With byte masks (l2.partial_writes) it may leave as it is
// A bit count per group of lines makes most lookups a single load.
#pragma once

#include <array>
#include <cstdint>

#include "core/ring.h"
#include "memsys/ports.h"

namespace warpsieve::memsys {

class L2EvictionQueue {
 public:
  struct Entry {
    LocalLine line;
    std::uint32_t number = 0;  ///< tag of its fetch
    SectorMask fetch = 0;      ///< partly written sectors not fetched yet
    bool asked = false;        ///< the fetch is under way
    Cycle ready = 0;           ///< when what was fetched can be used
    ByteMask dirty{};
    WriteRequest write;
  };

  static constexpr std::uint32_t kNumbers = 0x3fffffffu;  ///< bits of Entry::number; the slice uses the others

  explicit L2EvictionQueue(std::uint32_t places) : entries_(places) {}

  bool empty() const { return entries_.empty(); }
  bool full() const { return entries_.full(); }
  std::size_t size() const { return entries_.size(); }
  Entry& front() { return entries_.front(); }
  const Entry& front() const { return entries_.front(); }
  /// Adds a line of which only the `dirty` bytes of sectors `partly` are here. With `masked` they leave under byte
  /// masks. The caller sets what is written.
  Entry& push(LocalLine line, SectorMask partly, const ByteMask& dirty, bool masked);
  void pop();

  /// Whether the line is in the queue.
  bool has(LocalLine line) const { return near_[near(line)] && find(line, false); }
  /// Whether it is, with sectors that are being completed.
  bool is_fetching(LocalLine line) const { return near_[near(line)] && find(line, true); }
  /// Dirty bytes of a sector in all entries of the line.
  std::uint32_t dirty_bytes(LocalLine line, unsigned sector) const;

  /// Fetches that have not been sent.
  std::uint32_t fetches_wanted() const { return fetches_wanted_; }
  /// The oldest entry that needs one and follows no other entry of its line, nor is of line `held`; or nullptr.
  Entry* next_fetch(const LocalLine* held);
  void sent(Entry& entry) {
    entry.asked = true;
    --fetches_wanted_;
  }
  /// The entry whose fetch has this tag; nullptr: none.
  Entry* fetching(std::uint32_t number);

 private:
  static constexpr std::size_t kNear = 64;
  static std::size_t near(LocalLine line) { return line / kSlicesPerController % kNear; }
  bool find(LocalLine line, bool only_fetching) const;

  Ring<Entry> entries_;
  std::array<std::uint16_t, kNear> near_{};  ///< entries by near(line)
  std::uint32_t number_ = 0, fetches_wanted_ = 0;
};

}  // namespace warpsieve::memsys
