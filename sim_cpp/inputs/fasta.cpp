#include "inputs/fasta.h"

#include <fmt/format.h>

#include <cctype>

namespace warpsieve::inputs {

std::string read_fasta(const std::string& path) { return parse_fasta(path, read_file(path)); }

std::string parse_fasta(const std::string& name, std::string_view text) {
  TextReader reader(name, text);
  std::string bases;
  while (reader.bytes_left() > 0) {
    const std::size_t line = reader.line();
    const bool title = reader.peek() == '>';
    for (const char c : reader.rest_of_line()) {
      if (title || c == '\r' || c == ' ' || c == '\t') continue;
      const char base = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      if (std::string_view("ACGTN").find(base) == std::string_view::npos)
        throw InputError(fmt::format("{}:{}: expected bases (A, C, G, T or N), found '{}'", name, line, c));
      bases += base;
    }
    reader.next_line();
  }
  if (bases.empty()) reader.fail("bases", "none");
  return bases;
}

}  // namespace warpsieve::inputs
