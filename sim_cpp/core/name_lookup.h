// Lookup of names that a user typed: the nearest known name, for "did you mean" in error messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpsieve {

/// Characters to insert, delete or replace, and neighbours to swap, until `a` is `b` (optimal string alignment).
/// Letters of either case are the same.
std::size_t edit_distance(std::string_view a, std::string_view b);
/// The first of those with the least distance from `given`. Requires that `known` is not empty.
const std::string& nearest_name(std::string_view given, const std::vector<std::string>& known);
/// ", did you mean X?" with the nearest of `known`; empty when none is near.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& known);
/// "'randm': expected none, zero, random or address, did you mean random?", for a word that must be one of a few.
std::string expected_one_of(std::string_view given, const std::vector<std::string>& known);

/// The command that prints every name of a long list.
inline constexpr std::string_view kListCommand = "warpsieve run --list";
/// "unknown scale 'smal', did you mean small? Expected paper, full, quarter or small". A long list is not printed but
/// its command named: "unknown workload 'bsf', did you mean bfs? warpsieve run --list names all 56".
std::string unknown_name(std::string_view what, std::string_view given, const std::vector<std::string>& known);
/// What stands behind the suggestion; `near`: whether there was one.
std::string known_names(bool near, const std::vector<std::string>& known);

}  // namespace warpsieve
