#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace warpsieve::cli {

std::size_t width_of(std::FILE* to) {
  winsize size{};
  if (isatty(fileno(to)) && ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kPlainWidth;
}

bool has_colours(std::FILE* to, const std::string& when) {
  if (when != "auto") return when == "always";
  const char* const refused = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return isatty(fileno(to)) && !(refused && *refused) && !(terminal && std::string_view(terminal) == "dumb");
}

std::size_t width_of_text(const std::string& text) {
  std::size_t widest = 0, here = 0;
  for (const char c : text) {
    if (c == '\n') here = 0;
    // Bytes after the first of a character do not count.
    else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80)
      widest = std::max(widest, ++here);
  }
  return widest;
}

}  // namespace warpsieve::cli
