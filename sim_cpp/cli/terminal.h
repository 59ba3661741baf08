// What a terminal can show: its width and colours.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace warpsieve::cli {

/// Columns where the output is no terminal.
inline constexpr std::size_t kPlainWidth = 100;
/// Columns of the terminal behind `to`; kPlainWidth where it is none.
std::size_t width_of(std::FILE* to);

/// `when`: auto, always or never. auto: on a terminal that is not "dumb", unless NO_COLOR is set.
bool has_colours(std::FILE* to, const std::string& when);

/// Columns that the text's longest line takes, a character of UTF-8 as one.
std::size_t width_of_text(const std::string& text);

}  // namespace warpsieve::cli
