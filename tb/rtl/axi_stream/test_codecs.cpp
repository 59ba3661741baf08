// The codecs and hashers behind AXI4-Stream: what leaves is what the codec gives, in order, at every point.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <functional>

#include "blocks/axi_stream/axi_stream_backends.h"
#include "blocks/dpc/dpc_backends.h"
#include "packets.h"
#include "support/lockstep.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::axi_stream {
namespace {

using packets::packet;
using packets::random_bytes;
using Random = std::mt19937;
using Bytes = std::vector<std::uint8_t>;

/// A packet in, and the packet that must come out.
struct Exchange {
  std::vector<Beat> in, out;
};

struct Codec {
  const char* name;
  std::function<std::unique_ptr<AxisCodec>(Backend)> make;
  std::function<Exchange(Random&, bool plain)> exchange;  ///< plain: of zeros, which takes the shortest time
  LineShape in;                                           ///< for packets that are none
  bool exact;
  unsigned latency, cycles;  ///< of plain packets: from the last beat, and from one to the next
  /// Makes a packet illegal where `in` does not say what is legal.
  std::function<void(std::vector<Beat>&, Random&)> spoil = nullptr;
};

std::vector<Beat> sent(unsigned data_bytes, const Bytes& bytes, std::uint32_t user, unsigned bits) {
  return to_beats({data_bytes, bits, 4}, {{bytes, user}, bits});
}

/// Lines that compress and lines that do not.
Bytes some_line(unsigned bytes, Random& random, bool plain) {
  Bytes line = random_bytes(bytes, random);
  const unsigned kind = plain ? 0 : random() % 3;
  for (unsigned i = 0; i < bytes; ++i) {
    if (kind == 0) line[i] = 0;
    if (kind == 1) line[i] = static_cast<std::uint8_t>(i % 4 ? 0 : line[i] & 3);
  }
  return line;
}

template <std::size_t size>
std::array<std::uint8_t, size> to_array(const Bytes& bytes) {
  std::array<std::uint8_t, size> made{};
  std::copy(bytes.begin(), bytes.end(), made.begin());
  return made;
}

constexpr siphash::Key kKey{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

/// One fault only: a byte that is missing, a beat less or a beat more.
void spoil_line(std::vector<Beat>& beats, Random& random) {
  Beat more = beats.front();
  more.keep = (std::uint64_t{1} << more.data.size()) - 1;
  more.last = false;
  Beat& one = beats[random() % beats.size()];
  const auto missing = static_cast<unsigned>(random() % static_cast<unsigned>(std::popcount(one.keep)));
  switch (random() % 3) {
    case 0: one.keep &= ~(std::uint64_t{1} << missing); break;  // kept bytes begin at byte 0
    case 1:
      if (beats.size() > 1) {
        beats.pop_back();
        beats.back().last = true;
        break;
      }
      [[fallthrough]];
    default: beats.insert(beats.begin(), more);
  }
}

Codec hasher(const char* name, const AxisHasherParams& params, unsigned latency, unsigned cycles) {
  return {name,
          [params](Backend backend) { return make_axis_line_hasher(params, backend); },
          [params](Random& random, bool plain) {
            const Bytes line = random_bytes(md5::kLineBytes, random);
            const auto mask = static_cast<std::uint8_t>(plain ? 0 : random() % 16);
            const auto bytes = to_array<md5::kLineBytes>(line);
            const auto digest =
                params.keyed ? siphash::line_tag(params.key, mask, bytes) : md5::line_digest(mask, bytes);
            auto in = packet(params.data_bytes, line, mask, random);
            packets::limit_user(in, 4);
            return Exchange{in, sent(params.data_bytes, {digest.begin(), digest.end()}, 0, 128)};
          },
          {params.data_bytes, 1024, 4},
          true,
          latency,
          cycles,
          spoil_line};
}

/// A random line of the point, and the stream that it has.
struct DpcCase {
  Bytes line;
  dpc::EncodeReq request;
  dpc::Encoded encoded;
  DpcCase(const dpc::DpcParams& params, Random& random, bool plain = false) {
    const unsigned bits = params.max_bits() - 1;
    line = some_line((bits + 7) / 8, random, plain);
    if (bits % 8) line.back() &= static_cast<std::uint8_t>((1u << bits % 8) - 1);
    request = {dpc::unpack(params, to_array<128>(line)), plain ? 15u : static_cast<unsigned>(random() % 16)};
    if (!plain) compress(params, random);
    encoded = dpc::encode(params, request);
  }
  /// None, some or all planes get one value in all words, so that streams of every length come.
  void compress(const dpc::DpcParams& params, Random& random) {
    const unsigned share = random() % 5;
    for (unsigned plane = 0; plane < params.planes; ++plane) {
      if (random() % 4 >= share) continue;
      const std::uint32_t bit = 1u << plane, value = random() % 2 ? bit : 0;
      for (unsigned w = 0; w < 4 * params.sub_words; ++w) request.words[w] = (request.words[w] & ~bit) | value;
    }
    const auto packed = dpc::pack(params, request.words);
    line.assign(packed.begin(), packed.begin() + static_cast<long>(line.size()));
  }
  Bytes stream() const { return {encoded.bits.begin(), encoded.bits.begin() + (encoded.length + 7) / 8}; }
};

/// A beat less or more than the stream has, or one that is not continuous.
void spoil_stream(std::vector<Beat>& beats, Random& random) {
  const std::uint64_t whole = (std::uint64_t{1} << beats[0].data.size()) - 1;
  Beat more = beats.front();
  more.keep = whole;
  more.last = false;
  switch (random() % 5) {
    case 0:
      if (beats.size() > 1) {
        beats.pop_back();
        beats.back().last = true;
        break;
      }
      [[fallthrough]];
    case 1: beats.insert(beats.begin() + static_cast<long>(random() % beats.size()), more); break;
    case 2:
      beats.insert(beats.begin(), more);
      beats.front().keep = whole >> 1;
      break;
    case 3:
      if (beats.size() > 1) {
        beats[random() % (beats.size() - 1)].keep = whole >> 1;
        break;
      }
      [[fallthrough]];
    default: (random() % 2 ? beats.back() : beats[random() % beats.size()]).keep = whole - 1;
  }
}

Codec dpc_codec(const char* name, const AxisDpcParams& params, bool encodes, unsigned latency, unsigned cycles) {
  const unsigned bits = params.codec.max_bits() - 1;
  const auto exchange = [=](Random& random, bool plain) {
    const DpcCase one(params.codec, random, plain);
    const std::uint32_t mask = one.request.mask;
    Exchange made;
    if (encodes) {
      made.in = packet(params.data_bytes, one.line, mask, random);
      made.out = sent(params.data_bytes, one.stream(), mask, one.encoded.length);
    } else {
      const auto back = dpc::decode(params.codec, {one.encoded.bits, one.request.mask});
      const auto line = dpc::pack(params.codec, back.words);
      made.in = packet(params.data_bytes, one.stream(), mask, random);
      made.out = sent(params.data_bytes, {line.begin(), line.begin() + (bits + 7) / 8}, mask, bits);
    }
    packets::limit_user(made.in, 4);
    return made;
  };
  const auto make = [=](Backend backend) {
    return encodes ? make_axis_dpc_encoder(params, backend) : make_axis_dpc_decoder(params, backend);
  };
  Codec codec{name, make, exchange, {params.data_bytes, bits + !encodes, 4}, encodes, latency, cycles};
  codec.spoil = encodes ? spoil_line : spoil_stream;
  return codec;
}

/// The low 0 to 32 bits of each word are random, the others a sequence, so that streams of every length come.
Bytes noisy_sequence(unsigned words, Random& random) {
  const auto base = static_cast<std::uint32_t>(random()), step = static_cast<std::uint32_t>(random() % 9);
  const std::uint32_t noise = static_cast<std::uint32_t>((std::uint64_t{1} << random() % 33) - 1);
  Bytes line;
  for (unsigned w = 0; w < words; ++w) {
    const std::uint32_t word = base + step * w + (static_cast<std::uint32_t>(random()) & noise);
    for (unsigned byte = 0; byte < 4; ++byte) line.push_back(static_cast<std::uint8_t>(word >> 8 * byte));
  }
  return line;
}

Codec bpc_codec(const char* name, const AxisBpcParams& params, bool encodes, unsigned latency, unsigned cycles) {
  const unsigned bits = params.codec.raw_bits();
  const auto exchange = [=](Random& random, bool plain) {
    const bool graded = !plain && random() % 2;
    const Bytes line = graded ? noisy_sequence(bits / 32, random) : some_line(bits / 8, random, plain);
    const bpc::Encoded encoded = bpc::encode(params.codec, {to_words(to_array<128>(line))});
    const Bytes stream{encoded.bits.begin(), encoded.bits.begin() + (encoded.length + 7) / 8};
    Exchange made{
        packet(params.data_bytes, encodes ? line : stream, 0, random),
        encodes ? sent(params.data_bytes, stream, 0, encoded.length) : sent(params.data_bytes, line, 0, bits)};
    packets::limit_user(made.in, 0);
    return made;
  };
  const auto make = [=](Backend backend) {
    return encodes ? make_axis_bpc_encoder(params, backend) : make_axis_bpc_decoder(params, backend);
  };
  Codec codec{name, make, exchange, {params.data_bytes, bits + !encodes, 1}, encodes, latency, cycles};
  if (encodes) codec.spoil = spoil_line;
  return codec;
}

class AxisCodecs : public ::testing::TestWithParam<Codec> {
 protected:
  std::unique_ptr<AxisCodec> make() const {
    auto block = GetParam().make(Backend::shadow);
    block->reset();
    return block;
  }
};
INSTANTIATE_TEST_SUITE_P(Points, AxisCodecs,
                         ::testing::Values(hasher("md5", {32, false, 1, 2, {}}, 69, 67),
                                           hasher("siphash", {16, true, 1, 2, kKey}, 14, 12),
                                           dpc_codec("dpc_encoder_odd", {3, {3, 9}}, true, 8, 5),
                                           dpc_codec("dpc_encoder_paper", {32, {8, 32}}, true, 7, 4),
                                           dpc_codec("dpc_decoder_odd", {3, {3, 9}}, false, 7, 5),
                                           dpc_codec("dpc_decoder_paper", {32, {8, 32}}, false, 6, 4),
                                           bpc_codec("bpc_encoder_odd", {5, {7}}, true, 39, 40),
                                           bpc_codec("bpc_encoder_paper", {32, {32}}, true, 39, 38),
                                           bpc_codec("bpc_decoder_odd", {5, {7}}, false, 44, 42),
                                           bpc_codec("bpc_decoder_paper", {32, {32}}, false, 69, 67)),
                         [](const auto& info) { return info.param.name; });

/// Packets in turn, some of them none; what leaves.
Exchange traffic(const Codec& codec, unsigned count, Random& random) {
  Exchange all;
  while (count-- > 0) {
    if (random() % 3 == 0 && codec.spoil) {
      auto none = codec.exchange(random, false).in;
      codec.spoil(none, random);
      all.in.insert(all.in.end(), none.begin(), none.end());
    } else if ((codec.exact || !codec.spoil) && random() % 8 == 0) {
      auto none = packets::any_packet(codec.in, codec.exact, random);
      if (packets::lines_of(codec.in, codec.exact, none).empty()) {
        if (codec.in.user_bits == 1) packets::limit_user(none, 0);
        all.in.insert(all.in.end(), none.begin(), none.end());
      }
    }
    const Exchange one = codec.exchange(random, false);
    all.in.insert(all.in.end(), one.in.begin(), one.in.end());
    all.out.insert(all.out.end(), one.out.begin(), one.out.end());
  }
  return all;
}

TEST_P(AxisCodecs, RandomPacketsUnderBackPressure) {
  tb::check_property("axi_stream codecs", 60, [&] {
    Random random(*rc::gen::arbitrary<std::uint32_t>());
    const Exchange all = traffic(GetParam(), *rc::gen::inRange(1u, 8u), random);
    const tb::Pressure pressure{*rc::gen::inRange(10u, 101u), *rc::gen::inRange(10u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    auto block = make();
    RC_ASSERT(tb::drive_stream(*block, all.in, all.out.size(), pressure) == all.out);
  });
}

/// The sink takes nothing until every place is full and a digest or line waits behind it.
TEST_P(AxisCodecs, ALongStallLosesNothing) {
  Random random(7);
  const Exchange all = traffic(GetParam(), 16, random);
  auto block = make();
  std::size_t next = 0;
  for (unsigned idle = 0; idle < 300; ++idle) {
    if (next < all.in.size() && block->push(all.in[next])) {
      ++next;
      idle = 0;
    }
    block->tick();
  }
  ASSERT_LT(next, all.in.size());
  const std::vector<Beat> rest(all.in.begin() + static_cast<long>(next), all.in.end());
  EXPECT_EQ(tb::drive_stream(*block, rest, all.out.size(), {}), all.out);
}

TEST_P(AxisCodecs, ResetInMidStreamForgetsEverything) {
  Random random(3);
  auto block = make();
  const Exchange before = traffic(GetParam(), 6, random), after = traffic(GetParam(), 3, random);
  std::size_t next = 0;
  for (unsigned cycle = 0; cycle < 100; ++cycle) {
    if (next < before.in.size() && block->push(before.in[next])) ++next;
    block->tick();
  }
  block->reset();
  EXPECT_EQ(block->front(), nullptr);
  EXPECT_EQ(tb::drive_stream(*block, after.in, after.out.size(), {}), after.out);
}

TEST_P(AxisCodecs, LatencyAndRateOfPlainPackets) {
  Random random(5);
  const std::vector<Beat> in = GetParam().exchange(random, true).in;
  auto block = make();
  std::vector<unsigned> taken, starts, ends;  // cycles of the packets' last beats, and of what leaves
  std::size_t next = 0;
  bool begins = true;
  for (unsigned cycle = 0; ends.size() < 12; ++cycle) {
    ASSERT_LT(cycle, 3000u);
    if (const Beat* beat = block->front()) {
      if (begins) starts.push_back(cycle);
      if ((begins = beat->last)) ends.push_back(cycle);
      block->pop();
    }
    if (block->push(in[next])) {
      if (in[next].last) taken.push_back(cycle);
      next = (next + 1) % in.size();
    }
    block->tick();
  }
  EXPECT_EQ(starts[0] - taken[0], GetParam().latency);
  for (std::size_t i = 6; i < 12; ++i) EXPECT_EQ(ends[i] - ends[i - 1], GetParam().cycles) << i;
}

TEST_P(AxisCodecs, TenThousandRandomPackets) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 10,000 packets per point";
  Random random(11);
  auto block = make();
  for (unsigned burst = 0; burst < 100; ++burst) {
    const Exchange all = traffic(GetParam(), 100, random);
    const tb::Pressure pressure{static_cast<unsigned>(10 + random() % 91), static_cast<unsigned>(10 + random() % 91),
                                burst + 1};
    ASSERT_EQ(tb::drive_stream(*block, all.in, all.out.size(), pressure), all.out) << burst;
  }
  tb::report_transactions(100 * 100);
}

/// Encoder and decoder joined by nothing but the stream: the critical sub-blocks of every line come back, with the
/// mask.
TEST(AxisDpc, TheEncodersPacketsGoStraightIntoTheDecoder) {
  const AxisDpcParams params{3, {3, 9}};
  auto encoder = make_axis_dpc_encoder(params, Backend::shadow),
       decoder = make_axis_dpc_decoder(params, Backend::shadow);
  encoder->reset();
  decoder->reset();
  Random random(1);
  std::vector<Beat> in, expected, got;
  for (unsigned i = 0; i < 50; ++i) {
    const DpcCase one(params.codec, random);
    auto beats = packet(3, one.line, one.request.mask, random);
    packets::limit_user(beats, 4);
    in.insert(in.end(), beats.begin(), beats.end());
    dpc::Words words = one.request.words;
    for (unsigned w = 0; w < 12; ++w)
      if (!(one.request.mask >> w / 3 & 1)) words[w] = 0;
    const auto line = dpc::pack(params.codec, words);
    const auto back = sent(3, {line.begin(), line.begin() + 14}, one.request.mask, 108);
    expected.insert(expected.end(), back.begin(), back.end());
  }
  std::size_t next = 0;
  for (unsigned cycle = 0; got.size() < expected.size(); ++cycle) {
    ASSERT_LT(cycle, 5000u);
    if (next < in.size() && random() % 4 && encoder->push(in[next])) ++next;
    if (encoder->front() && decoder->push(*encoder->front())) encoder->pop();
    if (decoder->front() && random() % 4) {
      got.push_back(*decoder->front());
      decoder->pop();
    }
    encoder->tick();
    decoder->tick();
    ASSERT_FALSE(encoder->bad_packet() || decoder->bad_packet());
  }
  EXPECT_EQ(got, expected);
}

TEST(AxisCodec, ParametersWithoutRtlAreRefused) {
  EXPECT_THROW(make_axis_line_hasher({32, false, 3}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_axis_line_hasher({0}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_axis_line_hasher({8}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_axis_dpc_encoder({32, {9, 32}}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_axis_dpc_encoder({8, {8, 32}}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_axis_dpc_decoder({65, {8, 32}}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_axis_bpc_encoder({32, {2}}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_axis_bpc_decoder({8, {32}}, Backend::shadow), std::invalid_argument);
  static constexpr dpc::Transform kNone{nullptr, nullptr};
  AxisDpcParams transformed;
  transformed.codec.transform = &kNone;
  EXPECT_THROW(make_axis_dpc_encoder(transformed, Backend::rtl), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::axi_stream
