#include "core/index_hash.h"

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace warpsieve {
namespace {

/// Primitive polynomials over GF(2) of degree 0 to 16, without their highest term.
constexpr std::array<std::uint32_t, 17> kPolynomials = {0x0,  0x1, 0x3, 0x3,  0x3,  0x5,   0x3, 0x3,   0x1d,
                                                        0x11, 0x9, 0x5, 0x53, 0x1b, 0x443, 0x3, 0x100b};

/// h() of a single high bit, number `bit`.
std::uint32_t column(HashKind kind, unsigned bits, unsigned bit) {
  switch (kind) {
    case HashKind::none: return 0;
    case HashKind::xor_fold: return 1u << (bit % bits);
    case HashKind::ipoly: {  // x^(bits + bit) modulo the polynomial
      std::uint32_t rest = kPolynomials[bits];
      for (unsigned i = 0; i < bit; ++i) {
        rest <<= 1;
        if (rest >> bits & 1) rest ^= 1u << bits | kPolynomials[bits];
      }
      return rest;
    }
    case HashKind::fermi: {
      const unsigned line_bit = bit + bits;  // address bit minus 7
      constexpr unsigned kFrom[] = {6, 7, 8, 10, 12};
      for (unsigned i = 0; i < 5; ++i)
        if (kFrom[i] == line_bit) return 1u << i;
      return 0;
    }
  }
  throw std::invalid_argument("IndexHash: unknown kind");
}

}  // namespace

IndexHash::IndexHash(HashKind kind, unsigned bits) {
  if (bits > 16) throw std::invalid_argument("IndexHash: more than 16 bits");
  if (kind == HashKind::fermi && bits != 5 && bits != 6)
    throw std::invalid_argument("IndexHash: fermi has 5 or 6 bits");
  if (kind != HashKind::none && bits > 0) tables_ = make(kind, bits);
}

/// Every slice and L1 of a machine has the same: one copy stays in the cache of the simulating machine.
const IndexHash::Tables* IndexHash::make(HashKind kind, unsigned bits) {
  static std::mutex mutex;
  static std::map<std::pair<HashKind, unsigned>, std::unique_ptr<const Tables>> made;
  const std::scoped_lock lock(mutex);
  std::unique_ptr<const Tables>& entry = made[{kind, bits}];
  if (entry) return entry.get();
  auto tables = std::make_unique<Tables>();
  for (unsigned bit = 0; bit < 32; ++bit) {
    const auto one = static_cast<std::uint16_t>(column(kind, bits, bit));
    for (unsigned value = 0; value < 256; ++value)
      if (value >> bit % 8 & 1) (*tables)[bit / 8][value] ^= one;
  }
  entry = std::move(tables);
  return entry.get();
}

}  // namespace warpsieve
