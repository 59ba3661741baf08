// dpc_encoder, dpc_decoder: dual pattern compression of a cache line (thesis 3.4.1; decisions D1 to D5, D15).
//
//   line + mask of critical sub-blocks ──encode──▶ stream in flits ──decode (same mask)──▶ line
//
// The k critical sub-blocks (of 4, in address order) are joined to W = 8 k words of 32 bits. Plane p
// (p = 31 first) is bit p of those words, word 0 in the lowest place. Stream, lowest bit first:
//
//   C = 1 | 32 ES bits, plane 31 first | per plane, 31 first: 1 bit (its value) if ES = 1, else W bits
//   C = 0 | per plane, 31 first: W bits                      when 33 + sum(1 or W) >= 32 W
//
// ES = 1: the plane is all zeros or all ones. Bits at `length` and above are 0. An empty mask gives C = 0 and
// no data (length 1). The decoder fills what is not critical with zeros.
//
//   steps     ceil(planes / planes_per_cycle) cycles of work per line
//   encoder   first flit 2 cycles after the line is offered, for each step that fills none one more; the line must
//   stay
//             on offer, and is taken in its last step
//   decoder   line `steps` cycles after the first flit, or a cycle for each flit if these are more
//   both      a line of n flits takes the larger of steps and n cycles; one more where the first step of a compressed
//             line fills a flit (encoder: only behind a line whose rest leaves then)
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
#include <vector>

#include "core/line_words.h"
#include "cosim/block.h"

namespace warpsieve::dpc {

inline constexpr unsigned kSubBlocks = 4;  ///< sub-blocks of a line; one bit each in a mask
inline constexpr unsigned kMaxWords = 32;
inline constexpr unsigned kMaxBits = 1057;  ///< that a decoder can read: C, ES and 1,024 bits; an encoder makes 1,025

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
/// Every input has a result, streams that no encoder makes included.
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
  unsigned planes_per_cycle = 8;         ///< planes of a step, 1..planes
  unsigned flit_bits = 256;  ///< at least 4 * sub_words * planes_per_cycle and planes + 2, at most kMaxBits
  bool operator==(const DpcParams&) const = default;
  unsigned steps() const { return (planes + planes_per_cycle - 1) / planes_per_cycle; }
  unsigned words() const { return kSubBlocks * sub_words; }
  std::uint32_t word_mask() const { return static_cast<std::uint32_t>((std::uint64_t{1} << planes) - 1); }
  unsigned max_bits() const { return 1 + words() * planes; }  ///< longest stream
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

/// What the encoder sends.
struct Flit {
  Bits bits{};          ///< the first `flit_bits`; 0 behind the end of the stream
  unsigned count = 0;   ///< bits of the stream in this flit
  bool last = false;    ///< of the line
  unsigned mask = 0;    ///< of the line; 1111 without truncation
  unsigned length = 0;  ///< of the whole stream, in its first flit; else 0
  bool operator==(const Flit&) const = default;
};

/// What the decoder takes.
struct StreamFlit {
  Bits bits{};
  unsigned mask = 0;   ///< counts in the packet's first flit
  bool last = false;   ///< of the packet
  bool error = false;  ///< the packet is to be dropped
  bool operator==(const StreamFlit&) const = default;
};
struct DecodedLine {
  Words words{};
  unsigned mask = 0;
  bool operator==(const DecodedLine&) const = default;
};

std::string describe(const EncodeReq& req);
std::string describe(const Flit& flit);
std::string describe(const StreamFlit& flit);
std::string describe(const DecodedLine& line);

EncodeRsp encode(const DpcParams& params, const EncodeReq& req);
DecodeRsp decode(const DpcParams& params, const DecodeReq& req);

/// The flits of a stream: what the encoder sends, and what the decoder is to get.
std::vector<Flit> to_flits(const DpcParams& params, const Encoded& stream, unsigned mask);
StreamFlit to_decoder(const Flit& flit);

using DpcEncoder = Block<EncodeReq, Flit>;
struct DpcDecoder : Block<StreamFlit, DecodedLine> {
  /// A packet was dropped at the last clock edge.
  virtual bool bad_packet() const = 0;
};

/// Both throw std::invalid_argument for parameters outside the ranges above, and when `backend` needs
/// RTL and no compiled point has these parameters.
std::unique_ptr<DpcEncoder> make_dpc_encoder(const DpcParams& params, Backend backend,
                                             std::string name = "dpc_encoder");
std::unique_ptr<DpcDecoder> make_dpc_decoder(const DpcParams& params, Backend backend,
                                             std::string name = "dpc_decoder");

/// A line through an empty block, for callers that charge the time themselves. Throw std::logic_error when the block
/// does not answer.
Encoded encode_with(DpcEncoder& encoder, const EncodeReq& req);
DecodeRsp decode_with(DpcDecoder& decoder, const DpcParams& params, const Encoded& stream, unsigned mask);

}  // namespace warpsieve::dpc
