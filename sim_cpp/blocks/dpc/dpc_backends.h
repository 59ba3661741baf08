// The implementations behind make_dpc_encoder() and make_dpc_decoder(); tests and simulator use blocks/dpc/dpc.h.
#pragma once

#include "blocks/dpc/dpc.h"

namespace warpsieve::dpc {

/// Throws std::invalid_argument naming the parameter out of range.
void check_params(const DpcParams& params);

/// The mask that counts.
constexpr unsigned mask_of(const DpcParams& params, unsigned mask) { return params.truncate ? mask & 0xf : 0xf; }

/// The words' low `planes` bits back to back, word 0 in the low bits: the line of the RTL's ports.
Line pack(const DpcParams& params, const Words& words);
Words unpack(const DpcParams& params, const Line& bytes);

/// Bits of the stream that each step takes.
std::vector<unsigned> step_bits(const DpcParams& params, bool compressed, std::uint32_t same, unsigned mask);

std::unique_ptr<DpcEncoder> make_encoder_model(const DpcParams& params);
std::unique_ptr<DpcDecoder> make_decoder_model(const DpcParams& params);
std::unique_ptr<DpcEncoder> make_encoder_rtl(const DpcParams& params, const std::string& name);
std::unique_ptr<DpcDecoder> make_decoder_rtl(const DpcParams& params, const std::string& name);

}  // namespace warpsieve::dpc
