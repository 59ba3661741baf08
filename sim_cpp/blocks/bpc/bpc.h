// bpc_encoder, bpc_decoder: bit-plane compression of a 128-byte line (comparator codec; decisions D10, C22).
//
//   32 words ──▶ base + 31 differences of 33 bits ──▶ 33 bit planes of 31 bits ──▶ XOR with the plane above ──▶ codes
//
// Word i is little-endian bytes 4 i .. 4 i + 3; difference i = word i+1 - word i as a 33-bit signed number, in bit i
// of every plane. DBP(j) = bit j of the differences; DBX(32) = DBP(32), DBX(j) = DBP(j) ^ DBP(j+1).
//
// Stream, bit 0 first: 1, the base's code, the codes of planes 32 down to 0. Codes are written first bit first, the
// numbers in them lowest bit first.
//
//   base   zero                     000
//          4 / 8 / 16-bit signed    001 / 010 / 011, then 4 / 8 / 16 bits
//          any                      1, then 32 bits
//   DBX    2 to 33 zero planes      01, then the number of planes less 2 in 5 bits (always the whole run)
//          one zero plane           001
//          all ones                 00011
//          DBP is zero              00010
//          one 1                    00000, then its place in 5 bits
//          two adjacent 1           00001, then the place of the lower one in 5 bits
//          any                      1, then 31 bits
//   The first row that fits counts. When the codes take 1,024 bits or more, the stream is 0 and the 32 raw words.
//
// Decoding takes every bit pattern: places modulo what fits (a place of 31 sets nothing, adjacent ones above bit 30
// fall off, runs end at plane 0) and bits from 1,025 on read as 0.
//
//
// The scheme code charges sectors(encoded_bits(line)); the flag lives in the metadata there.
#pragma once

#include <array>
#include <cstdint>

namespace warpsieve::bpc {

inline constexpr unsigned kRawBits = 1024;
inline constexpr unsigned kMaxBits = 1 + kRawBits;  ///< longest stream: flag and raw words

using Line = std::array<std::uint8_t, 128>;                 ///< byte 0 first
using Words = std::array<std::uint32_t, 32>;                ///< word i = bytes 4 i .. 4 i + 3, little-endian
using Bits = std::array<std::uint8_t, (kMaxBits + 7) / 8>;  ///< bit i of the stream = bit i % 8 of byte i / 8

Words to_words(const Line& line);
Line to_line(const Words& words);

struct Encoded {
  Bits bits{};
  unsigned length = 0;  ///< bits, flag included
  bool operator==(const Encoded&) const = default;
  bool compressed() const { return bits[0] & 1; }
  unsigned payload_bits() const { return length - 1; }  ///< without the flag
};

Encoded encode(const Line& line);
Line decode(const Bits& bits);
/// Bits of the codes, without the flag; 1,024 when the line is kept raw.
unsigned encoded_bits(const Line& line);
/// 32-byte sectors that many bits take: 1 to 4.
constexpr unsigned sectors(unsigned bits) { return bits == 0 ? 1 : (bits + 255) / 256; }

}  // namespace warpsieve::bpc
