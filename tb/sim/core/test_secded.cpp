// The error-correcting code whose check bits are ESD's fingerprints.
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>

#include "core/secded.h"

namespace warpsieve {
namespace {

TEST(Secded, ColumnsAreDistinctAndOfOddWeight) {
  std::set<unsigned> columns;
  for (unsigned bit = 0; bit < 64; ++bit) {
    EXPECT_EQ(std::popcount(secded::column(bit)), bit < 56 ? 3 : 5);
    columns.insert(secded::column(bit));
  }
  for (unsigned check = 0; check < 8; ++check) columns.insert(1u << check);
  EXPECT_EQ(columns.size(), 72u);
}

/// Syndrome after flipping bits of the 72-bit word (64 and up: check bits).
unsigned syndrome(std::uint64_t word, std::initializer_list<unsigned> flips) {
  unsigned stored = secded::check_byte(word);
  for (const unsigned bit : flips) {
    if (bit < 64)
      word ^= std::uint64_t{1} << bit;
    else
      stored ^= 1u << (bit - 64);
  }
  return stored ^ secded::check_byte(word);
}

TEST(Secded, EverySingleErrorIsLocatedAndEveryDoubleErrorIsSeen) {
  std::mt19937_64 random(5);
  for (unsigned round = 0; round < 4; ++round) {
    const std::uint64_t word = round ? random() : 0;
    EXPECT_EQ(syndrome(word, {}), 0u);
    for (unsigned a = 0; a < 72; ++a) {
      EXPECT_EQ(syndrome(word, {a}), a < 64 ? secded::column(a) : 1u << (a - 64));
      for (unsigned b = 0; b < a; ++b) {
        const unsigned both = syndrome(word, {a, b});
        EXPECT_NE(both, 0u);
        EXPECT_EQ(std::popcount(both) % 2, 0);
      }
    }
  }
}

TEST(Secded, KnownCheckBytes) {
  EXPECT_EQ(secded::check_byte(0), 0x00);
  EXPECT_EQ(secded::check_byte(1), 0x07);           // first byte of weight 3
  EXPECT_EQ(secded::check_byte(3), 0x07 ^ 0x0b);    // ... and the second
  EXPECT_EQ(secded::check_byte(1ull << 56), 0x1f);  // first of weight 5
  EXPECT_EQ(secded::check_byte(~0ull), 0x00) << "each row of the matrix has an even number of ones";
}

}  // namespace
}  // namespace warpsieve
