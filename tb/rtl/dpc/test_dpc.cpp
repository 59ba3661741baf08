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

constexpr DpcParams kMin{.sub_words = 2, .planes = 2, .planes_per_cycle = 1, .flit_bits = 8};
constexpr DpcParams kOdd{.sub_words = 3, .planes = 9, .planes_per_cycle = 2, .flit_bits = 29};
constexpr DpcParams kOne{.sub_words = 2, .planes = 3, .planes_per_cycle = 3, .flit_bits = 24};
constexpr DpcParams kPaper{}, kLine{.truncate = false};

/// A line through a freshly reset encoder, a stream through a freshly reset decoder.
Encoded one(DpcEncoder& encoder, const EncodeReq& req) {
  encoder.reset();
  return encode_with(encoder, req);
}
Words one(DpcDecoder& decoder, const DpcParams& params, const Encoded& stream, unsigned mask) {
  decoder.reset();
  return decode_with(decoder, params, stream, mask).words;
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
INSTANTIATE_TEST_SUITE_P(Points, DpcPoints, ::testing::Values(kMin, kOdd, kOne, kPaper, kLine), [](const auto& info) {
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
    EXPECT_EQ(one(*decoder, params, rsp, mask), golden::decode(params, golden::encode(params, req), mask));
  }
}

TEST_P(DpcPoints, AnEmptyMaskIsOneBit) {
  auto encoder = make_dpc_encoder(GetParam(), Backend::shadow);
  EncodeReq req;
  req.words[1] = 3;
  if (!GetParam().truncate) GTEST_SKIP() << "whole lines only";
  EXPECT_EQ(one(*encoder, req), (Encoded{{}, 1}));
  auto decoder = make_dpc_decoder(GetParam(), Backend::shadow);
  Encoded ones{{}, GetParam().flit_bits};
  ones.bits.fill(0xff);
  EXPECT_EQ(one(*decoder, GetParam(), ones, 0), Words{});
}

/// The golden stream cut into flits.
std::vector<Flit> flits_of(const DpcParams& params, const Encoded& stream, unsigned mask) {
  std::vector<Flit> flits;
  for (unsigned at = 0; at < stream.length; at += params.flit_bits) {
    Flit flit;
    flit.count = std::min(params.flit_bits, stream.length - at);
    for (unsigned i = 0; i < flit.count; ++i)
      if (stream.bits[(at + i) / 8] >> ((at + i) % 8) & 1)
        flit.bits[i / 8] = static_cast<std::uint8_t>(flit.bits[i / 8] | 1u << (i % 8));
    flit.last = at + params.flit_bits >= stream.length;
    flit.mask = seen(params, mask);
    flit.length = at ? 0 : stream.length;
    flits.push_back(flit);
  }
  return flits;
}

/// Cycles in which a block takes and gives, offered and taken from without a pause.
struct Cycles {
  std::vector<unsigned> taken, given;
};
template <class Req, class Rsp>
Cycles cycles_of(Block<Req, Rsp>& block, const std::vector<Req>& items, std::size_t answers) {
  Cycles cycles;
  block.reset();
  for (unsigned cycle = 0; cycles.given.size() < answers && cycle < 2000; ++cycle) {
    if (cycles.taken.size() < items.size() && block.push(items[cycles.taken.size()])) cycles.taken.push_back(cycle);
    if (block.front()) {
      cycles.given.push_back(cycle);
      block.pop();
    }
    block.tick();
  }
  EXPECT_EQ(cycles.given.size(), answers);
  return cycles;
}

/// A line whose planes in `random_planes` (bit 31: the first of the stream) differ, the others are constant.
EncodeReq dense(std::uint32_t random_planes, unsigned seed = 1) {
  Random random(seed);
  EncodeReq req{line_of_planes(kPaper, random_planes, 0x5a5aa5a5u, random), 0xf};
  req.words[0] &= ~random_planes;
  req.words[31] |= random_planes;
  return req;
}

using Numbers = std::vector<unsigned>;

TEST(DpcEncoder, TheLineIsTakenInItsLastStepAndAFullFlitLeavesTwoCyclesAfterItsPlanes) {
  auto encoder = make_dpc_encoder(kPaper, Backend::shadow);
  const auto timing = [&](std::uint32_t planes, std::size_t flits) {
    const Cycles cycles = cycles_of<EncodeReq, Flit>(*encoder, {dense(planes)}, flits);
    EXPECT_EQ(cycles.taken, (Numbers{3}));
    return cycles.given;
  };
  EXPECT_EQ(timing(0, 1), (Numbers{5}));                    // 65 bits
  EXPECT_EQ(timing(0x000000ff, 2), (Numbers{5, 6}));        // 313 bits
  EXPECT_EQ(timing(0x00ffffff, 4), (Numbers{3, 4, 5, 6}));  // 809 bits
  EXPECT_EQ(timing(0xffffffff, 5), (Numbers{2, 3, 4, 5, 6}));
}

TEST(DpcDecoder, TheLineComesWhenItsStepsOrItsFlitsAreThrough) {
  auto decoder = make_dpc_decoder(kPaper, Backend::shadow);
  const auto timing = [&](std::uint32_t planes) {
    std::vector<StreamFlit> flits;
    for (const Flit& flit : to_flits(kPaper, encode(kPaper, dense(planes)), 0xf)) flits.push_back(to_decoder(flit));
    const Cycles cycles = cycles_of<StreamFlit, DecodedLine>(*decoder, flits, 1);
    EXPECT_EQ(cycles.given, (Numbers{std::max(4u, static_cast<unsigned>(flits.size()))}));
    return cycles.taken;
  };
  EXPECT_EQ(timing(0), (Numbers{0}));
  EXPECT_EQ(timing(0x000000ff), (Numbers{0, 3}));
  EXPECT_EQ(timing(0x00ffffff), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(timing(0xffffffff), (Numbers{0, 1, 2, 3, 4}));
}

/// Cycles per line of many equal lines, encoder and decoder.
std::pair<unsigned, unsigned> cycles_per_line(std::uint32_t planes) {
  auto encoder = make_dpc_encoder(kPaper, Backend::shadow);
  auto decoder = make_dpc_decoder(kPaper, Backend::shadow);
  const std::vector<EncodeReq> lines(20, dense(planes));
  const auto flits = to_flits(kPaper, encode(kPaper, lines[0]), 0xf);
  const Cycles encodes = cycles_of<EncodeReq, Flit>(*encoder, lines, 20 * flits.size());
  std::vector<StreamFlit> stream;
  for (unsigned i = 0; i < 20; ++i)
    for (const Flit& flit : flits) stream.push_back(to_decoder(flit));
  const Cycles decodes = cycles_of<StreamFlit, DecodedLine>(*decoder, stream, 20);
  EXPECT_EQ((encodes.given.back() - encodes.given[flits.size() - 1]) % 19, 0u);
  EXPECT_EQ((decodes.given.back() - decodes.given[0]) % 19, 0u);
  return {(encodes.given.back() - encodes.given[flits.size() - 1]) / 19,
          (decodes.given.back() - decodes.given[0]) / 19};
}

TEST(DpcTiming, LinesBackToBackTakeTheLargerOfStepsAndFlits) {
  using Both = std::pair<unsigned, unsigned>;
  EXPECT_EQ(cycles_per_line(0), (Both{4, 4}));           // 1 flit
  EXPECT_EQ(cycles_per_line(0x000000ff), (Both{4, 4}));  // 2, the last step over their border
  EXPECT_EQ(cycles_per_line(0x00000fff), (Both{4, 4}));  // 2
  EXPECT_EQ(cycles_per_line(0x0000ffff), (Both{4, 4}));  // 3
  EXPECT_EQ(cycles_per_line(0x00ffffff), (Both{4, 4}));  // 4: a flit in each of the last three steps and one behind
  EXPECT_EQ(cycles_per_line(0xffffffff), (Both{5, 5}));  // 5: raw
}

// What the registers that would be needed for it are not worth: lines whose first eight planes fill a flit.
TEST(DpcTiming, ADenseStartOfACompressedLineTakesACycleMore) {
  using Both = std::pair<unsigned, unsigned>;
  EXPECT_EQ(cycles_per_line(0xff00ffff), (Both{5, 5}));  // 4 flits, the last behind the steps
  EXPECT_EQ(cycles_per_line(0xff000000), (Both{4, 5}));  // 2 flits, the last in the last step
  EXPECT_EQ(cycles_per_line(0x3f00ffff), (Both{4, 4}));  // two planes less
}

TEST_P(DpcPoints, WithoutASinkTheEncoderFillsAndNothingIsLost) {
  const DpcParams params = GetParam();
  auto encoder = make_dpc_encoder(params, Backend::shadow);
  encoder->reset();
  Random random(7);
  std::vector<EncodeReq> lines;
  std::vector<Flit> expected, got;
  for (unsigned i = 0; i < 6; ++i) {
    lines.push_back({line_of_planes(params, ~0u, 0, random), 0xf});
    for (const Flit& flit : flits_of(params, golden::packed(golden::encode(params, lines[i])), 0xf))
      expected.push_back(flit);
  }
  std::size_t next = 0;
  for (unsigned cycle = 0; got.size() < expected.size(); ++cycle) {
    ASSERT_LT(cycle, 500u);
    if (next < lines.size() && encoder->push(lines[next])) ++next;
    if (cycle == 99) {
      EXPECT_LT(next, lines.size());
      ASSERT_NE(encoder->front(), nullptr);
      EXPECT_EQ(*encoder->front(), expected[0]);
    }
    if (cycle >= 100 && encoder->front()) {
      got.push_back(*encoder->front());
      encoder->pop();
    }
    encoder->tick();
  }
  EXPECT_EQ(got, expected);
}

TEST_P(DpcPoints, ALineThatWaitsHoldsTheNextStream) {
  const DpcParams params = GetParam();
  auto decoder = make_dpc_decoder(params, Backend::shadow);
  decoder->reset();
  Random random(8);
  std::vector<StreamFlit> flits;
  std::vector<DecodedLine> expected, got;
  for (unsigned i = 0; i < 6; ++i) {
    const EncodeReq req{line_of_planes(params, i % 2 ? ~0u : 1u, 0, random), 0xf};
    expected.push_back({req.words, 0xf});
    for (const Flit& flit : to_flits(params, encode(params, req), 0xf)) flits.push_back(to_decoder(flit));
  }
  std::size_t next = 0;
  for (unsigned cycle = 0; got.size() < expected.size(); ++cycle) {
    ASSERT_LT(cycle, 500u);
    if (next < flits.size() && decoder->push(flits[next])) ++next;
    if (cycle == 99) {
      EXPECT_LT(next, flits.size());
      ASSERT_NE(decoder->front(), nullptr);
      EXPECT_EQ(*decoder->front(), expected[0]);
    }
    if (cycle >= 100 && decoder->front()) {
      got.push_back(*decoder->front());
      decoder->pop();
    }
    decoder->tick();
  }
  EXPECT_EQ(got, expected);
  EXPECT_FALSE(decoder->bad_packet());
}

TEST_P(DpcPoints, ResetForgetsWhatIsInside) {
  const DpcParams params = GetParam();
  auto encoder = make_dpc_encoder(params, Backend::shadow);
  auto decoder = make_dpc_decoder(params, Backend::shadow);
  Random random(9);
  const EncodeReq other{line_of_planes(params, ~0u, 0, random), 0xf}, req{line_of_planes(params, 1, 0, random), 0xf};
  const Encoded stream = encode(params, req);
  const auto flits = to_flits(params, encode(params, other), 0xf);
  for (unsigned cycles = 1; cycles < 9; ++cycles) {
    encoder->reset();
    decoder->reset();
    std::size_t next = 0;
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      encoder->push(other);
      if (decoder->push(to_decoder(flits[next]))) next = (next + 1) % flits.size();
      encoder->tick();
      decoder->tick();
    }
    EXPECT_EQ(one(*encoder, req), stream);
    EXPECT_EQ(one(*decoder, params, stream, 0xf), req.words);
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
      ASSERT_EQ(one(*decoder, kPaper, rsp, mask), golden::decode(kPaper, golden::encode(kPaper, req), mask));
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
      ASSERT_EQ(one(*decoder, kPaper, rsp, req.mask), golden::decode(kPaper, golden::encode(kPaper, req), req.mask));
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
    std::vector<Flit> expected;
    for (const EncodeReq& req : requests) {
      const Encoded stream = golden::packed(golden::encode(params, req));
      const std::vector<Flit> flits = flits_of(params, stream, req.mask);
      expected.insert(expected.end(), flits.begin(), flits.end());
      ++(stream.compressed() ? compressed : raw);
      if (stream.compressed()) compressed_counts.insert(static_cast<unsigned>(std::popcount(seen(params, req.mask))));
    }
    const auto packed = tb::drive_stream(*encoder, requests, expected.size(), gen_pressure());
    RC_ASSERT(packed == expected);
    std::vector<StreamFlit> back;
    for (const Flit& flit : packed) back.push_back(to_decoder(flit));
    const auto lines = tb::drive_stream(*decoder, back, requests.size(), gen_pressure());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      RC_ASSERT(lines[i].mask == seen(params, requests[i].mask));
      for (unsigned w = 0; w < kMaxWords; ++w) {
        const bool critical = w < params.words() && (seen(params, requests[i].mask) >> (w / params.sub_words) & 1);
        RC_ASSERT(lines[i].words[w] == (critical ? requests[i].words[w] : 0u));
      }
    }
  });
  // The generator must reach both forms and every number of sub-blocks that can pay.
  EXPECT_GT(raw, 100u);
  EXPECT_GT(compressed, 100u);
  EXPECT_EQ(compressed_counts.size(), !params.truncate ? 1u : params == kMin || params == kOne ? 3u : 4u);
}

/// Any bits, in as many flits as their stream takes; behind its end they are random too.
std::vector<StreamFlit> any_packet(const DpcParams& params, Random& random, DecodedLine& line) {
  Encoded stream;
  const unsigned density = 1 + random() % 8;
  for (unsigned i = 0; i < params.max_bits() + params.planes; ++i) {
    // sparse, dense, and ES fields of either kind
    const bool bit = i == 0 ? random() % 4 != 0 : random() % 9 < density;
    if (bit) stream.bits[i / 8] = static_cast<std::uint8_t>(stream.bits[i / 8] | 1u << (i % 8));
  }
  const unsigned mask = random() % 16;
  const golden::BitVector bits = golden::unpacked(params, stream.bits);
  line = {golden::decode(params, bits, mask), seen(params, mask)};
  const unsigned length = golden::length(params, bits, mask);
  stream.length = (length + params.flit_bits - 1) / params.flit_bits * params.flit_bits;
  std::vector<StreamFlit> flits;
  for (const Flit& flit : flits_of(params, stream, mask)) flits.push_back(to_decoder(flit));
  for (std::size_t i = 1; i < flits.size(); ++i) flits[i].mask = random() % 16;  // that of the first counts
  return flits;
}

TEST_P(DpcPoints, AnyBitsDecodeAsTheGoldenDecoderSays) {
  const DpcParams params = GetParam();
  auto decoder = make_dpc_decoder(params, Backend::shadow);
  tb::check_property("dpc any bits " + std::to_string(params.planes), 200, [&] {
    Random random(*rc::gen::inRange(1u, 1u << 30));
    std::vector<StreamFlit> flits;
    std::vector<DecodedLine> lines(12);
    for (DecodedLine& line : lines) {
      const auto packet = any_packet(params, random, line);
      flits.insert(flits.end(), packet.begin(), packet.end());
    }
    decoder->reset();
    RC_ASSERT(tb::drive_stream(*decoder, flits, lines.size(), gen_pressure()) == lines);
  });
}

// Packets that are too short, too long or marked as broken give no line and are reported; the others are whole.
TEST_P(DpcPoints, BrokenPacketsAreDroppedAndReported) {
  const DpcParams params = GetParam();
  auto decoder = make_dpc_decoder(params, Backend::shadow);
  unsigned kinds[3] = {};
  tb::check_property("dpc broken packets " + std::to_string(params.planes), 200, [&] {
    Random random(*rc::gen::inRange(1u, 1u << 30));
    std::vector<StreamFlit> flits;
    std::vector<DecodedLine> lines, got;
    unsigned bad = 0, reported = 0;
    for (unsigned i = 0; i < 16; ++i) {
      DecodedLine line;
      auto packet = any_packet(params, random, line);
      unsigned kind = random() % 6;
      if (kind == 0 && packet.size() == 1) kind = 3;
      if (kind == 0) {
        packet.resize(1 + random() % (packet.size() - 1));
        packet.back().last = true;
      } else if (kind == 1) {
        packet.back().last = false;
        packet.resize(packet.size() + 1 + random() % 3, packet.front());
        packet.back().last = true;
      } else if (kind == 2) {
        packet[random() % packet.size()].error = true;
      } else {
        lines.push_back(line);
      }
      if (kind < 3) {
        ++bad;
        ++kinds[kind];
      }
      flits.insert(flits.end(), packet.begin(), packet.end());
    }
    decoder->reset();
    std::size_t next = 0;
    bool offering = false;
    const unsigned offer = *rc::gen::inRange(10u, 101u), accept = *rc::gen::inRange(10u, 101u);
    for (unsigned cycle = 0; cycle < 20000 && (next < flits.size() || got.size() < lines.size() || reported < bad);
         ++cycle) {
      offering = offering || random() % 100 < offer;
      if (offering && next < flits.size() && decoder->push(flits[next])) {
        ++next;
        offering = false;
      }
      if (decoder->front() && random() % 100 < accept) {
        got.push_back(*decoder->front());
        decoder->pop();
      }
      decoder->tick();
      reported += decoder->bad_packet();
    }
    RC_ASSERT(got == lines);
    RC_ASSERT(reported == bad);
  });
  for (const unsigned kind : kinds) EXPECT_GT(kind, 0u);
}

TEST_P(DpcPoints, MillionLinesInShadow) {
  if (!std::getenv("WARPSIEVE_LONG")) {
    GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 1,000,000 lines over the points";
  }
  const DpcParams params = GetParam();
  const unsigned lines = 100'000;  // through both blocks, at five points
  auto encoder = make_dpc_encoder(params, Backend::shadow);
  auto decoder = make_dpc_decoder(params, Backend::shadow);
  Random random(29);
  for (unsigned done = 0; done < lines; done += 1000) {
    std::vector<EncodeReq> requests;
    for (unsigned i = 0; i < 1000; ++i) requests.push_back(random_request(params, random));
    const tb::Pressure pressure{50 + random() % 51, 50 + random() % 51, random()};
    std::size_t flits = 0;
    for (const EncodeReq& req : requests)
      flits += (encode(params, req).length + params.flit_bits - 1) / params.flit_bits;
    const auto packed = tb::drive_stream(*encoder, requests, flits, pressure);
    std::vector<StreamFlit> back;
    for (const Flit& flit : packed) back.push_back(to_decoder(flit));
    const auto answers = tb::drive_stream(*decoder, back, requests.size(), pressure);
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
