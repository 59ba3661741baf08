// request_analyzer: which bytes make which sub-block critical, by hand and against a byte-wise count; timing; lock
// step.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "blocks/request_control/request_analyzer.h"
#include "cosim/shadow.h"
#include "support/lockstep.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::request_control {
namespace {

constexpr AnalyzerParams analyzer_min{1, 16, 2}, analyzer_odd{5, 128, 8}, analyzer_paper{32, 128, 4};

std::uint32_t ask(const LaneAccess& access, const AnalyzerParams& params = analyzer_paper) {
  auto block = make_request_analyzer(params, Backend::shadow);
  EXPECT_TRUE(block->push(access));
  EXPECT_EQ(block->front(), nullptr);
  block->tick();
  return block->front() ? block->front()->map : ~0u;
}

LaneAccess lanes(std::uint32_t active, std::uint8_t size_log2, unsigned first, unsigned stride) {
  LaneAccess access{active, size_log2, {}};
  for (unsigned lane = 0; lane < 32; ++lane)
    access.offsets[lane] = static_cast<std::uint8_t>((first + lane * stride) % 128);
  return access;
}

TEST(RequestAnalyzer, UnitStrideWordsOfAFullWarpNeedTheWholeLine) {
  EXPECT_EQ(ask(lanes(0xffffffff, 2, 0, 4)), 0b1111u);
}
TEST(RequestAnalyzer, EightActiveLanesOfWordsNeedOneSubBlockEach) {
  for (unsigned sub = 0; sub < 4; ++sub) EXPECT_EQ(ask(lanes(0xffu << 8 * sub, 2, 0, 4)), 1u << sub);
}
TEST(RequestAnalyzer, UnitStrideBytesOfAFullWarpNeedOneSubBlock) {
  EXPECT_EQ(ask(lanes(0xffffffff, 0, 64, 1)), 0b0100u);
}
TEST(RequestAnalyzer, InactiveLanesDoNotCount) {
  LaneAccess access = lanes(0, 2, 0, 4);
  EXPECT_EQ(ask(access), 0u);
  access.active = 1u << 31;
  EXPECT_EQ(ask(access), 0b1000u);
}
TEST(RequestAnalyzer, AnAccessThatRunsOverNeedsTheNextSubBlockTooAndEndsWithTheLine) {
  for (std::uint8_t size = 0; size < 4; ++size) {
    for (unsigned offset = 0; offset < 128; ++offset) {
      LaneAccess access{1u << 17, size, {}};
      access.offsets[17] = static_cast<std::uint8_t>(offset);
      std::uint32_t expected = 0;
      for (unsigned byte = offset; byte < offset + (1u << size) && byte < 128; ++byte) expected |= 1u << byte / 32;
      EXPECT_EQ(ask(access), expected) << "offset " << offset << " size " << int{size};
    }
  }
}
TEST(RequestAnalyzer, OneRequestPerCycleAndTwoMapsWaitUnderBackPressure) {
  auto block = make_request_analyzer(analyzer_paper, Backend::shadow);
  for (unsigned cycle = 0; cycle < 10; ++cycle) {
    ASSERT_TRUE(block->push(lanes(1u << 8 * (cycle % 4), 2, 0, 4)));
    if (cycle > 0) {
      ASSERT_NE(block->front(), nullptr);
      EXPECT_EQ(block->front()->map, 1u << (cycle - 1) % 4);
      block->pop();
    }
    block->tick();
  }
  ASSERT_TRUE(block->push(lanes(0xffffffff, 2, 0, 4)));
  block->tick();
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_FALSE(block->ready());
    EXPECT_FALSE(block->push(lanes(1, 2, 0, 4)));
    block->tick();
    EXPECT_EQ(block->front()->map, 0b0010u);
  }
  block->pop();
  block->tick();
  EXPECT_EQ(block->front()->map, 0b1111u);
  EXPECT_TRUE(block->ready());
  EXPECT_FALSE(block->idle());
  block->pop();
  block->tick();
  EXPECT_TRUE(block->idle());
}

/// Takes every access for an aligned one, as if sizes did not matter.
class AlignedOnly final : public RequestAnalyzer {
 public:
  void reset() override { inner_->reset(); }
  bool ready() const override { return inner_->ready(); }
  bool push(const LaneAccess& access) override {
    LaneAccess wrong = access;
    wrong.size_log2 = 0;
    return inner_->push(wrong);
  }
  const SubBlockMap* front() const override { return inner_->front(); }
  void pop() override { inner_->pop(); }
  void tick() override { inner_->tick(); }
  bool idle() const override { return inner_->idle(); }

 private:
  std::unique_ptr<RequestAnalyzer> inner_ = make_request_analyzer(analyzer_paper, Backend::model);
};

TEST(RequestAnalyzer, ShadowCatchesAModelThatIgnoresSizes) {
  Shadow<LaneAccess, SubBlockMap> shadow("request_analyzer", std::make_unique<AlignedOnly>(),
                                         make_request_analyzer(analyzer_paper, Backend::rtl));
  LaneAccess access{1, 3, {}};
  access.offsets[0] = 31;
  shadow.push(access);
  EXPECT_THROW(shadow.tick(), ShadowMismatch);
}

TEST(RequestAnalyzer, ParametersOutOfRangeOrWithoutRtlAreRefused) {
  EXPECT_THROW(make_request_analyzer({0, 128, 4}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_request_analyzer({33, 128, 4}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_request_analyzer({32, 128, 32}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_request_analyzer({32, 96, 4}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_request_analyzer({16, 128, 4}, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(make_request_analyzer({16, 128, 4}, Backend::model));
}

class AnalyzerPoints : public ::testing::TestWithParam<AnalyzerParams> {};
INSTANTIATE_TEST_SUITE_P(Points, AnalyzerPoints, ::testing::Values(analyzer_min, analyzer_odd, analyzer_paper),
                         [](const auto& info) { return "L" + std::to_string(info.param.lanes); });

/// Random accesses, most of them close together so that maps are partial; the map is recounted byte by byte.
void random_lock_step(const AnalyzerParams& params, unsigned length, const tb::Pressure& pressure) {
  std::minstd_rand random(pressure.seed);
  std::vector<LaneAccess> accesses(length);
  std::vector<SubBlockMap> expected;
  for (LaneAccess& access : accesses) {
    access.active = static_cast<std::uint32_t>(random()) & static_cast<std::uint32_t>(random() >> random() % 8);
    access.active &= static_cast<std::uint32_t>((std::uint64_t{1} << params.lanes) - 1);
    access.size_log2 = static_cast<std::uint8_t>(random() % 4);
    const unsigned first = random() % params.line_bytes, spread = 1 + random() % params.line_bytes;
    for (auto& offset : access.offsets)
      offset = static_cast<std::uint8_t>((first + random() % spread) % params.line_bytes);
    std::set<unsigned> touched;
    for (unsigned lane = 0; lane < params.lanes; ++lane) {
      for (unsigned b = 0; b < 1u << access.size_log2; ++b) {
        if (access.active >> lane & 1)
          touched.insert((access.offsets[lane] + b) * params.sub_blocks / params.line_bytes);
      }
    }
    SubBlockMap map;
    for (const unsigned sub : touched) map.map |= sub < params.sub_blocks ? 1u << sub : 0;
    expected.push_back(map);
  }
  auto block = make_request_analyzer(params, Backend::shadow);
  if (tb::drive_stream(*block, accesses, accesses.size(), pressure) != expected)
    throw std::runtime_error("wrong map");
}

TEST_P(AnalyzerPoints, RandomAccessesInLockStepUnderBackPressure) {
  tb::check_property("request_analyzer maps", 60, [&] {
    random_lock_step(GetParam(), *rc::gen::inRange(1u, 200u),
                     {*rc::gen::inRange(10u, 101u), *rc::gen::inRange(10u, 101u), *rc::gen::inRange(1u, 1u << 30)});
  });
}

TEST_P(AnalyzerPoints, LongRandomAccessesInLockStep) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for a million transactions";
  for (std::uint32_t seed = 1; seed <= 20; ++seed) random_lock_step(GetParam(), 17000, {95, 90, seed});
  tb::report_transactions(20 * 17000);
}

TEST(RequestAnalyzer, DescribesAccessesAndMaps) {
  EXPECT_TRUE(describe(LaneAccess{.active = 3, .size_log2 = 3, .offsets = {8, 16}})
                  .starts_with("active 0x3 bytes 8 offsets 8,16,0"));
  EXPECT_EQ(describe(SubBlockMap{5}), "map 0b101");
}

TEST(RequestAnalyzer, ResetOfTheModelDropsAnswers) {
  auto model = make_request_analyzer(analyzer_paper, Backend::model);
  model->reset();
  ASSERT_TRUE(model->push({.active = 1}));
  model->tick();
  ASSERT_NE(model->front(), nullptr);
  model->reset();
  EXPECT_EQ(model->front(), nullptr);
  EXPECT_TRUE(model->ready());
}

}  // namespace
}  // namespace warpsieve::request_control
