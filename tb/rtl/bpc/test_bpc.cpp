#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>
#include <vector>

#include "blocks/bpc/bpc.h"
#include "cosim/shadow.h"
#include "golden.h"
#include "support/lockstep.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::bpc {
namespace {

constexpr BpcParams kMin{3}, kOdd{7}, kPaper{32};

/// One request through a freshly reset block: it must be taken in cycle `taken` of its offer and answered in
/// `cycles`.
template <class Req, class Rsp>
Rsp one(Block<Req, Rsp>& block, const Req& req, unsigned taken, unsigned cycles) {
  block.reset();
  for (unsigned i = 0; i < cycles; ++i) {
    EXPECT_EQ(block.front(), nullptr) << i;
    EXPECT_EQ(block.ready(), i == taken) << i;
    if (i <= taken) block.push(req);
    block.tick();
  }
  EXPECT_EQ(block.ready(), cycles == taken);
  if (!block.front()) throw std::runtime_error("no answer in time");
  return *block.front();
}

/// Values of 32 bits, so that arithmetic stays in unsigned.
struct Random {
  explicit Random(unsigned seed) : engine(seed) {}
  unsigned operator()() { return static_cast<unsigned>(engine()); }
  std::minstd_rand engine;
};
std::uint32_t word(Random& random) { return static_cast<std::uint32_t>(random() << 16 ^ random()); }

/// Words of a kind that real lines have: constant, strided, small or signed values around a base, one odd word out,
/// pointers with common upper halves, plain random, mixtures around the break-even point.
EncodeReq random_request(const BpcParams& params, Random& random) {
  EncodeReq req;
  const unsigned kind = random() % 9, bits = random() % 33, odd = random() % params.words;
  const std::uint32_t base = random() % 3 ? word(random) : word(random) >> random() % 32,
                      stride = word(random) >> bits % 32;
  for (unsigned i = 0; i < params.words; ++i) {
    const std::uint32_t noise = bits == 0 ? 0 : word(random) >> (32 - bits);
    switch (kind) {
      case 0: req.words[i] = base; break;
      case 1: req.words[i] = base + i * stride; break;
      case 2: req.words[i] = base + noise; break;
      case 3: req.words[i] = noise; break;
      case 4: req.words[i] = i == odd ? stride : base; break;
      case 5: req.words[i] = i < odd ? stride : base; break;
      case 6: req.words[i] = word(random); break;
      case 7: req.words[i] = i % 2 ? base : ~base; break;
      default: req.words[i] = 0u - noise;
    }
  }
  return req;
}

class BpcPoints : public ::testing::TestWithParam<BpcParams> {};
INSTANTIATE_TEST_SUITE_P(Points, BpcPoints, ::testing::Values(kMin, kOdd, kPaper),
                         [](const auto& info) { return "W" + std::to_string(info.param.words); });

Encoded encoded(const BpcParams& params, const EncodeReq& req) {
  auto encoder = make_bpc_encoder(params, Backend::shadow);
  auto decoder = make_bpc_decoder(params, Backend::shadow);
  const Encoded rsp = one(*encoder, req, 34, 36);
  EXPECT_EQ(rsp, golden::packed(golden::encode(params, req))) << describe(req);
  const bool coded = rsp.compressed();
  EXPECT_EQ(one(*decoder, DecodeReq{rsp.bits}, coded ? 34 : 1, coded ? 34 + params.words : 1).words, req.words);
  return rsp;
}

TEST_P(BpcPoints, AZeroLineTakesElevenBits) {
  EXPECT_EQ(encoded(GetParam(), {}).length, 1u + 3 + 7);  // flag, base 000, a run of 33
}

TEST_P(BpcPoints, BaseCodesAtTheirLimits) {
  const BpcParams params = GetParam();
  const struct {
    std::uint32_t value;
    unsigned bits;
  } cases[] = {{7, 7},           {0xfffffff8, 7},  {8, 11},          {0xfffffff7, 11}, {127, 11},
               {0xffffff80, 11}, {128, 19},        {0xffffff7f, 19}, {32767, 19},      {0xffff8000, 19},
               {32768, 33},      {0xffff7fff, 33}, {0x80000000, 33}};
  for (const auto& [value, bits] : cases) {
    EncodeReq req;
    for (unsigned i = 0; i < params.words; ++i) req.words[i] = value;
    EXPECT_EQ(encoded(params, req).length, 1 + bits + 7) << value;
  }
}

// A bit that one comparison with 0 or with all ones leaves out would make the code too short.
TEST_P(BpcPoints, BasesWithOneBitThatDiffersFromTheOthers) {
  const BpcParams params = GetParam();
  for (unsigned bit = 0; bit < 32; ++bit) {
    for (const std::uint32_t value : {1u << bit, ~(1u << bit)}) {
      EncodeReq req;
      for (unsigned i = 0; i < params.words; ++i) req.words[i] = value;
      const unsigned bits = bit < 3 ? 7 : bit < 7 ? 11 : bit < 15 ? 19 : 33;
      EXPECT_EQ(encoded(params, req).length, 1 + bits + 7) << value;
    }
  }
}

TEST_P(BpcPoints, ResetInTheMiddleOfALineForgetsIt) {
  const BpcParams params = GetParam();
  auto encoder = make_bpc_encoder(params, Backend::shadow);
  auto decoder = make_bpc_decoder(params, Backend::shadow);
  Random random(14);
  const auto restart = [](auto& block) {
    block.reset();
    EXPECT_FALSE(block.ready());
    EXPECT_TRUE(block.idle());
    EXPECT_EQ(block.front(), nullptr);
  };
  const auto offer = [](auto& block, const auto& item, unsigned cycles) {  // taken or not
    for (bool taken = false; cycles > 0; --cycles) {
      taken = taken || block.push(item);
      block.tick();
    }
  };
  for (unsigned after = 1; after <= 34 + params.words; ++after) {
    const EncodeReq lost = random_request(params, random), req = random_request(params, random);
    offer(*encoder, lost, after);
    restart(*encoder);
    const Encoded packed = tb::drive_stream(*encoder, std::vector<EncodeReq>{req}, 1, {}).at(0);
    EXPECT_EQ(packed, golden::packed(golden::encode(params, req))) << after;
    offer(*decoder, DecodeReq{golden::packed(golden::encode(params, lost)).bits}, after);
    restart(*decoder);
    EXPECT_EQ(tb::drive_stream(*decoder, std::vector<DecodeReq>{{packed.bits}}, 1, {}).at(0).words, req.words)
        << after;
  }
}

// Differences of all ones, of one 1, of two adjacent ones, of two apart, in the lowest plane and the highest.
TEST_P(BpcPoints, PlaneCodesInEveryPlace) {
  const BpcParams params = GetParam();
  for (unsigned i = 1; i < params.words; ++i) {
    for (const std::uint32_t step : {1u, 0x80000000u, 0xffffffffu, 0x00010000u}) {
      for (const unsigned width : {1u, 2u, 3u}) {
        EncodeReq req;
        std::uint32_t value = 5;
        for (unsigned w = 0; w < params.words; ++w) {
          if (w >= i && w < i + width && !(width == 3 && w == i + 1)) value += step;
          req.words[w] = value;
        }
        encoded(params, req);
      }
    }
  }
}

TEST(BpcEncoder, RunsOfZeroPlanesOfEveryLength) {
  std::set<unsigned> lengths;
  for (unsigned high = 0; high < 32; ++high) {
    for (unsigned low = 0; low <= high; ++low) {
      EncodeReq req;
      for (unsigned i = 0; i < 32; ++i)
        req.words[i] = i % 3 == 1 ? (1u << high) + (1u << low) : i % 3 == 2 ? 1u << low : 0;
      lengths.insert(encoded(kPaper, req).length);
    }
  }
  EXPECT_GT(lengths.size(), 4u);
}

// A run of zero planes and a whole plane enter the accumulator together (39 bits), time and again.
TEST(BpcEncoder, AlternatingZeroAndWholePlanes) {
  EncodeReq req;
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 32; ++i) {
    req.words[i] = value;
    value += i * 0x9e3779b9u % 7 < 3 ? 0x33333333u : 0;
  }
  encoded(kPaper, req);
}

TEST(BpcEncoder, RandomWordsStayRaw) {
  Random random(3);
  EncodeReq req;
  for (auto& w : req.words) w = word(random);
  const Encoded rsp = encoded(kPaper, req);
  EXPECT_FALSE(rsp.compressed());
  EXPECT_EQ(rsp.length, 1025u);
}

// Just below and at the limit: k random planes of 32 bits each, the rest in the high run.
TEST(BpcEncoder, TheLimitIsOneThousandAndTwentyThreeBits) {
  Random random(9);
  std::set<unsigned> near;
  unsigned raw = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    EncodeReq req;
    const unsigned bits = 28 + round % 5;
    req.words[0] = round % 4 ? word(random) : round % 100;
    for (unsigned i = 1; i < 32; ++i)
      req.words[i] = req.words[i - 1] + (word(random) >> (32 - bits)) * (1u << round % 3);
    const std::size_t size = golden::encode(kPaper, req).size();
    if (size < 1000) continue;
    raw += size == 1025;
    if (near.insert(static_cast<unsigned>(size)).second) encoded(kPaper, req);
  }
  EXPECT_GT(raw, 0u);
  EXPECT_GE(near.size(), 3u);
}

/// Cycles in which items that are always on offer are taken, while answers are taken from cycle `pops_from` on.
template <class Req, class Rsp>
std::vector<unsigned> taken_in(Block<Req, Rsp>& block, const Req& req, unsigned pops_from, unsigned count) {
  block.reset();
  std::vector<unsigned> taken;
  for (unsigned cycle = 0; taken.size() < count && cycle < 1000; ++cycle) {
    if (block.push(req)) taken.push_back(cycle);
    if (cycle >= pops_from && block.front()) block.pop();
    block.tick();
  }
  return taken;
}

// The encoder starts on the next line in the cycle in which the answer is taken, the decoder one later.
TEST_P(BpcPoints, TheNextItemStartsWhenTheAnswerIsTaken) {
  const BpcParams params = GetParam();
  auto encoder = make_bpc_encoder(params, Backend::shadow);
  auto decoder = make_bpc_decoder(params, Backend::shadow);
  using testing::ElementsAre;
  EXPECT_THAT(taken_in(*encoder, {}, 0, 3), ElementsAre(34, 36 + 34, 72 + 34));
  EXPECT_THAT(taken_in(*encoder, {}, 50, 2), ElementsAre(34, 50 + 34));
  const DecodeReq coded{encode(params, EncodeReq{}).bits}, raw{};
  const unsigned period = 35 + params.words;
  EXPECT_THAT(taken_in(*decoder, coded, 0, 3), ElementsAre(34, period + 34, 2 * period + 34));
  EXPECT_THAT(taken_in(*decoder, coded, 80, 2), ElementsAre(34, 81 + 34));
  EXPECT_THAT(taken_in(*decoder, raw, 0, 3), ElementsAre(1, 3, 5));
  EXPECT_THAT(taken_in(*decoder, raw, 10, 2), ElementsAre(1, 12));
}

// Once a line is taken, there is another one on the input or noise.
TEST_P(BpcPoints, AnAnswerDependsOnNothingBehindItsItem) {
  const BpcParams params = GetParam();
  auto encoder = make_bpc_encoder(params, Backend::shadow);
  Random random(21);
  for (unsigned round = 0; round < 40; ++round) {
    const EncodeReq req = random_request(params, random), next = random_request(params, random);
    const Encoded expected = golden::packed(golden::encode(params, req));
    encoder->reset();
    while (!encoder->push(req)) encoder->tick();
    encoder->tick();
    for (unsigned wait = 0; wait < 20; ++wait) {
      encoder->tick();
      ASSERT_NE(encoder->front(), nullptr);
      EXPECT_EQ(*encoder->front(), expected);
      if (round % 2) encoder->push(next);
    }
  }
}

TEST(BpcModel, AnOfferThatIsWithdrawnOrChangedIsRefused) {
  const auto run = [](unsigned other_in, bool changed) {
    auto encoder = make_bpc_encoder(kMin, Backend::model);
    encoder->reset();
    for (unsigned cycle = 0; cycle < 34; ++cycle) {
      EncodeReq req;
      req.words[1] = changed && cycle == other_in;
      if (changed || cycle != other_in) encoder->push(req);
      encoder->tick();
    }
  };
  EXPECT_NO_THROW(run(99, true));
  for (const bool changed : {false, true})
    for (const unsigned cycle : {1u, 17u, 33u}) EXPECT_THROW(run(cycle, changed), std::logic_error) << cycle;
}

tb::Pressure gen_pressure() {
  return {*rc::gen::inRange(10u, 101u), *rc::gen::inRange(10u, 101u), *rc::gen::inRange(1u, 1u << 30)};
}

TEST_P(BpcPoints, RandomLinesEncodeAsTheGoldenEncoderSaysAndDecodeBack) {
  const BpcParams params = GetParam();
  auto encoder = make_bpc_encoder(params, Backend::shadow);
  auto decoder = make_bpc_decoder(params, Backend::shadow);
  unsigned raw = 0, compressed = 0;
  tb::check_property("bpc round trip " + std::to_string(params.words), 100, [&] {
    Random random(*rc::gen::inRange(1u, 1u << 30));
    std::vector<EncodeReq> requests;
    const unsigned count = *rc::gen::inRange(1u, 10u);
    for (unsigned i = 0; i < count; ++i) requests.push_back(random_request(params, random));
    encoder->reset();
    decoder->reset();
    const auto packed = tb::drive_stream(*encoder, requests, requests.size(), gen_pressure());
    std::vector<DecodeReq> back;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      RC_ASSERT(packed[i] == golden::packed(golden::encode(params, requests[i])));
      back.push_back({packed[i].bits});
      ++(packed[i].compressed() ? compressed : raw);
    }
    const auto lines = tb::drive_stream(*decoder, back, back.size(), gen_pressure());
    for (std::size_t i = 0; i < requests.size(); ++i) RC_ASSERT(lines[i].words == requests[i].words);
  });
  EXPECT_GT(raw, 20u);
  EXPECT_GT(compressed, 100u);
}

// Streams no encoder makes: the shadow compares model and RTL.
TEST_P(BpcPoints, AnyBitsDecodeTheSameInModelAndRtl) {
  const BpcParams params = GetParam();
  auto decoder = make_bpc_decoder(params, Backend::shadow);
  tb::check_property("bpc any bits " + std::to_string(params.words), 60, [&] {
    Random random(*rc::gen::inRange(1u, 1u << 30));
    std::vector<DecodeReq> requests(6);
    for (DecodeReq& req : requests) {
      const unsigned density = 1 + random() % 8;
      for (unsigned i = 0; i <= params.raw_bits(); ++i) {
        if (i == 0 ? random() % 8 != 0 : random() % 9 < density) {
          req.bits[i / 8] = static_cast<std::uint8_t>(req.bits[i / 8] | 1u << (i % 8));
        }
      }
    }
    decoder->reset();
    const auto lines = tb::drive_stream(*decoder, requests, requests.size(), gen_pressure());
    for (std::size_t i = 0; i < requests.size(); ++i) RC_ASSERT(lines[i] == decode(params, requests[i]));
  });
}

TEST_P(BpcPoints, MillionLinesInShadow) {
  if (!std::getenv("WARPSIEVE_LONG")) {
    GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 1,000,000 lines over the points";
  }
  const BpcParams params = GetParam();
  const unsigned lines = params == kPaper ? 50'000 : params == kOdd ? 200'000 : 250'000;  // through both blocks
  auto encoder = make_bpc_encoder(params, Backend::shadow);
  auto decoder = make_bpc_decoder(params, Backend::shadow);
  Random random(31);
  for (unsigned done = 0; done < lines; done += 1000) {
    std::vector<EncodeReq> requests;
    for (unsigned i = 0; i < 1000; ++i) requests.push_back(random_request(params, random));
    const tb::Pressure pressure{50 + random() % 51, 50 + random() % 51, random()};
    const auto packed = tb::drive_stream(*encoder, requests, requests.size(), pressure);
    std::vector<DecodeReq> back;
    for (const Encoded& bits : packed) back.push_back({bits.bits});
    const auto answers = tb::drive_stream(*decoder, back, back.size(), pressure);
    for (std::size_t i = 0; i < requests.size(); ++i) ASSERT_EQ(answers[i].words, requests[i].words);
  }
  tb::report_transactions(2 * lines);
}

TEST(BpcFunctions, SizesAndSectors) {
  Random random(5);
  for (unsigned i = 0; i < 2000; ++i) {
    const EncodeReq req = random_request(kPaper, random);
    const Line line = to_line(req.words);
    const std::size_t size = golden::encode(kPaper, req).size() - 1;
    ASSERT_EQ(encoded_bits(line), size);
    ASSERT_EQ(decode(encode(line).bits), line);
  }
  EXPECT_EQ(sectors(10), 1u);
  EXPECT_EQ(sectors(256), 1u);
  EXPECT_EQ(sectors(257), 2u);
  EXPECT_EQ(sectors(1024), 4u);
}

/// A decoder that ignores the top bit of a place, with the right timing.
class ShortPlaceDecoder final : public BpcDecoder {
 public:
  ShortPlaceDecoder() : inner_(make_bpc_decoder(kPaper, Backend::model)) {}
  void reset() override { inner_->reset(); }
  bool ready() const override { return inner_->ready(); }
  bool push(const DecodeReq& req) override { return inner_->push(req); }
  const DecodeRsp* front() const override {
    if (!inner_->front()) return nullptr;
    wrong_ = *inner_->front();
    if (wrong_.words[20] != wrong_.words[0]) wrong_.words[20] = wrong_.words[0];
    return &wrong_;
  }
  void pop() override { inner_->pop(); }
  void tick() override { inner_->tick(); }
  bool idle() const override { return inner_->idle(); }

 private:
  std::unique_ptr<BpcDecoder> inner_;
  mutable DecodeRsp wrong_;
};

TEST(BpcShadow, ADecoderThatLosesALatePlaceIsCaught) {
  const auto run = [](unsigned from) {
    EncodeReq req;
    for (unsigned i = from; i < 32; ++i) req.words[i] = 4;
    Shadow<DecodeReq, DecodeRsp> shadow("bpc_decoder", std::make_unique<ShortPlaceDecoder>(),
                                        make_bpc_decoder(kPaper, Backend::rtl));
    shadow.reset();
    bool taken = false;
    for (unsigned i = 0; i < 70; ++i) {
      taken = taken || shadow.push({encode(kPaper, req).bits});
      shadow.tick();
    }
  };
  EXPECT_NO_THROW(run(25));
  EXPECT_THAT([&] { run(18); }, ::testing::ThrowsMessage<ShadowMismatch>(::testing::HasSubstr("payload")));
}

TEST(BpcShadow, ItemsOfTheStreamsAreDescribed) {
  using ::testing::StartsWith;
  EncodeReq req{};
  req.words[0] = 0xab;
  EXPECT_THAT(describe(req), StartsWith("words ab 0 0"));
  EXPECT_THAT(describe(DecodeRsp{req.words}), StartsWith("words ab 0 0"));
  DecodeReq bits{};
  bits.bits[0] = 0x7f;
  EXPECT_THAT(describe(bits), StartsWith("bits 7f00"));
  EXPECT_THAT(describe(encode(kPaper, req)), ::testing::HasSubstr("compressed"));
}

TEST(BpcFactories, UnknownPointsAndBadParametersAreRefused) {
  EXPECT_THROW(make_bpc_encoder({16}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_bpc_decoder({16}, Backend::shadow), std::invalid_argument);
  EXPECT_NO_THROW(make_bpc_encoder({16}, Backend::model));
  for (const unsigned bad : {2u, 33u}) {
    EXPECT_THROW(make_bpc_encoder({bad}, Backend::model), std::invalid_argument);
    EXPECT_THROW(make_bpc_decoder({bad}, Backend::model), std::invalid_argument);
  }
}

}  // namespace
}  // namespace warpsieve::bpc
