// dpc_encoder, dpc_decoder: dual pattern compression of a cache line (thesis 3.4.1; decisions D1 to D5, D15).
//
//   line + mask of critical sub-blocks ──encode──▶ packed bits + length ──decode (same mask)──▶ line
//
// The k critical sub-blocks (of 4, in address order) are joined to W = 8 k words of 32 bits. Plane p
// (p = 31 first) is bit p of those words, word 0 in the lowest place. Stream, lowest bit first:
//
//   C = 1 | 32 ES bits, plane 31 first | per plane, 31 first: 1 bit (its value) if ES = 1, else W bits
//   C = 0 | the joined words as they are, 32 W bits          when 33 + sum(1 or W) >= 32 W
//
// ES = 1: the plane is all zeros or all ones. Bits at `length` and above are 0. An empty mask gives C = 0 and
// no data (length 1). The decoder fills what is not critical with zeros.
//
//   latency 2 cycles each    1 line per cycle    hold 3 lines each: one on offer, two waiting; ready while fewer
//   than two wait
//
// The joined words can be transformed before the planes are looked at and after decoding (Transform, decision D1);
// the thesis does not, and RTL has no place for it.
//
// In packets C, mask and length ride in the 8-byte header (D3): flits() and payload_bits() count that way.
//
// RTL: rtl/dpc/dpc_encoder.sv, dpc_decoder.sv. Compiled RTL points: rtl/dpc/points.txt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "core/line_words.h"
#include "cosim/block.h"

namespace warpsieve::dpc {

inline constexpr unsigned kSubBlocks = 4;  ///< sub-blocks of a line; one bit each in a mask
inline constexpr unsigned kMaxWords = 32;
inline constexpr unsigned kMaxBits = 1025;  ///< longest stream: C and 1,024 raw bits

using Line = LineBytes;  ///< sub-block s is bytes 32 s .. 32 s + 31
using Words = LineWords;
using Bits = std::array<std::uint8_t, (kMaxBits + 7) / 8>;  ///< bit i of the stream = bit i % 8 of byte i / 8

struct Encoded {
  Bits bits{};
  unsigned length = 0;  ///< bits, C included
  bool operator==(const Encoded&) const = default;
  bool compressed() const { return bits[0] & 1; }
  unsigned payload_bits() const { return length - 1; }  ///< without C
};

/// The functions without the timing, for 128-byte lines; only the low 4 bits of a mask count.
Encoded encode(const Line& line, unsigned mask);
/// What the encoder's `length` would be, without building the stream (1 to 1,025).
unsigned encoded_bits(const Line& line, unsigned mask);
/// Bits from 1,025 on (params.max_bits()) read as 0, so every input has a result.
Line decode(const Bits& bits, unsigned mask);
/// `line` with the sub-blocks outside `mask` replaced by zeros.
Line zero_filled(const Line& line, unsigned mask);

/// DF-MAN (D5): the mask to send, and the bits that plain DPC of the whole line then takes. The smaller of
/// the original and the zero-filled line is sent; equal: the original, with mask 1111.
struct ManipulatedChoice {
  unsigned mask = 0;  ///< mask of the header: 1111 or the request's
  bool zero_fill = false;
  unsigned length = 0;  ///< encoded_bits of the line sent, C included
  bool operator==(const ManipulatedChoice&) const = default;
};
ManipulatedChoice choose_manipulated(const Line& line, unsigned mask);

/// Flits of a reply packet (D3): 8-byte header, then the payload (without C) in whole bytes, in 32-byte flits.
constexpr unsigned flits(unsigned payload_bits) { return (8 + (payload_bits + 7) / 8 + 31) / 32; }

// ---- the blocks -------------------------------------------------------------------------------------

/// A stage before the planes and its inverse: where DPC as published at IPDPS 2019 prepares data by their type
/// (decision D1). Both get the `count` joined critical words, the others 0, and must need nothing else to invert one
/// another; of what they return the first `count` words count, modulo 2^planes. C says as ever whether these are sent
/// in planes or raw.
struct Transform {
  Words (*apply)(const Words& words, unsigned count);
  Words (*undo)(const Words& words, unsigned count);
};

struct DpcParams {
  unsigned sub_words = 8;  ///< words per sub-block, 2..8
  unsigned planes = 32;    ///< bits per word, 2..32
  bool truncate = true;    ///< false: no sub-block identifier, every mask counts as 1111 (plain DPC of 3.4.1.2)
  const Transform* transform = nullptr;  ///< nullptr: the words as they are (the thesis). Not owned; without RTL
  bool operator==(const DpcParams&) const = default;
  unsigned words() const { return kSubBlocks * sub_words; }
  std::uint32_t word_mask() const { return static_cast<std::uint32_t>((std::uint64_t{1} << planes) - 1); }
  unsigned max_bits() const { return 1 + words() * planes; }
};

struct EncodeReq {
  Words words{};      ///< words beyond params.words() and bits beyond params.planes are 0
  unsigned mask = 0;  ///< critical sub-blocks
  bool operator==(const EncodeReq&) const = default;
};
using EncodeRsp = Encoded;

struct DecodeReq {
  Bits bits{};
  unsigned mask = 0;
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

EncodeRsp encode(const DpcParams& params, const EncodeReq& req);
DecodeRsp decode(const DpcParams& params, const DecodeReq& req);

using DpcEncoder = Block<EncodeReq, EncodeRsp>;
using DpcDecoder = Block<DecodeReq, DecodeRsp>;

/// Both throw std::invalid_argument for parameters outside the ranges above, and when `backend` needs
/// RTL and no compiled point has these parameters.
std::unique_ptr<DpcEncoder> make_dpc_encoder(const DpcParams& params, Backend backend,
                                             std::string name = "dpc_encoder");
std::unique_ptr<DpcDecoder> make_dpc_decoder(const DpcParams& params, Backend backend,
                                             std::string name = "dpc_decoder");

}  // namespace warpsieve::dpc
