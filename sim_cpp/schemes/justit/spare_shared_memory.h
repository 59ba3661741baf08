// SpareSharedMemory: one-sector blocks in the shared memory that a kernel leaves unused (JUSTIT paper, section 2;
// decision J8).
//
//   entry    36 bytes: 32 of data, 4 of tag (valid bit, sector address above the set, LRU position)
//   sets     4 ways, LRU; as many as fit into the spare bytes, so any number: set = sector address mod sets
//   content  write-through copies: an entry can be dropped at any time
// Knows no time: the port that uses it counts the shared-memory cycles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "memsys/types.h"

namespace warpsieve::schemes {

class SpareSharedMemory {
 public:
  static constexpr std::uint32_t kWays = 4, kEntryBytes = 36;
  using Sector = std::array<std::uint8_t, memsys::kSectorBytes>;

  /// Empties it and takes as many sets as fit into `bytes`.
  void resize(std::uint32_t bytes);
  void clear();
  std::uint32_t sets() const { return sets_; }
  std::uint32_t entries() const { return sets_ * kWays; }

  bool holds(std::uint64_t sector) const { return find(sector) != kNone; }
  /// The data, and the entry becomes the most recently used; nullptr when absent.
  const std::uint8_t* read(std::uint64_t sector);
  /// Puts a sector in the place of an invalid or else the least recently used entry, or over itself; gives the
  /// sector that had to leave. There must be a set.
  std::optional<std::uint64_t> insert(std::uint64_t sector, const std::uint8_t* data);
  /// Writes the bytes of `mask`; false when absent.
  bool write(std::uint64_t sector, const std::uint8_t* data, std::uint32_t mask);
  /// False when absent.
  bool erase(std::uint64_t sector);

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Tag {
    std::uint64_t sector = 0;
    std::uint64_t used = 0;  ///< 0: invalid
  };
  /// A line of the host's cache: most accesses are misses, and look no further.
  struct alignas(64) Set {
    std::array<Tag, kWays> tags;
  };
  /// Entry set * kWays + way; kNone: absent.
  std::size_t find(std::uint64_t sector) const;
  /// Finds it and makes it the most recently used one.
  std::size_t touch(std::uint64_t sector);
  Tag& tag(std::size_t entry) { return all_[entry / kWays].tags[entry % kWays]; }
  void empty(std::uint32_t sets);

  std::uint32_t sets_ = 0;
  std::uint64_t clock_ = 0;
  std::vector<Set> all_;
  std::vector<Sector> data_;  ///< by entry
};

}  // namespace warpsieve::schemes
