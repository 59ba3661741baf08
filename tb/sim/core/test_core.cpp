// Parameters, statistics, queues and wake-ups of the simulator core.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/params.h"
#include "core/ring.h"
#include "core/stats.h"
#include "core/wake.h"

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
  EXPECT_EQ(p.error("[l1]\n\nlatancy = 5\n"), "f.toml:3: unknown parameter l1.latancy, did you mean l1.latency?");
  EXPECT_EQ(p.error("[l1]\nways = 65\n"), "f.toml:2: l1.ways = 65 is outside of 1..64 ways");
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

TEST(BitSet, FindsTheNextMember) {
  BitSet b(130);
  b.set(3), b.set(64), b.set(129);
  EXPECT_EQ(b.from(0), 3u);
  EXPECT_EQ(b.from(4), 64u);
  EXPECT_EQ(b.from(65), 129u);
  b.reset(129);
  EXPECT_EQ(b.from(65), BitSet::npos);
}

TEST(WakeTimes, EarliestWinsAndTakingClears) {
  WakeTimes w;
  const auto id = w.add(2);
  EXPECT_EQ(w.next(), kNever);
  w.wake(id + 1, 9), w.wake(id + 1, 5), w.wake(id + 1, 7);
  EXPECT_EQ(w.next(), 5u);
  EXPECT_FALSE(w.take(id + 1, 4));
  EXPECT_TRUE(w.take(id + 1, 5));
  EXPECT_EQ(w.next(), kNever);
}

}  // namespace
}  // namespace warpsieve
