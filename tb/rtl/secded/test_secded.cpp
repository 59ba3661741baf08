// secded: the RTL's columns are the model's; every wrong bit and every pair of wrong bits; any word alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <random>
#include <set>
#include <stdexcept>

#include "blocks/secded/secded.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::secded {
namespace {

/// A word as it is stored: data below, check bits above.
struct Stored {
  std::uint64_t data;
  std::uint8_t check;
  Stored flipped(unsigned bit, unsigned width) const {
    if (bit < width) return {data ^ std::uint64_t{1} << bit, check};
    return {data, static_cast<std::uint8_t>(check ^ 1u << (bit - width))};
  }
};

class SecdedPoints : public ::testing::TestWithParam<unsigned> {
 protected:
  Code code{GetParam()};
  std::unique_ptr<SecdedRtl> rtl = make_secded_rtl(GetParam());
  std::uint64_t mask() const { return ~std::uint64_t{0} >> (64 - GetParam()); }
  unsigned bits() const { return GetParam() + code.check_bits(); }
  Decoded decoded(const Stored& word) {
    const Decoded made = rtl->eval(word.data, word.check).decoded;
    EXPECT_EQ(made, code.decode(word.data, word.check));
    return made;
  }
  /// No one, all ones, alternating, one bit, and random data.
  std::vector<std::uint64_t> words() const {
    std::vector<std::uint64_t> made{0, mask(), 0x5555555555555555 & mask(), std::uint64_t{1} << (GetParam() - 1)};
    std::mt19937_64 random(GetParam());
    for (unsigned left = 4; left > 0; --left) made.push_back(random() & mask());
    return made;
  }
};
INSTANTIATE_TEST_SUITE_P(Points, SecdedPoints, ::testing::Values(1, 11, 32, 64),
                         [](const auto& info) { return "W" + std::to_string(info.param); });

TEST_P(SecdedPoints, EveryColumnOfTheRtlIsTheModels) {
  EXPECT_EQ(rtl->eval(0, 0).check, 0);
  for (unsigned bit = 0; bit < GetParam(); ++bit) {
    EXPECT_EQ(rtl->eval(std::uint64_t{1} << bit, 0).check, code.column(bit)) << bit;
  }
}

TEST_P(SecdedPoints, EveryWrongBitIsCorrected) {
  for (const std::uint64_t data : words()) {
    const Stored word{data, code.check(data)};
    EXPECT_EQ(decoded(word), (Decoded{data, false, false}));
    for (unsigned bit = 0; bit < bits(); ++bit) {
      EXPECT_EQ(decoded(word.flipped(bit, GetParam())), (Decoded{data, true, false})) << bit;
    }
  }
}

TEST_P(SecdedPoints, EveryPairOfWrongBitsIsReported) {
  for (const std::uint64_t data : words()) {
    for (unsigned high = 1; high < bits(); ++high) {
      for (unsigned low = 0; low < high; ++low) {
        const Stored word = Stored{data, code.check(data)}.flipped(low, GetParam()).flipped(high, GetParam());
        EXPECT_EQ(decoded(word), (Decoded{word.data, false, true})) << low << ' ' << high;
      }
    }
  }
}

TEST_P(SecdedPoints, AnyWordIsDecodedAsByTheModel) {
  const std::uint8_t checks = static_cast<std::uint8_t>((1u << code.check_bits()) - 1);
  tb::check_property("secded words", 500, [&](std::uint64_t data, std::uint8_t check) {
    data &= mask();
    check &= checks;
    const SecdedRtl::Pins pins = rtl->eval(data, check);
    RC_ASSERT(pins.check == code.check(data));
    RC_ASSERT(pins.decoded == code.decode(data, check));
  });
}

TEST_P(SecdedPoints, AMillionWords) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for a million words";
  std::mt19937_64 random(GetParam());
  for (unsigned left = 250'000; left > 0; --left) {
    Stored word{random() & mask(), 0};
    word.check = code.check(word.data);
    for (unsigned wrong = static_cast<unsigned>(random() % 4); wrong > 0; --wrong) {
      word = word.flipped(static_cast<unsigned>(random() % bits()), GetParam());
    }
    ASSERT_EQ(rtl->eval(word.data, word.check).decoded, code.decode(word.data, word.check));
  }
  tb::report_transactions(250'000);
}

TEST(SecdedCode, ColumnsAreOddAndDifferentAtEveryWidth) {
  for (unsigned width = 1; width <= 64; ++width) {
    const Code code(width);
    std::set<std::uint8_t> columns;
    for (unsigned bit = 0; bit < width; ++bit) {
      const std::uint8_t column = code.column(bit);
      EXPECT_GE(std::popcount(column), 3);
      EXPECT_EQ(std::popcount(column) % 2, 1);
      EXPECT_LT(column, 1u << code.check_bits());
      columns.insert(column);
    }
    EXPECT_EQ(columns.size(), width);
    if (code.check_bits() > 3) {  // one check bit less has fewer columns than bits
      EXPECT_LT((1u << (code.check_bits() - 2)) - (code.check_bits() - 1), width);
    }
  }
}

TEST(SecdedCode, TreesOfTheFullWidthAreEqual) {
  const Code code(64);
  for (unsigned row = 0; row < 8; ++row) {
    unsigned ones = 0;
    for (unsigned bit = 0; bit < 64; ++bit) ones += code.column(bit) >> row & 1;
    EXPECT_EQ(ones, 26u);  // (56 x 3 + 8 x 5) / 8: no code of this size has smaller trees (Hsiao)
  }
}

TEST(SecdedCode, OtherWidthsAreRefused) {
  EXPECT_THROW(Code(0), std::invalid_argument);
  EXPECT_THROW(Code(65), std::invalid_argument);
  EXPECT_THROW(make_secded_rtl(12), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::secded
