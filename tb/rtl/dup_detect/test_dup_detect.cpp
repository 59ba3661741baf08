// dup_detect: equations 1 and 2, intra duplicates, timing, and random lock step at every point.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "blocks/dup_detect/dup_detect.h"
#include "cosim/shadow.h"
#include "support/lockstep.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::dup_detect {
namespace {

class DupDetectPoints : public ::testing::TestWithParam<DupDetectParams> {
 protected:
  unsigned masks() const { return 1u << GetParam().sectors; }
  unsigned words() const { return GetParam().sectors * GetParam().sector_bits / GetParam().word_bits; }
  unsigned word_bytes() const { return GetParam().word_bits / 8; }
  std::uint32_t word_mask() const {
    return static_cast<std::uint32_t>((std::uint64_t{1} << GetParam().word_bits) - 1);
  }
  void set_word(DupDetectReq& req, unsigned index, std::uint32_t value) const {
    for (unsigned b = 0; b < word_bytes(); ++b) {
      req.data[index * word_bytes() + b] = static_cast<std::uint8_t>(value >> (8 * b));
    }
  }
  DupDetectReq flat(std::uint8_t old_mask, std::uint8_t new_mask, std::uint32_t value) const {
    DupDetectReq req{old_mask, new_mask, {}};
    for (unsigned i = 0; i < words(); ++i) set_word(req, i, value);
    return req;
  }
  DupDetectRsp ask(const DupDetectReq& req) const {
    auto block = make_dup_detect(GetParam(), Backend::shadow);
    EXPECT_TRUE(block->push(req));
    block->tick();
    EXPECT_NE(block->front(), nullptr);
    return block->front() ? *block->front() : DupDetectRsp{};
  }
};
INSTANTIATE_TEST_SUITE_P(Points, DupDetectPoints,
                         ::testing::Values(DupDetectParams{1, 8, 8}, DupDetectParams{3, 96, 32},
                                           DupDetectParams{4, 256, 32}),
                         [](const auto& info) {
                           return "S" + std::to_string(info.param.sectors) + "B" +
                                  std::to_string(info.param.sector_bits) + "W" + std::to_string(info.param.word_bits);
                         });

/// Equations 1 and 2 against their set definition, sector by sector, for every pair of masks.
TEST_P(DupDetectPoints, CoverageOfEveryPairOfMasks) {
  auto block = make_dup_detect(GetParam(), Backend::shadow);
  for (unsigned old_mask = 0; old_mask < masks(); ++old_mask) {
    for (unsigned new_mask = 0; new_mask < masks(); ++new_mask) {
      ASSERT_TRUE(block->push({static_cast<std::uint8_t>(old_mask), static_cast<std::uint8_t>(new_mask), {}}));
      block->tick();
      ASSERT_NE(block->front(), nullptr);
      const DupDetectRsp rsp = *block->front();
      bool all = true;
      for (unsigned s = 0; s < GetParam().sectors; ++s) {
        const bool held = old_mask >> s & 1, brought = new_mask >> s & 1;
        all = all && (!held || brought);
        EXPECT_EQ(rsp.merged_mask >> s & 1, held || brought);
        EXPECT_EQ(rsp.missing >> s & 1, held && !brought);
      }
      EXPECT_EQ(rsp.covered, all);
      EXPECT_EQ(rsp.intra, (old_mask | new_mask) != 0) << "a line of zeros";
      block->pop();
      block->tick();
    }
  }
}

TEST_P(DupDetectPoints, FlatLineIsIntraWithItsWordForEveryMaskButZero) {
  const std::uint32_t value = 0xdeadbeef & word_mask();
  for (unsigned mask = 0; mask < masks(); ++mask) {
    const auto rsp = ask(flat(0, static_cast<std::uint8_t>(mask), value));
    EXPECT_EQ(rsp.intra, mask != 0);
    EXPECT_EQ(rsp.value, mask != 0 ? value : 0u);
  }
}

/// One flipped bit anywhere: found exactly when its sector is in the mask and another word is there to differ from.
TEST_P(DupDetectPoints, OneFlippedBitAnywhereEndsTheIntraDuplicate) {
  auto block = make_dup_detect(GetParam(), Backend::shadow);
  const unsigned per_sector = GetParam().sector_bits / GetParam().word_bits;
  for (unsigned mask = 1; mask < masks(); ++mask) {
    unsigned lowest = 0, inside_words = 0;
    while (!(mask >> lowest & 1)) ++lowest;
    for (unsigned s = 0; s < GetParam().sectors; ++s) inside_words += (mask >> s & 1) * per_sector;
    for (unsigned word = 0; word < words(); ++word) {
      const unsigned bit = (word * 7 + mask) % GetParam().word_bits;
      auto req = flat(0, static_cast<std::uint8_t>(mask), 0x01020304 & word_mask());
      set_word(req, word, (0x01020304 & word_mask()) ^ (1u << bit));
      ASSERT_TRUE(block->push(req));
      block->tick();
      const bool inside = mask >> (word / per_sector) & 1;
      ASSERT_NE(block->front(), nullptr);
      EXPECT_EQ(block->front()->intra, !inside || inside_words == 1) << "mask " << mask << " word " << word;
      const bool is_value = word == lowest * per_sector;
      EXPECT_EQ(block->front()->value, (0x01020304 & word_mask()) ^ (is_value ? 1u << bit : 0u));
      block->pop();
      block->tick();
    }
  }
}

/// Each sector alone takes another word, everywhere, which differs in one bit: still flat in itself, but the line is
/// not.
TEST_P(DupDetectPoints, AFlatSectorWithAnotherWordEndsTheIntraDuplicate) {
  const unsigned per_sector = GetParam().sector_bits / GetParam().word_bits;
  for (unsigned mask = 1; mask < masks(); ++mask) {
    for (unsigned sector = 0; sector < GetParam().sectors; ++sector) {
      for (unsigned bit = 0; bit < GetParam().word_bits; ++bit) {
        auto req = flat(0, static_cast<std::uint8_t>(mask), 5);
        for (unsigned w = 0; w < per_sector; ++w) set_word(req, sector * per_sector + w, 5 ^ 1u << bit);
        const bool alone = mask == 1u << sector;
        EXPECT_EQ(ask(req).intra, alone || !(mask >> sector & 1)) << "mask " << mask << " sector " << sector;
      }
    }
  }
}

TEST_P(DupDetectPoints, ResetDropsTheAnswersThatWait) {
  auto block = make_dup_detect(GetParam(), Backend::shadow);
  for (unsigned waiting = 0; waiting <= 2; ++waiting) {
    for (unsigned i = 0; i < waiting; ++i) {
      EXPECT_TRUE(block->push(flat(0, 1, i)));
      block->tick();
    }
    block->reset();
    EXPECT_EQ(block->front(), nullptr);
    EXPECT_TRUE(block->ready());
    EXPECT_TRUE(block->idle());
    block->tick();
    EXPECT_EQ(block->front(), nullptr);
  }
}

TEST(DupDetect, AFailurePrintsTheLineAndTheAnswer) {
  DupDetectReq req{};
  req.old_mask = 1;
  req.new_mask = 2;
  req.data[0] = 0xab;
  EXPECT_EQ(describe(req).substr(0, 20), "old 0x1 new 0x2 data");
  EXPECT_EQ(describe(req).substr(21, 4), "ab00");
  EXPECT_EQ(describe(DupDetectRsp{true, 3, 0, true, 7}), "covered true merged 0x3 missing 0x0 intra true value 0x7");
}

TEST_P(DupDetectPoints, AnswersInTheNextCycleOneLinePerCycle) {
  auto block = make_dup_detect(GetParam(), Backend::shadow);
  for (unsigned i = 0; i < 50; ++i) {
    EXPECT_EQ(block->front() != nullptr, i > 0);
    if (block->front()) {
      EXPECT_EQ(block->front()->value, (i - 1) & word_mask());
      block->pop();
    }
    EXPECT_TRUE(block->push(flat(1, 1, i & word_mask())));
    block->tick();
  }
}

TEST_P(DupDetectPoints, HoldsTwoAnswersAndRefusesTheThirdLine) {
  auto block = make_dup_detect(GetParam(), Backend::shadow);
  for (unsigned i = 1; i <= 2; ++i) {
    EXPECT_TRUE(block->push(flat(0, 1, i)));
    block->tick();
  }
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_FALSE(block->push(flat(0, 1, 9)));
    block->tick();
    ASSERT_NE(block->front(), nullptr);
    EXPECT_EQ(block->front()->value, 1u);
  }
  block->pop();
  block->tick();
  EXPECT_EQ(block->front()->value, 2u);
  EXPECT_TRUE(block->ready());
}

TEST_P(DupDetectPoints, RandomNearlyFlatLinesInLockStepUnderBackPressure) {
  tb::check_property("dup_detect lines", 100, [&] {
    std::vector<DupDetectReq> reqs(*rc::gen::inRange(1u, 40u));
    std::vector<DupDetectRsp> expected;
    for (auto& req : reqs) {
      req = flat(static_cast<std::uint8_t>(*rc::gen::inRange(0u, masks())),
                 static_cast<std::uint8_t>(*rc::gen::inRange(0u, masks())),
                 *rc::gen::arbitrary<std::uint32_t>() & word_mask());
      for (unsigned flips = *rc::gen::inRange(0u, 3u); flips > 0; --flips) {
        const unsigned bit = *rc::gen::inRange(0u, words() * GetParam().word_bits);
        req.data[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
      }
      expected.push_back(detect(req, GetParam()));
    }
    const tb::Pressure pressure{*rc::gen::inRange(10u, 101u), *rc::gen::inRange(10u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    auto block = make_dup_detect(GetParam(), Backend::shadow);
    RC_ASSERT(tb::drive_stream(*block, reqs, reqs.size(), pressure) == expected);
  });
}

TEST_P(DupDetectPoints, AThirdOfAMillionNearlyFlatLinesInLockStep) {  // three points: more than a million
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 340,000 lines per point";
  std::mt19937 random(GetParam().sectors);
  auto block = make_dup_detect(GetParam(), Backend::shadow);
  unsigned intra = 0, covered = 0;
  for (unsigned burst = 0; burst < 340; ++burst) {
    std::vector<DupDetectReq> reqs(1000);
    std::vector<DupDetectRsp> expected;
    for (auto& req : reqs) {
      req = flat(static_cast<std::uint8_t>(random() % masks()), static_cast<std::uint8_t>(random() % masks()),
                 static_cast<std::uint32_t>(random()) & word_mask());
      for (unsigned flips = random() % 3; flips > 0; --flips) {
        const unsigned bit = random() % (words() * GetParam().word_bits);
        req.data[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
      }
      expected.push_back(detect(req, GetParam()));
      intra += expected.back().intra;
      covered += expected.back().covered;
    }
    const tb::Pressure pressure{static_cast<unsigned>(10 + random() % 91), static_cast<unsigned>(10 + random() % 91),
                                burst + 1};
    ASSERT_EQ(tb::drive_stream(*block, reqs, reqs.size(), pressure), expected) << burst;
  }
  EXPECT_GT(intra, 10000u);
  EXPECT_GT(covered, 10000u);
  EXPECT_LT(std::max(intra, covered), 330000u);
  tb::report_transactions(340 * 1000);
}

/// A model that forgets one word of the line must be caught by the comparison with the RTL.
class ForgetfulDetector final : public DupDetect {
 public:
  void reset() override { inner_->reset(); }
  bool ready() const override { return inner_->ready(); }
  bool push(const DupDetectReq& req) override {
    auto wrong = req;
    for (unsigned b = 0; b < 4; ++b) wrong.data[124 + b] = wrong.data[120 + b];
    return inner_->push(wrong);
  }
  const DupDetectRsp* front() const override { return inner_->front(); }
  void pop() override { inner_->pop(); }
  void tick() override { inner_->tick(); }
  bool idle() const override { return inner_->idle(); }

 private:
  std::unique_ptr<DupDetect> inner_ = make_dup_detect({}, Backend::model);
};

TEST(DupDetect, ShadowCatchesADetectorThatIgnoresTheLastWord) {
  Shadow<DupDetectReq, DupDetectRsp> shadow("dup_detect", std::make_unique<ForgetfulDetector>(),
                                            make_dup_detect({}, Backend::rtl));
  DupDetectReq req{0, 0xf, {}};
  req.data[127] = 1;
  shadow.push(req);
  EXPECT_THROW(shadow.tick(), ShadowMismatch);
}

TEST(DupDetect, CoversAndMergeAreTheTwoEquations) {
  static_assert(covers(0b0011, 0b0111) && !covers(0b1011, 0b0111) && covers(0, 0));
  static_assert(merge(0b1010, 0b0011) == 0b1011);
}

TEST(DupDetect, ParametersOutOfRangeOrWithoutRtlAreRefused) {
  EXPECT_THROW(make_dup_detect({9, 96, 32}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_dup_detect({4, 100, 32}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_dup_detect({2, 64, 32}, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(make_dup_detect({2, 64, 32}, Backend::model));
}

}  // namespace
}  // namespace warpsieve::dup_detect
