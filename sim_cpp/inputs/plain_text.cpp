#include "inputs/plain_text.h"

#include <fmt/format.h>

#include "inputs/file_error.h"

namespace warpsieve::inputs {

std::string read_plain_text(const std::string& path) {
  const std::string whole = read_file(path);
  const std::string_view text = without_mark(whole);
  if (text.empty()) throw FileError(fmt::format("{}:1: expected a text, found a byte-order mark alone", path));
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') out += text[i];
  return out;
}

}  // namespace warpsieve::inputs
