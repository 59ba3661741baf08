// The two implementations behind make_rata(); everybody else uses blocks/rata/rata.h.
#pragma once

#include "blocks/rata/rata.h"

namespace warpsieve::rata {

std::unique_ptr<Rata> make_rata_model(const RataParams& params);
std::unique_ptr<Rata> make_rata_rtl(const RataParams& params, const std::string& name);

}  // namespace warpsieve::rata
