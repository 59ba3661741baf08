// The code of BCD and the stores beside it.
#include <gtest/gtest.h>

#include <random>

#include "schemes/bcd/bcd_code.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace schemes::bcd;

Half half_of(std::uint64_t first, std::uint64_t step) {
  Half out;
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = static_cast<std::uint8_t>((first + step * (i / 8)) >> 8 * (i % 8));
  return out;
}

TEST(BcdCode, StepsOfTwoBytesPerWord) {
  const Half base = half_of(0xabcd000000000000ull, 0);
  EXPECT_EQ(encode(base, base).step, 0u);
  EXPECT_EQ(encode(base, base).sectors(), 0u);
  struct Case {
    std::uint64_t difference;
    unsigned step, sectors;
  };
  for (const Case& c : {Case{0x1, 1, 1},
                        {0xffff, 1, 1},
                        {0x10000, 2, 1},
                        {0xffffffff, 2, 1},
                        {0x100000000, 3, 2},
                        {0xffffffffffff, 3, 2}}) {
    const Difference d = encode(half_of(0xabcd000000000000ull ^ c.difference, 0), base);
    EXPECT_EQ(d.step, c.step) << c.difference;
    EXPECT_EQ(d.sectors(), c.sectors);
  }
}

TEST(BcdCode, EveryHalfComesBack) {
  check_property("bcd code", 500, [&] {
    std::mt19937_64 random(*rc::gen::inRange<std::uint64_t>(1, 1ull << 60));
    Half base, half;
    for (std::uint8_t& b : base) b = static_cast<std::uint8_t>(random());
    half = base;
    const unsigned changed = random() % 9, depth = random() % 6 + 1;  // bytes below the cluster's
    for (unsigned i = 0; i < changed; ++i)
      half[8 * (random() % 8) + random() % depth] = static_cast<std::uint8_t>(random());
    RC_ASSERT(cluster_of(half) == cluster_of(base));
    const Difference d = encode(half, base);
    RC_ASSERT(d.step <= (depth + 1) / 2);
    RC_ASSERT(decode(d, base) == half);
    for (unsigned i = kCodeStep * d.step; i < kHalfBytes; ++i) RC_ASSERT(d.bytes[i] == 0);
  });
}

TEST(BcdCode, KeysOfShortDifferencesAreTheDifferences) {
  const Half base{};
  const Difference a = encode(half_of(1, 1), base), b = encode(half_of(1, 2), base),
                   c = encode(half_of(1ull << 20, 1), base);
  EXPECT_NE(key_of(a, 0), key_of(b, 0)) << "exact whatever the hash";
  EXPECT_NE(key_of(a, 0), key_of(c, 0)) << "kinds differ";
  EXPECT_EQ(key_of(c, 0), key_of(encode(half_of(1ull << 21, 3), base), 0)) << "no bits of hash";
  EXPECT_NE(key_of(c, 128), key_of(encode(half_of(1ull << 21, 3), base), 128));
}

TEST(BcdCode, TranslationEntriesComeBack) {
  EXPECT_EQ(Entry{}.low() | Entry{}.high(), 0u) << "the table starts as 0: raw";
  for (const Entry& e : {Entry{}, Entry{true, 0, false, 0, 0}, Entry{true, 3, true, 1023, 1023},
                         Entry{true, 2, false, 0xabcdef, 0}, Entry{true, 1, true, 5, 0xffffffff}})
    EXPECT_EQ(Entry::of(e.low(), e.high()), e);
}

Key key(unsigned n) {
  Key k;
  k.bytes[0] = static_cast<std::uint8_t>(n);
  return k;
}

TEST(BcdStore, EntriesWithReferencesStayAndTheOldestOtherLeaves) {
  CountedStore store(1, 3);
  const auto a = store.add(key(1)), b = store.add(key(2)), c = store.add(key(3));
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(store.find(key(1)), a);  // now 2 is the oldest
  const std::uint64_t born = store[*b].born;
  EXPECT_EQ(store.add(key(4)), b);
  EXPECT_NE(store[*b].born, born);
  EXPECT_FALSE(store.find(key(2)));
  for (const auto& id : {a, b, c}) ++store[*id].count;
  EXPECT_FALSE(store.add(key(5))) << "all in use";
  --store[*c].count;
  EXPECT_EQ(store.add(key(5)), c);
}

TEST(BcdStore, KeysOfTwoKindsDiffer) {
  CountedStore store(4, 2);
  Key other = key(1);
  other.kind = 2;
  store.add(key(1));
  EXPECT_FALSE(store.find(other));
}

TEST(BcdStore, TheCacheKeepsTheRecentlyUsedContents) {
  BaseCache cache(1, 2);
  BaseCache::Content x{}, y{};
  x.fill(1);
  y.fill(2);
  cache.put(10, x);
  cache.put(11, y);
  ASSERT_TRUE(cache.find(10));
  cache.put(12, y);
  EXPECT_FALSE(cache.find(11));
  ASSERT_TRUE(cache.find(10));
  cache.put(10, y);
  EXPECT_EQ(*cache.find(10), y) << "one line per number";
  EXPECT_TRUE(cache.find(12));
}

}  // namespace
}  // namespace warpsieve::tb
