// Which unit the recorded instructions need, and the passes of shared-memory accesses.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "sim/simt/run.h"
#include "simt/shared_banks.h"

namespace warpsieve::simt::test {
namespace {

/// Integer, single, double precision of the only alu that `kernel` records.
template <class F>
std::array<unsigned, 3> parts(F kernel) {
  DeviceMemory m;
  const auto alu = only(run_warp(m, std::move(kernel)), Op::alu);
  if (alu.size() != 1) throw std::logic_error("more than one alu, or none");
  EXPECT_TRUE(alu[0].detail_fits());
  return {alu[0].count - alu[0].singles() - alu[0].doubles(), alu[0].singles(), alu[0].doubles()};
}
using Parts = std::array<unsigned, 3>;

TEST(UnitsOfInstructions, TheTypeSaysWhichUnit) {
  EXPECT_EQ(parts([](Warp&) { Vec<int>(1) + Vec<int>(2); }), (Parts{1, 0, 0}));
  EXPECT_EQ(parts([](Warp&) { Vec<float>(1) + Vec<float>(2); }), (Parts{0, 1, 0}));
  EXPECT_EQ(parts([](Warp&) { Vec<double>(1) * Vec<double>(2); }), (Parts{0, 0, 1}));
  EXPECT_EQ(parts([](Warp&) { mad(Vec<float>(1), Vec<float>(2), Vec<float>(3)); }), (Parts{0, 1, 0}));
  EXPECT_EQ(parts([](Warp&) { min(Vec<float>(1), Vec<float>(2)); }), (Parts{0, 1, 0}));
  EXPECT_EQ(parts([](Warp&) { Vec<double>(1) < Vec<double>(2); }), (Parts{0, 0, 1}));
  EXPECT_EQ(parts([](Warp&) { Vec<int>(7) / Vec<int>(2); }), (Parts{8, 0, 0}));
  EXPECT_EQ(parts([](Warp&) { to<float>(Vec<int>(7)); }), (Parts{1, 0, 0}));
}

TEST(UnitsOfInstructions, AFoldedGroupCountsThem) {
  EXPECT_EQ(parts([](Warp& w) {
              const Vec<float> x = to<float>(w.global_thread()) * 3.0f + 1.0f;  // 2 integer, 2 single
              const Vec<double> y = to<double>(x) + 1.0;                        // 1 integer, 1 double
              w.if_(y < 4.0, [] {});                                            // 1 double, the branch
            }),
            (Parts{4, 2, 2}));
}

TEST(UnitsOfInstructions, SpecialFunctionsAreSpecialInAnyPrecision) {
  DeviceMemory m;
  const WarpTrace t = run_warp(m, [](Warp&) {
    sqrt(Vec<float>(2));
    Vec<float>(1) / Vec<float>(3);
    Vec<double>(1) / Vec<double>(3);
  });
  ASSERT_EQ(only(t, Op::sfu).size(), 3u);
  for (const WarpInstr& i : t.instrs) {
    EXPECT_EQ(i.unit(), Unit::special);
    EXPECT_EQ(i.detail[0], 0);
  }
}

TEST(UnitsOfInstructions, TheOrderWithinAGroup) {
  WarpInstr i;
  i.count = 6;
  i.detail[0] = 3;
  i.detail[1] = 1;
  const Unit want[] = {Unit::integer,          Unit::integer,          Unit::single_precision,
                       Unit::single_precision, Unit::single_precision, Unit::double_precision};
  for (unsigned k = 0; k < 6; ++k) EXPECT_EQ(i.unit(k), want[k]) << k;
  i.count = 3;
  EXPECT_FALSE(i.detail_fits());
}

std::vector<std::uint32_t> strided(unsigned lanes, std::uint32_t first, std::uint32_t step) {
  std::vector<std::uint32_t> at;
  for (unsigned l = 0; l < lanes; ++l) at.push_back(first + l * step);
  return at;
}

TEST(SharedBanks, PassesOfStridesBroadcastsAndWideAccesses) {
  for (const unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u, 64u})
    EXPECT_EQ(shared_passes(strided(32, 0, 4 * stride), 4), std::min(stride, 32u)) << stride;
  for (const unsigned odd : {3u, 5u, 17u, 33u}) EXPECT_EQ(shared_passes(strided(32, 128, 4 * odd), 4), 1u) << odd;
  for (const unsigned bytes : {1u, 2u, 4u, 8u, 16u}) {
    EXPECT_EQ(shared_passes(strided(32, 64, 0), bytes), 1u);  // broadcast
    EXPECT_EQ(shared_passes(strided(32, 64, bytes), bytes), std::max(1u, bytes / 4));
    EXPECT_EQ(shared_passes(strided(1, 64, 0), bytes), 1u);
    EXPECT_EQ(shared_passes(strided(32, 0, 128), bytes), 32u);
  }
  EXPECT_EQ(shared_passes(strided(16, 0, 8), 8), 1u);  // half a warp
}

TEST(SharedBanks, AgreeWithACountOfWordsPerBank) {
  std::mt19937 random(5);
  std::map<unsigned, unsigned> seen;
  for (unsigned n = 0; n < 20000; ++n) {
    const unsigned bytes = 1u << random() % 5, lanes = 1 + random() % 32, range = 1u << (4 + random() % 12);
    const unsigned grain = std::max(bytes, 1u << random() % 8);
    std::vector<std::uint32_t> at;
    for (unsigned l = 0; l < lanes; ++l) at.push_back(random() % range / grain * grain);
    std::map<unsigned, std::set<unsigned>> words;
    for (const std::uint32_t a : at)
      for (unsigned b = 0; b < bytes; ++b) words[(a + b) / 4 % 32].insert((a + b) / 4);
    std::size_t most = 0;
    for (const auto& [bank, set] : words) most = std::max(most, set.size());
    ASSERT_EQ(shared_passes(at, bytes), most);
    ++seen[static_cast<unsigned>(most)];
  }
  for (unsigned passes = 1; passes <= 16; ++passes) EXPECT_GT(seen[passes], 0u) << passes;
}

TEST(SharedBanks, AccessesOfAKernelAreRecordedWithTheirPasses) {
  DeviceMemory m;
  const auto blocks = run_blocks(
      m, 1, 32,
      [](Warp& w) {
        const Shared<float> s{64, 1024};
        const Vec<int> i = w.thread();
        w.store(s, i * 32, Vec<float>(1));  // one bank
        w.load(s, i * 2);
        w.load(s, i);
        w.load(s, Vec<int>(5));
        w.load(Shared<Float4>{0, 64}, i);
        w.if_(i < 8, [&] { w.load(s, i * 16); });  // 8 lanes, 2 banks
      },
      8192);
  std::vector<unsigned> passes;
  for (const WarpInstr& i : only(blocks[0].warps[0], Op::shared)) passes.push_back(i.passes());
  EXPECT_EQ(passes, (std::vector<unsigned>{32, 2, 1, 1, 4, 4}));
}

TEST(SharedBanks, PassesThatNobodyLooksAtAreNotCounted) {
  const auto stream = [](bool skip) {
    DeviceMemory m;
    const auto launch = make_launch(m, {"test_kernel", 1, 32, 4096, 32}, [](Warp& w) {
      const Shared<float> s{0, 1024};
      const Vec<int> i = w.thread();
      w.store(s, i * 32, Vec<float>(1));
      w.load(s, i * 32);
    });
    if (skip) launch->skip_shared_passes();
    return std::move(launch->run_block(0).warps[0].instrs);
  };
  const auto counted = stream(false), skipped = stream(true);
  ASSERT_EQ(counted.size(), skipped.size());
  unsigned shared = 0;
  for (std::size_t k = 0; k < counted.size(); ++k) {
    EXPECT_EQ(counted[k].op, skipped[k].op);
    EXPECT_EQ(counted[k].source[0], skipped[k].source[0]);
    if (counted[k].op != Op::shared) continue;
    ++shared;
    EXPECT_EQ(counted[k].passes(), 32u);
    EXPECT_EQ(skipped[k].passes(), 1u);
  }
  EXPECT_EQ(shared, 2u);
}

}  // namespace
}  // namespace warpsieve::simt::test
