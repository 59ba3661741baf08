// FASTA: lines that start with '>' name a sequence, the others are its letters. All sequences of a file are joined;
// lower case becomes upper case.
#pragma once

#include <string>

#include "inputs/text_reader.h"

namespace warpsieve::inputs {

/// The bases of a file: A, C, G, T, and N for a base that is not known.
std::string read_fasta(const std::string& path);
/// The same from memory; `name` is used for messages.
std::string parse_fasta(const std::string& name, std::string_view text);

}  // namespace warpsieve::inputs
