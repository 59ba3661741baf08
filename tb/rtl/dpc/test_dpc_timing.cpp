// DPC: when a line is taken and when it leaves.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "blocks/dpc/dpc.h"
#include "lines.h"

namespace warpsieve::dpc {
namespace {

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

}  // namespace
}  // namespace warpsieve::dpc
