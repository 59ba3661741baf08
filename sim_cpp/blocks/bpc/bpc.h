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
// Decoding takes every bit pattern: a place beyond the plane sets nothing, of two adjacent ones the upper may fall
// off, a run ends at plane 0, bits from 1,025 on read as 0.
//
//            latency   taken     throughput
//   encoder  36        in 34     1 line per 36 cycles: one plane per cycle, one line at a time
//   decoder  66        in 34     1 line per 67 cycles
//   raw      1         in 1      1 line per 2 cycles
// Cycles count from the one in which an item is first on offer to a block that is free. The blocks work on the item
// while it is on offer and are ready in one cycle only (state only): the offer stands, unchanged, until then.
//
// The paper of BPC pipelines more planes per cycle; as CMD's comparator only the sizes matter. The scheme code
// charges sectors(encoded_bits(line)); the flag lives in the metadata there.
//
// RTL: rtl/bpc/bpc_encoder.sv, bpc_decoder.sv. Compiled RTL points: rtl/bpc/points.txt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "core/line_words.h"
#include "cosim/block.h"

namespace warpsieve::bpc {

inline constexpr unsigned kRawBits = 1024;
inline constexpr unsigned kMaxBits = 1 + kRawBits;  ///< longest stream: flag and raw words

using Line = LineBytes;
using Words = LineWords;
using Bits = std::array<std::uint8_t, (kMaxBits + 7) / 8>;  ///< bit i of the stream = bit i % 8 of byte i / 8

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

// ---- the blocks -------------------------------------------------------------------------------------

struct BpcParams {
  unsigned words = 32;  ///< 32-bit words per line, 3..32; places take ceil(log2(words - 1)) bits
  bool operator==(const BpcParams&) const = default;
  unsigned raw_bits() const { return 32 * words; }
  unsigned encode_cycles() const { return 36; }
  unsigned encode_held() const { return 34; }  ///< cycle in which the line is taken
  unsigned decode_cycles(bool compressed) const { return compressed ? 34 + words : 1; }
  unsigned decode_held(bool compressed) const { return compressed ? 34 : 1; }
};

struct EncodeReq {
  Words words{};  ///< words beyond params.words are 0
  bool operator==(const EncodeReq&) const = default;
};
using EncodeRsp = Encoded;

struct DecodeReq {
  Bits bits{};
  bool operator==(const DecodeReq&) const = default;
};
struct DecodeRsp {
  Words words{};
  bool operator==(const DecodeRsp&) const = default;
};

std::string describe(const EncodeReq& req);
std::string describe(const EncodeRsp& rsp);
std::string describe(const DecodeReq& req);
std::string describe(const DecodeRsp& rsp);

EncodeRsp encode(const BpcParams& params, const EncodeReq& req);
DecodeRsp decode(const BpcParams& params, const DecodeReq& req);

using BpcEncoder = Block<EncodeReq, EncodeRsp>;
using BpcDecoder = Block<DecodeReq, DecodeRsp>;

/// Both throw std::invalid_argument for parameters outside the range above, and when `backend` needs RTL
/// and no compiled point has these parameters.
std::unique_ptr<BpcEncoder> make_bpc_encoder(const BpcParams& params, Backend backend,
                                             std::string name = "bpc_encoder");
std::unique_ptr<BpcDecoder> make_bpc_decoder(const BpcParams& params, Backend backend,
                                             std::string name = "bpc_decoder");

}  // namespace warpsieve::bpc
