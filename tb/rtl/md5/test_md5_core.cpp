// md5_core: published answers, exact timing, and random lock step of model and RTL for S = 1, 2, 4.
#include <gtest/gtest.h>

#include "md5_vectors.h"
#include "support/lockstep.h"
#include "support/property.h"
#include "support/shared_inputs.h"

namespace warpsieve::md5 {
namespace {

class Md5CorePoints : public ::testing::TestWithParam<Md5CoreParams> {
 protected:
  Md5CoreParams params() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Points, Md5CorePoints,
                         ::testing::Values(Md5CoreParams{1, false}, Md5CoreParams{1, true}, Md5CoreParams{2, false},
                                           Md5CoreParams{4, false}),
                         [](const auto& info) {
                           return "S" + std::to_string(info.param.steps_per_cycle) +
                                  (info.param.fold_in_steps ? "f" : "");
                         });

void append(std::vector<Md5Block>& blocks, std::span<const std::uint8_t> message) {
  const auto more = md5_blocks(message);
  blocks.insert(blocks.end(), more.begin(), more.end());
}

TEST_P(Md5CorePoints, Rfc1321VectorsThroughTheRtl) {
  auto core = make_md5_core(params(), Backend::rtl);
  std::vector<Md5Block> blocks;
  std::vector<LineHashRsp> expected;
  for (const auto& known : vectors::rfc1321()) {
    append(blocks, known.message);
    expected.push_back({known.digest});
  }
  EXPECT_EQ(tb::drive_stream(*core, blocks, expected.size(), {}), expected);
}

TEST_P(Md5CorePoints, KnownAnswersOfEveryLengthInLockStep) {
  SHARED_INPUT(path, "md5/kat.txt");
  auto core = make_md5_core(params(), Backend::shadow);
  std::vector<Md5Block> blocks;
  std::vector<LineHashRsp> expected;
  for (const auto& known : vectors::known_answers(path)) {
    append(blocks, known.message);
    expected.push_back({known.digest});
  }
  ASSERT_EQ(expected.size(), 23u);
  EXPECT_EQ(tb::drive_stream(*core, blocks, expected.size(), {}), expected);
}

TEST_P(Md5CorePoints, CollidingMessagesHaveOneDigest) {
  auto pairs = std::vector{vectors::wang_yu()};
  const auto path = tb::shared_input("md5/collisions.txt");
  if (std::filesystem::exists(path)) pairs = vectors::collision_pairs(path);
  auto core = make_md5_core(params(), Backend::rtl);
  for (const auto& pair : pairs) {
    ASSERT_NE(pair.first, pair.second) << pair.id;
    std::vector<Md5Block> blocks;
    append(blocks, pair.first);
    append(blocks, pair.second);
    const auto digests = tb::drive_stream(*core, blocks, 2, {});
    EXPECT_EQ(digests[0].digest, pair.digest) << pair.id;
    EXPECT_EQ(digests[1].digest, pair.digest) << pair.id;
  }
}

TEST_P(Md5CorePoints, BlocksTake65Or64Or33Or17CyclesAndTheDigestComes65Or65Or33Or17AfterTheLast) {
  const unsigned steps = GetParam().steps_per_cycle;
  const unsigned period = GetParam().fold_in_steps ? 64 : steps == 1 ? 65 : steps == 2 ? 33 : 17;
  const unsigned latency = steps == 1 ? 65 : period;
  ASSERT_EQ(md5_block_cycles(params()), period);
  for (const unsigned length : {0u, 64u, 128u}) {
    auto core = make_md5_core(params(), Backend::shadow);
    const auto blocks = md5_blocks(vectors::Bytes(length, 0x5a));
    std::size_t next = 0;
    unsigned cycle = 0;
    std::vector<unsigned> taken;
    for (; !core->front(); ++cycle) {
      ASSERT_LT(cycle, 1000u);
      if (next < blocks.size() && core->push(blocks[next])) {
        ++next;
        taken.push_back(cycle);
      }
      core->tick();
    }
    ASSERT_EQ(taken.size(), length / 64 + 1);
    for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i], i * period);
    EXPECT_EQ(cycle, taken.back() + latency);
  }
}

TEST(Md5Core, A128ByteLineOfThreeBlocksTakes195Cycles) {
  auto core = make_md5_core({1}, Backend::shadow);
  const auto blocks = md5_blocks(vectors::Bytes(129, 0xc3));  // the line and the mask byte
  ASSERT_EQ(blocks.size(), 3u);
  unsigned cycles = 0;
  for (std::size_t next = 0; !core->front() && cycles < 1000; ++cycles) {
    if (next < 3 && core->push(blocks[next])) ++next;
    core->tick();
  }
  EXPECT_EQ(cycles, 195u);
}

TEST_P(Md5CorePoints, DigestTakenInItsFirstCycleFreesTheCoreForTheNextCycle) {
  auto core = make_md5_core(params(), Backend::shadow);
  for (unsigned message = 0; message < 3; ++message) {
    const auto blocks = md5_blocks(vectors::Bytes(message, 0x11));
    ASSERT_TRUE(core->push(blocks[0])) << message;
    core->tick();
    for (int i = 0; !core->front(); ++i) {
      ASSERT_LT(i, 1000);
      core->tick();
    }
    EXPECT_EQ(core->front()->digest, md5_digest(vectors::Bytes(message, 0x11)));
    core->pop();
    core->tick();
  }
}

TEST_P(Md5CorePoints, ResetInTheMiddleOfABlockLeavesNoTrace) {
  const auto blocks = md5_blocks(vectors::Bytes(70, 0x77));
  for (unsigned cycles = 0; cycles<140; cycles += cycles> 55 && cycles < 70 ? 1 : 3) {
    auto core = make_md5_core(params(), Backend::shadow);
    std::size_t next = 0;
    for (unsigned i = 0; i < cycles; ++i) {
      if (next < blocks.size() && core->push(blocks[next])) ++next;
      core->tick();
    }
    core->reset();
    EXPECT_EQ(tb::drive_stream(*core, blocks, 1, {})[0].digest, md5_digest(vectors::Bytes(70, 0x77))) << cycles;
  }
}

TEST_P(Md5CorePoints, DigestWaitsAndBlocksTheNextMessage) {
  auto core = make_md5_core(params(), Backend::shadow);
  const auto blocks = md5_blocks({});
  ASSERT_TRUE(core->push(blocks[0]));
  core->tick();
  for (int i = 0; !core->front(); ++i) {
    ASSERT_LT(i, 1000);
    EXPECT_FALSE(core->push(blocks[0]));
    core->tick();
  }
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(core->push(blocks[0]));
    core->tick();
    ASSERT_NE(core->front(), nullptr);
    EXPECT_EQ(core->front()->digest, md5_digest({}));
    EXPECT_FALSE(core->idle());
  }
  core->pop();
  core->tick();
  EXPECT_EQ(core->front(), nullptr);
  EXPECT_TRUE(core->push(blocks[0]));
}

TEST_P(Md5CorePoints, RandomMessagesInLockStepUnderBackPressure) {
  tb::check_property("md5_core messages", 200, [&] {
    std::vector<Md5Block> blocks;
    std::vector<LineHashRsp> expected;
    const unsigned count = *rc::gen::inRange(1u, 4u);
    for (unsigned i = 0; i < count; ++i) {
      const auto message =
          *rc::gen::container<vectors::Bytes>(*rc::gen::inRange(0u, 200u), rc::gen::arbitrary<std::uint8_t>());
      append(blocks, message);
      expected.push_back({md5_digest(message)});
    }
    const tb::Pressure pressure{*rc::gen::inRange(1u, 101u), *rc::gen::inRange(5u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    auto core = make_md5_core(params(), Backend::shadow);
    RC_ASSERT(tb::drive_stream(*core, blocks, expected.size(), pressure) == expected);
  });
}

TEST_P(Md5CorePoints, DigestDependsOnEveryByteOfTheBlock) {
  auto core = make_md5_core(params(), Backend::rtl);
  const auto plain = md5_blocks({});
  const auto reference = tb::drive_stream(*core, plain, 1, {})[0];
  for (unsigned byte = 0; byte < 64; ++byte) {
    auto changed = plain;
    changed[0].bytes[byte] ^= 0x10;
    EXPECT_NE(tb::drive_stream(*core, changed, 1, {})[0], reference) << byte;
  }
}

TEST_P(Md5CorePoints, IdleOnlyWithoutABlock) {
  auto core = make_md5_core(params(), Backend::shadow);
  core->reset();
  const auto idles = [&] {
    for (unsigned left = 3; left > 0; --left) core->tick();
    return core->idle();
  };
  EXPECT_TRUE(idles());
  ASSERT_TRUE(core->push(md5_blocks({})[0]));
  EXPECT_FALSE(idles());
  while (!core->front()) {
    EXPECT_FALSE(core->idle());
    core->tick();
  }
  core->pop();
  EXPECT_TRUE(idles());
}

TEST(Md5Core, MismatchesNameTheBlockAndTheDigest) {
  Md5Block block{};
  block.bytes[0] = 0xab;
  block.more = true;
  EXPECT_EQ(describe(block), "more true bytes ab" + std::string(126, '0'));
  LineHashRsp rsp{};
  rsp.digest[0] = 0xcd;
  EXPECT_EQ(describe(rsp), "cd" + std::string(30, '0'));
}

TEST(Md5Core, OtherStepsPerCycleAreRefused) {
  EXPECT_THROW(make_md5_core({3}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_md5_core({0}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_md5_core({2, true}, Backend::model), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::md5
