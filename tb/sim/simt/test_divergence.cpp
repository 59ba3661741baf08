// Divergence: masks of if, else, loops, break, continue and exit, against what each lane would do alone.
#include <gtest/gtest.h>

#include "sim/simt/run.h"
#include "support/property.h"

namespace warpsieve::simt::test {
namespace {

TEST(Divergence, IfElseRunsEachSideWithItsLanesAndJoinsThem) {
  DeviceMemory m;
  const auto out = m.allocate<int>("out", 32);
  const WarpTrace t = run_warp(m, [=](Warp& w) {
    const Vec<int> i = w.thread();
    Vec<int> v = 0;
    w.if_else_(
        i < 5,
        [&] {
          v = i * 10;
          w.store(out, i, v);
        },
        [&] {
          v = i + 1000;
          w.store(out, i, v);
        });
    w.store(out, i, v);
  });
  const auto stores = only(t, Op::store);
  ASSERT_EQ(stores.size(), 3u);
  EXPECT_EQ(stores[0].mask, 0x1fu);
  EXPECT_EQ(stores[1].mask, ~0x1fu);
  EXPECT_EQ(stores[2].mask, kAllLanes);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(m.read(out, static_cast<std::uint64_t>(i)), i < 5 ? i * 10 : i + 1000);
}

TEST(Divergence, SideThatNoLaneTakesIsSkipped) {
  DeviceMemory m;
  const auto out = m.allocate<int>("out", 32);
  bool ran = false;
  const WarpTrace t = run_warp(m, [&](Warp& w) {
    w.if_(w.thread() < 0, [&] {
      ran = true;
      w.store(out, w.thread(), Vec<int>(1));
    });
  });
  EXPECT_FALSE(ran);
  EXPECT_TRUE(only(t, Op::store).empty());
}

TEST(Divergence, LoopDropsLanesAsTheirConditionFailsAndJoinsThemAfterwards) {
  DeviceMemory m;
  const auto out = m.allocate<int>("out", 32);
  const WarpTrace t = run_warp(m, [=](Warp& w) {
    const Vec<int> i = w.thread();
    Vec<int> n = 0;
    w.while_([&] { return n < i; },
             [&] {
               n += 1;
               w.store(out, i, n);
             });
    w.store(out, i, n * 100);
  });
  const auto stores = only(t, Op::store);
  ASSERT_EQ(stores.size(), 32u);  // 31 iterations and the one behind the loop
  for (unsigned k = 0; k < 31; ++k) EXPECT_EQ(stores[k].mask, kAllLanes << (k + 1));
  EXPECT_EQ(stores[31].mask, kAllLanes);
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(m.read(out, i), static_cast<int>(i) * 100);
}

TEST(Divergence, ExitInsideOfALoopAndAnIfIsForGood) {
  DeviceMemory m;
  const auto out = m.allocate<int>("out", 32);
  const WarpTrace t = run_warp(m, [=](Warp& w) {
    const Vec<int> i = w.thread();
    w.loop_([&] {
      w.if_(i < 16, [&] { w.exit_if(i < 8); });
      w.break_if(i < 32);
    });
    w.store(out, i, Vec<int>(1));
  });
  EXPECT_EQ(only(t, Op::store).at(0).mask, 0xffffff00u);
}

TEST(Divergence, LastWarpOfAnOddBlockHasOnlyItsThreads) {
  DeviceMemory m;
  const auto out = m.allocate<int>("out", 40);
  const auto blocks = run_blocks(m, 1, 40, [=](Warp& w) { w.store(out, w.thread(), w.thread() + 1); });
  ASSERT_EQ(blocks[0].warps.size(), 2u);
  EXPECT_EQ(only(blocks[0].warps[1], Op::store).at(0).mask, 0xffu);
  EXPECT_EQ(m.read(out, 39), 40);
}

TEST(Divergence, EndlessLoopIsReportedNotRun) {
  DeviceMemory m;
  try {
    run_warp(m, [](Warp& w) { w.loop_([] {}); });
    FAIL() << "ran to an end";
  } catch (const DeviceFault& e) {
    EXPECT_NE(std::string(e.what()).find("endless"), std::string::npos);
  }
}

TEST(Divergence, UniformLoopCostsOneAluPerIteration) {
  DeviceMemory m;
  const WarpTrace t = run_warp(m, [](Warp& w) {
    int sum = 0;
    for (const int k : w.range(0, 7)) sum += k;
    EXPECT_EQ(sum, 21);
  });
  EXPECT_EQ(t.warp_instructions(), 7u);
}

/// What one lane does on its own; the kernel below does the same for 32 lanes.
struct Alone {
  int sum = 0, after = 0;
  static Alone run(const std::vector<int>& a, int limit, int lane) {
    Alone r;
    for (int j = 0; j < limit; ++j) {
      const int v = a[static_cast<std::size_t>((j + lane) % 32)];
      if (v % 3 == 0) continue;
      if (v == 7) break;
      if (v == 11) return r;
      int inner = 0;
      while (true) {
        if (inner >= v % 5) break;
        ++inner;
        if (inner == 2) continue;
        r.sum += v;
      }
      r.sum += v % 2 ? 1 : 100;
    }
    r.after = r.sum + 1;
    return r;
  }
};

TEST(Divergence, AnyMixOfNestedLoopsDoesInEveryLaneWhatTheLaneWouldDoAlone) {
  tb::check_property("nested control flow", 300, [] {
    const auto a = *rc::gen::container<std::vector<int>>(32, rc::gen::inRange(0, 14));
    const auto limits = *rc::gen::container<std::vector<int>>(32, rc::gen::inRange(0, 6));
    DeviceMemory m;
    const auto values = m.allocate("values", a), limit = m.allocate("limits", limits);
    const auto sums = m.allocate<int>("sums", 32), afters = m.allocate<int>("afters", 32);
    run_warp(m, [=](Warp& w) {
      const Vec<int> i = w.thread();
      const Vec<int> n = w.load(limit, i);
      Vec<int> j = -1, sum = 0;
      w.loop_([&] {
        j += 1;
        w.break_if(j >= n);
        const Vec<int> v = w.load(values, (j + i) % 32);
        w.continue_if(v % 3 == 0);
        w.break_if(v == 7);
        w.if_(v == 11, [&] { w.store(sums, i, sum); });
        w.exit_if(v == 11);
        Vec<int> inner = 0;
        w.loop_([&] {
          w.if_(inner >= v % 5, [&] { w.break_if(inner >= 0); });
          inner += 1;
          w.continue_if(inner == 2);
          sum += v;
        });
        w.if_else_(
            v % 2 == 1, [&] { sum += 1; }, [&] { sum += 100; });
      });
      w.store(sums, i, sum);
      w.store(afters, i, sum + 1);
    });
    for (int l = 0; l < 32; ++l) {
      const Alone want = Alone::run(a, limits[static_cast<std::size_t>(l)], l);
      RC_ASSERT(m.read(sums, static_cast<std::uint64_t>(l)) == want.sum);
      RC_ASSERT(m.read(afters, static_cast<std::uint64_t>(l)) == want.after);
    }
  });
}

}  // namespace
}  // namespace warpsieve::simt::test
