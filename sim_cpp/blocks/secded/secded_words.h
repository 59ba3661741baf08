// secded_words: check bits for words of any width, in lanes; the C++ twin of rtl/secded/secded_words.sv, and the RTL.
//
//   encode(word)    the bits to store: per lane its data, then the check bits of each of its parts
//   decode(stored)  per lane one wrong bit in each part corrected, two in one part reported
//
// A lane of more than 64 bits has parts of equal width, of which the last may be shorter.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "blocks/secded/secded.h"

namespace warpsieve::secded {

/// A bit per element, bit 0 first.
using Bits = std::vector<bool>;

struct WordsShape {
  unsigned width = 66;  ///< bits per word, a multiple of lanes
  unsigned lanes = 1;
  bool secded = true;  ///< false: no check bits
  unsigned lane_bits() const { return width / lanes; }
  unsigned parts() const { return (lane_bits() + 63) / 64; }  ///< of a lane
  unsigned part_bits() const { return (lane_bits() + parts() - 1) / parts(); }
};

struct DecodedWord {
  Bits data;
  Bits single;  ///< per lane: wrong bits, all corrected
  Bits fatal;   ///< per lane: not to be used
  bool operator==(const DecodedWord&) const = default;
};

class WordsCode {
 public:
  /// Throws std::invalid_argument when width is no multiple of lanes.
  explicit WordsCode(const WordsShape& shape);
  unsigned stored_bits() const;
  /// The part, counted over all lanes, that a stored bit belongs to.
  unsigned part_of(unsigned stored_bit) const;
  Bits encode(const Bits& word) const;
  DecodedWord decode(const Bits& stored) const;

 private:
  unsigned lane_stored() const { return stored_bits() / shape_.lanes; }
  unsigned bits_of(unsigned part) const;  ///< data bits of a part of a lane
  WordsShape shape_;
  Code code_;
};

/// The combinational RTL: one evaluation encodes and decodes.
struct SecdedWordsRtl {
  struct Pins {
    Bits stored;  ///< of the word given
    DecodedWord decoded;
  };
  virtual ~SecdedWordsRtl() = default;
  /// flip: two halves of number + 1 of a stored bit to invert; 0: none.
  virtual Pins eval(const Bits& word, const Bits& read, std::uint32_t flip) = 0;
};

/// Throws std::invalid_argument when no compiled point has this shape.
std::unique_ptr<SecdedWordsRtl> make_secded_words_rtl(const WordsShape& shape,
                                                      const std::string& name = "secded_words");

}  // namespace warpsieve::secded
