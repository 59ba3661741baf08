// line_hasher: fingerprints against OpenSSL, exact latencies, published collisions, random lock step.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <random>

#include "line_hasher_bench.h"
#include "md5_vectors.h"
#include "support/long_run.h"
#include "support/shared_inputs.h"

namespace warpsieve::md5 {
namespace {

class LineHasherPoints : public ::testing::TestWithParam<unsigned> {
 protected:
  LineHasherParams params() const { return {GetParam()}; }
  HasherAndReference with_reference() const {
    return {make_line_hasher(params(), Backend::shadow),
            [](const LineHashReq& req) { return line_digest(req.mask, req.data); }};  // OpenSSL
  }
};
INSTANTIATE_TEST_SUITE_P(Points, LineHasherPoints, ::testing::Values(1u, 2u, 4u),
                         [](const auto& info) { return "S" + std::to_string(info.param); });

TEST(LineHasher, Takes66Or130Or194CyclesAtOneStepPerCycle) {
  auto hasher = make_line_hasher({1}, Backend::shadow);
  for (unsigned mask = 0; mask < 16; ++mask) {
    Digest digest{};
    const unsigned sectors = static_cast<unsigned>(std::popcount(mask));
    const unsigned cycles = measure(*hasher, {counting_line(), static_cast<std::uint8_t>(mask)}, digest);
    EXPECT_EQ(cycles, sectors <= 1 ? 66u : sectors <= 3 ? 130u : 194u) << "mask " << mask;
    EXPECT_EQ(digest, line_digest(static_cast<std::uint8_t>(mask), counting_line()));
    EXPECT_TRUE(hasher->ready());
  }
}

TEST(LineHasher, Takes34Or67Or100CyclesAtTwoStepsPerCycle) {
  auto hasher = make_line_hasher({2}, Backend::shadow);
  Digest digest{};
  EXPECT_EQ(measure(*hasher, {counting_line(), 0x0}, digest), 34u);
  EXPECT_EQ(measure(*hasher, {counting_line(), 0x4}, digest), 34u);
  EXPECT_EQ(measure(*hasher, {counting_line(), 0xa}, digest), 67u);
  EXPECT_EQ(measure(*hasher, {counting_line(), 0xd}, digest), 67u);
  EXPECT_EQ(measure(*hasher, {counting_line(), 0xf}, digest), 100u);
}

TEST(LineHasher, Takes18Or35Or52CyclesAtFourStepsPerCycle) {
  auto hasher = make_line_hasher({4}, Backend::shadow);
  Digest digest{};
  EXPECT_EQ(measure(*hasher, {counting_line(), 0x0}, digest), 18u);
  EXPECT_EQ(measure(*hasher, {counting_line(), 0x8}, digest), 18u);
  EXPECT_EQ(measure(*hasher, {counting_line(), 0x9}, digest), 35u);
  EXPECT_EQ(measure(*hasher, {counting_line(), 0x7}, digest), 35u);
  EXPECT_EQ(measure(*hasher, {counting_line(), 0xf}, digest), 52u);
}

TEST_P(LineHasherPoints, EmptyMaskHashesOneZeroByte) {
  auto hasher = make_line_hasher(params(), Backend::shadow);
  Digest digest{};
  measure(*hasher, {counting_line(), 0}, digest);
  EXPECT_EQ(digest, vectors::digest_from_hex("93b885adfe0da089cdf634904fd59f71"));  // printf '\0' | md5sum
}

TEST_P(LineHasherPoints, BytesOutsideTheMaskDoNotMatter) {
  bytes_outside_the_mask_do_not_matter(*make_line_hasher(params(), Backend::shadow));
}

TEST_P(LineHasherPoints, EqualSectorsUnderDifferentMasksDiffer) {
  equal_sectors_under_different_masks_differ(*make_line_hasher(params(), Backend::shadow));
}

TEST_P(LineHasherPoints, DigestIsHeldUntilTakenAndThenReadyReturnsOneCycleLater) {
  held_until_taken_and_ready_one_cycle_later(*make_line_hasher(params(), Backend::shadow),
                                             line_digest(0xf, counting_line()));
}

/// The collision happens in the chaining value, so the mask byte and the
/// padding behind the line do not separate the two lines of a pair.
TEST_P(LineHasherPoints, PublishedCollisionsGiveTwoLinesOneFingerprint) {
  auto pairs = std::vector{vectors::wang_yu()};
  const auto path = tb::shared_input("md5/collisions.txt");
  if (std::filesystem::exists(path)) pairs = vectors::collision_pairs(path);
  auto hasher = make_line_hasher(params(), Backend::shadow);
  unsigned whole = 0, half = 0;
  for (const auto& pair : pairs) {
    ASSERT_EQ(pair.first.size(), pair.second.size());
    const std::uint8_t mask = pair.first.size() == 128 ? 0xf : 0x3;
    ASSERT_EQ(pair.first.size(), mask == 0xf ? 128u : 64u);
    const auto one = line_of(pair.first), two = line_of(pair.second);
    ASSERT_NE(one, two);
    Digest digest_one{}, digest_two{};
    measure(*hasher, {one, mask}, digest_one);
    measure(*hasher, {two, mask}, digest_two);
    EXPECT_EQ(digest_one, digest_two) << pair.id;
    EXPECT_NE(digest_one, pair.digest) << "the mask byte is part of the message: " << pair.id;
    ++(mask == 0xf ? whole : half);
  }
  RecordProperty("pairs_of_128_bytes", static_cast<int>(whole));
  RecordProperty("pairs_of_64_bytes", static_cast<int>(half));
  EXPECT_GE(whole, 1u);
}

TEST_P(LineHasherPoints, RandomLinesAndMasksInLockStepUnderBackPressure) {
  random_lines("line_hasher lines", [&] { return with_reference(); });
}

TEST_P(LineHasherPoints, AThirdOfAMillionRandomLinesAgainstOpenssl) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 340,000 lines per point";
  std::mt19937_64 random(1321);
  const auto pair = with_reference();
  for (unsigned batch = 0; batch < 340; ++batch) {
    batch_of_lines(pair, random, batch);
    if (HasFatalFailure()) return;
  }
  tb::report_transactions(340 * 1000);
}

TEST(LineHasher, MismatchesNameTheLine) {
  LineHashReq req{};
  req.mask = 5;
  req.data[0] = 0xab;
  EXPECT_EQ(describe(req), "mask 0x5 data ab" + std::string(254, '0'));
}

TEST(LineHasher, OtherStepsPerCycleAreRefused) {
  EXPECT_THROW(make_line_hasher({3}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_line_hasher({8}, Backend::rtl), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::md5
