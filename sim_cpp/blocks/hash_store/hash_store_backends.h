// The two implementations behind make_hash_store(); everybody else uses blocks/hash_store/hash_store.h.
#pragma once

#include "blocks/hash_store/hash_store.h"

namespace warpsieve::hash_store {

std::unique_ptr<HashStore> make_hash_store_model(const HashStoreParams& params);
std::unique_ptr<HashStore> make_hash_store_rtl(const HashStoreParams& params, const std::string& name);

}  // namespace warpsieve::hash_store
