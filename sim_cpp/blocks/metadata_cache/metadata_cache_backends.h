// The two implementations behind make_metadata_cache(); everybody else uses
// blocks/metadata_cache/metadata_cache.h.
#pragma once

#include "blocks/metadata_cache/metadata_cache.h"

namespace warpsieve::metadata_cache {

std::unique_ptr<MetadataCache> make_metadata_cache_model(const MetadataCacheParams& params);
std::unique_ptr<MetadataCache> make_metadata_cache_rtl(const MetadataCacheParams& params, const std::string& name);

}  // namespace warpsieve::metadata_cache
