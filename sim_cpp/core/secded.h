// Hsiao's (72,64) code, the usual error correction of 8-byte words in memories: single errors corrected, double
// errors detected. Every column of the check matrix has odd weight: the 56 bytes of weight 3, then the 8
// rotations of 00011111, then the unit bytes of the check bits themselves.
#pragma once

#include <cstdint>

namespace warpsieve::secded {

/// The column of data bit 0..63.
std::uint8_t column(unsigned bit);

/// Check bits of a word: the sum of the columns of its ones.
std::uint8_t check_byte(std::uint64_t word);

}  // namespace warpsieve::secded
