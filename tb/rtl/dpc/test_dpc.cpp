#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <random>
#include <set>

#include "blocks/dpc/dpc.h"
#include "cosim/shadow.h"
#include "golden.h"
#include "support/lockstep.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::dpc {
namespace {

constexpr DpcParams kMin{2, 2}, kOdd{3, 9}, kPaper{8, 32}, kLine{8, 32, false};

/// One request through a freshly reset block: the answer must come exactly two cycles later.
template <class Req, class Rsp>
Rsp one(Block<Req, Rsp>& block, const Req& req) {
  block.reset();
  EXPECT_TRUE(block.push(req));
  block.tick();
  EXPECT_EQ(block.front(), nullptr);
  block.tick();
  if (!block.front()) throw std::runtime_error("no answer after two cycles");
  return *block.front();
}

/// The mask that counts.
unsigned seen(const DpcParams& params, unsigned mask) { return params.truncate ? mask : 0xf; }

/// Values of 32 bits, so that arithmetic stays in unsigned.
struct Random {
  explicit Random(unsigned seed) : engine(seed) {}
  unsigned operator()() { return static_cast<unsigned>(engine()); }
  std::minstd_rand engine;
};

/// A line in which the planes of `random_planes` are random, the others all zeros or all ones.
Words line_of_planes(const DpcParams& params, std::uint32_t random_planes, std::uint32_t ones, Random& random) {
  Words words{};
  for (unsigned i = 0; i < params.words(); ++i) {
    words[i] = ((random() << 16 ^ random()) & random_planes) | (ones & ~random_planes);
    words[i] &= params.word_mask();
  }
  return words;
}

/// What lines look like: planes compressible with any density, in runs or scattered, almost compressible (one
/// bit off, anywhere), plain random, constant.
EncodeReq random_request(const DpcParams& params, Random& random) {
  const auto word = [&] { return static_cast<std::uint32_t>(random() << 16 ^ random()); };
  EncodeReq req;
  std::uint32_t planes = 0;
  switch (random() % 8) {
    case 0: planes = 0; break;
    case 1: planes = ~0u; break;
    case 2: planes = word() & word(); break;
    case 3: planes = word() | word(); break;
    case 4: planes = word() | word() | word() | word(); break;  // around the break-even point
    case 5: planes = ~0u >> random() % 32; break;
    case 6: planes = ~0u << random() % 32; break;
    default: planes = word();
  }
  req.words = line_of_planes(params, planes, word(), random);
  if (random() % 4 == 0) req.words[random() % params.words()] ^= 1u << random() % params.planes;
  req.mask = random() % 16;
  return req;
}

class DpcPoints : public ::testing::TestWithParam<DpcParams> {};
INSTANTIATE_TEST_SUITE_P(Points, DpcPoints, ::testing::Values(kMin, kOdd, kPaper, kLine), [](const auto& info) {
  return "S" + std::to_string(info.param.sub_words) + "P" + std::to_string(info.param.planes) +
         (info.param.truncate ? "" : "Line");
});

TEST_P(DpcPoints, EveryMaskOfAConstantLineCompressesToOneBitPerPlane) {
  const DpcParams params = GetParam();
  auto encoder = make_dpc_encoder(params, Backend::shadow);
  auto decoder = make_dpc_decoder(params, Backend::shadow);
  for (unsigned mask = 1; mask < 16; ++mask) {
    EncodeReq req;
    req.mask = mask;
    for (unsigned i = 0; i < params.words(); ++i) req.words[i] = 0x9abcdef1u & params.word_mask();
    const Encoded rsp = one(*encoder, req);
    EXPECT_EQ(rsp, golden::packed(golden::encode(params, req))) << describe(req);
    if (params.planes == 32) {
      EXPECT_EQ(rsp.length, 65u);
    }
    EXPECT_EQ(one(*decoder, DecodeReq{rsp.bits, mask}).words,
              golden::decode(params, golden::encode(params, req), mask));
  }
}

TEST_P(DpcPoints, AnEmptyMaskIsOneBit) {
  auto encoder = make_dpc_encoder(GetParam(), Backend::shadow);
  EncodeReq req;
  req.words[1] = 3;
  if (!GetParam().truncate) GTEST_SKIP() << "whole lines only";
  EXPECT_EQ(one(*encoder, req), (Encoded{{}, 1}));
  auto decoder = make_dpc_decoder(GetParam(), Backend::shadow);
  Bits ones;
  ones.fill(0xff);
  EXPECT_EQ(one(*decoder, DecodeReq{ones, 0}).words, Words{});
}

TEST_P(DpcPoints, ThreeLinesAreHeldThenRefusedAndComeOutInOrder) {
  const DpcParams params = GetParam();
  auto encoder = make_dpc_encoder(params, Backend::shadow);
  encoder->reset();
  Random random(7);
  std::vector<EncodeReq> lines;
  for (unsigned i = 0; i < 4; ++i) lines.push_back({line_of_planes(params, ~0u, 0, random), 0xf});
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_TRUE(encoder->push(lines[i])) << i;
    encoder->tick();
  }
  EXPECT_FALSE(encoder->push(lines[3]));
  encoder->tick();
  for (unsigned i = 0; i < 3; ++i) {
    ASSERT_NE(encoder->front(), nullptr) << i;
    EXPECT_EQ(*encoder->front(), golden::packed(golden::encode(params, lines[i]))) << i;
    encoder->pop();
    encoder->tick();
  }
  EXPECT_TRUE(encoder->idle());
}

TEST(DpcEncoder, OneLinePerCycleWithoutBackPressure) {
  auto encoder = make_dpc_encoder(kPaper, Backend::shadow);
  auto decoder = make_dpc_decoder(kPaper, Backend::shadow);
  encoder->reset();
  decoder->reset();
  Random random(3);
  std::vector<EncodeReq> lines;
  for (unsigned i = 0; i < 40; ++i) {
    lines.push_back({line_of_planes(kPaper, 0xff00ff00u >> i % 9, i, random), 0xf});
    ASSERT_TRUE(encoder->push(lines[i]));
    if (i >= 2) {
      ASSERT_NE(encoder->front(), nullptr) << i;
      ASSERT_TRUE(decoder->push({encoder->front()->bits, 0xf}));
      encoder->pop();
    }
    if (i >= 4) {
      ASSERT_NE(decoder->front(), nullptr) << i;
      EXPECT_EQ(decoder->front()->words, lines[i - 4].words);
      decoder->pop();
    }
    encoder->tick();
    decoder->tick();
  }
}

// The first n planes, or the last n, are compressible: break-even n >= 5, 3, 2, 2 for 1 to 4 sub-blocks (D4).
TEST(DpcEncoder, BreakEvenIsAtFiveThreeTwoTwoPlanes) {
  constexpr std::array<unsigned, 5> kLeast{0, 5, 3, 2, 2};
  auto encoder = make_dpc_encoder(kPaper, Backend::shadow);
  for (unsigned mask = 1; mask < 16; ++mask) {
    for (unsigned n = 0; n <= 32; ++n) {
      for (const bool top : {false, true}) {
        Random random(11 * n + mask);
        const std::uint64_t all = 0xffffffffu;
        const auto planes = static_cast<std::uint32_t>(top ? all >> n : all << n);
        EncodeReq req{line_of_planes(kPaper, n == 32 ? 0 : planes, 0x5a5aa5a5u, random), mask};
        // A plane that is random by intent must not come out constant by chance.
        for (unsigned sub = 0; sub < 4; ++sub) {
          req.words[8 * sub] &= ~(n == 32 ? 0 : planes);
          req.words[8 * sub + 7] |= n == 32 ? 0 : planes;
        }
        const unsigned k = static_cast<unsigned>(std::popcount(mask));
        const Encoded rsp = one(*encoder, req);
        EXPECT_EQ(rsp.compressed(), n >= kLeast[k]) << describe(req);
        EXPECT_EQ(rsp.length, n >= kLeast[k] ? 33 + n + (32 - n) * 8 * k : 1 + 256 * k) << describe(req);
        EXPECT_EQ(rsp, golden::packed(golden::encode(kPaper, req))) << describe(req);
      }
    }
  }
}

// One plane of 32 differs in one bit: it alone is sent whole. Every plane and every word, so that every bit
// of the array travels alone.
TEST(DpcEncoder, EveryBitOfTheLineTravelsAlone) {
  auto encoder = make_dpc_encoder(kPaper, Backend::shadow);
  auto decoder = make_dpc_decoder(kPaper, Backend::shadow);
  for (const unsigned mask : {0xfu, 0x1u, 0x6u, 0xdu}) {
    for (unsigned bit = 0; bit < 1024; ++bit) {
      EncodeReq req;
      req.mask = mask;
      req.words.fill(bit % 3 == 0 ? 0xffffffffu : 0);
      req.words[bit / 32] ^= 1u << (bit % 32);
      const Encoded rsp = one(*encoder, req);
      ASSERT_EQ(rsp, golden::packed(golden::encode(kPaper, req))) << describe(req);
      const bool critical = mask >> (bit / 256) & 1;
      ASSERT_EQ(rsp.length, critical ? 64 + 8u * static_cast<unsigned>(std::popcount(mask)) : 65u);
      ASSERT_EQ(one(*decoder, DecodeReq{rsp.bits, mask}).words,
                golden::decode(kPaper, golden::encode(kPaper, req), mask));
    }
  }
}

TEST(DpcEncoder, RunsOfCompressiblePlanesAtEveryPlace) {
  auto encoder = make_dpc_encoder(kPaper, Backend::shadow);
  auto decoder = make_dpc_decoder(kPaper, Backend::shadow);
  Random random(5);
  for (unsigned from = 0; from < 32; ++from) {
    for (unsigned count = 1; from + count <= 32; ++count) {
      const auto run = static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << from);
      EncodeReq req{line_of_planes(kPaper, ~run, static_cast<std::uint32_t>(random()), random), 1 + random() % 15};
      const Encoded rsp = one(*encoder, req);
      ASSERT_EQ(rsp, golden::packed(golden::encode(kPaper, req))) << describe(req);
      ASSERT_EQ(one(*decoder, DecodeReq{rsp.bits, req.mask}).words,
                golden::decode(kPaper, golden::encode(kPaper, req), req.mask));
    }
  }
}

tb::Pressure gen_pressure() {
  return {*rc::gen::inRange(10u, 101u), *rc::gen::inRange(10u, 101u), *rc::gen::inRange(1u, 1u << 30)};
}

TEST_P(DpcPoints, RandomLinesEncodeAsTheGoldenEncoderSaysAndDecodeBack) {
  const DpcParams params = GetParam();
  auto encoder = make_dpc_encoder(params, Backend::shadow);
  auto decoder = make_dpc_decoder(params, Backend::shadow);
  std::set<unsigned> compressed_counts;
  unsigned raw = 0, compressed = 0;
  tb::check_property("dpc round trip " + std::to_string(params.planes) + (params.truncate ? "" : " line"), 200, [&] {
    Random random(*rc::gen::inRange(1u, 1u << 30));
    std::vector<EncodeReq> requests;
    const unsigned count = *rc::gen::inRange(1u, 24u);
    for (unsigned i = 0; i < count; ++i) requests.push_back(random_request(params, random));
    encoder->reset();
    decoder->reset();
    const auto packed = tb::drive_stream(*encoder, requests, requests.size(), gen_pressure());
    std::vector<DecodeReq> back;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      RC_ASSERT(packed[i] == golden::packed(golden::encode(params, requests[i])));
      back.push_back({packed[i].bits, requests[i].mask});
      ++(packed[i].compressed() ? compressed : raw);
      if (packed[i].compressed())
        compressed_counts.insert(static_cast<unsigned>(std::popcount(seen(params, requests[i].mask))));
    }
    const auto lines = tb::drive_stream(*decoder, back, back.size(), gen_pressure());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      for (unsigned w = 0; w < kMaxWords; ++w) {
        const bool critical = w < params.words() && (seen(params, requests[i].mask) >> (w / params.sub_words) & 1);
        RC_ASSERT(lines[i].words[w] == (critical ? requests[i].words[w] : 0u));
      }
    }
  });
  // The generator must reach both forms and every number of sub-blocks that can pay.
  EXPECT_GT(raw, 100u);
  EXPECT_GT(compressed, 100u);
  EXPECT_EQ(compressed_counts.size(), !params.truncate ? 1u : params == kMin ? 3u : 4u);
}

TEST_P(DpcPoints, AnyBitsDecodeAsTheGoldenDecoderSays) {
  const DpcParams params = GetParam();
  auto decoder = make_dpc_decoder(params, Backend::shadow);
  tb::check_property("dpc any bits " + std::to_string(params.planes), 200, [&] {
    Random random(*rc::gen::inRange(1u, 1u << 30));
    std::vector<DecodeReq> requests(12);
    for (DecodeReq& req : requests) {
      const unsigned density = 1 + random() % 8;
      for (unsigned i = 0; i < params.max_bits(); ++i) {
        // sparse, dense, and ES fields of either kind
        const bool bit = i == 0 ? random() % 4 != 0 : random() % 9 < density;
        if (bit) req.bits[i / 8] = static_cast<std::uint8_t>(req.bits[i / 8] | 1u << (i % 8));
      }
      req.mask = random() % 16;
    }
    decoder->reset();
    const auto lines = tb::drive_stream(*decoder, requests, requests.size(), gen_pressure());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      RC_ASSERT(lines[i].words ==
                golden::decode(params, golden::unpacked(params, requests[i].bits), requests[i].mask));
    }
  });
}

TEST_P(DpcPoints, MillionLinesInShadow) {
  if (!std::getenv("WARPSIEVE_LONG")) {
    GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 1,000,000 lines over the points";
  }
  const DpcParams params = GetParam();
  const unsigned lines = params.planes == 32 ? 150'000 : 100'000;  // through both blocks, at four points
  auto encoder = make_dpc_encoder(params, Backend::shadow);
  auto decoder = make_dpc_decoder(params, Backend::shadow);
  Random random(29);
  for (unsigned done = 0; done < lines; done += 1000) {
    std::vector<EncodeReq> requests;
    for (unsigned i = 0; i < 1000; ++i) requests.push_back(random_request(params, random));
    const tb::Pressure pressure{50 + random() % 51, 50 + random() % 51, random()};
    const auto packed = tb::drive_stream(*encoder, requests, requests.size(), pressure);
    std::vector<DecodeReq> back;
    for (std::size_t i = 0; i < requests.size(); ++i) back.push_back({packed[i].bits, requests[i].mask});
    const auto answers = tb::drive_stream(*decoder, back, back.size(), pressure);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      for (unsigned w = 0; w < params.words(); ++w) {
        const bool critical = seen(params, requests[i].mask) >> (w / params.sub_words) & 1;
        ASSERT_EQ(answers[i].words[w], critical ? requests[i].words[w] : 0u) << describe(requests[i]);
      }
    }
  }
  tb::report_transactions(2 * lines);
}

// ---- the functions for 128-byte lines -------------------------------------------------------------

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
    EXPECT_EQ(one(*decoder, DecodeReq{rsp.bits, mask}), decode(kPaper, {encode(kPaper, req).bits, mask}));
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
  void reset() override { stages_.fill(std::nullopt); }
  bool ready() const override { return true; }
  bool push(const EncodeReq& req) override {
    EncodeReq low = req;  // a line whose ones-planes are broken compresses like zeros only
    for (unsigned p = 0; p < 32; ++p) {
      bool all = true;
      for (const auto word : req.words) all = all && (word >> p & 1);
      if (all) low.words[0] ^= 1u << p;
    }
    stages_[0] = encode(kPaper, low);
    return true;
  }
  const EncodeRsp* front() const override { return stages_[2] ? &*stages_[2] : nullptr; }
  void pop() override {}
  void tick() override {
    stages_[2] = stages_[1];
    stages_[1] = stages_[0];
    stages_[0].reset();
  }
  bool idle() const override { return false; }

 private:
  std::array<std::optional<EncodeRsp>, 3> stages_;
};

TEST(DpcShadow, AnEncoderThatOverlooksPlanesOfOnesIsCaught) {
  const auto run = [](std::uint32_t value) {
    Shadow<EncodeReq, EncodeRsp> shadow("dpc_encoder", std::make_unique<ZerosOnlyEncoder>(),
                                        make_dpc_encoder(kPaper, Backend::rtl));
    shadow.reset();
    EncodeReq req;
    req.words.fill(value);
    req.mask = 0xf;
    shadow.push(req);
    shadow.tick();
    shadow.tick();
  };
  EXPECT_NO_THROW(run(0));
  EXPECT_THAT([&] { run(0x100); }, ::testing::ThrowsMessage<ShadowMismatch>(::testing::HasSubstr("payload")));
}

TEST(DpcFactories, UnknownPointIsRefusedByName) {
  EXPECT_THROW(make_dpc_encoder({4, 16}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_dpc_decoder({4, 16}, Backend::shadow), std::invalid_argument);
  EXPECT_NO_THROW(make_dpc_encoder({4, 16}, Backend::model));
}

TEST(DpcFactories, ParametersOutOfRangeAreRefused) {
  for (const DpcParams& bad : {DpcParams{1, 32}, DpcParams{9, 32}, DpcParams{8, 1}, DpcParams{8, 33}}) {
    EXPECT_THROW(make_dpc_encoder(bad, Backend::model), std::invalid_argument);
    EXPECT_THROW(make_dpc_decoder(bad, Backend::model), std::invalid_argument);
  }
}

}  // namespace
}  // namespace warpsieve::dpc
