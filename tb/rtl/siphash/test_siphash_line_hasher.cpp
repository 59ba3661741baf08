// siphash_line_hasher: tags against OpenSSL, exact latencies, the published MD5 collisions, random lock step.
#include <gtest/gtest.h>

#include <bit>

#include "../md5/line_hasher_bench.h"
#include "../md5/md5_vectors.h"
#include "long_lines.h"
#include "siphash_reference.h"
#include "support/shared_inputs.h"

namespace warpsieve::siphash {
namespace {

using Line = std::array<std::uint8_t, kLineBytes>;
using md5::counting_line;
using md5::measure;

class SiphashLineHasherPoints : public ::testing::TestWithParam<unsigned> {
 protected:
  LineHasherParams params() const { return {GetParam(), reference::counting_key()}; }
  md5::HasherAndReference with_reference(const Key& key) const {
    return {make_line_hasher({GetParam(), key}, Backend::shadow),
            [key](const LineHashReq& req) { return reference::line_tag(key, req.mask, req.data); }};
  }
};
INSTANTIATE_TEST_SUITE_P(Points, SiphashLineHasherPoints, ::testing::Values(1u, 2u),
                         [](const auto& info) { return "H" + std::to_string(info.param); });

TEST(SiphashLineHasher, Takes11Or19Or27Or35Or43CyclesAtOneRoundPerCycle) {
  const Key key = reference::counting_key();
  auto hasher = make_line_hasher({2, key}, Backend::shadow);
  for (unsigned mask = 0; mask < 16; ++mask) {
    Tag tag{};
    const auto sectors = static_cast<unsigned>(std::popcount(mask));
    EXPECT_EQ(measure(*hasher, {counting_line(), static_cast<std::uint8_t>(mask)}, tag), 11 + 8 * sectors) << mask;
    EXPECT_EQ(tag, reference::line_tag(key, static_cast<std::uint8_t>(mask), counting_line())) << mask;
    EXPECT_TRUE(hasher->ready());
  }
}

TEST(SiphashLineHasher, Takes21Or37Or53Or69Or85CyclesAtHalfARoundPerCycle) {
  const Key key = reference::counting_key();
  auto hasher = make_line_hasher({1, key}, Backend::shadow);
  for (unsigned mask = 0; mask < 16; ++mask) {
    Tag tag{};
    const auto sectors = static_cast<unsigned>(std::popcount(mask));
    EXPECT_EQ(measure(*hasher, {counting_line(), static_cast<std::uint8_t>(mask)}, tag), 21 + 16 * sectors) << mask;
    EXPECT_EQ(tag, reference::line_tag(key, static_cast<std::uint8_t>(mask), counting_line())) << mask;
  }
}

TEST_P(SiphashLineHasherPoints, BytesOutsideTheMaskDoNotMatter) {
  md5::bytes_outside_the_mask_do_not_matter(*make_line_hasher(params(), Backend::shadow));
}

TEST_P(SiphashLineHasherPoints, EqualSectorsUnderDifferentMasksDiffer) {
  md5::equal_sectors_under_different_masks_differ(*make_line_hasher(params(), Backend::shadow));
}

TEST_P(SiphashLineHasherPoints, EveryBitOfTheLineChangesTheTag) {
  auto hasher = make_line_hasher(params(), Backend::shadow);
  Tag plain{};
  measure(*hasher, {counting_line(), 0xf}, plain);
  for (unsigned bit = 0; bit < 8 * kLineBytes; bit += 1 + bit % 3) {
    Line line = counting_line();
    line[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    Tag tag{};
    measure(*hasher, {line, 0xf}, tag);
    EXPECT_NE(tag, plain) << bit;
  }
}

TEST_P(SiphashLineHasherPoints, TagIsHeldUntilTakenAndThenReadyReturnsOneCycleLater) {
  md5::held_until_taken_and_ready_one_cycle_later(
      *make_line_hasher(params(), Backend::shadow),
      reference::line_tag(reference::counting_key(), 0xf, counting_line()));
}

/// What the block is for: lines that MD5 takes for equal get different tags.
TEST_P(SiphashLineHasherPoints, PublishedMd5CollisionsGetDifferentTags) {
  auto pairs = std::vector{md5::vectors::wang_yu()};
  const auto path = tb::shared_input("md5/collisions.txt");
  if (std::filesystem::exists(path)) pairs = md5::vectors::collision_pairs(path);
  auto hasher = make_line_hasher(params(), Backend::shadow);
  for (const auto& pair : pairs) {
    const Line one = md5::line_of(pair.first), two = md5::line_of(pair.second);
    const std::uint8_t mask = pair.first.size() == 128 ? 0xf : 0x3;
    ASSERT_EQ(md5::line_digest(mask, one), md5::line_digest(mask, two)) << pair.id;
    Tag tag_one{}, tag_two{};
    measure(*hasher, {one, mask}, tag_one);
    measure(*hasher, {two, mask}, tag_two);
    EXPECT_NE(tag_one, tag_two) << pair.id;
  }
}

TEST_P(SiphashLineHasherPoints, RandomLinesAndMasksInLockStepUnderBackPressure) {
  md5::random_lines("siphash_line_hasher lines", [&] { return with_reference(*rc::gen::arbitrary<Key>()); });
}

TEST_P(SiphashLineHasherPoints, HalfAMillionRandomLinesAgainstOpenssl) {
  half_a_million_lines(2012, [&](const Key& key) { return with_reference(key); });
}

TEST(SiphashLineHasher, OtherHalfRoundsPerCycleAreRefused) {
  EXPECT_THROW(make_line_hasher({3, {}}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_line_hasher({4, {}}, Backend::rtl), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::siphash
