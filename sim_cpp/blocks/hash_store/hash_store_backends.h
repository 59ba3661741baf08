// The two implementations behind make_hash_store(); everybody else uses blocks/hash_store/hash_store.h.
#pragma once

#include <bit>

#include "blocks/hash_store/hash_store.h"

namespace warpsieve::hash_store {

/// Bits of a number below `value`.
inline unsigned clog2(unsigned value) { return static_cast<unsigned>(std::bit_width(value - 1)); }

std::unique_ptr<HashStore> make_hash_store_model(const HashStoreParams& params);
std::unique_ptr<HashStore> make_hash_store_rtl(const HashStoreParams& params, const std::string& name);

}  // namespace warpsieve::hash_store
