// The two implementations behind make_dup_detect().
#pragma once

#include "blocks/dup_detect/dup_detect.h"

namespace warpsieve::dup_detect {

std::unique_ptr<DupDetect> make_dup_detect_model(const DupDetectParams& params);
std::unique_ptr<DupDetect> make_dup_detect_rtl(const DupDetectParams& params, const std::string& name);

}  // namespace warpsieve::dup_detect
