// Parameters, statistics, queues and wake-ups of the simulator core.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

#include "core/errors.h"
#include "core/find_key.h"
#include "core/index_hash.h"
#include "core/name_lookup.h"
#include "core/number.h"
#include "core/params.h"
#include "core/ratio.h"
#include "core/recency.h"
#include "core/ring.h"
#include "core/spread.h"
#include "core/stats.h"
#include "core/timing_wheel.h"
#include "core/wake.h"
#include "core/way_lookup.h"

namespace warpsieve {
namespace {

using ::testing::HasSubstr;

struct TwoParams {
  std::uint32_t latency = 0, ways = 0;
  ParamSet set;
  TwoParams() {
    set.declare(latency, "l1.latency", "cycles", 28, 1, 1000, "load hit", "source A");
    set.declare(ways, "l1.ways", "ways", 16, 1, 64, "associativity", "source B");
  }
  std::string error(const std::string& toml) {
    try {
      set.load(toml, "f.toml");
    } catch (const ConfigError& e) {
      return e.what();
    }
    return "";
  }
};

TEST(Number, IsAllOfTheTextOrNothing) {
  EXPECT_EQ(to_number<std::uint32_t>("4294967295"), 4294967295u);
  EXPECT_EQ(to_number<std::int64_t>("-010"), -10);
  EXPECT_EQ(to_number<std::uint64_t>("fF", 16), 255u);
  EXPECT_EQ(to_number<double>("-1.5e2"), -150.0);
  for (const char* none : {"", " 1", "1 ", "+1", "1.0", "0x1", "4294967296", "-1", "one"})
    EXPECT_FALSE(to_number<std::uint32_t>(none)) << none;
  for (const char* none : {"", "1e999", "1.5x", "+1", "."}) EXPECT_FALSE(to_number<double>(none)) << none;
}

TEST(Params, DefaultsThenFileThenOverride) {
  TwoParams p;
  EXPECT_EQ(p.latency, 28u);
  p.set.load("[l1]\nlatency = 5\n", "f.toml");
  EXPECT_EQ(p.latency, 5u);
  p.set.set("l1.latency=7");
  EXPECT_EQ(p.latency, 7u);
  EXPECT_EQ(p.ways, 16u);
  EXPECT_EQ(p.set.values().dump(), R"({"l1.latency":7,"l1.ways":16})");
}

TEST(Params, ErrorsAreOneLineWithFileAndLine) {
  TwoParams p;
  EXPECT_EQ(p.error("[l1]\n\nlatancy = 5\n"),
            "f.toml:3: unknown parameter 'l1.latancy', did you mean l1.latency? "
            "Expected l1.latency or l1.ways");
  EXPECT_EQ(p.error("[l1]\nways = 65\n"), "f.toml:2: l1.ways = 65: expected 1 to 64 ways");
  EXPECT_EQ(p.error("[l1]\nways = \"x\"\n"), "f.toml:2: l1.ways must be a whole number, true or false");
  EXPECT_EQ(p.error("[l1]\nways = -1\n"), "f.toml:2: l1.ways must not be negative");
  EXPECT_THAT(p.error("[l1\n"), HasSubstr("f.toml:1: "));
  // The first bad line of the file is the one reported.
  EXPECT_THAT(p.error("[l1]\nzzz = 1\naaa = 1\n"), HasSubstr("f.toml:2: "));
}

TEST(Params, BadOverridesAreRefused) {
  TwoParams p;
  for (const char* bad :
       {"l1.ways", "=3", "l1.ways=", "l1.ways=3x", "l1.ways=0", "l1.way=3", "l1.ways=99999999999999999999"})
    EXPECT_THROW(p.set.set(std::string(bad)), ConfigError) << bad;
  EXPECT_EQ(p.ways, 16u);
}

TEST(Stats, SameNameAddsUpAndUnitsMustAgree) {
  Stats stats;
  Counter a = stats.add("x.n", "items", "things"), b = stats.add("x.n", "items", "things");
  a += 3;
  ++b;
  EXPECT_EQ(stats.value("x.n"), 4u);
  EXPECT_THROW(stats.add("x.n", "bytes", ""), std::logic_error);
  EXPECT_THROW(stats.value("x.m"), std::out_of_range);
}

TEST(Stats, WhatIsCountedWhileFrozenVanishes) {
  Stats stats;
  Counter a = stats.add("b", "items", ""), b = stats.add("a", "items", "");
  a += 2;
  stats.freeze();
  a += 40;
  b += 1;
  stats.thaw();
  ++b;
  EXPECT_EQ(stats.values().dump(), R"({"b":2,"a":1})");  // order of declaration
}

TEST(Ring, GrowsUpToItsCapacityWhateverItsHeadIs) {
  for (int head = 0; head < 5; ++head) {
    Ring<int> r(11, 2);
    EXPECT_EQ(r.capacity(), 11u);
    for (int i = 0; i < head; ++i) r.push(-1), r.pop();
    for (int i = 0; i < 11; ++i) {
      EXPECT_FALSE(r.full());
      r.push(i);
    }
    EXPECT_TRUE(r.full());
    EXPECT_THROW(r.push(11), std::logic_error);
    EXPECT_EQ(r.back(), 10);
    for (int i = 0; i < 11; ++i, r.pop()) ASSERT_EQ(r.front(), i);
    EXPECT_TRUE(r.empty());
  }
  Ring<int> none(0, 4);
  EXPECT_THROW(none.push(1), std::logic_error);
}

TEST(BitSet, SearchesTheMembersOfTwoSets) {
  BitSet a(150), b(150);
  for (const std::size_t i : {3u, 64u, 70u, 149u}) a.set(i);
  for (const std::size_t i : {4u, 64u, 149u}) b.set(i);
  EXPECT_EQ(a.from(0, b), 64u);
  EXPECT_EQ(a.from(64, b), 64u);
  EXPECT_EQ(a.from(65, b), 149u);
  EXPECT_EQ(a.from(150, b), BitSet::npos);
  EXPECT_EQ(a.from(192, b), BitSet::npos);
  b.reset(149);
  EXPECT_EQ(b.from(65, a), BitSet::npos);
}

TEST(Ring, WrapsAndRefusesOverflow) {
  Ring<int> r(3);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 3; ++i) r.push(round * 10 + i);
    EXPECT_TRUE(r.full());
    EXPECT_THROW(r.push(0), std::logic_error);
    EXPECT_EQ(r[2], round * 10 + 2);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(r.front(), round * 10 + i);
      r.pop();
    }
    r.push(0), r.pop();  // shifts the start
  }
}

TEST(Ratio, IsTheQuotientForAllSizes) {
  std::mt19937_64 random(3);
  for (unsigned i = 0; i < 20000; ++i) {
    const std::uint64_t n = 1 + random() % 10000, d = i < 50 ? i + 1 : 1 + random() % 16384;
    const Ratio ratio(n, d);
    const std::uint64_t limit = (~std::uint64_t{0} - 16384) / n;
    std::uint64_t x = (random() >> random() % 64) % limit;
    for (const std::uint64_t near : {x, x / d * d, x / d * d + d - 1, x / d * d + 1}) {
      x = std::min(near, limit);
      ASSERT_EQ(ratio.floor(x), x * n / d) << x << " * " << n << " / " << d;
      ASSERT_EQ(ratio.ceil(x), (x * n + d - 1) / d) << x << " * " << n << " / " << d;
    }
  }
  EXPECT_EQ(Ratio(1750, 1365).floor((std::uint64_t{1} << 50) / 1750), (std::uint64_t{1} << 50) / 1750 * 1750 / 1365);
}

TEST(FindKey, FindsTheFirstInListsOfAnyLength) {
  std::mt19937 random(5);
  for (std::uint32_t n = 0; n < 70; ++n)
    for (unsigned trial = 0; trial < 50; ++trial) {
      std::vector<std::uint32_t> keys(n + 8, 7);  // what lies behind the list must not be found
      for (std::uint32_t i = 0; i < n; ++i) keys[i] = static_cast<std::uint32_t>(random() % (n + 2) * 0x01010101u);
      const auto any = static_cast<std::uint32_t>(random() % (n + 2) * 0x01010101u);
      for (const std::uint32_t key : {7u, keys[0], any}) {
        const auto want = std::find(keys.begin(), keys.begin() + n, key) - keys.begin();
        ASSERT_EQ(find_key(keys.data(), n, key), want);
        std::uint32_t odd = 0;
        while (odd < n && !(keys[odd] == key && odd % 2)) ++odd;
        ASSERT_EQ(find_key_if(keys.data(), n, key, [](std::uint32_t i) { return i % 2; }), odd);
      }
    }
}

TEST(FindKey, FindsTheFirstOfTheSmallest) {
  std::mt19937 random(6);
  for (std::uint32_t n = 1; n < 70; ++n)
    for (unsigned trial = 0; trial < 50; ++trial) {
      std::vector<std::int32_t> numbers(n + 8, std::numeric_limits<std::int32_t>::min());  // the rest must not count
      for (std::uint32_t i = 0; i < n; ++i)
        numbers[i] = static_cast<std::int32_t>(random() % (trial % 2 ? n : 0x80000000u)) - (trial % 3 ? 0 : 20);
      const auto want = std::min_element(numbers.begin(), numbers.begin() + n) - numbers.begin();
      ASSERT_EQ(find_least(numbers.data(), n), want) << n;
    }
}

/// Against the plain definition, with times that are numbered anew every few uses.
TEST(Recency, NamesTheWayUsedLongestAgoOfThoseAllowed) {
  std::mt19937 random(7);
  for (const std::uint32_t ways : {1u, 2u, 3u, 4u, 5u, 16u, 20u, 33u, 64u}) {
    constexpr std::uint32_t kSets = 3;
    Recency recency(kSets, ways, static_cast<std::int32_t>(ways + 1 + random() % 20));
    std::vector<std::uint64_t> used(kSets * ways);
    for (std::uint64_t now = 1; now < 3000; ++now) {
      const auto way = static_cast<std::uint32_t>(random() % used.size());
      if (random() % 64 || now < 100) recency.use(way), used[way] = now;
      if (random() % 16 == 0) {
        const auto gone = static_cast<std::uint32_t>(random() % used.size());
        recency.forget(gone), used[gone] = 0;
      }
      if (random() % 512 == 0) recency.forget_all(), used.assign(used.size(), 0);
      const auto first = static_cast<std::uint32_t>(random() % kSets) * ways;
      const std::uint64_t allowed =
          random() % 4 ? ~std::uint64_t{0} : std::uint64_t{random()} << 32 | std::uint64_t{random()};
      std::uint32_t want = Recency::kNone;
      for (std::uint32_t w = first; w < first + ways; ++w)
        if ((allowed >> (w - first) & 1) && (want == Recency::kNone || used[w] < used[want])) want = w;
      const std::uint32_t got = recency.oldest(first, [&](std::uint32_t w) { return allowed >> (w - first) & 1; });
      // Wide sets may name any of those never used.
      if (ways > Recency::kScanned && want != Recency::kNone && used[want] == 0) {
        ASSERT_TRUE(got >= first && got < first + ways && used[got] == 0 && (allowed >> (got - first) & 1));
        continue;
      }
      ASSERT_EQ(got, want) << ways << " ways, use " << now;
    }
  }
}

TEST(WayLookup, FindsWhatATableOfTagsHolds) {
  std::mt19937 random(11);
  for (const std::uint32_t ways : {33u, 100u, 512u}) {
    WayLookup lookup(ways);
    std::vector<std::uint32_t> tags(ways, WayLookup::kNone);
    std::map<std::uint32_t, std::uint32_t> want;
    for (int step = 0; step < 20000; ++step) {
      const auto way = static_cast<std::uint32_t>(random() % ways);
      const auto line = static_cast<std::uint32_t>(random() % (3 * ways)) << (step / 5000 * 7);
      if (tags[way] != WayLookup::kNone) {
        lookup.erase(tags, way);
        want.erase(tags[way]);
        tags[way] = WayLookup::kNone;
      } else if (!want.contains(line)) {
        tags[way] = line;
        lookup.insert(tags, way);
        want[line] = way;
      }
      const auto found = want.find(line);
      ASSERT_EQ(lookup.find(tags, line), found == want.end() ? WayLookup::kNone : found->second);
      if (step % 7000 == 6999) {
        lookup.clear();
        want.clear();
        tags.assign(ways, WayLookup::kNone);
      }
    }
  }
}

/// All kinds are one to one, and spread strides of powers of two evenly.
TEST(IndexHash, KeepsTheMapOneToOneAndSpreadsStrides) {
  for (const HashKind kind : {HashKind::none, HashKind::xor_fold, HashKind::ipoly}) {
    for (const unsigned bits : {1u, 3u, 4u, 6u, 9u}) {
      const IndexHash hash(kind, bits);
      const std::uint32_t mask = (1u << bits) - 1;
      const auto index = [&](std::uint32_t x) { return (x & mask) ^ hash(x >> bits); };
      for (std::uint32_t row = 0; row < 300; ++row) {
        std::set<std::uint32_t> seen;
        for (std::uint32_t low = 0; low <= mask; ++low) seen.insert(index(row << bits | low));
        ASSERT_EQ(seen.size(), std::size_t{mask} + 1) << row;
        ASSERT_LE(*seen.rbegin(), mask);
      }
      if (kind == HashKind::none || bits < 3) continue;
      for (unsigned stride = 0; stride < 16; ++stride) {
        std::vector<unsigned> count(mask + 1);
        for (std::uint32_t i = 0; i <= mask; ++i) ++count[index(i << stride)];
        const unsigned most = *std::max_element(count.begin(), count.end());
        // A polynomial spreads every such stride without a collision, folding all but a few.
        if (kind == HashKind::ipoly)
          EXPECT_EQ(most, 1u) << "bits " << bits << ", stride " << (1u << stride);
        else
          EXPECT_LE(most, 2u) << "bits " << bits << ", stride " << (1u << stride);
      }
    }
  }
}

TEST(IndexHash, FermiTakesTheAddressBitsThatItsSourceNames) {
  for (const unsigned bits : {5u, 6u}) {
    const IndexHash hash(HashKind::fermi, bits);
    for (unsigned address_bit = 7 + bits; address_bit < 28; ++address_bit) {
      const std::map<unsigned, std::uint32_t> want = {{13, 1}, {14, 2}, {15, 4}, {17, 8}, {19, 16}};
      const auto found = want.find(address_bit);
      EXPECT_EQ(hash(1u << (address_bit - 7 - bits)), found == want.end() ? 0u : found->second) << address_bit;
    }
  }
  EXPECT_THROW(IndexHash(HashKind::fermi, 7), std::invalid_argument);
}

TEST(BitSet, FindsTheNextMember) {
  BitSet b(130);
  b.set(3), b.set(64), b.set(129);
  EXPECT_EQ(b.from(0), 3u);
  EXPECT_EQ(b.from(4), 64u);
  EXPECT_EQ(b.from(65), 129u);
  b.reset(129);
  EXPECT_EQ(b.from(65), BitSet::npos);
  b.reset(3);
  EXPECT_TRUE(b.any());
  b.reset(64);
  EXPECT_FALSE(b.any());
}

TEST(TimingWheel, VisitsMembersInTheirCycles) {
  constexpr std::size_t kMembers = 80;  // more than one word
  TimingWheel<64> wheel(kMembers);
  std::map<Cycle, std::set<std::size_t>> expected;
  std::mt19937 random(5);
  Cycle now = 1000;
  EXPECT_EQ(wheel.next(now), kNever);
  for (int step = 0; step < 5000; ++step) {
    for (auto n = random() % 4; n > 0; --n) {
      const Cycle at = now + 1 + random() % (wheel.kCycles - 1);
      const std::size_t member = random() % kMembers;
      wheel.add(member, at);
      wheel.add(member, at);
      expected[at].insert(member);
    }
    ASSERT_EQ(wheel.next(now), expected.empty() ? kNever : expected.begin()->first);
    now = expected.empty() ? now + 100 : expected.begin()->first;
    std::vector<std::size_t> seen;
    wheel.take(now, [&](std::size_t member) { seen.push_back(member); });
    ASSERT_EQ(seen, std::vector<std::size_t>(expected[now].begin(), expected[now].end()));
    expected.erase(now);
  }
}

TEST(WakeTimes, EarliestWinsAndTakingClears) {
  WakeTimes w;
  const auto id = w.add(2);
  EXPECT_EQ(w.advance(), kNever);
  w.wake(id + 1, 9), w.wake(id + 1, 5), w.wake(id + 1, 7);
  EXPECT_EQ(w.advance(), 5u);
  EXPECT_FALSE(w.take(id + 1, 4));
  EXPECT_TRUE(w.take(id + 1, 5));
  EXPECT_EQ(w.advance(), kNever);
}

TEST(WakeTimes, WhoIsLeftBehindIsNoticed) {
  WakeTimes w;
  const auto id = w.add(3);
  w.wake(id, 4);
  EXPECT_EQ(w.advance(), 4u);
  EXPECT_THROW(w.advance(), std::logic_error);
  WakeTimes past;
  past.add(1);
  past.wake(0, 1000);
  EXPECT_EQ(past.advance(), 1000u);
  EXPECT_TRUE(past.take(0, 1000));
  past.wake(0, 999);
  EXPECT_THROW(past.advance(), std::logic_error);
}

TEST(WakeTimes, AgreesWithASearchOfAllTimesNearAndFar) {
  std::mt19937 random(7);
  for (const Cycle reach : {3u, 200u, 300u, 5000u}) {
    WakeTimes w;
    const std::uint32_t n = 150;
    w.add(n);
    std::vector<Cycle> want(n, kNever);
    Cycle now = 0;
    const auto wake = [&](std::uint32_t id) {
      const Cycle at = now + 1 + random() % reach;
      w.wake(id, at);
      want[id] = std::min(want[id], at);
    };
    for (unsigned i = 0; i < 20; ++i) wake(random() % n);
    for (unsigned step = 0; step < 3000; ++step) {
      const Cycle next = *std::min_element(want.begin(), want.end());
      ASSERT_EQ(w.advance(), next);
      if (next == kNever) break;
      now = next;
      unsigned found = 0;
      const std::uint32_t part = random() % (n + 1);  // two ranges, at times an empty one
      std::uint32_t before = 0;
      const auto visit = [&](std::uint32_t id) {
        ASSERT_EQ(want[id], now);
        ASSERT_EQ(w.at(id), kNever);
        ASSERT_GE(id, before);
        before = id + 1;
        want[id] = kNever;
        ++found;
        for (unsigned k = random() % 3; k > 0; --k) wake(random() % n);
        if (random() % 4 == 0 && id + 1 < n) {  // for this cycle, too
          const std::uint32_t later = id + 1 + random() % (n - id - 1);
          w.wake(later, now);
          want[later] = now;
        }
      };
      w.take_due(0, part, visit);
      ASSERT_LE(before, part);
      w.take_due(part, n, visit);
      ASSERT_GT(*std::min_element(want.begin(), want.end()), now);
      ASSERT_GT(found, 0u);
      if (std::count(want.begin(), want.end(), kNever) == n) wake(3);
    }
  }
}

TEST(WakeTimes, AnOwnerIsWokenWithTheFirstOfItsOwnWhichItMayRunAhead) {
  std::mt19937 random(11);
  for (const Cycle reach : {3u, 200u, 700u}) {
    WakeTimes w;
    const std::uint32_t singles = w.add(40), owned = w.add(60), owners = w.add(15), n = 115;
    const auto owner_of = [&](std::uint32_t id) { return owners + (id - owned) / 4; };
    for (std::uint32_t id = owned; id < owners; ++id) w.entrust(id, owner_of(id));
    std::vector<Cycle> want(n, kNever);
    const auto wake = [&](std::uint32_t id, Cycle now) {
      const Cycle at = now + 1 + random() % reach;
      w.wake(id, at);
      want[id] = std::min(want[id], at);
      ASSERT_EQ(w.at(id), want[id]);
    };
    const auto first_of = [&](std::uint32_t owner) {
      const auto own = want.begin() + owned + (owner - owners) * 4;
      return *std::min_element(own, own + 4);
    };
    for (unsigned i = 0; i < 20; ++i) wake(random() % owners, 0);
    for (unsigned step = 0; step < 3000; ++step) {
      const Cycle now = *std::min_element(want.begin(), want.end());
      ASSERT_EQ(w.advance(), now);
      if (now == kNever) break;
      w.take_due(singles, owned, [&](std::uint32_t id) {
        ASSERT_EQ(want[id], now);
        want[id] = kNever;
        for (unsigned k = random() % 3; k > 0; --k) wake(random() % owners, now);
      });
      for (std::uint32_t owner = owners; owner < n; ++owner) {
        const Cycle end = now + 1 + random() % 30;
        if (first_of(owner) > now && random() % 4) continue;
        w.busy(owner);
        for (Cycle cycle; (cycle = first_of(owner)) < end;)
          for (std::uint32_t id = owned + (owner - owners) * 4, k = 0; k < 4; ++k, ++id) {
            ASSERT_EQ(w.own(id).at(), want[id]);
            ASSERT_EQ(random() % 2 ? w.own(id).take(cycle) : w.take(id, cycle), want[id] <= cycle);
            if (want[id] > cycle) continue;
            want[id] = kNever;
            if (random() % 3) wake(owned + (owner - owners) * 4 + random() % 4, cycle);
            if (random() % 3 == 0) {
              const Cycle at = cycle + 1 + random() % reach;
              w.own(id).wake(at);
              want[id] = std::min(want[id], at);
            }
            if (random() % 9 == 0) wake(random() % owned, cycle);
          }
        w.rest(owner, first_of(owner));
      }
      if (std::count(want.begin(), want.end(), kNever) == n) wake(singles + 3, now);
    }
  }
}

TEST(Messages, WhatAFileHoldsStaysInOneLine) {
  EXPECT_EQ(one_line("a\nb\r\x1b[2J\x7f"), "a\\nb\\x0d\\x1b[2J\\x7f");
  ParamSet set;
  std::uint32_t value = 0;
  set.declare(value, "ways", "", 1, 0, 9, "", "");
  const auto message = [&](const char* text) -> std::string {
    try {
      set.load(text, "x.toml");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message("\"a\\nb\" = 1\n"), testing::StartsWith("x.toml:1: unknown parameter 'a\\nb'"));
  EXPECT_STREQ(BadInput("suite 'a\nb'").what(), "suite 'a\\nb'");
  EXPECT_THAT(message("ways = i\n"), testing::AllOf(testing::StartsWith("x.toml:1: "), testing::HasSubstr("i\\n")));
}

TEST(Spread, MeanDeviationAndTheIntervalOfStudent) {
  const Spread s = spread_of({1, 2, 3});
  EXPECT_DOUBLE_EQ(s.mean, 2);
  EXPECT_DOUBLE_EQ(s.deviation, 1);
  EXPECT_NEAR(s.half, 4.303 / std::sqrt(3.0), 1e-9);
  EXPECT_TRUE(s.inside_noise());
  EXPECT_FALSE(spread_of({10, 11, 12}).inside_noise());
  EXPECT_FALSE(spread_of({-10, -11, -12}).inside_noise());
  EXPECT_EQ(spread_of({5}).half, 0);
  EXPECT_EQ(spread_of({5, 5, 5}).half, 0);

  const Spread even = spread_of_mean({{1, 3}, {5, 7}});  // variance 2 each: of the mean (2 / 2 + 2 / 2) / 4
  EXPECT_NEAR(even.mean, 4, 1e-12);
  EXPECT_NEAR(even.deviation, std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(even.half, 4.303 * even.deviation, 1e-9) << "as two degrees of freedom";
  const Spread uneven = spread_of_mean({{1, 3}, {5, 5}});
  EXPECT_NEAR(uneven.half, 12.706 * std::sqrt(0.25), 1e-9) << "all of it from one degree";
  EXPECT_NEAR(spread_of_mean({{1, 3}, {9}}).deviation, std::sqrt(1 + 2) / 2, 1e-12) << "9 varies as the others do";
  EXPECT_EQ(spread_of_mean({{1, 1}, {9}}).half, 0);
  EXPECT_THROW(spread_of_mean({{1}, {9}}), std::invalid_argument);
  const std::vector<double> many(40, 1.0);
  EXPECT_DOUBLE_EQ(spread_of(many).mean, 1);
}

TEST(EditDistance, SwappedNeighboursAreOneStep) {
  EXPECT_EQ(edit_distance("cdm", "cmd"), 1u);
  EXPECT_EQ(edit_distance("cdm", "bcd"), 2u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(did_you_mean("cdm", {"bcd", "cmd"}), ", did you mean cmd?");
  EXPECT_EQ(did_you_mean("xyzzy", {"bcd", "cmd"}), "");
}

}  // namespace
}  // namespace warpsieve
