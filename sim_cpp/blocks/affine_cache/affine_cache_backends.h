// The two implementations behind make_affine_cache(); everybody else uses blocks/affine_cache/affine_cache.h.
#pragma once

#include "blocks/affine_cache/affine_cache.h"

namespace warpsieve::affine_cache {

std::unique_ptr<AffineCache> make_affine_cache_model(const AffineCacheParams& params);
std::unique_ptr<AffineCache> make_affine_cache_rtl(const AffineCacheParams& params, const std::string& name);

}  // namespace warpsieve::affine_cache
