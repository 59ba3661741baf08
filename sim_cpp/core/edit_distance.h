// What error messages are made of: "did you mean" (edit distance of words, Levenshtein), quoted input in one line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpsieve {

/// Characters to insert, delete or replace until `a` is `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);
/// ", did you mean X?" with the nearest of `known`; empty when none is near.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& known);
/// The text with control characters written out, as \n or \x1b: what a file holds must not break up a message.
std::string one_line(std::string_view text);

}  // namespace warpsieve
