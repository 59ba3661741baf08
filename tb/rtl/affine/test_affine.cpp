// affine: directed vectors and random lock step of model and RTL at every point, against a golden
// encoder that tries every stride.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "blocks/affine/affine.h"
#include "cosim/shadow.h"
#include "golden.h"
#include "support/lockstep.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::affine {
namespace {

constexpr AffineParams kMin{2, 1, 1}, kOdd{5, 7, 2}, kPaper{32, 32, 3};

Vector line(const AffineParams& params, std::uint32_t base, std::int64_t stride) {
  Vector data{};
  for (unsigned i = 0; i < params.lanes; ++i) {
    data[i] = static_cast<std::uint32_t>(base + i * static_cast<std::uint64_t>(stride)) & params.value_mask();
  }
  return data;
}

/// One vector through a freshly reset encoder: the answer must come exactly one cycle later.
EncodeRsp one(const AffineParams& params, const Vector& data, std::uint32_t mask) {
  auto encoder = make_affine_encoder(params, Backend::shadow);
  encoder->reset();
  EXPECT_TRUE(encoder->push({data, mask}));
  EXPECT_EQ(encoder->front(), nullptr);
  encoder->tick();
  if (!encoder->front()) throw std::runtime_error("no answer after one cycle");
  return *encoder->front();
}

/// The same, checked against the golden encoder too.
EncodeRsp encoded(const AffineParams& params, const Vector& data, std::uint32_t mask) {
  const EncodeRsp rsp = one(params, data, mask);
  EXPECT_EQ(rsp, golden::encode(params, {data, mask})) << describe(EncodeReq{data, mask});
  EXPECT_EQ(rsp, encode(params, {data, mask}));
  return rsp;
}

const EncodeRsp kGeneric{};
constexpr std::uint32_t kAll = 0xffffffffu;

class AffinePoints : public ::testing::TestWithParam<AffineParams> {};
INSTANTIATE_TEST_SUITE_P(Points, AffinePoints, ::testing::Values(kMin, kOdd, kPaper), [](const auto& info) {
  return "L" + std::to_string(info.param.lanes) + "W" + std::to_string(info.param.width) + "S" +
         std::to_string(info.param.stride_bits);
});

TEST_P(AffinePoints, EveryStrideCodeEncodesAndDecodesBack) {
  const AffineParams params = GetParam();
  auto decoder = make_affine_decoder(params, Backend::shadow);
  for (std::uint32_t code = 0; code <= params.uniform_code(); ++code) {
    const std::uint32_t stride = code == params.uniform_code() ? 0 : 1u << code;
    const std::uint32_t base = (stride ? 0xdeadbeefu / stride * stride : 0xdeadbeefu) & params.value_mask();
    const Vector data = line(params, base, stride);
    EXPECT_EQ(encoded(params, data, params.lane_mask()), (EncodeRsp{true, base, code})) << code;
    decoder->reset();
    ASSERT_TRUE(decoder->push({base, code}));
    EXPECT_EQ(decoder->front(), nullptr);
    decoder->tick();
    ASSERT_NE(decoder->front(), nullptr);
    EXPECT_EQ(decoder->front()->data, data) << code;
  }
}

TEST_P(AffinePoints, EmptyMaskIsUniformZeroWhateverTheData) {
  const AffineParams params = GetParam();
  Vector data{};
  for (unsigned i = 0; i < params.lanes; ++i) data[i] = (0x5bd1e995u * (i + 1)) & params.value_mask();
  EXPECT_EQ(encoded(params, data, 0), (EncodeRsp{true, 0, params.uniform_code()}));
}

TEST_P(AffinePoints, OneActiveLaneIsUniformWithItsOwnValue) {
  const AffineParams params = GetParam();
  Vector data{};
  for (unsigned i = 0; i < params.lanes; ++i) data[i] = (0x5bd1e995u * (i + 1)) & params.value_mask();
  for (unsigned i = 0; i < params.lanes; ++i) {
    EXPECT_EQ(encoded(params, data, 1u << i), (EncodeRsp{true, data[i], params.uniform_code()})) << i;
  }
}

/// The lanes between them hold something else.
TEST_P(AffinePoints, TwoActiveLanesOfOneValueAreUniform) {
  const AffineParams params = GetParam();
  for (unsigned i = 0; i < params.lanes; ++i) {
    for (unsigned j = i + 1; j < params.lanes; ++j) {
      Vector data{};
      for (unsigned k = 0; k < params.lanes; ++k) data[k] = (0x5bd1e995u * (k + 1)) & params.value_mask();
      data[i] = data[j] = 0;
      EXPECT_EQ(encoded(params, data, 1u << i | 1u << j), (EncodeRsp{true, 0, params.uniform_code()}))
          << i << ' ' << j;
    }
  }
}

TEST_P(AffinePoints, TwoVectorsAreHeldThenRefusedAndComeOutInOrder) {
  const AffineParams params = GetParam();
  auto encoder = make_affine_encoder(params, Backend::shadow);
  encoder->reset();
  const EncodeReq zero{line(params, 0, 0), params.lane_mask()}, ones{line(params, 1, 0), params.lane_mask()};
  EXPECT_TRUE(encoder->push(zero));
  encoder->tick();
  EXPECT_TRUE(encoder->push(ones));
  encoder->tick();
  EXPECT_FALSE(encoder->push(zero));
  ASSERT_NE(encoder->front(), nullptr);
  EXPECT_EQ(encoder->front()->base, 0u);
  encoder->pop();
  encoder->tick();
  ASSERT_NE(encoder->front(), nullptr);
  EXPECT_EQ(encoder->front()->base, 1u);
  EXPECT_TRUE(encoder->ready());
  encoder->pop();
  encoder->tick();
  EXPECT_TRUE(encoder->idle());
}

TEST(AffineEncoder, OneVectorPerCycleWithoutBackPressure) {
  auto encoder = make_affine_encoder(kPaper, Backend::shadow);
  encoder->reset();
  for (std::uint32_t i = 0; i < 50; ++i) {
    if (i > 0) {
      ASSERT_NE(encoder->front(), nullptr);
      EXPECT_EQ(encoder->front()->base, 4 * (i - 1));
      encoder->pop();
    }
    ASSERT_TRUE(encoder->push({line(kPaper, 4 * i, 4), kAll}));
    encoder->tick();
  }
}

TEST(AffineEncoder, BaseThatIsNoMultipleOfTheStrideIsGeneric) {
  for (std::uint32_t code = 1; code < 7; ++code) {
    for (std::uint32_t bit = 0; bit < code; ++bit) {
      const std::uint32_t base = (5u << code) | (1u << bit);
      EXPECT_EQ(encoded(kPaper, line(kPaper, base, 1 << code), kAll), kGeneric) << code << " " << bit;
    }
  }
}

// The xor of neighbours is one-hot only when base / stride is even.
TEST(AffineEncoder, OddMultiplesOfTheStrideAreAffineAlthoughTheXorIsNotOneHot) {
  for (std::uint32_t code = 0; code < 7; ++code) {
    for (const std::uint32_t odd : {1u, 3u, 7u, 31u, 0x1ffffffu}) {
      const std::uint32_t base = odd << code;
      const Vector data = line(kPaper, base, 1 << code);
      const std::uint32_t difference = data[0] ^ data[1];
      ASSERT_NE(difference & (difference - 1), 0u);  // a decoder of one-hot values would refuse or misread it
      EXPECT_EQ(encoded(kPaper, data, kAll), (EncodeRsp{true, base, code})) << code << " " << odd;
    }
  }
}

TEST(AffineEncoder, StridesOf128AndMoreAreGeneric) {
  for (unsigned log2 = 7; log2 < 32; ++log2) {
    EXPECT_EQ(encoded(kPaper, line(kPaper, 0, std::int64_t{1} << log2), kAll), kGeneric) << log2;
  }
}

TEST(AffineEncoder, StridesThatAreNoPowerOfTwoAreGeneric) {
  for (const int stride : {3, 5, 6, 7, 12, 24, 48, 65, 96}) {
    EXPECT_EQ(encoded(kPaper, line(kPaper, 0, stride), kAll), kGeneric) << stride;
  }
}

TEST(AffineEncoder, NegativeStridesAreGeneric) {
  for (int log2 = 0; log2 < 7; ++log2) {
    EXPECT_EQ(encoded(kPaper, line(kPaper, 1u << 20, -(1 << log2)), kAll), kGeneric) << log2;
  }
}

TEST(AffineEncoder, WrapAroundIsAffineAtEveryLane) {
  for (std::uint32_t code = 0; code < 7; ++code) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t base = 0u - (lane << code);  // lane `lane` is the one that reaches 0
      EXPECT_EQ(encoded(kPaper, line(kPaper, base, 1 << code), kAll), (EncodeRsp{true, base, code}));
    }
  }
}

TEST(AffineEncoder, AlternatingMaskTriesUniformOnly) {
  for (const std::uint32_t mask : {0x55555555u, 0xaaaaaaaau, 0x66666666u, 0x80000001u}) {
    EXPECT_EQ(encoded(kPaper, line(kPaper, 64, 1), mask), kGeneric) << mask;
    EXPECT_EQ(encoded(kPaper, line(kPaper, 77, 0), mask), (EncodeRsp{true, 77, 7})) << mask;
  }
}

TEST(AffineEncoder, OnePairAnywhereFixesTheStrideForTheRest) {
  for (unsigned pair = 0; pair < 16; ++pair) {
    const std::uint32_t mask = (0x55555555u << (pair % 2)) | (3u << (2 * pair));
    EXPECT_EQ(encoded(kPaper, line(kPaper, 0x1000, 16), mask), (EncodeRsp{true, 0x1000, 4})) << pair;
  }
}

TEST(AffineEncoder, AWrongInactiveLaneDoesNotMatterAWrongActiveLaneDoes) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (const unsigned bit : {0u, 3u, 10u, 31u}) {
      Vector data = line(kPaper, 0x2468ace0u, 8);
      data[lane] ^= 1u << bit;
      EXPECT_EQ(encoded(kPaper, data, kAll & ~(1u << lane)), (EncodeRsp{true, 0x2468ace0u, 3}));
      EXPECT_EQ(encoded(kPaper, data, kAll), kGeneric);
    }
  }
}

// The upper bits are compared by groups of lanes, by one of the bits below: one bit off in all lanes of a group, at
// every base, so that one group alone, the one that has wrapped, or both are wrong.
TEST(AffineEncoder, OneBitOffInAllLanesThatShareALowerBitIsFound) {
  auto encoder = make_affine_encoder(kOdd, Backend::shadow);
  for (std::uint32_t code = 0; code <= kOdd.uniform_code(); ++code) {
    std::vector<EncodeReq> requests;
    std::vector<EncodeRsp> expected;
    for (std::uint32_t base = 0; base <= kOdd.value_mask(); ++base) {
      for (const std::uint32_t left_out : {0u, 1u, 2u, 4u, 8u, 16u, 3u, 24u}) {
        for (unsigned off = 1; off < kOdd.width; ++off) {
          for (unsigned below = 0; below < 2 * off; ++below) {  // lanes with a 0 there, then those with a 1
            EncodeReq req{line(kOdd, base, code == kOdd.uniform_code() ? 0 : 1 << code),
                          kOdd.lane_mask() & ~left_out};
            for (unsigned i = 0; i < kOdd.lanes; ++i) {
              if ((req.data[i] >> (below % off) & 1) == below / off) req.data[i] ^= 1u << off;
            }
            requests.push_back(req);
            expected.push_back(golden::encode(kOdd, req));
          }
        }
      }
    }
    encoder->reset();
    EXPECT_TRUE(tb::drive_stream(*encoder, requests, requests.size(), {}) == expected) << code;
  }
}

TEST(AffineDecoder, BaseNeedNotBeAligned) {
  auto decoder = make_affine_decoder(kPaper, Backend::shadow);
  decoder->reset();
  ASSERT_TRUE(decoder->push({0xffffffddu, 6}));
  decoder->tick();
  ASSERT_NE(decoder->front(), nullptr);
  EXPECT_EQ(decoder->front()->data, line(kPaper, 0xffffffddu, 64));
}

// ---- random ------------------------------------------------------------------------------------

/// Affine, almost affine (one bit off in one lane or in several), unaligned, negative, or plain random; full, dense,
/// pair-free or random masks.
rc::Gen<EncodeReq> gen_request(const AffineParams& params) {
  return rc::gen::exec([params] {
    const auto word = [] { return *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 32); };
    EncodeReq req;
    const unsigned kind = *rc::gen::inRange(0u, 10u);
    const std::uint32_t code = *rc::gen::inRange(0u, params.uniform_code() + 1);
    std::int64_t stride = code == params.uniform_code() ? 0 : std::int64_t{1} << code;
    auto base = static_cast<std::uint32_t>(word());
    if (kind != 7 && stride) base = base / static_cast<std::uint32_t>(stride) * static_cast<std::uint32_t>(stride);
    if (kind == 8) stride = -stride;
    req.data = line(params, base, stride);
    const unsigned lane = *rc::gen::inRange(0u, params.lanes);
    if (kind == 5) req.data[lane] ^= 1u << *rc::gen::inRange(0u, params.width);
    if (kind == 6) {  // a bit off in several lanes: any, or those with a 1 (a 0) in some lower bit
      const std::uint32_t some = *rc::gen::arbitrary<bool>() ? kAll : static_cast<std::uint32_t>(word());
      const unsigned off = *rc::gen::inRange(0u, params.width), below = *rc::gen::inRange(0u, off + 1);
      const std::uint32_t value = *rc::gen::inRange(0u, 2u);
      for (unsigned i = 0; i < params.lanes; ++i) {
        if ((some >> i & 1) && (req.data[i] >> below & 1) == value) req.data[i] ^= 1u << off;
      }
    }
    if (kind == 9) {
      for (unsigned i = 0; i < params.lanes; ++i)
        req.data[i] = static_cast<std::uint32_t>(word()) & params.value_mask();
    }
    switch (*rc::gen::inRange(0u, 5u)) {
      case 0: req.mask = kAll; break;
      case 1: req.mask = static_cast<std::uint32_t>(word()); break;
      case 2: req.mask = static_cast<std::uint32_t>(word()) & static_cast<std::uint32_t>(word()); break;
      case 3: {  // dense
        const unsigned low = *rc::gen::inRange(0u, params.lanes), high = *rc::gen::inRange(low, params.lanes);
        req.mask = (kAll >> (31 - high)) & (kAll << low);
        break;
      }
      default: {  // no pair (2i, 2i+1)
        const auto either = static_cast<std::uint32_t>(word()) & 0x55555555u,
                   which = static_cast<std::uint32_t>(word());
        req.mask = (either & which) | ((either & ~which) << 1);
      }
    }
    req.mask &= params.lane_mask();
    return req;
  });
}

tb::Pressure gen_pressure() {
  return {*rc::gen::inRange(10u, 101u), *rc::gen::inRange(10u, 101u), *rc::gen::inRange(1u, 1u << 30)};
}

/// `cases` streams through the encoder; returns the number of vectors.
unsigned encode_streams(const AffineParams& params, const std::string& name, int cases) {
  unsigned affine = 0, generic = 0;
  std::set<std::uint32_t> codes;
  auto encoder = make_affine_encoder(params, Backend::shadow);
  tb::check_property(name, cases, [&] {
    std::vector<EncodeReq> requests;
    const unsigned count = *rc::gen::inRange(1u, 24u);
    for (unsigned i = 0; i < count; ++i) requests.push_back(*gen_request(params));
    encoder->reset();
    const auto responses = tb::drive_stream(*encoder, requests, requests.size(), gen_pressure());
    RC_ASSERT(responses.size() == requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      RC_ASSERT(responses[i] == golden::encode(params, requests[i]));
      RC_ASSERT(responses[i] == encode(params, requests[i]));
      ++(responses[i].affine ? affine : generic);
      if (!responses[i].affine) continue;
      codes.insert(responses[i].stride_code);
      const DecodeRsp back = decode(params, {responses[i].base, responses[i].stride_code});
      for (unsigned lane = 0; lane < params.lanes; ++lane) {
        if (requests[i].mask >> lane & 1) RC_ASSERT(back.data[lane] == requests[i].data[lane]);
      }
    }
  });
  // The generator must reach every code, and (where any vector can be generic) both answers.
  EXPECT_EQ(codes.size(), params.uniform_code() + 1u);
  EXPECT_GT(affine, 0u);
  if (params.lanes > 2) {
    EXPECT_GT(generic, affine / 10);
  }
  return affine + generic;
}

/// The same for the decoder.
unsigned decode_streams(const AffineParams& params, const std::string& name, int cases) {
  unsigned vectors = 0;
  auto decoder = make_affine_decoder(params, Backend::shadow);
  tb::check_property(name, cases, [&] {
    std::vector<DecodeReq> requests;
    const unsigned count = *rc::gen::inRange(1u, 24u);
    for (unsigned i = 0; i < count; ++i) {
      const auto base = static_cast<std::uint32_t>(*rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 32));
      requests.push_back({base & params.value_mask(), *rc::gen::inRange(0u, params.uniform_code() + 1)});
    }
    decoder->reset();
    const auto responses = tb::drive_stream(*decoder, requests, requests.size(), gen_pressure());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
        const std::uint32_t want =
            lane < params.lanes ? golden::lane_value(params, requests[i].base, requests[i].stride_code, lane) : 0;
        RC_ASSERT(responses[i].data[lane] == want);
      }
    }
    vectors += count;
  });
  return vectors;
}

TEST_P(AffinePoints, RandomVectorsEncodeAsTheGoldenEncoderSays) {
  encode_streams(GetParam(), "affine encoder " + std::to_string(GetParam().lanes), 1000);
}

TEST_P(AffinePoints, RandomCodesDecodeByRepeatedAddition) {
  decode_streams(GetParam(), "affine decoder " + std::to_string(GetParam().lanes), 1000);
}

TEST_P(AffinePoints, AThirdOfAMillionVectorsInLockStep) {  // three points: more than a million together
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 340,000 vectors per point";
  const std::string lanes = std::to_string(GetParam().lanes);
  const unsigned encoded = encode_streams(GetParam(), "affine encoder, long, " + lanes, 27000);
  const unsigned decoded = decode_streams(GetParam(), "affine decoder, long, " + lanes, 27000);
  EXPECT_GT(encoded, 170000u);
  EXPECT_GT(decoded, 170000u);
  tb::report_transactions(encoded + decoded);
}

TEST(AffineEncoder, AllInputsOfTheSmallestPoint) {
  auto encoder = make_affine_encoder(kMin, Backend::shadow);
  encoder->reset();
  for (std::uint32_t bits = 0; bits < 16; ++bits) {
    const EncodeReq req{{bits & 1, bits >> 1 & 1}, bits >> 2};
    const auto rsp = tb::drive_stream(*encoder, std::vector<EncodeReq>{req}, 1, {});
    EXPECT_EQ(rsp.at(0), golden::encode(kMin, req)) << describe(req);
  }
}

// ---- factories and the checker itself --------------------------------------------------------------

/// An encoder that takes the xor of a pair for one-hot, with the right timing.
class OneHotEncoder final : public AffineEncoder {
 public:
  void reset() override { held_.clear(); }
  bool ready() const override { return true; }
  bool push(const EncodeReq& req) override {
    const std::uint32_t difference = req.data[0] ^ req.data[1];
    next_ = difference & (difference - 1) ? EncodeRsp{} : encode(kPaper, req);
    return true;
  }
  const EncodeRsp* front() const override { return held_.empty() ? nullptr : &held_.front(); }
  void pop() override {}
  void tick() override { held_.assign(1, next_); }
  bool idle() const override { return held_.empty(); }

 private:
  EncodeRsp next_;
  std::vector<EncodeRsp> held_;
};

TEST(AffineShadow, AnEncoderThatAssumesAOneHotXorIsCaughtOnAnOddMultiple) {
  const auto run = [](std::uint32_t base) {
    Shadow<EncodeReq, EncodeRsp> shadow("affine_encoder", std::make_unique<OneHotEncoder>(),
                                        make_affine_encoder(kPaper, Backend::rtl));
    shadow.reset();
    shadow.push({line(kPaper, base, 4), kAll});
    shadow.tick();
  };
  EXPECT_NO_THROW(run(4 * 2));
  EXPECT_THAT([&] { run(4 * 3); }, ::testing::ThrowsMessage<ShadowMismatch>(::testing::HasSubstr("payload")));
}

TEST(AffineFactories, UnknownPointIsRefusedByName) {
  EXPECT_THROW(make_affine_encoder({16, 32, 3}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_affine_decoder({16, 32, 3}, Backend::shadow), std::invalid_argument);
  EXPECT_NO_THROW(make_affine_encoder({16, 32, 3}, Backend::model));
}

TEST(AffineFactories, ParametersOutOfRangeAreRefused) {
  for (const AffineParams& bad : {AffineParams{1, 32, 3}, AffineParams{33, 32, 3}, AffineParams{32, 0, 1},
                                  AffineParams{32, 33, 3}, AffineParams{32, 6, 3}, AffineParams{32, 32, 0}}) {
    EXPECT_THROW(make_affine_encoder(bad, Backend::model), std::invalid_argument);
    EXPECT_THROW(make_affine_decoder(bad, Backend::model), std::invalid_argument);
  }
}

}  // namespace
}  // namespace warpsieve::affine
