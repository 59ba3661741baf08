// Published MD5 collision pairs: two different messages of one MD5, each one GPU line or two sectors of it.
//
// Two pairs are kept here, so that a test always runs. All others are read from md5/collisions.txt of the shared
// inputs (lines: name, digest, 1 or 2, hexadecimal message).
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/shared_inputs.h"

namespace warpsieve::tb {

struct CollisionPair {
  std::string name;
  std::uint8_t mask = 0;  ///< sectors of the line that the messages fill, from sector 0 on
  std::array<std::uint8_t, 128> first{}, second{};
};

inline CollisionPair collision_pair(std::string_view name, std::string_view first, std::string_view second) {
  const auto line = [](std::string_view text) {
    std::array<std::uint8_t, 128> data{};
    for (std::size_t b = 0; b < text.size() / 2; ++b)
      data.at(b) = static_cast<std::uint8_t>(std::stoi(std::string(text.substr(2 * b, 2)), nullptr, 16));
    return data;
  };
  return {std::string(name), static_cast<std::uint8_t>((1u << first.size() / 64) - 1), line(first), line(second)};
}

/// The two pairs of this project.
inline std::vector<CollisionPair> collision_pairs() {
  return {
      // X. Wang, H. Yu, "How to Break MD5 and Other Hash Functions", EUROCRYPT 2005: 128 bytes.
      collision_pair(
          "wang-yu",
          "d131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a"
          "085125e8f7cdc99fd91dbdf280373c5bd8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0"
          "e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70",
          "d131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f8955ad340609f4b30283e4888325f1415a"
          "085125e8f7cdc99fd91dbd7280373c5bd8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0"
          "e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70"),
      // T. Xie, D. Feng, "Construct MD5 Collisions Using Just A Single Block Of Message", IACR ePrint 2010/643: 64
      // bytes.
      collision_pair(
          "xie-feng-1block",
          "0e306561559aa787d00bc6f70bbdfe3404cf03659e704f8534c00ffb659c4c8740cc942feb2da115a3f4155cbb860749"
          "7386656d7d1f34a42059d78f5a8dd1ef",
          "0e306561559aa787d00bc6f70bbdfe3404cf03659e744f8534c00ffb659c4c8740cc942feb2da115a3f415dcbb860749"
          "7386656d7d1f34a42059d78f5a8dd1ef"),
  };
}

/// Those and the ones of the file; empty when there is no file.
inline std::vector<CollisionPair> all_collision_pairs() {
  std::ifstream file(tb::shared_input("md5/collisions.txt"));
  std::vector<CollisionPair> pairs;
  std::string first_name, first_text;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, digest, which, text;
    if (line.starts_with('#') || !(words >> name >> digest >> which >> text)) continue;
    if (text.size() % 64 != 0 || text.size() > 256) continue;  // whole sectors only
    if (which == "1")
      first_name = name, first_text = text;
    else if (name == first_name && text.size() == first_text.size())
      pairs.push_back(collision_pair(name, first_text, text));
  }
  if (!pairs.empty()) {
    for (CollisionPair& own : collision_pairs()) pairs.push_back(std::move(own));
  }
  return pairs;
}

}  // namespace warpsieve::tb
