// SharedStreams: equal instructions are kept once, others as they are.
#include <gtest/gtest.h>

#include "simt/shared_streams.h"

namespace warpsieve::simt {
namespace {

WarpTrace warp(std::uint32_t length, std::uint32_t mask) {
  WarpTrace out;
  for (std::uint32_t i = 0; i < length; ++i) out.instrs.push_back({.mask = mask, .payload = i});
  return out;
}

TEST(SharedStreams, AreThoseOfTheBlockBeforeOrOfTheWarpBefore) {
  SharedStreams streams;
  BlockTrace first{0, {warp(3, 1), warp(3, 1), warp(3, 2), warp(0, 0)}},
      second{1, {warp(3, 1), warp(3, 1), warp(4, 2), {}}};
  streams.share(first);
  streams.share(second);
  for (const BlockTrace* block : {&first, &second})
    for (const WarpTrace& w : block->warps) {
      ASSERT_TRUE(w.same);
      EXPECT_EQ(w.instrs.capacity(), 0u) << "kept twice";
    }
  EXPECT_EQ(first.warps[0].same, first.warps[1].same);
  EXPECT_NE(first.warps[0].same, first.warps[2].same);
  EXPECT_EQ(first.warps[0].same, second.warps[0].same);
  EXPECT_EQ(first.warps[0].same, second.warps[1].same);
  EXPECT_NE(first.warps[2].same, second.warps[2].same);
  EXPECT_EQ(first.warps[2].stream().size(), 3u);
  EXPECT_EQ(first.warps[2].stream()[1].mask, 2u);
  EXPECT_EQ(second.warps[2].stream().size(), 4u);
  EXPECT_TRUE(second.warps[3].stream().empty());
  EXPECT_EQ(second.warps[2].warp_instructions(), 4u);
  streams.clear();
  BlockTrace third{0, {warp(3, 1)}};
  streams.share(third);
  EXPECT_NE(third.warps[0].same, first.warps[0].same);
}

}  // namespace
}  // namespace warpsieve::simt
