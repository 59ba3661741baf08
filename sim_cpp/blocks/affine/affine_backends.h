// The implementations behind make_affine_encoder() and make_affine_decoder(); tests and simulator use
// blocks/affine/affine.h.
#pragma once

#include "blocks/affine/affine.h"

namespace warpsieve::affine {

/// Throws std::invalid_argument naming the parameter out of range.
void check_params(const AffineParams& params);

std::unique_ptr<AffineEncoder> make_encoder_model(const AffineParams& params);
std::unique_ptr<AffineDecoder> make_decoder_model(const AffineParams& params);
std::unique_ptr<AffineEncoder> make_encoder_rtl(const AffineParams& params, const std::string& name);
std::unique_ptr<AffineDecoder> make_decoder_rtl(const AffineParams& params, const std::string& name);

}  // namespace warpsieve::affine
