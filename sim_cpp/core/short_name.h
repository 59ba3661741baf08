// Names for people: mangled kernel names have up to millions of characters.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace warpsieve {

/// The name, or its beginning with its length and a hash of all of it, so that long names stay apart. For display
/// only; `most` counts the characters of a name that is not cut.
inline std::string short_name(std::string_view name, std::size_t most) {
  if (name.size() <= most) return std::string(name);
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  std::size_t cut = most / 2;
  while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xc0) == 0x80) --cut;  // not within a UTF-8 character
  return fmt::format("{}... ({} characters, {:08x})", name.substr(0, cut), name.size(), hash);
}

inline constexpr std::size_t kTableName = 96;   ///< characters in a table or a line of text
inline constexpr std::size_t kJsonName = 1024;  ///< the same in JSON and in messages

}  // namespace warpsieve
