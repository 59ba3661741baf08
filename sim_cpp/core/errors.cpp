#include "core/errors.h"

#include <fmt/format.h>

namespace warpsieve {

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      out += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out;
}

NotEnoughMemory::NotEnoughMemory(std::string_view what, std::string_view hint)
    : BadInput(fmt::format("not enough memory: {}; give {}", what, hint)) {}

}  // namespace warpsieve
