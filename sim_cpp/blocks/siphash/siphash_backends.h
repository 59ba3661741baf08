// The implementations behind make_line_hasher(), make_line_hashers() and make_siphash_core().
#pragma once

#include "blocks/siphash/line_hasher.h"
#include "blocks/siphash/line_hashers.h"
#include "blocks/siphash/siphash_core.h"

namespace warpsieve::siphash {

std::unique_ptr<LineHasher> make_line_hasher_model(const LineHasherParams& params);
std::unique_ptr<LineHasher> make_line_hasher_rtl(const LineHasherParams& params, const std::string& name);
std::unique_ptr<LineHasher> make_line_hashers_model(const LineHashersParams& params);
std::unique_ptr<LineHasher> make_line_hashers_rtl(const LineHashersParams& params, const std::string& name);
std::unique_ptr<SiphashCore> make_siphash_core_model(const SiphashCoreParams& params);
std::unique_ptr<SiphashCore> make_siphash_core_rtl(const SiphashCoreParams& params, const std::string& name);

}  // namespace warpsieve::siphash
