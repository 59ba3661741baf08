// Duplicate 128-byte lines in an image of device memory.
//
//   intra   all 32 words of the line are equal
//   inter   not intra, and another line of the image, in whatever array, has the same 128 bytes
// An array begins at a multiple of 128 bytes. Its last line includes the padding behind it.
// Lines are compared byte by byte; no hash decides. Time and memory: linear in the number of lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpsieve::hardware {

inline constexpr std::size_t kLineBytes = 128;

/// Part of an image.
struct Region {
  std::string name;
  std::size_t offset = 0, bytes = 0;
};

struct LineCounts {
  std::uint64_t lines = 0, intra = 0, inter = 0;
  LineCounts& operator+=(const LineCounts& o) {
    lines += o.lines;
    intra += o.intra;
    inter += o.inter;
    return *this;
  }
  bool operator==(const LineCounts&) const = default;
};

/// Every word equals the one before it.
inline bool is_intra(const std::uint8_t* line) { return std::memcmp(line, line + 4, kLineBytes - 4) == 0; }

/// Counts of each region. Throws std::invalid_argument for a region off its alignment or outside of the image.
inline std::vector<LineCounts> count_duplicates(const std::vector<std::uint8_t>& image,
                                                const std::vector<Region>& regions) {
  const auto content = [&](std::size_t at) {
    return std::string_view(reinterpret_cast<const char*>(image.data()) + at, kLineBytes);
  };
  const auto each_line = [&](const Region& r, auto&& body) {
    const std::size_t lines = (r.bytes + kLineBytes - 1) / kLineBytes;
    if (r.offset % kLineBytes != 0 || r.offset > image.size() || lines > (image.size() - r.offset) / kLineBytes)
      throw std::invalid_argument("array " + r.name + " is not made of whole lines of the image");
    for (std::size_t l = 0; l < lines; ++l) body(r.offset + l * kLineBytes);
  };
  std::unordered_map<std::string_view, std::uint32_t> copies;
  copies.reserve(image.size() / kLineBytes);
  for (const Region& r : regions)
    each_line(r, [&](std::size_t at) {
      if (!is_intra(image.data() + at)) ++copies[content(at)];
    });
  std::vector<LineCounts> counts;
  for (const Region& r : regions) {
    LineCounts c;
    each_line(r, [&](std::size_t at) {
      const bool intra = is_intra(image.data() + at);
      ++c.lines;
      c.intra += intra;
      c.inter += !intra && copies.at(content(at)) > 1;
    });
    counts.push_back(c);
  }
  return counts;
}

}  // namespace warpsieve::hardware
