// Blocks, barriers, shared and constant memory, device memory, launches and host programs.
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "sim/simt/run.h"
#include "simt/program.h"

namespace warpsieve::simt::test {
namespace {

TEST(Barrier, SharedMemoryCarriesDataBetweenWarps) {
  DeviceMemory m;
  const auto out = m.allocate<int>("out", 256);
  const auto blocks = run_blocks(
      m, 2, 128,
      [=](Warp& w) -> Task {
        const Shared<int> tile{0, 128};
        const Vec<int> i = w.thread();
        w.store(tile, i, i * 2);
        co_await w.barrier();
        const Vec<int> mirrored = w.load(tile, Vec<int>(127) - i);  // another warp's data
        co_await w.barrier();
        w.store(tile, i, mirrored + 1);
        co_await w.barrier();
        w.store(out, w.global_thread(), w.load(tile, Vec<int>(127) - i));
      },
      512);
  for (int i = 0; i < 128; ++i) {
    EXPECT_EQ(m.read(out, static_cast<std::uint64_t>(i)), i * 2 + 1);
    EXPECT_EQ(m.read(out, static_cast<std::uint64_t>(128 + i)), i * 2 + 1);
  }
  for (const WarpTrace& t : blocks[1].warps) {
    EXPECT_EQ(only(t, Op::barrier).size(), 3u);
    EXPECT_EQ(only(t, Op::shared).size(), 4u);
    EXPECT_EQ(t.addresses.size(), 1u);  // a row; shared accesses carry none
  }
}

TEST(Barrier, TreeReductionInALoopWithABarrierPerStep) {
  DeviceMemory m;
  std::vector<int> values(256);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * i % 97);
  const auto in = m.allocate("in", values), out = m.allocate<int>("out", 1);
  run_blocks(
      m, 1, 256,
      [=](Warp& w) -> Task {
        const Shared<int> s{0, 256};
        const Vec<int> i = w.thread();
        w.store(s, i, w.load(in, i));
        for (int half = 128; half > 0; half /= 2) {
          co_await w.barrier();
          w.if_(i < half, [&] { w.store(s, i, w.load(s, i) + w.load(s, i + half)); });
        }
        co_await w.barrier();
        w.if_(i == 0, [&] { w.store(out, i, w.load(s, i)); });
      },
      1024);
  EXPECT_EQ(m.read(out, 0), std::accumulate(values.begin(), values.end(), 0));
}

TEST(Barrier, InsideDivergentCodeIsAFault) {
  DeviceMemory m;
  EXPECT_THROW(run_blocks(m, 1, 64,
                          [](Warp& w) -> Task {
                            std::suspend_always stop;
                            w.if_(w.thread() < 3, [&] { stop = w.barrier(); });
                            co_await stop;
                          }),
               DeviceFault);
}

TEST(Barrier, ThatOnlySomeWarpsReachIsAFault) {
  DeviceMemory m;
  EXPECT_THROW(run_blocks(m, 1, 64,
                          [](Warp& w) -> Task {
                            if (w.index() == 1) co_await w.barrier();
                          }),
               DeviceFault);
}

TEST(Barrier, FaultInsideACoroutineReachesTheCaller) {
  DeviceMemory m;
  const auto a = m.allocate<int>("a", 4);
  EXPECT_THROW(run_blocks(m, 1, 64,
                          [=](Warp& w) -> Task {
                            co_await w.barrier();
                            w.load(a, w.thread());
                          }),
               DeviceFault);
}

TEST(SharedMemory, StartsAsZerosInEveryBlock) {
  DeviceMemory m;
  const auto out = m.allocate<int>("out", 64);
  run_blocks(
      m, 2, 32,
      [=](Warp& w) {
        const Shared<int> s{0, 32};
        w.store(out, w.global_thread(), w.load(s, w.thread()));
        w.store(s, w.thread(), Vec<int>(9));
      },
      128);
  EXPECT_EQ(m.read(out), std::vector<int>(64, 0));
}

TEST(ConstantMemory, BroadcastsAndChecksItsRange) {
  DeviceMemory m;
  const std::vector<float> table = {1.0f, 2.5f};
  const WarpTrace t = run_warp(m, [&](Warp& w) {
    const Vec<float> v = w.load(Constant<float>{table, "table"}, 1);
    for (unsigned l = 0; l < kLanes; ++l) EXPECT_EQ(v[l], 2.5f);
  });
  EXPECT_EQ(only(t, Op::constant).size(), 1u);
  EXPECT_THROW(run_warp(m, [&](Warp& w) { w.load(Constant<float>{table, "table"}, 2); }), DeviceFault);
}

TEST(Vectors, IntegerArithmeticWrapsAndDivisionByZeroIsDefined) {
  DeviceMemory m;
  run_warp(m, [](Warp&) {
    const Vec<int> big = std::numeric_limits<int>::max();
    EXPECT_EQ((big + 1)[0], std::numeric_limits<int>::min());
    EXPECT_EQ((big * 2)[3], -2);
    EXPECT_EQ((Vec<int>(7) / 0)[0], 0);
    EXPECT_EQ((Vec<int>(std::numeric_limits<int>::min()) / -1)[0], std::numeric_limits<int>::min());
    EXPECT_EQ((Vec<int>(-7) >> 1)[0], -4);
    EXPECT_EQ((Vec<std::uint8_t>(std::uint8_t{200}) + std::uint8_t{100})[0], 44);
    EXPECT_EQ(select(Mask(1), Vec<int>(5), Vec<int>(6))[0], 5);
    EXPECT_EQ(select(Mask(1), Vec<int>(5), Vec<int>(6))[1], 6);
  });
}

TEST(Memory, ArraysAreAlignedInAllocationOrderWithoutGaps) {
  DeviceMemory m(0x10000000);
  const auto a = m.allocate<std::uint8_t>("a", 1);
  const auto b = m.allocate<float>("b", 64);
  const auto c = m.allocate<Int4>("c", 17);
  const auto d = m.allocate<int>("d", 1);
  EXPECT_EQ(a.base, 0x10000000u);
  EXPECT_EQ(b.base, 0x10000100u);
  EXPECT_EQ(c.base, 0x10000200u);
  EXPECT_EQ(d.base, 0x10000400u);
  EXPECT_EQ(m.image().size(), 0x500u);
}

TEST(Memory, RefusesWhatDoesNotFit) {
  DeviceMemory m;
  EXPECT_THROW(m.allocate<float>("huge", std::uint64_t{1} << 62), std::invalid_argument);
  EXPECT_THROW(DeviceMemory(1), std::invalid_argument);
  m.freeze();
  EXPECT_THROW(m.allocate<float>("late", 1), std::logic_error);
}

TEST(Memory, HostWritesAreNotedOnlyAfterSetup) {
  DeviceMemory m;
  const auto a = m.allocate("a", std::vector<int>{1, 2, 3});
  EXPECT_TRUE(m.take_host_writes().empty());
  m.freeze();
  m.write(a, 1, 77);
  const auto writes = m.take_host_writes();
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_EQ(writes[0].address, a.base + 4);
  EXPECT_EQ(writes[0].bytes, (std::vector<std::uint8_t>{77, 0, 0, 0}));
  EXPECT_TRUE(m.take_host_writes().empty());
  EXPECT_EQ(m.read(a), (std::vector<int>{1, 77, 3}));
  EXPECT_THROW(m.write(a, std::uint64_t{1} << 40, 1), DeviceFault);
}

TEST(Launches, FillAndCopyAreCoalescedAndCoverOddLengths) {
  DeviceMemory m;
  const auto a = m.allocate<int>("a", 1000), b = m.allocate<int>("b", 1000), guard = m.allocate<int>("guard", 1);
  for (auto* make :
       {+[](DeviceMemory&mm, const Buffer<int>&x, const Buffer<int>&) { return make_fill(mm, x, 42); },
        +[](DeviceMemory&mm, const Buffer<int>&x, const Buffer<int>&y) { return make_copy(mm, y, x); }}) {
    const auto l = make(m, a, b);
    EXPECT_EQ(l->shape().threads, 256u);
    EXPECT_EQ(l->shape().blocks, 4u);
    RunCounts n;
    for (std::uint32_t i = 0; i < 4; ++i) n.add(l->run_block(i));
    EXPECT_EQ(n.stores, 32u);
    EXPECT_EQ(n.requests, (n.loads ? 2u : 1u) * 125u);
  }
  EXPECT_EQ(m.read(b), std::vector<int>(1000, 42));
  EXPECT_EQ(m.read(guard, 0), 0);
}

TEST(Launches, BlocksMustBeAskedForInOrderAndOnce) {
  DeviceMemory m;
  const auto a = m.allocate<int>("a", 1000);
  const auto l = make_fill(m, a, 1);
  EXPECT_THROW(l->run_block(1), std::logic_error);
  l->run_block(0);
  EXPECT_THROW(l->run_block(0), std::logic_error);
  EXPECT_THROW(make_launch(m, {"none", 0, 32, 0, 8}, [](Warp&) {}), std::invalid_argument);
}

/// Doubles one number until it reaches 100; the host decides, and resets a flag before each launch.
class Doubler final : public Program {
 public:
  Doubler() : Program("doubler") {}
  Buffer<int> value, flag;
  std::string verify() override { return memory_.read(value, 0) == 192 ? "" : "wrong"; }

 private:
  void build() override {
    value = memory_.allocate("value", std::vector<int>{3});
    flag = memory_.allocate<int>("flag", 1);
  }
  HostCode host() override {
    do {
      memory_.write(flag, 0, 0);
      co_yield launch("double", 1, 32, [=, this](Warp& w) {
        w.if_(w.thread() == 0, [&] {
          const Vec<int> v = w.load(value, Vec<int>(0)) * 2;
          w.store(value, Vec<int>(0), v);
          w.if_(v < 100, [&] { w.store(flag, Vec<int>(0), Vec<int>(1)); });
        });
      });
    } while (memory_.read(flag, 0) != 0);
  }
};

TEST(Programs, HostCodeRunsBetweenLaunchesAndItsWritesAreReported) {
  Doubler p;
  p.setup();
  int launches = 0;
  while (const auto l = p.next_launch()) {
    ++launches;
    const auto writes = p.take_host_writes();
    ASSERT_EQ(writes.size(), 1u);
    EXPECT_EQ(writes[0].address, p.flag.base);
    l->run_block(0);
  }
  EXPECT_EQ(launches, 6);
  EXPECT_EQ(p.verify(), "");
  EXPECT_EQ(p.next_launch(), nullptr);
}

TEST(Programs, NextLaunchBeforeTheEndOfThePreviousOneIsRefused) {
  Doubler p;
  EXPECT_THROW(p.next_launch(), std::logic_error);
  p.setup();
  EXPECT_THROW(p.setup(), std::logic_error);
  const auto l = p.next_launch();
  EXPECT_THROW(p.next_launch(), std::logic_error);
  l->run_block(0);
  EXPECT_NE(p.next_launch(), nullptr);
}

}  // namespace
}  // namespace warpsieve::simt::test
