// siphash_line_hashers: tags against OpenSSL, exact cycles, lines at every distance, random lock step.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "../md5/line_hasher_bench.h"
#include "blocks/siphash/line_hashers.h"
#include "long_lines.h"
#include "siphash_reference.h"

namespace warpsieve::siphash {
namespace {

using Line = std::array<std::uint8_t, kLineBytes>;

struct Point {
  unsigned units, half_rounds;
};

LineHashReq random_line(std::mt19937_64& random, unsigned mask) {
  LineHashReq req;
  for (auto& byte : req.data) byte = static_cast<std::uint8_t>(random());
  req.mask = static_cast<std::uint8_t>(mask);
  return req;
}

class SiphashLineHashersPoints : public ::testing::TestWithParam<Point> {
 protected:
  std::unique_ptr<LineHasher> make(const Key& key = reference::counting_key()) const {
    return make_line_hashers({GetParam().units, {GetParam().half_rounds, key}}, Backend::shadow);
  }
  md5::HasherAndReference with_reference(const Key& key) const {
    return {make(key), [key](const LineHashReq& req) { return reference::line_tag(key, req.mask, req.data); }};
  }
  static LineHashRsp answer(const LineHashReq& req) {
    return {reference::line_tag(reference::counting_key(), req.mask, req.data)};
  }
  unsigned latency(unsigned mask) const {
    const auto sectors = static_cast<unsigned>(std::popcount(mask));
    return GetParam().half_rounds == 2 ? 11 + 8 * sectors : 21 + 16 * sectors;
  }
};
INSTANTIATE_TEST_SUITE_P(Points, SiphashLineHashersPoints, ::testing::Values(Point{8, 2}, Point{3, 1}),
                         [](const auto& info) {
                           return "Units" + std::to_string(info.param.units) + "H" +
                                  std::to_string(info.param.half_rounds);
                         });

TEST_P(SiphashLineHashersPoints, EachMaskTakesTheCyclesOfOneHasher) {
  auto hashers = make();
  std::mt19937_64 random(1);
  for (unsigned turn = 0; turn < 3; ++turn) {
    for (unsigned mask = 0; mask < 16; ++mask) {
      const LineHashReq req = random_line(random, mask);
      ASSERT_TRUE(hashers->push(req));
      unsigned cycles = 0;
      for (; !hashers->front() && cycles < 200; ++cycles) {
        hashers->tick();
        EXPECT_FALSE(hashers->idle());
      }
      EXPECT_EQ(cycles, latency(mask)) << mask;
      ASSERT_NE(hashers->front(), nullptr);
      EXPECT_EQ(*hashers->front(), answer(req)) << mask;
      hashers->pop();
      hashers->tick();
      EXPECT_TRUE(hashers->idle());
    }
  }
}

/// Units lines are taken in as many cycles, and again when their tags are taken.
TEST_P(SiphashLineHashersPoints, WholeLinesComeAtUnitsPerLatencyAndOneCycle) {
  auto hashers = make();
  std::mt19937_64 random(2);
  const unsigned units = GetParam().units, rounds = 5;
  std::vector<LineHashRsp> expected;
  std::vector<unsigned> taken, answered;
  for (unsigned cycle = 0; answered.size() < units * rounds; ++cycle) {
    ASSERT_LT(cycle, 1000u);
    if (hashers->ready() && taken.size() < units * rounds) {
      const LineHashReq req = random_line(random, 0xf);
      expected.push_back(answer(req));
      ASSERT_TRUE(hashers->push(req));
      taken.push_back(cycle);
    }
    if (hashers->front()) {
      EXPECT_EQ(*hashers->front(), expected[answered.size()]);
      answered.push_back(cycle);
      hashers->pop();
    }
    hashers->tick();
  }
  for (unsigned k = 0; k < units * rounds; ++k) {
    EXPECT_EQ(taken[k], k / units * (latency(0xf) + 1) + k % units) << k;
    EXPECT_EQ(answered[k], taken[k] + latency(0xf)) << k;
  }
}

/// Two lines at every distance and under all pairs of masks: no word of one is read for the other.
TEST_P(SiphashLineHashersPoints, LinesAtEveryDistanceKeepTheirWords) {
  auto hashers = make();
  std::mt19937_64 random(3);
  for (unsigned distance = 1; distance < latency(0xf) + 3; ++distance) {
    for (unsigned masks = distance % 5; masks < 256; masks += 5) {
      const LineHashReq lines[] = {random_line(random, masks % 16), random_line(random, masks / 16)};
      std::vector<LineHashRsp> answers;
      for (unsigned cycle = 0; answers.size() < 2; ++cycle) {
        ASSERT_LT(cycle, 1000u);
        if (cycle == 0 || cycle == distance) {
          EXPECT_TRUE(hashers->push(lines[cycle != 0]));
        }
        if (hashers->front()) {
          answers.push_back(*hashers->front());
          hashers->pop();
        }
        hashers->tick();
      }
      EXPECT_EQ(answers, (std::vector{answer(lines[0]), answer(lines[1])})) << distance << ' ' << masks;
    }
  }
}

TEST_P(SiphashLineHashersPoints, EveryBitOfTheMaskedSectorsCountsAndNoOther) {
  auto hashers = make();
  const auto tag = [&](const LineHashReq& req) {
    EXPECT_TRUE(hashers->push(req));
    for (unsigned k = 0; k < 200 && !hashers->front(); ++k) hashers->tick();
    const LineHashRsp rsp = *hashers->front();
    hashers->pop();
    hashers->tick();
    return rsp;
  };
  std::mt19937_64 random(4);
  for (const unsigned mask : {0x1u, 0x6u, 0x8u, 0xau, 0xfu}) {
    const LineHashReq plain = random_line(random, mask);
    const LineHashRsp known = tag(plain);
    for (unsigned bit = 0; bit < 8 * kLineBytes; bit += 1 + bit % 3) {
      LineHashReq other = plain;
      other.data[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
      EXPECT_EQ(tag(other) == known, !(mask >> (bit / 256) & 1)) << mask << ' ' << bit;
    }
  }
}

TEST_P(SiphashLineHashersPoints, TagsWaitForThoseOfOlderLinesAndUntilTheyAreTaken) {
  auto hashers = make();
  std::mt19937_64 random(5);
  const LineHashReq slow = random_line(random, 0xf), quick = random_line(random, 0x0);
  ASSERT_TRUE(hashers->push(slow));
  hashers->tick();
  ASSERT_TRUE(hashers->push(quick));
  for (unsigned cycle = 1; cycle < latency(0xf); ++cycle) {
    hashers->tick();
    EXPECT_EQ(hashers->front() != nullptr, cycle + 1 == latency(0xf)) << cycle;
  }
  for (unsigned k = 0; k < 10; ++k) {
    ASSERT_NE(hashers->front(), nullptr);
    EXPECT_EQ(*hashers->front(), answer(slow));
    hashers->tick();
  }
  hashers->pop();
  hashers->tick();
  ASSERT_NE(hashers->front(), nullptr);
  EXPECT_EQ(*hashers->front(), answer(quick));
}

TEST_P(SiphashLineHashersPoints, NoMoreLinesThanUnitsAreTaken) {
  auto hashers = make();
  std::mt19937_64 random(6);
  for (unsigned k = 0; k < GetParam().units; ++k) {
    EXPECT_TRUE(hashers->push(random_line(random, 0x3))) << k;
    hashers->tick();
  }
  for (unsigned k = 0; k < 150; ++k) {
    EXPECT_FALSE(hashers->push(random_line(random, 0xc))) << k;
    hashers->tick();
  }
}

TEST_P(SiphashLineHashersPoints, BusyFromALineToTheLastTag) {
  const auto hashers = make_line_hashers({GetParam().units, {GetParam().half_rounds, {}}}, Backend::rtl);
  std::mt19937_64 random(8);
  unsigned tags = 0;
  for (unsigned cycle = 0; tags < 2; ++cycle) {
    ASSERT_LT(cycle, 1000u);
    EXPECT_EQ(hashers->idle(), cycle == 0) << cycle;
    if (cycle < 2) {
      EXPECT_TRUE(hashers->push(random_line(random, 0xf >> (2 * cycle))));
    }
    if (hashers->front()) {
      hashers->pop();
      ++tags;
    }
    hashers->tick();
  }
  EXPECT_TRUE(hashers->idle());
}

TEST_P(SiphashLineHashersPoints, ResetInTheMiddleLeavesNoTrace) {
  auto hashers = make();
  std::mt19937_64 random(7);
  for (unsigned cycles = 0; cycles < 60; ++cycles) {
    for (unsigned k = 0; k < cycles; ++k) {
      hashers->push(random_line(random, 0xf));
      hashers->tick();
    }
    hashers->reset();
    EXPECT_TRUE(hashers->idle());
    std::vector<LineHashReq> lines;
    std::vector<LineHashRsp> expected;
    for (unsigned k = 0; k <= GetParam().units; ++k) {
      lines.push_back(random_line(random, k % 16));
      expected.push_back(answer(lines.back()));
    }
    EXPECT_EQ(tb::drive_stream(*hashers, lines, lines.size(), {}), expected) << cycles;
  }
}

TEST_P(SiphashLineHashersPoints, RandomLinesAndMasksInLockStepUnderBackPressure) {
  tb::check_property("siphash_line_hashers lines", 100, [&] {
    const auto pair = with_reference(*rc::gen::arbitrary<Key>());
    std::vector<LineHashReq> lines(*rc::gen::inRange(1u, 40u));
    std::vector<LineHashRsp> expected;
    for (auto& line : lines) {
      line.data = *rc::gen::arbitrary<Line>();
      line.mask = static_cast<std::uint8_t>(*rc::gen::inRange(0, 16));
      expected.push_back({pair.digest(line)});
    }
    const tb::Pressure pressure{*rc::gen::inRange(5u, 101u), *rc::gen::inRange(5u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    RC_ASSERT(tb::drive_stream(*pair.hasher, lines, lines.size(), pressure) == expected);
  });
}

TEST_P(SiphashLineHashersPoints, HalfAMillionRandomLinesAgainstOpenssl) {
  half_a_million_lines(2013, [&](const Key& key) { return with_reference(key); });
}

TEST(SiphashLineHashers, OtherParametersAreRefused) {
  EXPECT_THROW(make_line_hashers({0, {}}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_line_hashers({8, {3, {}}}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_line_hashers({7, {}}, Backend::rtl), std::invalid_argument);  // no such point is compiled
}

}  // namespace
}  // namespace warpsieve::siphash
