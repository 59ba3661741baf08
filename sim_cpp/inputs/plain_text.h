// Texts that a workload takes as they are, byte for byte.
#pragma once

#include <string>

namespace warpsieve::inputs {

/// A file (text_reader.h) without its byte-order mark, each line end as one line feed: the same text from any editor.
std::string read_plain_text(const std::string& path);

}  // namespace warpsieve::inputs
