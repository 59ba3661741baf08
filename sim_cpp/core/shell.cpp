#include "core/shell.h"

namespace warpsieve {

std::string shell_quoted(std::string_view word) {
  const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace warpsieve
