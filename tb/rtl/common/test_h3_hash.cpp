// h3_hash: the RTL's matrices against the C++ twin, and what the matrices must be.
#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <stdexcept>
#include <vector>

#include "blocks/common/h3_hash.h"
#include "support/property.h"

namespace warpsieve::common {
namespace {

const H3Params points[] = {{1, 1, 1}, {13, 7, 5}, {32, 6, 1}, {35, 10, 2}};

class H3Points : public ::testing::TestWithParam<H3Params> {};
INSTANTIATE_TEST_SUITE_P(Points, H3Points, ::testing::ValuesIn(points), [](const auto& info) {
  return "Key" + std::to_string(info.param.key_bits) + "Hash" + std::to_string(info.param.hash_bits);
});

TEST_P(H3Points, EveryMatrixBitOfTheRtlIsTheModels) {
  auto rtl = make_h3_rtl(GetParam());
  const H3Hash model(GetParam());
  EXPECT_EQ(rtl->eval(0), 0u);
  for (unsigned bit = 0; bit < GetParam().key_bits; ++bit) {
    EXPECT_EQ(rtl->eval(std::uint64_t{1} << bit), model(std::uint64_t{1} << bit)) << bit;
  }
}

TEST_P(H3Points, RandomKeysHashAlike) {
  auto rtl = make_h3_rtl(GetParam());
  const H3Hash model(GetParam());
  const std::uint64_t mask = (std::uint64_t{1} << GetParam().key_bits) - 1;
  tb::check_property("h3 like model", 500, [&](std::uint64_t a, std::uint64_t b) {
    a &= mask;
    b &= mask;
    RC_ASSERT(rtl->eval(a) == model(a));
    RC_ASSERT(rtl->eval(a ^ b) == (rtl->eval(a) ^ rtl->eval(b)));  // linear
  });
}

TEST_P(H3Points, KeysThatDifferInTheLowHashBitsNeverCollide) {
  auto rtl = make_h3_rtl(GetParam());
  const std::uint64_t high = (0x155555555555u & ((std::uint64_t{1} << GetParam().key_bits) - 1)) >>
                             GetParam().hash_bits << GetParam().hash_bits;
  std::set<std::uint32_t> values;
  for (std::uint64_t low = 0; low < std::uint64_t{1} << GetParam().hash_bits; ++low)
    values.insert(rtl->eval(high | low));
  EXPECT_EQ(values.size(), std::size_t{1} << GetParam().hash_bits);
}

TEST(H3Hash, RowsAreDenseAndDifferBetweenSeeds) {
  const H3Hash one({35, 10, 16}), other({35, 10, 17});
  unsigned ones = 0, equal = 0;
  for (unsigned j = 0; j < 10; ++j) {
    ones += std::popcount(one.row(j));
    equal += 35 - std::popcount(one.row(j) ^ other.row(j));
  }
  EXPECT_NEAR(ones, 175, 40);  // half of 350; 40 is over four standard deviations
  EXPECT_NEAR(equal, 175, 40);
}

TEST(H3Hash, UnknownPointIsRefused) { EXPECT_THROW(make_h3_rtl({33, 10, 2}), std::invalid_argument); }

}  // namespace
}  // namespace warpsieve::common
