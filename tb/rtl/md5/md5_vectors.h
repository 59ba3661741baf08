// Published test data: the RFC's own vectors, and the files under WARPSIEVE_SHARED when there.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "blocks/md5/md5_core.h"

namespace warpsieve::md5::vectors {

using Bytes = std::vector<std::uint8_t>;

inline Bytes from_hex(const std::string& hex) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

inline Digest digest_from_hex(const std::string& hex) {
  Digest digest{};
  const Bytes bytes = from_hex(hex);
  std::copy_n(bytes.begin(), std::min(bytes.size(), digest.size()), digest.begin());
  return digest;
}

struct Known {
  Bytes message;
  Digest digest;
};

/// RFC 1321, appendix A.5.
inline std::vector<Known> rfc1321() {
  const auto known = [](const std::string& text, const std::string& digest) {
    return Known{Bytes(text.begin(), text.end()), digest_from_hex(digest)};
  };
  return {known("", "d41d8cd98f00b204e9800998ecf8427e"),
          known("a", "0cc175b9c0f1b6a831c399e269772661"),
          known("abc", "900150983cd24fb0d6963f7d28e17f72"),
          known("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
          known("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
          known("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"),
          known("12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a")};
}

/// Lines of a data file, split at blanks, without comments.
inline std::vector<std::vector<std::string>> read_rows(const std::filesystem::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::vector<std::string> row;
    for (std::string word; words >> word;) row.push_back(word);
    rows.push_back(row);
  }
  return rows;
}

/// kat.txt: length digest hex-or-dash.
inline std::vector<Known> known_answers(const std::filesystem::path& path) {
  std::vector<Known> out;
  for (const auto& row : read_rows(path)) {
    if (row.size() < 3) continue;
    Known known{row[2] == "-" ? Bytes{} : from_hex(row[2]), digest_from_hex(row[1])};
    if (known.message.size() == std::stoul(row[0])) out.push_back(known);
  }
  return out;
}

struct Pair {
  std::string id;
  Digest digest;
  Bytes first, second;
};

/// collisions.txt: id digest 1|2 hex, both messages of a pair in neighbouring rows.
inline std::vector<Pair> collision_pairs(const std::filesystem::path& path) {
  std::vector<Pair> pairs;
  const auto rows = read_rows(path);
  for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
    pairs.push_back(
        {rows[i].at(0), digest_from_hex(rows[i].at(1)), from_hex(rows[i].at(3)), from_hex(rows[i + 1].at(3))});
  }
  return pairs;
}

/// Wang and Yu, EUROCRYPT 2005: one pair that is always at hand.
inline Pair wang_yu() {
  return {"wang-yu", digest_from_hex("79054025255fb1a26e4bc422aef54eb4"),
          from_hex("d131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a"
                   "085125e8f7cdc99fd91dbdf280373c5bd8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0"
                   "e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70"),
          from_hex("d131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f8955ad340609f4b30283e4888325f1415a"
                   "085125e8f7cdc99fd91dbd7280373c5bd8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0"
                   "e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70")};
}

}  // namespace warpsieve::md5::vectors
