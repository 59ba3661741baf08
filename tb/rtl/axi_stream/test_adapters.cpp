// axis_to_line, axis_from_line: legal and illegal packets, latency and rate, order under back-pressure, at every
// point.
#include <gtest/gtest.h>

#include <cstdlib>

#include "blocks/axi_stream/axi_stream_backends.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"
#include "packets.h"
#include "support/lockstep.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::axi_stream {
namespace {

using packets::lines_of;
using packets::packet;
using packets::random_bytes;
using Random = std::mt19937;

struct ToLinePoint {
  const char* name;
  LineShape shape;
  bool exact;
};

class AxisToLinePoints : public ::testing::TestWithParam<ToLinePoint> {
 protected:
  const LineShape& shape() const { return GetParam().shape; }
  bool exact() const { return GetParam().exact; }
  std::unique_ptr<AxisToLine> make() const {
    auto block = make_axis_to_line(shape(), exact(), Backend::shadow);
    block->reset();
    return block;
  }
  std::vector<Beat> whole(std::uint32_t user) {
    auto beats = packet(shape().data_bytes, random_bytes(shape().line_bytes(), random), user, random);
    packets::limit_user(beats, shape().user_bits);
    return beats;
  }
  Line expected(const std::vector<Beat>& beats) const { return lines_of(shape(), exact(), beats).at(0); }
  /// Offers the beats without a pause and takes nothing; bad packets that were reported.
  unsigned send(AxisToLine& block, const std::vector<Beat>& beats) const {
    unsigned bad = 0;
    for (const Beat& beat : beats) {
      EXPECT_TRUE(block.push(beat));
      block.tick();
      bad += block.bad_packet();
    }
    return bad;
  }
  Random random{7};
};
INSTANTIATE_TEST_SUITE_P(Points, AxisToLinePoints,
                         ::testing::Values(ToLinePoint{"min", {1, 1, 1}, true}, ToLinePoint{"odd", {3, 77, 3}, false},
                                           ToLinePoint{"whole", {3, 77, 3}, true},
                                           ToLinePoint{"paper", {32, 1024, 4}, true}),
                         [](const auto& info) { return info.param.name; });

TEST_P(AxisToLinePoints, ALineIsOnOfferOneCycleAfterItsLastBeat) {
  auto block = make();
  const auto beats = whole(1);
  for (std::size_t i = 0; i < beats.size(); ++i) {
    EXPECT_EQ(block->front(), nullptr) << i;
    ASSERT_TRUE(block->push(beats[i]));
    block->tick();
  }
  ASSERT_NE(block->front(), nullptr);
  EXPECT_EQ(*block->front(), expected(beats));
  block->pop();
  block->tick();
  EXPECT_EQ(block->front(), nullptr);
}

TEST_P(AxisToLinePoints, TakesABeatInEveryCycleWhileLinesAreTakenAtOnce) {
  auto block = make();
  for (unsigned line = 0; line < 10; ++line) {
    for (const Beat& beat : whole(line)) {
      ASSERT_TRUE(block->push(beat)) << line;
      if (block->front()) block->pop();
      block->tick();
    }
    EXPECT_NE(block->front(), nullptr);
  }
}

TEST_P(AxisToLinePoints, AWaitingLineTakesOneMoreBeatAndKeepsItsBytes) {
  auto block = make();
  const auto first = whole(1), second = whole(0);
  EXPECT_EQ(send(*block, first), 0u);
  ASSERT_TRUE(block->push(second[0]));
  block->tick();
  for (unsigned cycle = 0; cycle < 5; ++cycle) {
    EXPECT_FALSE(block->push(second[second.size() > 1]));
    ASSERT_NE(block->front(), nullptr);
    EXPECT_EQ(*block->front(), expected(first));
    block->tick();
  }
  block->pop();
  EXPECT_FALSE(block->ready()) << "depends on state only";
  block->tick();
  EXPECT_TRUE(block->ready());
  for (std::size_t i = 1; i < second.size(); ++i) {
    ASSERT_TRUE(block->push(second[i]));
    block->tick();
  }
  ASSERT_NE(block->front(), nullptr);
  EXPECT_EQ(*block->front(), expected(second));
}

TEST_P(AxisToLinePoints, IllegalPacketsAreReportedAndDroppedAndTheNextOneIsWhole) {
  const unsigned bytes = shape().line_bytes(), beat_bytes = shape().data_bytes;
  std::vector<std::vector<Beat>> bad;
  for (unsigned size : {bytes + 1, bytes + beat_bytes, bytes + 3 * beat_bytes})  // too long
    bad.push_back(packet(beat_bytes, random_bytes(size, random), 0, random));
  bad.push_back(whole(0));  // too long: the beat that would end the line is not the last
  bad.back().push_back(bad.back().back());
  (bad.back().end() - 2)->last = false;
  for (unsigned size = 1; exact() && size < bytes; ++size)  // too short
    bad.push_back(packet(beat_bytes, random_bytes(size, random), 0, random));
  for (std::size_t i = 0; i < whole(0).size(); ++i) {  // bytes that are missing
    for (unsigned byte = 0; byte < beat_bytes; ++byte) {
      auto beats = whole(0);
      const std::uint64_t keep = beats[i].keep;
      beats[i].keep &= ~(std::uint64_t{1} << byte);
      const bool shorter = !exact() && beats[i].last && beats[i].keep && !(beats[i].keep & (beats[i].keep + 1));
      if (beats[i].keep != keep && !shorter) bad.push_back(beats);
    }
  }
  for (auto& beats : bad) {
    packets::limit_user(beats, shape().user_bits);
    auto block = make();
    EXPECT_EQ(send(*block, beats), 1u);
    EXPECT_EQ(block->front(), nullptr);
    block->tick();
    EXPECT_FALSE(block->bad_packet()) << "one cycle only";
    const auto good = whole(1);
    EXPECT_EQ(send(*block, good), 0u);
    ASSERT_NE(block->front(), nullptr);
    EXPECT_EQ(*block->front(), expected(good));
  }
  EXPECT_GE(bad.size(), 4u);
}

TEST_P(AxisToLinePoints, AnIllegalPacketInTheSpareBeatIsReportedWhenTheLineIsTaken) {
  auto block = make();
  send(*block, whole(0));
  Beat empty = whole(0).back();
  empty.keep = 0;
  empty.last = true;
  ASSERT_TRUE(block->push(empty));
  block->tick();
  EXPECT_FALSE(block->bad_packet());
  block->pop();
  block->tick();
  EXPECT_TRUE(block->bad_packet());
  EXPECT_EQ(block->front(), nullptr);
}

TEST_P(AxisToLinePoints, RandomPacketsGiveTheLegalLinesInOrder) {
  tb::check_property("axis_to_line packets", 300, [&] {
    Random source(*rc::gen::arbitrary<std::uint32_t>());
    std::vector<Beat> beats;
    for (unsigned left = *rc::gen::inRange(1u, 20u); left-- > 0;) {
      const auto more = packets::any_packet(shape(), exact(), source);
      beats.insert(beats.end(), more.begin(), more.end());
    }
    const tb::Pressure pressure{*rc::gen::inRange(10u, 101u), *rc::gen::inRange(10u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    const auto lines = lines_of(shape(), exact(), beats);
    auto block = make();
    RC_ASSERT(tb::drive_stream(*block, beats, lines.size(), pressure) == lines);
  });
}

TEST_P(AxisToLinePoints, RandomPacketsUpToAQuarterOfAMillionBeats) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 200,000 beats per point";
  unsigned done = 0, lines = 0, packets_sent = 0;
  auto block = make();
  while (done < 200'000) {
    std::vector<Beat> beats;
    while (beats.size() < 1000) {
      const auto more = packets::any_packet(shape(), exact(), random);
      beats.insert(beats.end(), more.begin(), more.end());
      ++packets_sent;
    }
    const auto expected = lines_of(shape(), exact(), beats);
    const tb::Pressure pressure{static_cast<unsigned>(10 + random() % 91), static_cast<unsigned>(10 + random() % 91),
                                static_cast<std::uint32_t>(1 + done)};
    ASSERT_EQ(tb::drive_stream(*block, beats, expected.size(), pressure), expected) << done;
    done += static_cast<unsigned>(beats.size());
    lines += static_cast<unsigned>(expected.size());
  }
  EXPECT_GT(lines, packets_sent / 3);
  EXPECT_LT(lines, packets_sent);
  tb::report_transactions(done);
}

class AxisFromLinePoints : public ::testing::TestWithParam<ToLinePoint> {
 protected:
  const LineShape& shape() const { return GetParam().shape; }
  std::unique_ptr<AxisFromLine> make(Backend backend = Backend::shadow) const {
    auto block = make_axis_from_line(shape(), backend);
    block->reset();
    return block;
  }
  SendReq request(unsigned length) {
    SendReq made{{random_bytes(shape().line_bytes(), random), static_cast<std::uint32_t>(random())}, length};
    made.line.user &= static_cast<std::uint32_t>(packets::keep_of(shape().user_bits));
    if (shape().line_bits % 8) made.line.bytes.back() &= static_cast<std::uint8_t>((1u << shape().line_bits % 8) - 1);
    return made;
  }
  SendReq request() { return request(static_cast<unsigned>(1 + random() % shape().line_bits)); }
  Random random{9};
};
INSTANTIATE_TEST_SUITE_P(Points, AxisFromLinePoints,
                         ::testing::Values(ToLinePoint{"min", {1, 1, 1}, false},
                                           ToLinePoint{"odd", {3, 77, 3}, false},
                                           ToLinePoint{"paper", {32, 1025, 4}, false}),
                         [](const auto& info) { return info.param.name; });

TEST(AxisFromLine, ThePacketHasTheBytesOfTheLength) {
  const LineShape shape{3, 77, 3};
  auto block = make_axis_from_line(shape, Backend::shadow);
  block->reset();
  ASSERT_TRUE(block->push({{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 5}, 33}));
  std::vector<Beat> beats;
  for (unsigned cycle = 0; cycle < 6; ++cycle) {
    block->tick();
    if (!block->front()) continue;
    beats.push_back(*block->front());
    block->pop();
  }
  EXPECT_EQ(beats, (std::vector<Beat>{{{1, 2, 3}, 7, 5, false}, {{4, 5, 6}, 3, 5, true}}));
}

TEST_P(AxisFromLinePoints, TheFirstBeatIsOnOfferTwoCyclesAfterTheLineAndWaitsUnchanged) {
  auto block = make();
  const SendReq line = request(shape().line_bits);
  const auto beats = to_beats(shape(), line);
  ASSERT_TRUE(block->push(line));
  block->tick();
  EXPECT_EQ(block->front(), nullptr);
  block->tick();
  for (unsigned cycle = 0; cycle < 5; ++cycle) {  // nobody has been ready yet
    ASSERT_NE(block->front(), nullptr);
    EXPECT_EQ(*block->front(), beats.front());
    block->tick();
  }
}

TEST_P(AxisFromLinePoints, SendsABeatInEveryCycleFromLineToLine) {
  auto block = make();
  std::vector<Beat> expected, got;
  SendReq next = request();
  for (unsigned cycle = 0; cycle < 200; ++cycle) {
    if (block->push(next)) {
      const auto beats = to_beats(shape(), next);
      expected.insert(expected.end(), beats.begin(), beats.end());
      next = request();
    }
    if (cycle >= 2) {
      ASSERT_NE(block->front(), nullptr) << cycle;
      got.push_back(*block->front());
      block->pop();
    }
    block->tick();
  }
  expected.resize(got.size());
  EXPECT_EQ(got, expected);
}

TEST_P(AxisFromLinePoints, EveryLengthComesBackThroughAxisToLine) {
  const bool all = shape().line_bits < 100;
  for (unsigned length = 1; length <= shape().line_bits; length += all ? 1 : 1 + random() % 20) {
    SendReq line = request(length);
    for (unsigned bit = length; bit < shape().line_bits; ++bit)
      line.line.bytes[bit / 8] &= static_cast<std::uint8_t>(~(1u << bit % 8));
    auto from = make();
    auto to = make_axis_to_line(shape(), false, Backend::model);
    to->reset();
    ASSERT_TRUE(from->push(line));
    unsigned cycle = 0;
    for (; !to->front(); ++cycle) {
      ASSERT_LT(cycle, 100u);
      if (from->front() && to->push(*from->front())) from->pop();
      from->tick();
      to->tick();
      ASSERT_FALSE(to->bad_packet());
    }
    EXPECT_EQ(*to->front(), line.line) << length;
    EXPECT_TRUE(from->idle());
  }
}

TEST_P(AxisFromLinePoints, RandomLinesLeaveInOrder) {
  tb::check_property("axis_from_line lines", 300, [&] {
    random.seed(*rc::gen::arbitrary<std::uint32_t>());
    std::vector<SendReq> lines;
    std::vector<Beat> expected;
    for (unsigned left = *rc::gen::inRange(1u, 20u); left-- > 0;) {
      lines.push_back(request());
      const auto beats = to_beats(shape(), lines.back());
      expected.insert(expected.end(), beats.begin(), beats.end());
    }
    const tb::Pressure pressure{*rc::gen::inRange(10u, 101u), *rc::gen::inRange(10u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    auto block = make();
    RC_ASSERT(tb::drive_stream(*block, lines, expected.size(), pressure) == expected);
  });
}

TEST_P(AxisFromLinePoints, RandomLinesUpToAHundredThousand) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 100,000 lines per point";
  auto block = make();
  for (unsigned burst = 0; burst < 100; ++burst) {
    std::vector<SendReq> lines;
    std::vector<Beat> expected;
    for (unsigned i = 0; i < 1000; ++i) {
      lines.push_back(request());
      const auto beats = to_beats(shape(), lines.back());
      expected.insert(expected.end(), beats.begin(), beats.end());
    }
    const tb::Pressure pressure{static_cast<unsigned>(10 + random() % 91), static_cast<unsigned>(10 + random() % 91),
                                burst + 1};
    ASSERT_EQ(tb::drive_stream(*block, lines, expected.size(), pressure), expected) << burst;
  }
  tb::report_transactions(100 * 1000);
}

TEST(AxisFromLine, AnIllegalLengthStopsTheRtl) {
  for (const unsigned length : {0u, 78u, 127u}) {
    auto block = make_axis_from_line({3, 77, 3}, Backend::rtl);
    block->reset();
    block->push({{std::vector<std::uint8_t>(10), 0}, length});
    EXPECT_THROW(block->tick(), RtlAssertion) << length;
  }
}

// The comparison itself: a model that lets short packets pass is caught by the first of them.
TEST(AxisToLine, ShadowCatchesAModelThatTakesShortPackets) {
  struct Both final : Shadow<Beat, Line, AxisToLine> {
    using Shadow::Shadow;
    bool bad_packet() const override { return model_->bad_packet(); }
  };
  const LineShape shape{3, 77, 3};
  Both shadow("axis_to_line", make_to_line_model(shape, false), make_to_line_rtl(shape, true, "axis_to_line"));
  shadow.reset();
  ASSERT_TRUE(shadow.push({{1, 2, 3}, 7, 0, true}));
  EXPECT_THROW(shadow.tick(), ShadowMismatch);
}

TEST(AxisToLine, ModelsAreIdleWhenNothingIsInside) {
  const LineShape shape{3, 77, 3};
  auto block = make_axis_to_line(shape, true, Backend::model);
  block->reset();
  EXPECT_TRUE(block->idle());
  Random random{3};
  for (const Beat& beat : packet(3, random_bytes(shape.line_bytes(), random), 0, random)) {
    EXPECT_TRUE(block->push(beat));
    block->tick();
  }
  EXPECT_FALSE(block->idle());
  block->pop();
  block->tick();
  EXPECT_TRUE(block->idle());

  auto codec = make_axis_dpc_encoder({}, Backend::model);
  codec->reset();
  EXPECT_TRUE(codec->idle());
}

TEST(AxiStream, DescribesBeatsAndLines) {
  EXPECT_EQ(describe(Beat{{0x12, 0xab}, 0x3, 5, true}), "ab12 keep 0x3 user 0x5 last");
  EXPECT_EQ(describe(Beat{{0x12}, 0x1, 0, false}), "12 keep 0x1 user 0x0");
  EXPECT_EQ(describe(SendReq{{{0x0f, 0x01}, 2}, 9}), "9 of 010f user 0x2");
}

TEST(AxisToLine, BadParametersAreRefused) {
  for (const LineShape& bad :
       {LineShape{0, 8, 1}, LineShape{65, 8, 1}, LineShape{1, 0, 1}, LineShape{1, 8, 0}, LineShape{1, 8, 33}}) {
    EXPECT_THROW(make_axis_to_line(bad, true, Backend::model), std::invalid_argument);
    EXPECT_THROW(make_axis_from_line(bad, Backend::model), std::invalid_argument);
  }
  EXPECT_THROW(make_axis_to_line({2, 8, 1}, true, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_axis_from_line({2, 8, 1}, Backend::shadow), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::axi_stream
