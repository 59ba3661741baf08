// The two implementations behind make_dedup(); everybody else uses blocks/dedup/dedup.h.
#pragma once

#include "blocks/dedup/dedup.h"

namespace warpsieve::dedup {

std::unique_ptr<Dedup> make_dedup_model(const DedupParams& params, const DedupConfig& config,
                                        const DedupFaults& faults);
std::unique_ptr<Dedup> make_dedup_rtl(const DedupParams& params, const DedupConfig& config, const std::string& name);

}  // namespace warpsieve::dedup
