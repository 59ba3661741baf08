#include "blocks/secded/secded.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace warpsieve::secded {

namespace {

/// The smallest number of check bits whose odd columns of weight 3 and more suffice: 2^(bits - 1) - bits.
unsigned check_bits_of(unsigned width) {
  if (width == 0 || width > 64) throw std::invalid_argument(fmt::format("secded: width {} is not 1 to 64", width));
  unsigned bits = 3;
  while ((1u << (bits - 1)) - bits < width) ++bits;
  return bits;
}

std::uint8_t turn(std::uint8_t column, unsigned bits) {
  return static_cast<std::uint8_t>((column << 1 | column >> (bits - 1)) & ((1u << bits) - 1));
}

/// Length of the ring of rotations of a column.
unsigned ring(std::uint8_t column, unsigned bits) {
  unsigned length = 1;
  for (std::uint8_t turned = turn(column, bits); turned != column; turned = turn(turned, bits)) ++length;
  return length;
}

bool smallest_of_ring(std::uint8_t column, unsigned bits) {
  std::uint8_t turned = column;
  for (unsigned left = bits; left > 0; --left) {
    turned = turn(turned, bits);
    if (turned < column) return false;
  }
  return true;
}

}  // namespace

Code::Code(unsigned width) : width_(width), check_bits_(check_bits_of(width)) {
  unsigned made = 0;
  const auto add_rings = [&](bool whole) {
    for (unsigned weight = 3; weight <= check_bits_; weight += 2) {
      for (unsigned value = 1; value < 1u << check_bits_; ++value) {
        auto column = static_cast<std::uint8_t>(value);
        if (static_cast<unsigned>(std::popcount(value)) != weight || !smallest_of_ring(column, check_bits_)) continue;
        const unsigned length = ring(column, check_bits_);
        if ((length == check_bits_) != whole) continue;
        for (unsigned left = length; left > 0 && made < width_; --left) {
          columns_[made++] = column;
          column = turn(column, check_bits_);
        }
      }
    }
  };
  add_rings(true);
  add_rings(false);  // rings that close early come last
}

std::uint8_t Code::check(std::uint64_t data) const {
  std::uint8_t sum = 0;
  for (unsigned bit = 0; bit < width_; ++bit) {
    if (data >> bit & 1) sum ^= columns_[bit];
  }
  return sum;
}

Decoded Code::decode(std::uint64_t data, std::uint8_t check) const {
  const auto syndrome = static_cast<std::uint8_t>(this->check(data) ^ check);
  if (syndrome == 0) return {data, false, false};
  if (std::has_single_bit(syndrome)) return {data, true, false};
  for (unsigned bit = 0; bit < width_; ++bit) {
    if (columns_[bit] == syndrome) return {data ^ std::uint64_t{1} << bit, true, false};
  }
  return {data, false, true};
}

}  // namespace warpsieve::secded
