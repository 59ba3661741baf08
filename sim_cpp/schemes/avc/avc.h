// avc: the affine vector cache (AVC paper; decisions A1 to A16) before the L1, for private memory. Its space is taken
// from the L1: 8, 16 or 24 KB of 48 KB (table 3).
//
//   local loads and stores ─▶ affine_cache (one per SM) ─▶ L1 ─▶ memory
//
// Table 3's rows are the schemes avc8, avc (16 KB) and avc24. Block, model, rtl or shadow per SM (instances sm0,
// sm1, ...): affine_cache; it holds encoder and decoder.
#pragma once

#include <memory>
#include <vector>

#include "blocks/affine_cache/affine_cache.h"
#include "schemes/scheme.h"

namespace warpsieve::schemes {

/// A LocalPort in front of the block. `fill_full`: decision A11's option.
std::unique_ptr<memsys::LocalPort> make_avc_port(std::unique_ptr<affine_cache::AffineCache> block, bool fill_full);

}  // namespace warpsieve::schemes
