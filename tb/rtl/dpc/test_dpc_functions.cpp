// DPC without its streams: the functions for 128-byte lines, transforms, factories, and the comparison itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "blocks/dpc/dpc.h"
#include "cosim/shadow.h"
#include "golden.h"
#include "lines.h"

namespace warpsieve::dpc {
namespace {

/// Each word but the first as its difference from the word before.
constexpr Transform kDifferences{[](const Words& words, unsigned count) {
                                   Words out = words;
                                   for (unsigned i = 1; i < count; ++i) out[i] = words[i] - words[i - 1];
                                   return out;
                                 },
                                 [](const Words& words, unsigned count) {
                                   Words out = words;
                                   for (unsigned i = 1; i < count; ++i) out[i] += out[i - 1];
                                   return out;
                                 }};

TEST(DpcTransform, StandsBeforeThePlanesAndIsUndoneBehindTheDecoder) {
  EncodeReq req;
  for (unsigned i = 0; i < 32; ++i) req.words[i] = 1000 * (i + 1);
  DpcParams params = kPaper;
  params.transform = &kDifferences;
  auto encoder = make_dpc_encoder(params, Backend::model);
  auto decoder = make_dpc_decoder(params, Backend::model);
  for (const unsigned mask : {0x1u, 0x3u, 0xfu}) {  // the first sub-blocks: all differences are 1000
    req.mask = mask;
    const Encoded rsp = one(*encoder, req);
    EXPECT_EQ(rsp.length, 65u) << mask;
    EXPECT_GT(encode(kPaper, req).length, 65u) << mask;
    EncodeReq differences = req;
    for (std::uint32_t& word : differences.words) word = 1000;
    EXPECT_EQ(rsp, encode(kPaper, differences)) << "the format of what was transformed";
    EXPECT_EQ(one(*decoder, params, rsp, mask), decode(kPaper, {encode(kPaper, req).bits, mask}).words);
  }
}

TEST_P(DpcPoints, RandomLinesComeBackThroughATransform) {
  DpcParams params = GetParam();
  params.transform = &kDifferences;
  Random random(11);
  unsigned other = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    const EncodeReq req = random_request(params, random);
    const Encoded plain = encode(GetParam(), req), rsp = encode(params, req);
    other += plain != rsp;
    ASSERT_EQ(decode(params, {rsp.bits, req.mask}), decode(GetParam(), {plain.bits, req.mask})) << describe(req);
  }
  EXPECT_GT(other, 1000u);
}

TEST(DpcTransform, HasNoRtl) {
  DpcParams params = kPaper;
  params.transform = &kDifferences;
  for (const Backend backend : {Backend::rtl, Backend::shadow}) {
    EXPECT_THROW(make_dpc_encoder(params, backend), std::invalid_argument);
    EXPECT_THROW(make_dpc_decoder(params, backend), std::invalid_argument);
  }
}

TEST(DpcFunctions, LinesAreLittleEndianWordsAndSizesAgreeWithTheStream) {
  Line line{};
  line[5] = 0x80;  // word 1, bit 15
  EXPECT_EQ(to_words(line)[1], 0x8000u);
  EXPECT_EQ(to_line(to_words(line)), line);
  const Encoded packed = encode(line, 0xf);
  EXPECT_EQ(packed.length, 33u + 31 + 32);
  EXPECT_EQ(packed.bits[0], 0xff);  // C, planes 31 to 25 compressible
  EXPECT_EQ(packed.bits[2], 0xfd);  // stream bit 17 is plane 15, the one that is not
  EXPECT_EQ(decode(packed.bits, 0xf), line);
  EXPECT_EQ(encoded_bits(line, 0xf), packed.length);
  EXPECT_EQ(encoded_bits(line, 0x2), 65u);
  EXPECT_EQ(encoded_bits(line, 0), 1u);
}

TEST(DpcFunctions, EncodedBitsIsTheLengthOfTheStream) {
  Random random(17);
  for (unsigned i = 0; i < 3000; ++i) {
    const EncodeReq req = random_request(kPaper, random);
    const Line line = to_line(req.words);
    ASSERT_EQ(encoded_bits(line, req.mask), golden::encode(kPaper, req).size());
    ASSERT_EQ(decode(encode(line, req.mask).bits, req.mask), zero_filled(line, req.mask));
  }
}

TEST(DpcFunctions, FlitsOfAReplyPacket) {
  EXPECT_EQ(flits(0), 1u);
  EXPECT_EQ(flits(64), 1u);
  EXPECT_EQ(flits(192), 1u);  // 8 + 24 bytes
  EXPECT_EQ(flits(193), 2u);
  EXPECT_EQ(flits(256), 2u);  // one raw sub-block
  EXPECT_EQ(flits(512), 3u);
  EXPECT_EQ(flits(768), 4u);
  EXPECT_EQ(flits(1024), 5u);
}

TEST(DpcFunctions, ManipulationSendsTheSmallerFormAndTheOriginalOnATie) {
  Random random(23);
  Line random_line = to_line(line_of_planes(kPaper, ~0u, 0, random));
  // Half random, half zero-filled: n random words of 16 leave nothing compressible, so both are raw: a tie.
  EXPECT_EQ(choose_manipulated(random_line, 0x3), (ManipulatedChoice{0xf, false, 1025}));
  // Sub-blocks 0 and 1 constant zero, 2 and 3 random: with mask 0011 zero-filling makes all zero.
  Line mixed = zero_filled(random_line, 0xc);
  EXPECT_EQ(choose_manipulated(mixed, 0x3), (ManipulatedChoice{0x3, true, 65}));
  // All ones: zero-filling destroys the pattern.
  Line ones;
  ones.fill(0xff);
  EXPECT_EQ(choose_manipulated(ones, 0x1), (ManipulatedChoice{0xf, false, 65}));
}

// ---- factories and the checker itself ----------------------------------------------------------------

/// An encoder that takes a plane for compressible when it is all zeros only, with the right timing.
class ZerosOnlyEncoder final : public DpcEncoder {
 public:
  void reset() override { inner_->reset(); }
  bool ready() const override { return inner_->ready(); }
  bool push(const EncodeReq& req) override {
    EncodeReq low = req;  // a line whose ones-planes are broken compresses like zeros only
    for (unsigned p = 0; p < 32; ++p) {
      bool all = true;
      for (const auto word : req.words) all = all && (word >> p & 1);
      if (all) low.words[0] ^= 1u << p;
    }
    return inner_->push(low);
  }
  const Flit* front() const override { return inner_->front(); }
  void pop() override { inner_->pop(); }
  void tick() override { inner_->tick(); }
  bool idle() const override { return inner_->idle(); }

 private:
  std::unique_ptr<DpcEncoder> inner_ = make_dpc_encoder(kPaper, Backend::model);
};

TEST(DpcShadow, AnEncoderThatOverlooksPlanesOfOnesIsCaught) {
  const auto run = [](std::uint32_t value) {
    Shadow<EncodeReq, Flit> shadow("dpc_encoder", std::make_unique<ZerosOnlyEncoder>(),
                                   make_dpc_encoder(kPaper, Backend::rtl));
    shadow.reset();
    EncodeReq req;
    req.words.fill(value);
    req.mask = 0xf;
    for (unsigned cycle = 0; cycle < 5; ++cycle) {
      if (cycle < 4) shadow.push(req);
      shadow.tick();
    }
  };
  EXPECT_NO_THROW(run(0));
  EXPECT_THAT([&] { run(0x100); }, ::testing::ThrowsMessage<ShadowMismatch>(::testing::HasSubstr("payload")));
}

TEST(DpcFunctions, ItemsOfTheStreamsAreDescribed) {
  using ::testing::StartsWith;
  EncodeReq req{.words = {}, .mask = 5};
  req.words[0] = 0xab;
  EXPECT_THAT(describe(req), StartsWith("mask 0101 words ab 0 0"));
  EXPECT_THAT(describe(DecodedLine{req.words, 5}), StartsWith("mask 0101 words ab 0 0"));
  Flit flit{.bits = {}, .count = 9, .last = true, .mask = 3, .length = 40};
  flit.bits[0] = 0x7f;
  EXPECT_THAT(describe(flit), StartsWith("9 of 40 bits, mask 0011, last: 7f00"));
  EXPECT_THAT(describe(to_decoder(flit)), StartsWith("mask 0011, last: 7f00"));
  StreamFlit dropped = to_decoder(flit);
  dropped.error = true;
  EXPECT_THAT(describe(dropped), StartsWith("mask 0011, last, error: 7f00"));
}

TEST(DpcFunctions, AModelIsIdleOnceItsLineIsTakenAndTheRtlDoesNotSay) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    auto encoder = make_dpc_encoder(kPaper, backend);
    auto decoder = make_dpc_decoder(kPaper, backend);
    encoder->reset();
    decoder->reset();
    const Encoded stream = one(*encoder, {.words = {}, .mask = 0xf});
    EXPECT_EQ(one(*decoder, kPaper, stream, 0xf), Words{});
    EXPECT_EQ(encoder->idle(), backend == Backend::model);
    EXPECT_EQ(decoder->idle(), backend == Backend::model);
    encoder->push({.words = {}, .mask = 0xf});
    encoder->tick();
    decoder->push(to_decoder(to_flits(kPaper, stream, 0xf)[0]));
    decoder->tick();
    EXPECT_FALSE(encoder->idle());
    EXPECT_FALSE(decoder->idle());
  }
}

TEST(DpcFactories, UnknownPointIsRefusedByName) {
  EXPECT_THROW(make_dpc_encoder({4, 16}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_dpc_decoder({4, 16}, Backend::shadow), std::invalid_argument);
  EXPECT_NO_THROW(make_dpc_encoder({4, 16}, Backend::model));
}

TEST(DpcFactories, ParametersOutOfRangeAreRefused) {
  for (const DpcParams& bad :
       {DpcParams{1, 32}, DpcParams{9, 32}, DpcParams{8, 1}, DpcParams{8, 33}, DpcParams{.planes_per_cycle = 0},
        DpcParams{.planes_per_cycle = 33}, DpcParams{.flit_bits = 255}, DpcParams{.flit_bits = 1058},
        DpcParams{.sub_words = 2, .planes_per_cycle = 1, .flit_bits = 33}}) {
    EXPECT_THROW(make_dpc_encoder(bad, Backend::model), std::invalid_argument);
    EXPECT_THROW(make_dpc_decoder(bad, Backend::model), std::invalid_argument);
  }
}

}  // namespace
}  // namespace warpsieve::dpc
