// affine_encoder, affine_decoder: vector codec of the affine vector cache (AVC, 2.3 and 5.2).
//
//   vector of `lanes` values + activity mask  ──encode──▶  {affine?, base, stride code}  ──decode──▶  vector
//
//   affine      every active lane i holds base + i * stride (modulo 2^width), the stride is a power of
//               two or 0 (uniform), and base is a multiple of the stride
//   code        log2(stride), 0 to 2^stride_bits - 2; the last code, 2^stride_bits - 1, means uniform
//   latency     1 cycle each       throughput  1 vector per cycle       holds  2 vectors each
//   ready       while fewer than two are held (state only)
//
// How the encoder chooses (decisions A1 to A6): the stride comes from the first pair (2i, 2i+1) with
// both lanes active, as the lowest set bit of the two values' xor. Without such a pair (one lane, or an
// alternating mask) only uniform is tried, with the first active lane. The choice is then verified on
// all active lanes. An empty mask is affine: uniform, base 0. Negative strides are not affine.
//
// RTL: rtl/affine/affine_encoder.sv, affine_decoder.sv. Compiled RTL points: rtl/affine/points.txt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "cosim/block.h"

namespace warpsieve::affine {

inline constexpr unsigned kMaxLanes = 32;

struct AffineParams {
  unsigned lanes = 32;       ///< values per vector, 2..32 (AVC table 2)
  unsigned width = 32;       ///< bits per value, 1..32
  unsigned stride_bits = 3;  ///< bits of the stride code (AVC 4.2); 2^stride_bits - 1 <= width
  bool operator==(const AffineParams&) const = default;
  unsigned uniform_code() const { return (1u << stride_bits) - 1; }
  std::uint32_t value_mask() const { return static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1); }
  std::uint32_t lane_mask() const { return static_cast<std::uint32_t>((std::uint64_t{1} << lanes) - 1); }
};

using Vector = std::array<std::uint32_t, kMaxLanes>;  ///< values beyond `lanes` are 0

struct EncodeReq {
  Vector data{};
  std::uint32_t mask = 0;  ///< active lanes, lane 0 in bit 0
  bool operator==(const EncodeReq&) const = default;
};

/// base and stride_code mean nothing unless affine; two non-affine answers are equal.
struct EncodeRsp {
  bool affine = false;
  std::uint32_t base = 0;
  std::uint32_t stride_code = 0;
  bool operator==(const EncodeRsp& other) const {
    return affine == other.affine && (!affine || (base == other.base && stride_code == other.stride_code));
  }
};

struct DecodeReq {
  std::uint32_t base = 0;  ///< need not be a multiple of the stride
  std::uint32_t stride_code = 0;
  bool operator==(const DecodeReq&) const = default;
};

struct DecodeRsp {
  Vector data{};
  bool operator==(const DecodeRsp&) const = default;
};

std::string describe(const EncodeReq& req);
std::string describe(const EncodeRsp& rsp);
std::string describe(const DecodeReq& req);
std::string describe(const DecodeRsp& rsp);

/// The functions without the timing: what the simulator calls when it needs only the answer. A
/// non-affine answer has base and code 0.
EncodeRsp encode(const AffineParams& params, const EncodeReq& req);
DecodeRsp decode(const AffineParams& params, const DecodeReq& req);

using AffineEncoder = Block<EncodeReq, EncodeRsp>;
using AffineDecoder = Block<DecodeReq, DecodeRsp>;

/// Both throw std::invalid_argument for parameters outside the ranges above, and when `backend` needs
/// RTL and no compiled point has these parameters.
std::unique_ptr<AffineEncoder> make_affine_encoder(const AffineParams& params, Backend backend,
                                                   std::string name = "affine_encoder");
std::unique_ptr<AffineDecoder> make_affine_decoder(const AffineParams& params, Backend backend,
                                                   std::string name = "affine_decoder");

}  // namespace warpsieve::affine
