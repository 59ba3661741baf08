// siphash_line_hasher: tags against OpenSSL, exact latencies, the published MD5 collisions, random lock step.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <random>

#include "../md5/line_hasher_bench.h"
#include "../md5/md5_vectors.h"
#include "siphash_reference.h"
#include "support/lockstep.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::siphash {
namespace {

using Line = std::array<std::uint8_t, kLineBytes>;
using md5::counting_line;
using md5::measure;

class SiphashLineHasherPoints : public ::testing::TestWithParam<unsigned> {
 protected:
  LineHasherParams params() const { return {GetParam(), reference::counting_key()}; }
};
INSTANTIATE_TEST_SUITE_P(Points, SiphashLineHasherPoints, ::testing::Values(1u, 2u),
                         [](const auto& info) { return "H" + std::to_string(info.param); });

/// The fingerprint as decision C7 defines it, by OpenSSL.
Tag expected_tag(const Key& key, std::uint8_t mask, const Line& line) {
  reference::Bytes message;
  for (unsigned i = 0; i < kLineBytes; ++i) {
    if (mask >> (i / kSectorBytes) & 1) message.push_back(line[i]);
  }
  message.push_back(mask);
  return reference::openssl_tag(key, message);
}

TEST(SiphashLineHasher, Takes11Or19Or27Or35Or43CyclesAtOneRoundPerCycle) {
  const Key key = reference::counting_key();
  auto hasher = make_line_hasher({2, key}, Backend::shadow);
  for (unsigned mask = 0; mask < 16; ++mask) {
    Tag tag{};
    const auto sectors = static_cast<unsigned>(std::popcount(mask));
    EXPECT_EQ(measure(*hasher, {counting_line(), static_cast<std::uint8_t>(mask)}, tag), 11 + 8 * sectors) << mask;
    EXPECT_EQ(tag, expected_tag(key, static_cast<std::uint8_t>(mask), counting_line())) << mask;
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
    EXPECT_EQ(tag, expected_tag(key, static_cast<std::uint8_t>(mask), counting_line())) << mask;
  }
}

TEST_P(SiphashLineHasherPoints, BytesOutsideTheMaskDoNotMatter) {
  auto hasher = make_line_hasher(params(), Backend::shadow);
  for (unsigned mask = 0; mask < 16; ++mask) {
    Line other = counting_line();
    for (unsigned i = 0; i < kLineBytes; ++i) {
      if (!(mask >> (i / kSectorBytes) & 1)) other[i] ^= 0xff;
    }
    Tag one{}, two{};
    measure(*hasher, {counting_line(), static_cast<std::uint8_t>(mask)}, one);
    measure(*hasher, {other, static_cast<std::uint8_t>(mask)}, two);
    EXPECT_EQ(one, two);
  }
}

TEST_P(SiphashLineHasherPoints, EqualSectorsUnderDifferentMasksDiffer) {
  auto hasher = make_line_hasher(params(), Backend::shadow);
  std::vector<Tag> tags(16);
  for (unsigned mask = 0; mask < 16; ++mask) measure(*hasher, {Line{}, static_cast<std::uint8_t>(mask)}, tags[mask]);
  for (unsigned a = 0; a < 16; ++a) {
    for (unsigned b = 0; b < a; ++b) EXPECT_NE(tags[a], tags[b]) << a << " and " << b;
  }
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
  auto hasher = make_line_hasher(params(), Backend::shadow);
  ASSERT_TRUE(hasher->push({counting_line(), 0xf}));
  for (int i = 0; !hasher->front(); ++i) {
    ASSERT_LT(i, 1000);
    hasher->tick();
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(hasher->push({{}, 0x3}));  // refused, and must leave no trace
    hasher->tick();
    ASSERT_NE(hasher->front(), nullptr);
    EXPECT_EQ(hasher->front()->digest, expected_tag(reference::counting_key(), 0xf, counting_line()));
  }
  hasher->pop();
  EXPECT_FALSE(hasher->ready());
  hasher->tick();
  EXPECT_TRUE(hasher->ready());
  EXPECT_TRUE(hasher->idle());
  EXPECT_EQ(hasher->front(), nullptr);
}

/// What the block is for: lines that MD5 takes for equal get different tags.
TEST_P(SiphashLineHasherPoints, PublishedMd5CollisionsGetDifferentTags) {
  auto pairs = std::vector{md5::vectors::wang_yu()};
  const auto path = md5::vectors::shared_file("collisions.txt");
  if (std::filesystem::exists(path)) pairs = md5::vectors::collision_pairs(path);
  auto hasher = make_line_hasher(params(), Backend::shadow);
  for (const auto& pair : pairs) {
    Line one{}, two{};
    std::copy_n(pair.first.begin(), std::min(pair.first.size(), one.size()), one.begin());
    std::copy_n(pair.second.begin(), std::min(pair.second.size(), two.size()), two.begin());
    const std::uint8_t mask = pair.first.size() == 128 ? 0xf : 0x3;
    ASSERT_EQ(md5::line_digest(mask, one), md5::line_digest(mask, two)) << pair.id;
    Tag tag_one{}, tag_two{};
    measure(*hasher, {one, mask}, tag_one);
    measure(*hasher, {two, mask}, tag_two);
    EXPECT_NE(tag_one, tag_two) << pair.id;
  }
}

TEST_P(SiphashLineHasherPoints, RandomLinesAndMasksInLockStepUnderBackPressure) {
  tb::check_property("siphash_line_hasher lines", 300, [&] {
    const Key key = *rc::gen::arbitrary<Key>();
    std::vector<LineHashReq> reqs(*rc::gen::inRange(1u, 5u));
    std::vector<LineHashRsp> expected;
    for (auto& req : reqs) {
      req.data = *rc::gen::arbitrary<Line>();
      req.mask = static_cast<std::uint8_t>(*rc::gen::inRange(0, 16));
      expected.push_back({expected_tag(key, req.mask, req.data)});
    }
    const tb::Pressure pressure{*rc::gen::inRange(5u, 101u), *rc::gen::inRange(5u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    auto hasher = make_line_hasher({GetParam(), key}, Backend::shadow);
    RC_ASSERT(tb::drive_stream(*hasher, reqs, reqs.size(), pressure) == expected);
  });
}

TEST_P(SiphashLineHasherPoints, HalfAMillionRandomLinesAgainstOpenssl) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 500,000 lines per point";
  std::mt19937_64 random(2012);
  for (unsigned batch = 0; batch < 500; ++batch) {
    Key key;
    for (auto& byte : key) byte = static_cast<std::uint8_t>(random());
    std::vector<LineHashReq> reqs(1000);
    std::vector<LineHashRsp> expected;
    for (auto& req : reqs) {
      for (unsigned i = 0; i < kLineBytes; i += 8) {
        const std::uint64_t word = random();
        for (unsigned b = 0; b < 8; ++b) req.data[i + b] = static_cast<std::uint8_t>(word >> (8 * b));
      }
      req.mask = static_cast<std::uint8_t>(random() % 16);
      expected.push_back({expected_tag(key, req.mask, req.data)});
    }
    auto hasher = make_line_hasher({GetParam(), key}, Backend::shadow);
    const tb::Pressure pressure{50 + batch % 51, 50 + (batch / 7) % 51, batch + 1};
    ASSERT_EQ(tb::drive_stream(*hasher, reqs, reqs.size(), pressure), expected) << batch;
  }
  tb::report_transactions(500 * 1000);
}

TEST(SiphashLineHasher, OtherHalfRoundsPerCycleAreRefused) {
  EXPECT_THROW(make_line_hasher({3, {}}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_line_hasher({4, {}}, Backend::rtl), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::siphash
