// md5_pipeline: the model's reference against OpenSSL, exact timing, credits, random lock step of model and RTL.
#include <gtest/gtest.h>

#include <random>

#include "blocks/md5/md5_core.h"
#include "blocks/md5/md5_pipeline.h"
#include "md5_vectors.h"
#include "support/lockstep.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::md5 {
namespace {

class Md5PipelinePoints : public ::testing::TestWithParam<unsigned> {
 protected:
  Md5PipelineParams params() const { return {GetParam()}; }
  std::unique_ptr<Md5Pipeline> make(Backend backend) const { return make_md5_pipeline(params(), backend); }
  unsigned stages() const { return 64 / GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Points, Md5PipelinePoints, ::testing::Values(1u, 4u, 8u),
                         [](const auto& info) { return "S" + std::to_string(info.param); });

Md5PipelineReq first_block(std::span<const std::uint8_t> message) {
  return {md5_blocks(message).at(0).bytes, md5_initial_chain()};
}

TEST(Md5Compress, ChainedBlocksGiveTheDigestsOfOpenssl) {
  std::mt19937_64 random(7);
  for (unsigned length = 0; length < 300; ++length) {
    vectors::Bytes message(length);
    for (auto& byte : message) byte = static_cast<std::uint8_t>(random());
    Digest chain = md5_initial_chain();
    for (const auto& block : md5_blocks(message)) chain = md5_compress(chain, block.bytes);
    ASSERT_EQ(chain, md5_digest(message)) << length;
  }
}

TEST_P(Md5PipelinePoints, Rfc1321VectorsThroughTheRtl) {
  auto pipeline = make(Backend::rtl);
  for (const auto& known : vectors::rfc1321()) {
    Digest chain = md5_initial_chain();
    for (const auto& block : md5_blocks(known.message))
      chain = tb::drive_stream(*pipeline, std::vector{Md5PipelineReq{block.bytes, chain}}, 1, {})[0].digest;
    EXPECT_EQ(chain, known.digest);
  }
}

TEST_P(Md5PipelinePoints, ResultIsOnOffer66Or18Or10CyclesAfterTheBlock) {
  const unsigned expected = GetParam() == 1 ? 66 : GetParam() == 4 ? 18 : 10;
  ASSERT_EQ(md5_pipeline_latency(params()), expected);
  auto pipeline = make(Backend::shadow);
  ASSERT_TRUE(pipeline->push(first_block({})));
  pipeline->tick();
  unsigned cycles = 1;
  for (; !pipeline->front(); ++cycles) {
    ASSERT_LT(cycles, 100u);
    pipeline->tick();
  }
  EXPECT_EQ(cycles, expected);
  EXPECT_EQ(pipeline->front()->digest, md5_digest({}));
}

TEST_P(Md5PipelinePoints, OneBlockAndOneResultInEveryCycleWhileResultsAreTaken) {
  auto pipeline = make(Backend::shadow);
  const unsigned latency = md5_pipeline_latency(params());
  vectors::Bytes message(20, 0);
  for (unsigned cycle = 0; cycle < 4 * latency; ++cycle) {
    message[0] = static_cast<std::uint8_t>(cycle);
    ASSERT_TRUE(pipeline->push(first_block(message))) << cycle;
    ASSERT_EQ(pipeline->front() != nullptr, cycle >= latency) << cycle;
    if (pipeline->front()) {
      message[0] = static_cast<std::uint8_t>(cycle - latency);
      ASSERT_EQ(pipeline->front()->digest, md5_digest(message)) << cycle;
      pipeline->pop();
    }
    pipeline->tick();
  }
}

TEST_P(Md5PipelinePoints, UntakenResultsFillItWithStagesPlusThreeBlocks) {
  auto pipeline = make(Backend::shadow);
  unsigned taken = 0;
  vectors::Bytes message(5, 1);
  for (unsigned cycle = 0; cycle < 3 * stages() + 20; ++cycle) {
    message[0] = static_cast<std::uint8_t>(taken);
    taken += pipeline->push(first_block(message));
    pipeline->tick();
  }
  EXPECT_EQ(taken, stages() + 3);
  EXPECT_FALSE(pipeline->ready());
  EXPECT_FALSE(pipeline->idle());
  pipeline->pop();
  EXPECT_FALSE(pipeline->ready());  // the credit is back in the next cycle
  pipeline->tick();
  EXPECT_TRUE(pipeline->ready());
  for (unsigned i = 1; i < taken; ++i) {
    message[0] = static_cast<std::uint8_t>(i);
    ASSERT_NE(pipeline->front(), nullptr);
    ASSERT_EQ(pipeline->front()->digest, md5_digest(message)) << i;
    pipeline->pop();
    pipeline->tick();
  }
  EXPECT_EQ(pipeline->front(), nullptr);
  EXPECT_TRUE(pipeline->idle());
}

TEST_P(Md5PipelinePoints, ResetWithBlocksInEveryStageLeavesNoTrace) {
  for (const unsigned cycles : {1u, stages() / 2, stages() + 1, 2 * stages() + 5}) {
    auto pipeline = make(Backend::shadow);
    for (unsigned i = 0; i < cycles; ++i) {
      pipeline->push(first_block(vectors::Bytes(3, 0x99)));
      pipeline->tick();
    }
    pipeline->reset();
    for (unsigned i = 0; i < stages() + 5; ++i) {
      ASSERT_EQ(pipeline->front(), nullptr);
      pipeline->tick();
    }
    EXPECT_EQ(tb::drive_stream(*pipeline, std::vector{first_block({})}, 1, {})[0].digest, md5_digest({}));
  }
}

TEST_P(Md5PipelinePoints, EveryBitOfBlockAndChainIsRead) {
  std::vector<Md5PipelineReq> blocks{first_block({})};
  for (unsigned bit = 0; bit < 512 + 128; ++bit) {
    Md5PipelineReq changed = blocks[0];
    std::uint8_t& byte = bit < 512 ? changed.bytes[bit / 8] : changed.chain[bit / 8 - 64];
    byte = static_cast<std::uint8_t>(byte ^ 1u << bit % 8);
    blocks.push_back(changed);
  }
  auto pipeline = make(Backend::shadow);
  const auto results = tb::drive_stream(*pipeline, blocks, blocks.size(), {});
  for (std::size_t i = 1; i < results.size(); ++i) EXPECT_NE(results[i], results[0]) << i;
}

Md5PipelineReq random_block(std::mt19937_64& random) {
  Md5PipelineReq req;
  for (auto& byte : req.bytes) byte = static_cast<std::uint8_t>(random());
  for (auto& byte : req.chain) byte = static_cast<std::uint8_t>(random());
  return req;
}

TEST_P(Md5PipelinePoints, RandomBlocksInLockStepUnderBackPressure) {
  tb::check_property("md5_pipeline blocks", 30, [&] {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    std::vector<Md5PipelineReq> blocks(*rc::gen::inRange<std::size_t>(1, 150));
    std::vector<LineHashRsp> expected;
    for (auto& block : blocks) {
      block = random_block(random);
      expected.push_back({md5_compress(block.chain, block.bytes)});
    }
    const tb::Pressure pressure{*rc::gen::inRange(1u, 101u), *rc::gen::inRange(5u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    auto pipeline = make(Backend::shadow);
    RC_ASSERT(tb::drive_stream(*pipeline, blocks, expected.size(), pressure) == expected);
  });
}

TEST_P(Md5PipelinePoints, ThirdOfAMillionRandomBlocks) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "set WARPSIEVE_LONG=1";
  std::mt19937_64 random(GetParam());
  auto pipeline = make(Backend::shadow);
  for (unsigned burst = 0; burst < 340; ++burst) {
    std::vector<Md5PipelineReq> blocks(1000);
    for (auto& block : blocks) block = random_block(random);
    const tb::Pressure pressure{50 + burst % 51, 50 + burst % 49, burst + 1};
    const auto results = tb::drive_stream(*pipeline, blocks, blocks.size(), pressure);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      ASSERT_EQ(results[i].digest, md5_compress(blocks[i].chain, blocks[i].bytes)) << burst << ' ' << i;
  }
  tb::report_transactions(340 * 1000);
}

TEST(Md5Pipeline, MismatchesNameTheBlock) {
  Md5PipelineReq req{};
  req.chain[0] = 0xcd;
  req.bytes[0] = 0xab;
  EXPECT_EQ(describe(req), "chain cd" + std::string(30, '0') + " bytes ab" + std::string(126, '0'));
}

TEST(Md5Pipeline, StepsThatDoNotDivide64AreRefused) {
  EXPECT_THROW(make_md5_pipeline({3}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_md5_pipeline({0}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_md5_pipeline({16}, Backend::rtl), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::md5
