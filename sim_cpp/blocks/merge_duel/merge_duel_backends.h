// The two implementations behind make_merge_duel().
#pragma once

#include "blocks/merge_duel/merge_duel.h"

namespace warpsieve::merge_duel {

std::unique_ptr<MergeDuel> make_merge_duel_model(const DuelParams& params);
std::unique_ptr<MergeDuel> make_merge_duel_rtl(const DuelParams& params, const std::string& name);

}  // namespace warpsieve::merge_duel
