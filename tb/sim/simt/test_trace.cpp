// The recorded stream: def-use, folding, access widths, operands, and that it explains the memory image.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "sim/simt/run.h"
#include "support/property.h"

namespace warpsieve::simt::test {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST(Trim, GivesBackWhatALongStreamHoldsBeyondItsEnd) {
  WarpTrace t;
  t.instrs.resize(3);
  t.instrs.reserve(100000);
  t.addresses.reserve(100000);
  t.data.assign(100000, 7);
  t.data.reserve(105000);
  t.trim();
  EXPECT_EQ(t.instrs.size(), 3u);
  EXPECT_LT(t.instrs.capacity(), 100u);
  EXPECT_LT(t.addresses.capacity(), 100u);
  EXPECT_EQ(t.data, std::vector<std::uint8_t>(100000, 7));
  EXPECT_GE(t.data.capacity(), 105000u) << "a copy for a twentieth";
}

TEST(DefUse, LoadLoadAddStoreNameTheirProducers) {
  DeviceMemory m;
  const auto a = m.allocate<float>("a", 32), b = m.allocate<float>("b", 32);
  const WarpTrace t = run_warp(m, [=](Warp& w) {
    const Vec<int> i = w.thread();
    w.store(b, i, w.load(a, i) + w.load(b, i));
  });
  // 0 address, 1 load, 2 address, 3 load, 4 add and the store's address computation stay apart, 5, 6 store
  ASSERT_EQ(t.instrs.size(), 7u);
  EXPECT_EQ(t.instrs[1].op, Op::load);
  EXPECT_EQ(sources(t.instrs[1]), Numbers({0}));
  EXPECT_EQ(t.instrs[3].op, Op::load);
  EXPECT_EQ(sources(t.instrs[3]), Numbers({2}));
  EXPECT_EQ(t.instrs[4].op, Op::alu);
  EXPECT_EQ((std::set<std::uint32_t>{t.instrs[4].source[0], t.instrs[4].source[1]}), (std::set<std::uint32_t>{1, 3}));
  EXPECT_EQ(t.instrs[6].op, Op::store);
  EXPECT_EQ(sources(t.instrs[6]), Numbers({5, 4}));
}

TEST(DefUse, DependentLoadsFormAChain) {
  DeviceMemory m;
  const auto next = m.allocate("next", std::vector<int>(32, 3));
  const WarpTrace t = run_warp(m, [=](Warp& w) { w.load(next, w.load(next, w.thread())); });
  ASSERT_EQ(t.instrs.size(), 4u);
  EXPECT_EQ(sources(t.instrs[2]), Numbers({1}));  // the second address reads the first load
  EXPECT_EQ(sources(t.instrs[3]), Numbers({2}));
}

TEST(DefUse, RegisterWrittenUnderAMaskWaitsForItsEarlierWriter) {
  DeviceMemory m;
  const auto a = m.allocate<int>("a", 32), b = m.allocate<int>("b", 32);
  const WarpTrace t = run_warp(m, [=](Warp& w) {
    const Vec<int> i = w.thread();
    Vec<int> v = w.load(a, i);                // instruction 1
    w.if_(i < 4, [&] { v = w.load(b, i); });  // instruction 4 or later
    w.store(a, i, v);
  });
  const WarpInstr second = only(t, Op::load).at(1);
  const Numbers s = sources(second);
  EXPECT_NE(std::find(s.begin(), s.end(), 1u), s.end());
  const WarpInstr store = only(t, Op::store).at(0);
  EXPECT_EQ(t.instrs[store.source[1]].mask, 0xfu);
}

TEST(DefUse, CopyOfAnOlderValueUnderAMaskIsAMove) {
  DeviceMemory m;
  const auto a = m.allocate<int>("a", 32);
  const WarpTrace t = run_warp(m, [=](Warp& w) {
    const Vec<int> i = w.thread();
    const Vec<int> old = w.load(a, i);
    Vec<int> v = w.load(a, i);
    w.if_(i < 4, [&] { v = old; });
  });
  const WarpInstr& move = t.instrs.back();
  EXPECT_EQ(move.op, Op::alu);
  EXPECT_EQ(move.mask, 0xfu);
  EXPECT_EQ(sources(move), Numbers({1, 3}));
}

TEST(DefUse, BranchReadsTheConditionSoThatTheWarpWaitsForIt) {
  DeviceMemory m;
  const auto a = m.allocate("a", std::vector<int>(32, 1));
  const WarpTrace t =
      run_warp(m, [=](Warp& w) { w.if_(w.load(a, w.thread()) != 0, [&] { w.load(a, w.thread()); }); });
  EXPECT_EQ(t.instrs[2].op, Op::alu);  // compare and branch, folded
  EXPECT_EQ(t.instrs[2].count, 2u);
  EXPECT_EQ(sources(t.instrs[2]), Numbers({1}));
}

TEST(DefUse, EverySourceIsAnEarlierInstruction) {
  DeviceMemory m;
  const auto a = m.allocate("a", std::vector<int>(64, 5));
  const WarpTrace t = run_warp(m, [=](Warp& w) {
    Vec<int> v = w.load(a, w.thread()), n = 0;
    w.while_([&] { return n < v; },
             [&] {
               n += 1;
               v = v - w.load(a, n) / 3;
             });
    w.store(a, w.thread(), v);
  });
  for (std::uint32_t k = 0; k < t.instrs.size(); ++k)
    for (const std::uint32_t s : sources(t.instrs[k])) EXPECT_LT(s, k);
}

TEST(Folding, DependentChainIsOneGroupIndependentInstructionsAreNot) {
  DeviceMemory m;
  const WarpTrace t = run_warp(m, [](Warp&) {
    const Vec<int> a = 1, b = 2;
    const Vec<int> c = ((a + b) * b - a);  // one group of 3
    const Vec<int> d = a + a;              // reads nothing of it
    (void)c, (void)d;
  });
  ASSERT_EQ(t.instrs.size(), 2u);
  EXPECT_EQ(t.instrs[0].count, 3u);
  EXPECT_EQ(t.instrs[1].count, 1u);
  EXPECT_EQ(t.warp_instructions(), 4u);
}

TEST(Folding, GroupReadsAtMostThreeEarlierResults) {
  DeviceMemory m;
  const auto a = m.allocate<int>("a", 32);
  const WarpTrace t = run_warp(m, [=](Warp& w) {
    const Vec<int> i = w.thread();
    const Vec<int> p = w.load(a, i), q = w.load(a, i), r = w.load(a, i), s = w.load(a, i);
    const Vec<int> sum = p + q + r + s;
    (void)sum;
  });
  const auto alu = std::vector<WarpInstr>(t.instrs.begin() + 8, t.instrs.end());
  ASSERT_EQ(alu.size(), 2u);
  EXPECT_EQ(alu[0].count, 2u);
  EXPECT_EQ(alu[0].sources, 3u);
  EXPECT_EQ(sources(alu[1]), Numbers({8, 7}));
}

TEST(Folding, NeverAcrossAMaskChange) {
  DeviceMemory m;
  const WarpTrace t = run_warp(m, [](Warp& w) {
    const Vec<int> v = w.thread() + 2;
    w.if_(v < 10, [&] {
      const Vec<int> u = v * 3;
      (void)u;
    });
  });
  ASSERT_EQ(t.instrs.size(), 2u);  // sum, compare and branch with all lanes; the product with eight
  EXPECT_EQ(t.instrs[0].count, 3u);
  EXPECT_EQ(t.instrs[0].mask, kAllLanes);
  EXPECT_EQ(t.instrs[1].mask, 0xffu);
  EXPECT_EQ(t.instrs[1].count, 1u);
  EXPECT_EQ(sources(t.instrs[1]), Numbers({0}));
}

TEST(Sfu, DivisionRootAndExponentialAreOneSfuEach) {
  DeviceMemory m;
  const WarpTrace t = run_warp(m, [](Warp&) {
    const Vec<float> v = exp(sqrt(Vec<float>(4.0f)) / 2.0f);
    EXPECT_FLOAT_EQ(v[0], std::exp(1.0f));
  });
  EXPECT_EQ(only(t, Op::sfu).size(), 3u);
}

template <class T>
void check_width(const T& value, unsigned bytes) {
  DeviceMemory m;
  const auto in = m.allocate("in", std::vector<T>(32, value)), out = m.allocate<T>("out", 32);
  const WarpTrace t = run_warp(
      m, [=](Warp& w) { w.if_(Mask(0x80000005u), [&] { w.store(out, w.thread(), w.load(in, w.thread())); }); });
  const WarpInstr load = only(t, Op::load).at(0), store = only(t, Op::store).at(0);
  EXPECT_EQ(load.bytes, bytes);
  EXPECT_EQ(store.bytes, bytes);
  EXPECT_EQ(t.address(load, 1), in.base + 2 * bytes);
  EXPECT_EQ(t.address(store, 2), out.base + 31 * bytes);
  ASSERT_EQ(t.data.size(), 3 * bytes);
  EXPECT_EQ(std::memcmp(&t.data[store.values + 2 * bytes], &value, bytes), 0);
  EXPECT_EQ(m.read(out, 31), value);
  EXPECT_EQ(m.read(out, 1), T{});
}

TEST(Access, OneByte) { check_width<std::uint8_t>(0xa5, 1); }
TEST(Access, FourBytes) { check_width<float>(1.5f, 4); }
TEST(Access, EightBytes) { check_width<Int2>({-7, 9}, 8); }
TEST(Access, SixteenBytes) { check_width<Int4>({1, -2, 3, -4}, 16); }

TEST(Access, HighestLaneWinsWhenStoresCollide) {
  DeviceMemory m;
  const auto out = m.allocate<int>("out", 1);
  run_warp(m, [=](Warp& w) { w.if_(w.thread() < 9, [&] { w.store(out, Vec<int>(0), w.thread()); }); });
  EXPECT_EQ(m.read(out, 0), 8);
}

TEST(Access, OutOfRangeNamesKernelLaneAndAddress) {
  DeviceMemory m;
  const auto a = m.allocate<int>("little", 10);
  try {
    run_warp(m, [=](Warp& w) { w.load(a, w.thread() + 3); });
    FAIL() << "no fault";
  } catch (const DeviceFault& e) {
    EXPECT_STREQ(e.what(),
                 "kernel 'test_kernel', block 0, warp 0, lane 7: load of 4 bytes at index 10 of 'little', which has "
                 "10 elements (address 0x10000028)");
  }
  EXPECT_THROW(run_warp(m, [=](Warp& w) { w.store(a, w.thread() - 1, w.thread()); }), DeviceFault);
  EXPECT_THROW(run_warp(m, [=](Warp& w) { w.atomic_add(a, w.thread(), Vec<int>(1)); }), DeviceFault);
  EXPECT_THROW(run_warp(m, [](Warp& w) { w.load(Shared<int>{0, 8}, w.thread()); }), DeviceFault);
}

TEST(Atomics, EveryLaneOnOneWordAddsInLaneOrderAndReturnsTheOldValue) {
  DeviceMemory m;
  const auto sum = m.allocate<int>("sum", 1), old = m.allocate<int>("old", 32);
  const auto real = m.allocate<float>("real", 1);
  const WarpTrace t = run_warp(m, [=](Warp& w) {
    w.store(old, w.thread(), w.atomic_add(sum, Vec<int>(0), w.thread()));
    w.atomic_add(real, Vec<int>(0), Vec<float>(0.5f));
  });
  EXPECT_EQ(m.read(sum, 0), 31 * 32 / 2);
  for (int l = 0; l < 32; ++l) EXPECT_EQ(m.read(old, static_cast<std::uint64_t>(l)), l * (l - 1) / 2);
  EXPECT_FLOAT_EQ(m.read(real, 0), 16.0f);
  EXPECT_EQ(only(t, Op::atomic).at(0).atomic, AtomicOp::add_u32);
  EXPECT_EQ(only(t, Op::atomic).at(1).atomic, AtomicOp::add_f32);
}

TEST(Atomics, MinMaxAndExchange) {
  DeviceMemory m;
  const auto v = m.allocate("v", std::vector<std::uint32_t>{100, 5, 9});
  run_warp(m, [=](Warp& w) {
    const Vec<std::uint32_t> lane = to<std::uint32_t>(w.thread());
    w.atomic_min(v, Vec<int>(0), lane + 7u);
    w.atomic_max(v, Vec<int>(1), lane);
    w.atomic_exchange(v, Vec<int>(2), lane);
  });
  EXPECT_EQ(m.read(v), (std::vector<std::uint32_t>{7, 31, 31}));
}

TEST(AddressRow, HoldsFirstAndStep) {
  for (const Addr first : {Addr{0}, Addr{0x1234}, (Addr{1} << kAddressBits) - 1})
    for (const std::int64_t step :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{-4}, AddressRow::kMostStep, -AddressRow::kMostStep}) {
      const AddressRow row(first, step);
      EXPECT_TRUE(AddressRow::is(row.word()));
      EXPECT_FALSE(AddressRow::is(first));
      EXPECT_EQ(AddressRow(row.word()).first(), first);
      EXPECT_EQ(AddressRow(row.word()).step(), step);
      EXPECT_EQ(row[3], first + static_cast<Addr>(3 * step));
    }
}

TEST(WarpTrace, PacksRowsAndNothingElse) {
  tb::check_property("pack", 1000, [] {
    const auto lanes = *rc::gen::inRange(1u, kLanes + 1);
    const auto first = *rc::gen::inRange<Addr>(std::uint64_t{1} << 30, std::uint64_t{1} << 38);
    const auto step =
        *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-64, 65), rc::gen::inRange<std::int64_t>(-(1 << 23), 1 << 23));
    const auto moved = *rc::gen::inRange(0u, 2 * lanes);  // a lane out of its place, or none
    WarpTrace t;
    t.addresses = {1, 2};  // of others before it
    WarpInstr i;
    i.mask = ~0u >> (kLanes - lanes);
    i.payload = 2;
    for (unsigned l = 0; l < lanes; ++l)
      t.addresses.push_back(first + static_cast<Addr>(step * static_cast<std::int64_t>(l)) + (l == moved ? 1 : 0));
    const std::vector<Addr> want(t.addresses.begin() + 2, t.addresses.end());
    t.pack(lanes);
    const bool row = lanes == 2 || (moved >= lanes && lanes > 1);
    const bool fits = std::abs(static_cast<std::int64_t>(want[lanes > 1] - want[0])) <= AddressRow::kMostStep;
    RC_ASSERT(t.address_words(i) == (row && fits ? 1u : lanes));
    RC_ASSERT(t.addresses.size() == 2 + t.address_words(i));
    LaneAddresses room;
    const Addr* const list = t.list(i, room);
    for (unsigned l = 0; l < lanes; ++l) {
      RC_ASSERT(t.address(i, l) == want[l]);
      RC_ASSERT(list[l] == want[l]);
    }
  });
}

/// Performs the stores and atomics of a trace on a copy of the image.
void replay(const WarpTrace& t, Addr base, std::vector<std::uint8_t>& image) {
  for (const WarpInstr& i : t.instrs) {
    if (i.op != Op::store && i.op != Op::atomic) continue;
    const auto lanes = static_cast<unsigned>(std::popcount(i.mask));
    for (unsigned l = 0; l < lanes; ++l) {
      std::uint8_t* at = &image[t.address(i, l) - base];
      const std::uint8_t* operand = &t.data[i.values + l * i.bytes];
      if (i.op == Op::store) {
        std::memcpy(at, operand, i.bytes);
      } else {
        std::uint32_t a, b;
        std::memcpy(&a, at, 4);
        std::memcpy(&b, operand, 4);
        a += b;
        std::memcpy(at, &a, 4);
      }
    }
  }
}

TEST(Trace, StoresAndAtomicsOfTheStreamExplainTheFinalImage) {
  tb::check_property("replay", 100, [] {
    const auto index = *rc::gen::container<std::vector<int>>(128, rc::gen::inRange(0, 96));
    const auto mask = *rc::gen::arbitrary<std::uint32_t>();
    DeviceMemory m;
    const auto a = m.allocate("index", index), out = m.allocate<int>("out", 96);
    const auto bytes = m.allocate<std::uint8_t>("bytes", 96);
    std::vector<std::uint8_t> image(m.image().begin(), m.image().end());
    const auto blocks = run_blocks(m, 2, 64, [=](Warp& w) {
      const Vec<int> at = w.load(a, w.global_thread());
      w.if_else_(
          Mask(mask), [&] { w.atomic_add(out, at, at + 1); }, [&] { w.store(out, at, at * 3); });
      w.store(bytes, at, to<std::uint8_t>(at));
    });
    for (const BlockTrace& b : blocks)
      for (const WarpTrace& t : b.warps) replay(t, m.base(), image);
    RC_ASSERT(std::equal(image.begin(), image.end(), m.image().begin(), m.image().end()));
  });
}

}  // namespace
}  // namespace warpsieve::simt::test
