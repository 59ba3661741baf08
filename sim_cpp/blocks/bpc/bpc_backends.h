// The implementations behind make_bpc_encoder() and make_bpc_decoder(); tests and simulator use blocks/bpc/bpc.h.
#pragma once

#include "blocks/bpc/bpc.h"

namespace warpsieve::bpc {

/// Throws std::invalid_argument naming the parameter out of range.
void check_params(const BpcParams& params);

std::unique_ptr<BpcEncoder> make_encoder_model(const BpcParams& params);
std::unique_ptr<BpcDecoder> make_decoder_model(const BpcParams& params);
std::unique_ptr<BpcEncoder> make_encoder_rtl(const BpcParams& params, const std::string& name);
std::unique_ptr<BpcDecoder> make_decoder_rtl(const BpcParams& params, const std::string& name);

}  // namespace warpsieve::bpc
