// affine_cache: directed timing and behaviour, model and RTL in lock step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "blocks/affine_cache/affine_cache.h"
#include "cosim/shadow.h"
#include "support/one_bit_apart.h"
#include "vectors.h"

namespace warpsieve::affine_cache {
namespace {

constexpr std::uint32_t kAll = 0xffffffffu;

/// A cache in shadow mode that is asked one thing at a time.
struct Single {
  explicit Single(const AffineCacheParams& params = paper_point)
      : p(params), avc(make_affine_cache(params, Backend::shadow)) {
    avc->reset();
  }
  struct Seen {
    std::vector<AvcRsp> write_backs;
    AvcRsp answer;
    unsigned ticks = 0;  ///< from the push to the answer's being on offer
  };
  Seen ask(const AvcReq& req) {
    Seen seen;
    if (!avc->push(req)) throw std::runtime_error("not ready");
    for (;;) {
      avc->tick();
      ++seen.ticks;
      if (const AvcRsp* rsp = avc->front()) {
        if (!rsp->write_back) {
          seen.answer = *rsp;
          avc->pop();
          avc->tick();
          return seen;
        }
        seen.write_backs.push_back(*rsp);
        avc->pop();
      }
      if (seen.ticks > 10000) throw std::runtime_error("no answer");
    }
  }
  Seen load(std::uint32_t line, std::uint32_t mask = kAll) { return ask({AvcOp::load, line, mask & all(p), {}}); }
  Seen store(std::uint32_t line, std::uint32_t mask, const Vector& data) {
    return ask({AvcOp::store, line, mask & all(p), data});
  }
  Seen fill(std::uint32_t line, std::uint32_t mask, const Vector& data) {
    return ask({AvcOp::fill, line, mask & all(p), data});
  }
  Seen flush() { return ask({.op = AvcOp::flush}); }
  Vector ramp(std::uint32_t base, std::uint32_t stride) const { return affine_cache::ramp(p, base, stride); }

  AffineCacheParams p;
  std::unique_ptr<AffineCache> avc;
};

TEST(AffineCache, LoadThatMissesIsAnsweredAfterTwoTicksWithAnEmptyMask) {
  Single c;
  const auto seen = c.load(0x123);
  EXPECT_EQ(seen.ticks, 2u);
  EXPECT_EQ(seen.answer, (AvcRsp{.line = 0x123, .data = c.ramp(0, 1)}));
}

TEST(AffineCache, AffineStoreAllocatesInSlotsPlusTwoMoreTicksThenHitsInTwo) {
  Single c;
  const auto stored = c.store(0x40, kAll, c.ramp(64, 4));
  EXPECT_EQ(stored.ticks, 2u + 16u + 2u);
  EXPECT_TRUE(stored.write_backs.empty());
  EXPECT_TRUE(stored.answer.affine);
  EXPECT_EQ(stored.answer.mask, kAll);
  const auto loaded = c.load(0x40, 0xff);
  EXPECT_EQ(loaded.ticks, 2u);
  EXPECT_EQ(loaded.answer.mask, kAll);
  EXPECT_EQ(loaded.answer.data, c.ramp(64, 4));
  // Another slot of the same line needs no sweep.
  EXPECT_EQ(c.store(0x41, kAll, c.ramp(128, 8)).ticks, 2u);
  EXPECT_EQ(c.load(0x41).answer.data, c.ramp(128, 8));
  EXPECT_EQ(c.load(0x40).answer.data, c.ramp(64, 4));
}

TEST(AffineCache, EverySingleBitOfALineNumberMakesAnotherLine) {
  for (const AffineCacheParams& params : {odd_point, direct_point, paper_point, way3_point}) {
    Single c(params);
    const unsigned below_tag = static_cast<unsigned>(std::countr_zero(params.sets * params.slots));
    const std::uint32_t line = 0x0b35c6du & ((1u << params.line_bits) - 1);
    for (unsigned bit = 0; bit < params.line_bits; ++bit) {
      SCOPED_TRACE(fmt::format("ways {} bit {}", params.ways, bit));
      const std::uint32_t other = tb::flip_bit(line, bit);
      c.avc->reset();
      c.store(line, kAll, c.ramp(64, 1));
      EXPECT_EQ(c.load(other).answer.mask, 0u);
      EXPECT_TRUE(c.store(other, kAll, c.ramp(32, 2)).answer.affine);
      const AvcRsp first = c.load(line).answer;
      EXPECT_EQ(first.mask, params.ways > 1 || bit < below_tag ? all(params) : 0);
      if (first.mask) {
        EXPECT_EQ(first.data, c.ramp(64, 1));
      }
      EXPECT_EQ(c.load(other).answer.data, c.ramp(32, 2));
    }
  }
}

TEST(AffineCache, LoadsAreTakenAndAnsweredEveryCycle) {
  Single c;
  for (std::uint32_t slot = 0; slot < 16; ++slot) c.store(slot, kAll, c.ramp(slot * 256, 2));
  unsigned answered = 0;
  for (unsigned cycle = 0; cycle < 34; ++cycle) {
    if (const AvcRsp* rsp = c.avc->front()) {
      EXPECT_EQ(rsp->data, c.ramp(rsp->line * 256, 2));
      EXPECT_EQ(rsp->line, answered % 16);
      ++answered;
      c.avc->pop();
    }
    ASSERT_TRUE(c.avc->push({AvcOp::load, cycle % 16, kAll, {}}));
    c.avc->tick();
  }
  EXPECT_EQ(answered, 32u);
}

TEST(AffineCache, StoresToOneVectorBackToBackSeeEachOther) {
  Single c;
  c.store(7, kAll, c.ramp(0, 0));
  // Four lanes at a time with one base and stride, one request per cycle, then a load right behind.
  const Vector data = c.ramp(4096, 32);
  for (unsigned part = 0; part < 8; ++part) {
    ASSERT_TRUE(c.avc->push({AvcOp::store, 7, 0xfu << (4 * part), data}));
    c.avc->tick();
    if (part == 0) {  // the first one conflicts with the zeros: a write-back, and two cycles in the access stage
      c.avc->tick();
      c.avc->pop();
      c.avc->tick();
    }
    if (c.avc->front()) c.avc->pop();
  }
  ASSERT_TRUE(c.avc->push({AvcOp::load, 7, kAll, {}}));
  AvcRsp last;
  for (int i = 0; i < 4; ++i) {
    c.avc->tick();
    if (const AvcRsp* rsp = c.avc->front()) {
      last = *rsp;
      c.avc->pop();
    }
  }
  EXPECT_EQ(last, (AvcRsp{.line = 7, .mask = kAll, .data = data}));
}

TEST(AffineCache, GenericStoreIsLeftToTheL1AndDropsItsWordsHere) {
  Single c;
  c.store(5, kAll, c.ramp(1024, 16));
  const auto stored = c.store(5, 0x0000ff00, generic(c.p, 9));
  EXPECT_EQ(stored.ticks, 2u);
  EXPECT_FALSE(stored.answer.affine);
  EXPECT_EQ(stored.answer.mask, 0x0000ff00u);
  EXPECT_EQ(c.load(5).answer.mask, 0xffff00ffu);
  EXPECT_EQ(c.load(5, 0x0000ff00).answer.mask & 0x0000ff00u, 0u);
}

TEST(AffineCache, GenericStoreToALineThatIsNotHereAllocatesNothing) {
  Single c;
  EXPECT_EQ(c.store(5, kAll, generic(c.p, 9)).ticks, 2u);
  EXPECT_EQ(c.load(5).answer.mask, 0u);
}

TEST(AffineCache, SameBaseAndStrideExtendsTheVectorWithoutTraffic) {
  Single c;
  c.store(9, 0x0f0f0f0f, c.ramp(256, 8));
  const auto stored = c.store(9, 0xf0f0f0f0, c.ramp(256, 8));
  EXPECT_TRUE(stored.write_backs.empty());
  EXPECT_EQ(stored.ticks, 2u);
  EXPECT_EQ(c.load(9).answer.mask, kAll);
}

TEST(AffineCache, ConflictWithADirtyVectorWritesItBackOneCycleBeforeTheAnswer) {
  Single c;
  c.store(9, 0x00ffffff, c.ramp(256, 8));
  const auto stored = c.store(9, 0xffff0000, c.ramp(64, 1));
  ASSERT_EQ(stored.write_backs.size(), 1u);
  EXPECT_EQ(stored.write_backs[0],
            (AvcRsp{.write_back = true, .line = 9, .mask = 0x0000ffff, .data = c.ramp(256, 8)}));
  EXPECT_EQ(stored.ticks, 3u);
  EXPECT_TRUE(stored.answer.affine);
  const auto loaded = c.load(9);
  EXPECT_EQ(loaded.answer.mask, 0xffff0000u);
  EXPECT_EQ(loaded.answer.data, c.ramp(64, 1));
}

TEST(AffineCache, ConflictWithACleanVectorDropsIt) {
  Single c;
  c.fill(9, 0x00ffffff, c.ramp(256, 8));
  const auto stored = c.store(9, 0xffff0000, c.ramp(64, 1));
  EXPECT_TRUE(stored.write_backs.empty());
  EXPECT_EQ(stored.ticks, 2u);
  EXPECT_EQ(c.load(9).answer.mask, 0xffff0000u);
}

TEST(AffineCache, StoreOverAllOfAVectorReplacesItWithoutTraffic) {
  Single c;
  c.store(9, 0x0000ffff, c.ramp(256, 8));
  const auto stored = c.store(9, 0x00ffffff, c.ramp(64, 1));
  EXPECT_TRUE(stored.write_backs.empty());
  EXPECT_EQ(c.load(9).answer.mask, 0x00ffffffu);
  EXPECT_EQ(c.load(9).answer.data, c.ramp(64, 1));
}

TEST(AffineCache, FillInstallsOnlyWordsThatAreNotHereAndIsCleanAlone) {
  Single c;
  EXPECT_TRUE(c.fill(3, kAll, c.ramp(512, 2)).answer.affine);
  EXPECT_TRUE(c.flush().write_backs.empty());
  c.store(3, 0x000000ff, c.ramp(512, 2));
  const auto filled = c.fill(3, 0x00000fff, c.ramp(512, 2));  // same base and stride: joins the dirty vector
  EXPECT_EQ(filled.answer.mask, 0x00000f00u);
  const auto flushed = c.flush();
  ASSERT_EQ(flushed.write_backs.size(), 1u);
  EXPECT_EQ(flushed.write_backs[0].mask, 0x00000fffu);
}

TEST(AffineCache, FillThatConflictsWritesTheDirtyVectorBackAndTakesItsPlace) {
  Single c;
  c.store(3, 0x000000ff, c.ramp(512, 2));
  const auto filled = c.fill(3, 0x0000ffff, c.ramp(0, 0));
  ASSERT_EQ(filled.write_backs.size(), 1u);
  EXPECT_EQ(filled.write_backs[0].mask, 0x000000ffu);
  EXPECT_EQ(filled.write_backs[0].data, c.ramp(512, 2));
  EXPECT_EQ(filled.answer.mask, 0x0000ff00u);
  EXPECT_EQ(c.load(3).answer.mask, 0x0000ff00u);
  EXPECT_TRUE(c.flush().write_backs.empty());
}

TEST(AffineCache, FillOfWordsThatAreAllHereChangesNothing) {
  Single c;
  c.store(3, 0x0000ffff, c.ramp(512, 2));
  const auto filled = c.fill(3, 0x000000ff, c.ramp(64, 64));
  EXPECT_EQ(filled.ticks, 2u);
  EXPECT_TRUE(filled.write_backs.empty());
  EXPECT_EQ(filled.answer.mask, 0u);
  EXPECT_EQ(c.load(3).answer.data, c.ramp(512, 2));
}

TEST(AffineCache, GenericFillTellsTheL1WhichWordsAreNotHere) {
  Single c;
  c.store(3, 0x0000ffff, c.ramp(512, 2));
  const auto filled = c.fill(3, 0xff000000, generic(c.p, 4));
  EXPECT_FALSE(filled.answer.affine);
  EXPECT_EQ(filled.answer.mask, 0xffff0000u);
}

TEST(AffineCache, FillAfterAllWordsWereDroppedIsClean) {
  Single c;
  c.store(3, 0x0000ffff, c.ramp(512, 2));
  c.store(3, 0x0000ffff, generic(c.p, 1));  // drops them; the vector is empty but was dirty
  EXPECT_EQ(c.load(3).answer.mask, 0u);
  c.fill(3, 0x0000000f, c.ramp(512, 2));
  EXPECT_TRUE(c.flush().write_backs.empty());
}

TEST(AffineCache, EmptyMasksChangeNothing) {
  Single c;
  c.store(3, 0x0000ffff, c.ramp(512, 2));
  const auto stored = c.store(3, 0, c.ramp(64, 1));
  EXPECT_EQ(stored.ticks, 2u);
  EXPECT_TRUE(stored.answer.affine);
  EXPECT_EQ(stored.answer.mask, 0u);
  EXPECT_EQ(c.store(0x9999, 0, c.ramp(64, 1)).ticks, 2u);
  EXPECT_EQ(c.fill(3, 0, c.ramp(64, 1)).answer.mask, 0u);
  EXPECT_EQ(c.load(3, 0).answer.mask, 0x0000ffffu);
}

TEST(AffineCache, EvictionWritesTheDirtyVectorsBackInSlotOrderOnePerCycle) {
  Single c(direct_point);
  for (std::uint32_t slot : {1u, 4u, 15u}) c.store(slot, 0xffff, c.ramp(slot * 64, 2));
  c.fill(7, 0xff, c.ramp(0, 4));        // clean
  c.store(4, 0xffff, generic(c.p, 0));  // emptied
  c.store(0, 0xf, c.ramp(8, 8));
  const auto stored = c.store(64 * 16 + 2, kAll, c.ramp(16, 1));  // same set, other tag
  ASSERT_EQ(stored.write_backs.size(), 3u);
  EXPECT_EQ(stored.write_backs[0], (AvcRsp{.write_back = true, .line = 0, .mask = 0xf, .data = c.ramp(8, 8)}));
  EXPECT_EQ(stored.write_backs[1], (AvcRsp{.write_back = true, .line = 1, .mask = 0xffff, .data = c.ramp(64, 2)}));
  EXPECT_EQ(stored.write_backs[2], (AvcRsp{.write_back = true, .line = 15, .mask = 0xffff, .data = c.ramp(960, 2)}));
  EXPECT_EQ(stored.ticks, 20u);
  for (std::uint32_t slot = 0; slot < 16; ++slot) {
    EXPECT_EQ(c.load(slot).answer.mask, 0u);
    EXPECT_EQ(c.load(64 * 16 + slot).answer.mask, slot == 2 ? kAll : 0u);
  }
}

TEST(AffineCache, EvictionWaitsWhileResponsesAreHeldUp) {
  Single c(direct_point);
  for (std::uint32_t slot = 0; slot < 16; ++slot) c.store(slot, kAll, c.ramp(slot * 64, 2));
  c.avc->push({AvcOp::store, 64 * 16, kAll, c.ramp(0, 1)});
  for (int i = 0; i < 40; ++i) {  // two write-backs fill the skid; the rest wait
    c.avc->tick();
    EXPECT_FALSE(c.avc->ready());
    EXPECT_FALSE(c.avc->idle());
  }
  for (std::uint32_t slot = 0; slot < 16; ++slot) {
    ASSERT_NE(c.avc->front(), nullptr);
    EXPECT_EQ(*c.avc->front(),
              (AvcRsp{.write_back = true, .line = slot, .mask = kAll, .data = c.ramp(slot * 64, 2)}));
    c.avc->pop();
    c.avc->tick();
    if (!c.avc->front()) c.avc->tick();
  }
  while (!c.avc->front()) c.avc->tick();
  EXPECT_TRUE(c.avc->front()->affine);
  c.avc->pop();
  c.avc->tick();
  EXPECT_TRUE(c.avc->idle());
}

TEST(AffineCache, ThreeWaysFillEmptyWaysFirstThenFollowTheTree) {
  Single c(way3_point);
  const auto line = [](std::uint32_t tag) { return tag * 64 * 16; };
  const auto evicted = [](const Single::Seen& seen) {
    return seen.write_backs.empty() ? -1 : static_cast<int>(seen.write_backs[0].line / (64 * 16));
  };
  for (std::uint32_t tag = 0; tag < 3; ++tag) EXPECT_EQ(evicted(c.store(line(tag), kAll, c.ramp(tag, 0))), -1);
  // Way 2 was touched last: the root points to ways 0 and 1, of which way 1 was touched last.
  EXPECT_EQ(evicted(c.store(line(3), kAll, c.ramp(3, 0))), 0);
  // Way 0 touched: the root points up, to way 2.
  EXPECT_EQ(evicted(c.store(line(4), kAll, c.ramp(4, 0))), 2);
  // A load hit protects the line in way 1, so way 2 is next although it is younger.
  EXPECT_EQ(c.load(line(1)).answer.mask, kAll);
  EXPECT_EQ(evicted(c.store(line(5), kAll, c.ramp(5, 0))), 4);
}

TEST(AffineCache, LoadThatHitsNoWordDoesNotTouchTheLine) {
  Single c(paper_point);
  const auto line = [](std::uint32_t tag) { return tag * 64 * 16; };
  c.store(line(0), 0xff, c.ramp(0, 0));
  c.store(line(1), 0xff, c.ramp(1, 0));
  c.load(line(0), 0xff00);
  EXPECT_EQ(c.store(line(2), kAll, c.ramp(2, 0)).write_backs.at(0).line, line(0));
}

TEST(AffineCache, FlushWritesEverythingBackAndEmptiesTheCache) {
  Single c(paper_point);
  const unsigned empty = c.flush().ticks;
  EXPECT_EQ(empty, 2u + 64u * 2u + 1u);
  for (std::uint32_t set : {0u, 5u, 63u}) {
    for (std::uint32_t tag : {1u, 2u}) c.store((tag * 64 + set) * 16 + set % 16, kAll, c.ramp(tag * 64, 1));
  }
  const auto flushed = c.flush();
  ASSERT_EQ(flushed.write_backs.size(), 6u);
  EXPECT_EQ(flushed.write_backs[0].line, 64u * 16);
  EXPECT_EQ(flushed.write_backs[1].line, 2u * 64 * 16);
  EXPECT_EQ(flushed.write_backs[5].line, (2u * 64 + 63) * 16 + 15);
  EXPECT_EQ(flushed.answer, (AvcRsp{.data = c.ramp(0, 1)}));
  EXPECT_EQ(c.load(64 * 16).answer.mask, 0u);
  EXPECT_EQ(c.flush().ticks, empty);
}

TEST(AffineCache, LineAfterFlushStartsEmptyInEverySlot) {
  Single c(odd_point);
  for (std::uint32_t line = 0; line < 32; ++line) c.store(line, kAll, c.ramp(line, 0));
  c.flush();
  c.store(0, kAll, c.ramp(4, 4));
  EXPECT_EQ(c.load(1).answer.mask, 0u);
}

TEST(AffineCache, ResetForgetsEverything) {
  Single c;
  c.store(1, kAll, c.ramp(0, 1));
  c.avc->push({AvcOp::store, 64 * 16 + 1, kAll, c.ramp(0, 1)});
  for (int i = 0; i < 5; ++i) c.avc->tick();
  c.avc->reset();
  EXPECT_TRUE(c.avc->idle());
  EXPECT_TRUE(c.avc->ready());
  EXPECT_EQ(c.load(1).answer.mask, 0u);
}

/// The shadow compares what is offered, not idle(), so each backend is asked alone.
TEST(AffineCache, IdleExactlyWhileNothingIsHeld) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    auto avc = make_affine_cache(odd_point, backend);
    avc->reset();
    EXPECT_TRUE(avc->idle());
    avc->push({AvcOp::load, 3, 1, {}});
    EXPECT_TRUE(avc->idle());
    avc->tick();  // in the access stage
    EXPECT_FALSE(avc->idle());
    avc->tick();  // on offer
    EXPECT_FALSE(avc->idle());
    avc->tick();
    EXPECT_FALSE(avc->idle());
    avc->pop();
    avc->tick();
    EXPECT_TRUE(avc->idle());
    avc->push({AvcOp::store, 3, 1, {}});
    for (int i = 0; i < 6; ++i) {  // its line is allocated meanwhile
      avc->tick();
      EXPECT_FALSE(avc->idle());
    }
    ASSERT_NE(avc->front(), nullptr);
    avc->pop();
    avc->tick();
    EXPECT_TRUE(avc->idle());
  }
}

TEST(AffineCache, CapacityIsThatOfTable3) {
  EXPECT_EQ(direct_point.capacity_bytes(), 8u * 1024);
  EXPECT_EQ(paper_point.capacity_bytes(), 16u * 1024);
  EXPECT_EQ(way3_point.capacity_bytes(), 24u * 1024);
}

TEST(AffineCache, DescribesRequestsAndAnswers) {
  using ::testing::StartsWith;
  AvcReq req{.op = AvcOp::fill, .line = 0x12, .mask = 5, .data = {}};
  req.data[0] = 0xab;
  EXPECT_THAT(describe(req), StartsWith("fill line 0x12 mask 0x5 data ab 0"));
  AvcRsp rsp{.write_back = false, .affine = true, .line = 0x12, .mask = 5, .data = req.data};
  EXPECT_THAT(describe(rsp), StartsWith("answer affine line 0x12 mask 0x5 data ab 0"));
  rsp.write_back = true;
  rsp.affine = false;
  EXPECT_THAT(describe(rsp), StartsWith("write-back line 0x12 mask 0x5 data ab 0"));
}

TEST(AffineCacheFactory, ParametersOutOfRangeAndUnknownPointsAreRefused) {
  for (const AffineCacheParams& bad :
       {AffineCacheParams{.slots = 3}, AffineCacheParams{.slots = 1}, AffineCacheParams{.sets = 1},
        AffineCacheParams{.sets = 48}, AffineCacheParams{.ways = 0}, AffineCacheParams{.ways = 65},
        AffineCacheParams{.line_bits = 10}, AffineCacheParams{.line_bits = 33},
        AffineCacheParams{.vector = {.lanes = 33}}}) {
    EXPECT_THROW(make_affine_cache(bad, Backend::model), std::invalid_argument);
  }
  EXPECT_NO_THROW(make_affine_cache({.ways = 7, .line_bits = 11}, Backend::model));
  EXPECT_THROW(make_affine_cache({.ways = 7}, Backend::rtl), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::affine_cache
