// Report of a run on private memory: traffic per 10,000 warp instructions (decision A17), shares of patterns, spills.
// Source: AVC paper, 3.2 and 5.1.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "memsys/local/local_stats.h"
#include "simt/spill.h"

namespace warpsieve::memsys {

/// `asked`: what was to be spilled; `spills`: what was.
nlohmann::ordered_json local_report(const LocalStats& stats, std::uint64_t warp_instructions,
                                    const simt::SpillParams& asked, const std::vector<simt::KernelSpills>& spills);

}  // namespace warpsieve::memsys
