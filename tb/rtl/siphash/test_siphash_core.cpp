// siphash_core: the authors' vectors, OpenSSL, exact timing, random lock step of model and RTL for H = 1, 2.
#include <gtest/gtest.h>

#include "siphash_reference.h"
#include "support/lockstep.h"
#include "support/property.h"

namespace warpsieve::siphash {
namespace {

using reference::Bytes;

class SiphashCorePoints : public ::testing::TestWithParam<unsigned> {
 protected:
  SiphashCoreParams params(const Key& key) const { return {GetParam(), key}; }
};
INSTANTIATE_TEST_SUITE_P(Points, SiphashCorePoints, ::testing::Values(1u, 2u),
                         [](const auto& info) { return "H" + std::to_string(info.param); });

unsigned measure(SiphashCore& core, const Bytes& message, Tag& tag) {
  EXPECT_TRUE(core.push({message}));
  unsigned cycles = 0;
  while (!core.front() && cycles < 1000) {
    core.tick();
    ++cycles;
    if (!core.front()) {
      EXPECT_FALSE(core.ready());
    }
  }
  if (core.front()) tag = core.front()->digest;
  core.pop();
  core.tick();
  return cycles;
}

TEST(SiphashTag, AgreesWithThePublishedVectors) {
  for (const auto& known : reference::published()) {
    EXPECT_EQ(siphash_tag(reference::counting_key(), reference::counting_bytes(known.length)), known.tag);
    EXPECT_EQ(reference::openssl_tag(reference::counting_key(), reference::counting_bytes(known.length)), known.tag);
  }
}

TEST(SiphashTag, AgreesWithOpensslForEveryLengthTo300) {
  for (std::size_t length = 0; length <= 300; ++length) {
    const Bytes message = reference::counting_bytes(length);
    ASSERT_EQ(siphash_tag(reference::counting_key(), message),
              reference::openssl_tag(reference::counting_key(), message))
        << length;
  }
}

TEST_P(SiphashCorePoints, MessagesOf0To130BytesThroughTheRtlAgainstOpenssl) {
  const Key key = reference::counting_key();
  auto core = make_siphash_core(params(key), Backend::shadow);
  std::vector<SiphashMessage> messages;
  std::vector<LineHashRsp> expected;
  for (std::size_t length = 0; length <= 130; ++length) {
    messages.push_back({reference::counting_bytes(length)});
    expected.push_back({reference::openssl_tag(key, messages.back().bytes)});
  }
  EXPECT_EQ(tb::drive_stream(*core, messages, expected.size(), {}), expected);
}

TEST_P(SiphashCorePoints, Takes2CyclesPerWordAnd8ForTheTagOrTwiceThatAtHalfARoundPerCycle) {
  auto core = make_siphash_core(params({}), Backend::shadow);
  const unsigned scale = GetParam() == 2 ? 1 : 2;
  for (const std::size_t length : {0u, 7u, 8u, 15u, 16u, 64u, 129u, 255u, 256u}) {
    Tag tag{};
    const unsigned words = static_cast<unsigned>(length / 8) + 1;
    EXPECT_EQ(measure(*core, reference::counting_bytes(length), tag), scale * (2 * words + 8)) << length;
    EXPECT_TRUE(core->ready());
  }
}

TEST_P(SiphashCorePoints, TagWaitsAndBlocksTheNextMessage) {
  auto core = make_siphash_core(params(reference::counting_key()), Backend::shadow);
  const Bytes message = reference::counting_bytes(20);
  ASSERT_TRUE(core->push({message}));
  core->tick();
  for (int i = 0; !core->front(); ++i) {
    ASSERT_LT(i, 1000);
    EXPECT_FALSE(core->push({reference::counting_bytes(3)}));
    core->tick();
  }
  for (int i = 0; i < 12; ++i) {
    EXPECT_FALSE(core->push({message}));
    core->tick();
    ASSERT_NE(core->front(), nullptr);
    EXPECT_EQ(core->front()->digest, reference::openssl_tag(reference::counting_key(), message));
    EXPECT_FALSE(core->idle());
  }
  core->pop();
  core->tick();
  EXPECT_EQ(core->front(), nullptr);
  EXPECT_TRUE(core->push({message}));
}

TEST_P(SiphashCorePoints, EveryKeyBitChangesTheTag) {
  const Bytes message = reference::counting_bytes(12);
  Key key{};
  Tag plain{};
  measure(*make_siphash_core(params(key), Backend::shadow), message, plain);
  for (unsigned bit = 0; bit < 128; ++bit) {
    key = {};
    key[bit / 8] = static_cast<std::uint8_t>(1 << bit % 8);
    Tag tag{};
    measure(*make_siphash_core(params(key), Backend::shadow), message, tag);
    EXPECT_NE(tag, plain) << bit;
    EXPECT_EQ(tag, reference::openssl_tag(key, message)) << bit;
  }
}

TEST_P(SiphashCorePoints, RandomKeysAndMessagesInLockStepUnderBackPressure) {
  tb::check_property("siphash_core messages", 300, [&] {
    const Key key = *rc::gen::arbitrary<Key>();
    std::vector<SiphashMessage> messages(*rc::gen::inRange(1u, 6u));
    std::vector<LineHashRsp> expected;
    for (auto& message : messages) {
      message.bytes = *rc::gen::container<Bytes>(*rc::gen::inRange(0u, 140u), rc::gen::arbitrary<std::uint8_t>());
      expected.push_back({reference::openssl_tag(key, message.bytes)});
    }
    const tb::Pressure pressure{*rc::gen::inRange(1u, 101u), *rc::gen::inRange(5u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    auto core = make_siphash_core(params(key), Backend::shadow);
    RC_ASSERT(tb::drive_stream(*core, messages, expected.size(), pressure) == expected);
  });
}

TEST_P(SiphashCorePoints, ResetInTheMiddleOfAMessageLeavesNoTrace) {
  const Key key = reference::counting_key();
  const Bytes message = reference::counting_bytes(33);
  auto core = make_siphash_core(params(key), Backend::shadow);
  for (unsigned cycles = 0; cycles < 45; ++cycles) {
    ASSERT_TRUE(core->push({message}));
    for (unsigned i = 0; i < cycles; ++i) core->tick();
    core->reset();
    Tag tag{};
    measure(*core, message, tag);
    EXPECT_EQ(tag, reference::openssl_tag(key, message)) << cycles;
  }
}

TEST(SiphashCore, OtherHalfRoundsPerCycleAreRefused) {
  EXPECT_THROW(make_siphash_core({3, {}}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_siphash_core({0, {}}, Backend::rtl), std::invalid_argument);
}

TEST(SiphashCore, DescribesAMessage) { EXPECT_EQ(describe(SiphashMessage{{0x00, 0x7f, 0xab}}), "bytes 007fab"); }

}  // namespace
}  // namespace warpsieve::siphash
