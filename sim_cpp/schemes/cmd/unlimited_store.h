// UnlimitedStore: what deduplication could find at most. Beside one controller's unit it keeps what a hash store
// without limits would know, and counts the duplicates that this store would have found (decision C3: removed of
// potential inter-duplicates). It watches: nothing simulated depends on it.
//
// A write is one that the unit processed (`dedup.writes`): what the L2 gave it while an older write of the line still
// waited in the buffer is merged with that one and is not a write of its own, and never was content of the line. Its
// content is what the unit hashed: the sectors of the merged mask, the line's earlier ones included, and the mask
// (C5, C7), in the order of commits, which is the order in which the real store is asked.
//
//   holds     a line holds the content of its last write until the next write of the line. One that was never written
//             holds nothing (C21), nor does one whose last write was an intra-duplicate (C4), which no store keeps
//   dedup.potential_silent  writes of the content that the line itself holds
//   dedup.potential_inter   others of content that another line of this controller (and domain) holds
//
// `dedup.writes_inter` + `dedup.writes_silent` of these are removed. Compare the sums: a line whose content is also
// held elsewhere, but under another slot, is an inter-duplicate for the unit where it is a silent write here. The
// others are writes that the unit refused (`dedup.count_saturated`, `dedup.partial_limit`, collisions of a weak
// fingerprint) and those whose entry was not in the store any more, or never was.
//
// Limits: other controllers are not looked at (C10). Lines are equal when their XXH3-128 is, which is no secure hash.
// Lines that pass unhashed (cmd.bypass_level) have no known content: the two are refused together (schemes/cmd.cpp).
// Memory: 8 bytes per line of the controller, and about 60 per content held. Time: one XXH3 of at most 130 bytes and
// two look-ups in a hash table per write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/stats.h"
#include "memsys/types.h"

namespace warpsieve::schemes {

class UnlimitedStore {
 public:
  enum class Found : std::uint8_t {
    nowhere,
    elsewhere,  ///< another line holds it, this one does not
    itself      ///< the line holds it already
  };
  /// Of a controller with so many lines.
  UnlimitedStore(std::uint32_t lines, Stats& stats);
  /// The line is written, and holds the sectors in `mask` of `data` (128 bytes) from now on. Lines of two domains
  /// have nothing in common; a line has one domain.
  Found write(memsys::LocalLine line, memsys::SectorMask mask, const std::uint8_t* data, std::uint8_t domain = 0);
  /// An intra-duplicate is written: from now on the line holds nothing that counts.
  void write_intra(memsys::LocalLine line) { leave(line); }
  /// How many different contents lines hold.
  std::size_t contents() const { return users_.size(); }

 private:
  struct Fingerprint {
    std::uint64_t low, high;
    bool operator==(const Fingerprint&) const = default;
  };
  struct LowHalf {
    std::size_t operator()(const Fingerprint& f) const { return f.low; }
  };
  using Users = std::unordered_map<Fingerprint, std::uint32_t, LowHalf>;  ///< content -> lines that hold it
  static Fingerprint fingerprint(memsys::SectorMask mask, const std::uint8_t* data, std::uint8_t domain);
  void leave(memsys::LocalLine line);

  Counter inter_, silent_;
  Users users_;
  std::vector<Users::value_type*> held_;  ///< by line; elements of a map stay where they are
};

}  // namespace warpsieve::schemes
