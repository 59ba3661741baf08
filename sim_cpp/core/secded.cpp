#include "core/secded.h"

#include <array>
#include <bit>

namespace warpsieve::secded {

namespace {

constexpr std::array<std::uint8_t, 64> kColumns = [] {
  std::array<std::uint8_t, 64> out{};
  unsigned n = 0;
  for (unsigned value = 0; value < 256; ++value)
    if (std::popcount(value) == 3) out[n++] = static_cast<std::uint8_t>(value);
  for (unsigned turn = 0; turn < 8; ++turn) out[n++] = std::rotl(std::uint8_t{0x1f}, static_cast<int>(turn));
  return out;
}();

/// Check bits of each byte value in each of the eight places.
constexpr std::array<std::array<std::uint8_t, 256>, 8> kBytes = [] {
  std::array<std::array<std::uint8_t, 256>, 8> out{};
  for (unsigned place = 0; place < 8; ++place)
    for (unsigned value = 0; value < 256; ++value)
      for (unsigned bit = 0; bit < 8; ++bit)
        if (value >> bit & 1) out[place][value] ^= kColumns[8 * place + bit];
  return out;
}();

}  // namespace

std::uint8_t column(unsigned bit) { return kColumns[bit]; }

std::uint8_t check_byte(std::uint64_t word) {
  std::uint8_t sum = 0;
  for (unsigned place = 0; place < 8; ++place) sum ^= kBytes[place][word >> 8 * place & 0xff];
  return sum;
}

}  // namespace warpsieve::secded
