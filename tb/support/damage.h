// Damaged JSON, for readers of results: one value gone, or another in its place.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warpsieve::tb {

/// All places of a document, its own root excepted.
inline std::vector<nlohmann::ordered_json::json_pointer> places(const nlohmann::ordered_json& json) {
  std::vector<nlohmann::ordered_json::json_pointer> all;
  const nlohmann::ordered_json leaves = json.flatten();
  for (const auto& item : leaves.items())
    for (nlohmann::ordered_json::json_pointer at(item.key()); !at.empty(); at = at.parent_pointer())
      if (std::find(all.begin(), all.end(), at) == all.end()) all.push_back(at);
  return all;
}

/// Inside of a property.
inline void damage(nlohmann::ordered_json& json) {
  static const std::vector<nlohmann::ordered_json> kOthers = [] {
    using nlohmann::ordered_json;
    return std::vector<ordered_json>{nullptr,
                                     -1,
                                     0.5,
                                     1e308,
                                     7,
                                     std::uint64_t{1} << 63,
                                     true,
                                     "x",
                                     "\n\x1b[2J",
                                     ordered_json::array(),
                                     ordered_json::object(),
                                     ordered_json::array({1})};
  }();
  const auto at = *rc::gen::elementOf(places(json));
  const auto other = *rc::gen::inRange<std::size_t>(0, kOthers.size() + 4);
  nlohmann::ordered_json& around = json.at(at.parent_pointer());
  if (other < kOthers.size())
    json.at(at) = kOthers[other];
  else if (around.is_array())
    around.erase(std::stoul(at.back()));
  else
    around.erase(at.back());
}

/// A message of one line without control characters that begins with the place.
inline bool one_line_from(std::string_view message, std::string_view place) {
  return message.starts_with(place) &&
         std::none_of(message.begin(), message.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

}  // namespace warpsieve::tb
