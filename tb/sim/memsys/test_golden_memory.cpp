// The golden memory by itself: what it excuses, and what it says of cycles to come.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "memsys/golden_memory/golden_memory.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

/// Float atomics in another order than the functional execution's give other roundings, and nothing more.
TEST(GoldenMemory, OrderOfFloatAtomicsExcusesRoundingsOnly) {
  const std::vector<float> values = {7.6e-6f, 2.0e-5f, 0.0f, 1.0e-4f};
  const auto bytes = [](const std::vector<float>& floats) {
    std::vector<std::uint8_t> out(floats.size() * 4);
    std::memcpy(out.data(), floats.data(), out.size());
    return out;
  };
  const auto clean = [&](std::size_t i, float other, std::uint64_t length) {
    std::vector<float> ours = values;
    ours[i] = other;
    GoldenMemory golden;
    golden.load(0, bytes(ours), 16);
    golden.compare_image(bytes(values), {{0, length}}, 1e-3);
    return golden.clean();
  };
  EXPECT_TRUE(clean(0, 7.6001e-6f, 16));
  EXPECT_FALSE(clean(0, 7.6001e-6f, 0)) << "outside the range";
  EXPECT_FALSE(clean(0, 0.0f, 16)) << "a lost atomic";
  EXPECT_FALSE(clean(1, 4.0e-5f, 16)) << "one counted twice";
  EXPECT_TRUE(clean(2, 1e-11f, 16));
  EXPECT_FALSE(clean(2, 1e-6f, 16));
  EXPECT_FALSE(clean(3, std::nanf(""), 16));
}

/// A copy in an L1 is stale from the cycle of the store in the L2 on, not from when the partition was run.
TEST(GoldenMemory, SaysWhatALineHeldInACycleToCome) {
  GoldenMemory golden;
  const std::vector<std::uint8_t> image(kLineBytes, 7);
  golden.load(0, image, kLineBytes);
  golden.reached(10);
  const std::vector<std::uint8_t> before(kSectorBytes, 7), between(kSectorBytes, 8), after(kSectorBytes, 9);
  golden.keep(12, GlobalLine{});
  std::memset(golden.line(GlobalLine{}), 8, kSectorBytes);
  golden.keep(15, GlobalLine{});
  std::memset(golden.line(GlobalLine{}), 9, kSectorBytes);
  for (const Cycle now : {10u, 11u}) EXPECT_TRUE(golden.same(now, GlobalLine{}, 0, before.data())) << now;
  for (const Cycle now : {12u, 14u}) EXPECT_TRUE(golden.same(now, GlobalLine{}, 0, between.data())) << now;
  for (const Cycle now : {15u, 20u}) EXPECT_TRUE(golden.same(now, GlobalLine{}, 0, after.data())) << now;
  golden.reached(20);
  EXPECT_TRUE(golden.same(11, GlobalLine{}, 0, after.data())) << "forgotten: everybody has come to cycle 20";
}

/// What nobody wrote is not looked at in a memory without data; what was written is, byte by byte.
TEST(GoldenMemory, BlankMemoryIsComparedWhereItWasWritten) {
  const std::vector<std::uint8_t> zeros(64 * kLineBytes);
  GoldenMemory golden;
  golden.load(0, zeros, zeros.size(), true);
  golden.written(GlobalLine{40});
  for (GlobalLine line; line < golden.lines(); ++line) EXPECT_EQ(golden.untouched(line), line != 40) << line;
  golden.compare_image(zeros, {}, 1e-3);
  EXPECT_TRUE(golden.clean());
  golden.line(GlobalLine{40})[5] = 1;
  golden.compare_image(zeros, {}, 1e-3);
  EXPECT_FALSE(golden.clean());
  EXPECT_EQ(golden.report().at("words_differing_from_functional_image"), 1);
  GoldenMemory with_data;
  with_data.load(0, zeros, zeros.size());
  EXPECT_FALSE(with_data.untouched(GlobalLine{}));
}

/// What several threads found and changed through their parts is in the whole, whoever was first.
TEST(GoldenMemory, PartsAreOneMemoryAndTheEarliestCorruptionsAreReported) {
  const std::vector<std::uint8_t> image(4 * kLineBytes, 7);
  const auto report = [&](bool turned) {
    GoldenMemory whole;
    whole.load(0, image, image.size());
    GoldenMemory a(kPart, whole), b(kPart, whole);
    const std::vector<std::uint8_t> wrong(kSectorBytes, 1);
    const auto of_a = [&] { a.check(20, GlobalLine(1), 0, wrong.data(), 0, Source::dram); };
    const auto of_b = [&] {
      for (Cycle now = 30; now-- > 10;) b.check(now, GlobalLine(2), 1, wrong.data(), 0, Source::l1);
    };
    if (turned) of_b();
    of_a();
    if (!turned) of_b();
    EXPECT_TRUE(whole.clean()) << "not gathered yet";
    whole.gather();
    EXPECT_EQ(whole.mismatches(), 21u);
    EXPECT_EQ(whole.checks(Source::dram), 1u);
    EXPECT_EQ(whole.first().size(), 16u);
    EXPECT_EQ(whole.first().front().cycle, 10u);
    EXPECT_EQ(whole.first().back().cycle, 24u);
    return whole.report().dump();
  };
  EXPECT_EQ(report(false), report(true));
}

TEST(GoldenMemory, OnePartSeesWhatALineHeldBeforeAnotherChangedIt) {
  GoldenMemory whole;
  const std::vector<std::uint8_t> image(kLineBytes, 7);
  whole.load(0, image, kLineBytes);
  GoldenMemory partition(kPart, whole), sm(kPart, whole);
  constexpr GlobalLine kLine(0);
  whole.reached(10);
  const std::vector<std::uint8_t> before(kSectorBytes, 7), after(kSectorBytes, 8);
  partition.keep(12, kLine);
  std::memset(partition.line(kLine), 8, kSectorBytes);
  EXPECT_EQ(partition.written(kLine), 1u);
  whole.show_kept();
  EXPECT_TRUE(sm.same(11, kLine, 0, before.data()));
  EXPECT_TRUE(sm.same(12, kLine, 0, after.data()));
  EXPECT_EQ(sm.version(kLine), 1u);
  whole.reached(20);
  EXPECT_TRUE(sm.same(11, kLine, 0, after.data()));
}

}  // namespace
}  // namespace warpsieve::tb
