// A word that must be one of a list: one message for all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/edit_distance.h"

namespace warpsieve {

/// "'randm': expected none, zero, random or address, did you mean random?"
std::string expected_one_of(std::string_view given, const std::vector<std::string>& known);

/// The command that prints every name of a long list.
inline constexpr std::string_view kListCommand = "warpsieve run --list";
/// "unknown scale 'smal', did you mean small? Expected paper, full, quarter or small". A long list is not printed but
/// its command named: "unknown workload 'bsf', did you mean bfs? warpsieve run --list names all 56".
std::string unknown_name(std::string_view what, std::string_view given, const std::vector<std::string>& known);
/// What stands behind the suggestion; `near`: whether there was one.
std::string known_names(bool near, const std::vector<std::string>& known);

}  // namespace warpsieve
