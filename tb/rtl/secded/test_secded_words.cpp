// secded_words: every stored bit and pairs of them, at every point; any word as by the model; flip_i.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <stdexcept>

#include "blocks/secded/secded_words.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::secded {
namespace {

using Random = std::mt19937_64;

Bits random_bits(Random& random, unsigned count) {
  Bits bits(count);
  for (unsigned i = 0; i < count; ++i) bits[i] = (random() & 1) != 0;
  return bits;
}

class SecdedWordsPoints : public ::testing::TestWithParam<WordsShape> {
 protected:
  const WordsShape& shape() const { return GetParam(); }
  Bits word(Random& random) const { return random_bits(random, shape().width); }
  /// The lanes of these parts.
  Bits lanes(std::initializer_list<unsigned> parts) const {
    Bits made(shape().lanes);
    for (const unsigned part : parts) made[part / shape().parts()] = true;
    return made;
  }
  static Bits flipped(Bits stored, std::initializer_list<unsigned> bits) {
    for (const unsigned bit : bits) stored[bit] = !stored[bit];
    return stored;
  }
  WordsCode code{GetParam()};
  std::unique_ptr<SecdedWordsRtl> rtl = make_secded_words_rtl(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Points, SecdedWordsPoints,
                         ::testing::Values(WordsShape{1, 1}, WordsShape{390, 3}, WordsShape{65, 1},
                                           WordsShape{66, 3, false}, WordsShape{2448, 16}),
                         [](const auto& info) {
                           return "W" + std::to_string(info.param.width) + "L" + std::to_string(info.param.lanes);
                         });

TEST_P(SecdedWordsPoints, EveryStoredBitIsFlippedByItsNumberAndCorrected) {
  Random random(1);
  const Bits none(shape().lanes);
  for (unsigned bit = 0; bit < code.stored_bits(); ++bit) {
    const Bits data = word(random), stored = code.encode(data), wrong = flipped(stored, {bit});
    const auto low = rtl->eval(data, wrong, bit + 1), high = rtl->eval(data, stored, (bit + 1) << 16);
    const bool coded = shape().secded;
    EXPECT_EQ(low.stored, coded ? wrong : stored) << bit;
    EXPECT_EQ(high.stored, coded ? wrong : stored) << bit;
    EXPECT_EQ(high.decoded, (DecodedWord{data, none, none}));
    if (coded) {
      EXPECT_EQ(low.decoded, (DecodedWord{data, lanes({code.part_of(bit)}), none})) << bit;
    } else {
      EXPECT_EQ(low.decoded, (DecodedWord{wrong, none, none})) << bit;
    }
    EXPECT_EQ(low.decoded, code.decode(wrong));
  }
}

TEST_P(SecdedWordsPoints, TwoWrongBitsAreFatalInOnePartAndCorrectedInTwo) {
  if (!shape().secded) GTEST_SKIP() << "skipped: this point has no check bits";
  Random random(2);
  const Bits none(shape().lanes);
  unsigned fatal = 0;
  for (unsigned high = 1; high < code.stored_bits(); ++high) {
    // Another bit of the same part, if one is below, and any other bit.
    for (const unsigned low : {high - 1, static_cast<unsigned>(random() % high)}) {
      const Bits data = word(random), wrong = flipped(code.encode(data), {low, high});
      const auto pins = rtl->eval(data, wrong, (high + 1) << 16 | (low + 1));
      EXPECT_EQ(pins.stored, wrong);
      EXPECT_EQ(pins.decoded, code.decode(wrong));
      const unsigned parts[] = {code.part_of(low), code.part_of(high)};
      if (parts[0] == parts[1]) {
        ++fatal;
        EXPECT_EQ(pins.decoded.fatal, lanes({parts[0]})) << low << ' ' << high;
        EXPECT_EQ(pins.decoded.single, none) << low << ' ' << high;
      } else {
        EXPECT_EQ(pins.decoded, (DecodedWord{data, lanes({parts[0], parts[1]}), none})) << low << ' ' << high;
      }
    }
  }
  EXPECT_GT(fatal, 0u);
}

TEST_P(SecdedWordsPoints, AnyWordIsDecodedAsByTheModel) {
  tb::check_property("secded words", 100, [&](std::uint64_t seed) {
    Random random(seed);
    const Bits data = word(random), read = random_bits(random, code.stored_bits());
    const auto pins = rtl->eval(data, read, 0);
    RC_ASSERT(pins.stored == code.encode(data));
    RC_ASSERT(pins.decoded == code.decode(read));
  });
}

TEST_P(SecdedWordsPoints, LongWords) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 20,000 words per point";
  Random random(3);
  for (unsigned left = 20'000; left > 0; --left) {
    const Bits data = word(random);
    Bits read = code.encode(data);
    for (auto wrong = random() % 4; wrong > 0; --wrong)
      read = flipped(read, {static_cast<unsigned>(random() % read.size())});
    ASSERT_EQ(rtl->eval(data, read, 0).decoded, code.decode(read));
  }
  tb::report_transactions(20'000);
}

TEST(SecdedWords, OtherShapesAreRefused) {
  EXPECT_THROW(WordsCode({7, 2}), std::invalid_argument);
  EXPECT_THROW(WordsCode({0, 1}), std::invalid_argument);
  EXPECT_THROW(WordsCode({4, 0}), std::invalid_argument);
  EXPECT_THROW(make_secded_words_rtl({7, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::secded
