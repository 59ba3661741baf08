// Packets for the tests of axi_stream, and what becomes of them by the rules of the specification.
#pragma once

#include <rapidcheck.h>

#include <bit>
#include <random>
#include <vector>

#include "blocks/axi_stream/axi_stream.h"

namespace warpsieve::axi_stream::packets {

inline std::uint64_t keep_of(unsigned bytes) {
  return bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
}

inline std::vector<std::uint8_t> random_bytes(unsigned count, auto& random) {
  std::vector<std::uint8_t> bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// A packet of so many bytes; what is not kept is random, as a sender may leave it.
inline std::vector<Beat> packet(unsigned data_bytes, const std::vector<std::uint8_t>& bytes, std::uint32_t user,
                                auto& random) {
  std::vector<Beat> beats;
  for (std::size_t at = 0; at < bytes.size(); at += data_bytes) {
    const auto count = static_cast<unsigned>(std::min<std::size_t>(data_bytes, bytes.size() - at));
    Beat beat{random_bytes(data_bytes, random), keep_of(count), at == 0 ? user : ~user, at + count == bytes.size()};
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), count, beat.data.begin());
    beats.push_back(beat);
  }
  return beats;
}

inline void limit_user(std::vector<Beat>& beats, unsigned user_bits) {
  for (Beat& beat : beats) beat.user &= static_cast<std::uint32_t>(keep_of(user_bits));
}

/// One packet, legal in six of ten cases; else too short, too long, or with a hole.
inline std::vector<Beat> any_packet(const LineShape& shape, bool exact, auto& random) {
  const unsigned whole = shape.line_bytes(), kind = random() % 10;
  unsigned size = exact || kind < 3 ? whole : 1 + random() % whole;
  if (kind == 6) size = 1 + random() % whole;
  if (kind == 7) size = whole + 1 + random() % (3 * shape.data_bytes);
  auto beats = packet(shape.data_bytes, random_bytes(size, random), static_cast<std::uint32_t>(random()), random);
  if (kind >= 8) beats[random() % beats.size()].keep &= random() & keep_of(shape.data_bytes);
  limit_user(beats, shape.user_bits);
  return beats;
}

/// The lines of a list of beats: a packet counts when all its beats but the last are whole, the kept bytes of the
/// last begin at byte 0, and the sum fits.
inline std::vector<Line> lines_of(const LineShape& shape, bool exact, const std::vector<Beat>& beats) {
  std::vector<Line> lines;
  std::vector<Beat> one;
  for (const Beat& beat : beats) {
    one.push_back(beat);
    if (!beat.last) continue;
    bool legal = true;
    Line line{{}, one.front().user};
    for (std::size_t i = 0; i < one.size(); ++i) {
      unsigned count = 0;
      while (count < shape.data_bytes && one[i].keep >> count & 1) ++count;
      legal = legal && count > 0 && static_cast<unsigned>(std::popcount(one[i].keep)) == count &&
              (i + 1 == one.size() || count == shape.data_bytes);
      line.bytes.insert(line.bytes.end(), one[i].data.begin(), one[i].data.begin() + count);
    }
    one.clear();
    const std::size_t size = line.bytes.size();
    if (!legal || size > shape.line_bytes() || (exact && size < shape.line_bytes())) continue;
    line.bytes.resize(shape.line_bytes());
    if (shape.line_bits % 8) line.bytes.back() &= static_cast<std::uint8_t>((1u << shape.line_bits % 8) - 1);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace warpsieve::axi_stream::packets
