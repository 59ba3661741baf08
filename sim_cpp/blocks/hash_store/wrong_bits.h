// What is wrong in the tables of a hash store with secded: for each lane, what its last write left wrong.
//
// A write inverts at most two bits. Each part of a lane corrects one, so the data of a word that is not lost is
// known, and only whether a part has one or two is kept here. The order of bits is that of secded_words.
#pragma once

#include <array>
#include <vector>

#include "blocks/hash_store/hash_store.h"
#include "blocks/secded/secded_words.h"

namespace warpsieve::hash_store {

class WrongBits {
 public:
  struct Found {
    bool single = false;  ///< a part has one wrong bit
    bool fatal = false;   ///< a part has two
    Found& operator|=(const Found& other) {
      single |= other.single;
      fatal |= other.fatal;
      return *this;
    }
  };
  /// Nothing is kept without params.secded.
  explicit WrongBits(const HashStoreParams& params);
  void reset();
  void set_flips(std::uint32_t flips) { flips_ = flips; }
  /// A lane is written, with the flips that stand.
  void write(HashStoreTable table, unsigned word, unsigned lane);
  Found lane(HashStoreTable table, unsigned word, unsigned lane) const;
  /// All lanes of a word.
  Found word(HashStoreTable table, unsigned word) const;

  struct Shape {
    unsigned words, lanes, parts;  ///< parts of a lane
    secded::WordsCode code;
    unsigned stored_bits() const { return code.stored_bits(); }
    unsigned lane_of(unsigned number) const { return code.part_of(number) / parts; }
  };
  static Shape shape(const HashStoreParams& params, HashStoreTable table);

 private:
  bool on_;
  std::uint32_t flips_ = 0;
  std::vector<Shape> shapes_;  ///< by table; none without secded
  std::array<std::vector<Found>, 4> found_;
};

}  // namespace warpsieve::hash_store
