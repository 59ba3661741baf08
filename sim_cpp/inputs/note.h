// What a reader changed or left out of an input file, said to the user: one line on standard error per file and text,
// "warpsieve: note: FILE: ...". Each line appears once in a process, also when several threads read the same file.
#pragma once

#include <string>
#include <string_view>

namespace warpsieve::inputs {

void note(const std::string& file, std::string_view text);

}  // namespace warpsieve::inputs
