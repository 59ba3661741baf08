// Edit distance of two words (Levenshtein), for "did you mean" in error messages.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpsieve {

/// Characters to insert, delete or replace until `a` is `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace warpsieve
