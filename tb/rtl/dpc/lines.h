// Lines and streams for the tests of DPC, and the points that they run at.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "blocks/dpc/dpc.h"

namespace warpsieve::dpc {

inline constexpr DpcParams kMin{.sub_words = 2, .planes = 2, .planes_per_cycle = 1, .flit_bits = 8};
inline constexpr DpcParams kOdd{.sub_words = 3, .planes = 9, .planes_per_cycle = 2, .flit_bits = 29};
inline constexpr DpcParams kOne{.sub_words = 2, .planes = 3, .planes_per_cycle = 3, .flit_bits = 24};
inline constexpr DpcParams kPaper{}, kLine{.truncate = false};

/// A line through a freshly reset encoder, a stream through a freshly reset decoder.
inline Encoded one(DpcEncoder& encoder, const EncodeReq& req) {
  encoder.reset();
  return encode_with(encoder, req);
}
inline Words one(DpcDecoder& decoder, const DpcParams& params, const Encoded& stream, unsigned mask) {
  decoder.reset();
  return decode_with(decoder, params, stream, mask).words;
}

/// The mask that counts.
inline unsigned seen(const DpcParams& params, unsigned mask) { return params.truncate ? mask : 0xf; }

/// Values of 32 bits, so that arithmetic stays in unsigned.
struct Random {
  explicit Random(unsigned seed) : engine(seed) {}
  unsigned operator()() { return static_cast<unsigned>(engine()); }
  std::minstd_rand engine;
};

/// A line in which the planes of `random_planes` are random, the others all zeros or all ones.
inline Words line_of_planes(const DpcParams& params, std::uint32_t random_planes, std::uint32_t ones,
                            Random& random) {
  Words words{};
  for (unsigned i = 0; i < params.words(); ++i) {
    words[i] = ((random() << 16 ^ random()) & random_planes) | (ones & ~random_planes);
    words[i] &= params.word_mask();
  }
  return words;
}

/// What lines look like: planes compressible with any density, in runs or scattered, almost compressible (one
/// bit off, anywhere), plain random, constant.
inline EncodeReq random_request(const DpcParams& params, Random& random) {
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

/// The golden stream cut into flits.
inline std::vector<Flit> flits_of(const DpcParams& params, const Encoded& stream, unsigned mask) {
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

/// Tests at each point; instantiated in test_dpc.cpp.
class DpcPoints : public ::testing::TestWithParam<DpcParams> {};

}  // namespace warpsieve::dpc
