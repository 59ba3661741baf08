// rata: exact latencies, order and replacement by hand, then random streams in lock step of model and RTL
// against an independent reference, with back-pressure on all ports.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

#include "blocks/rata/rata.h"
#include "support/long_run.h"
#include "support/one_bit_apart.h"
#include "support/property.h"

namespace warpsieve::rata {
namespace {

class Odd : public ::testing::Test {
 protected:
  void SetUp() override { rata->reset(); }
  void tick(unsigned times = 1) {
    while (times--) rata->tick();
  }
  void update(RataOp op, std::uint64_t line = 0, unsigned sm = 0) {
    ASSERT_TRUE(rata->update().push({op, line, sm}));
    tick(2);
  }
  void allocate(std::uint64_t line, unsigned sm) { update(RataOp::allocate, line, sm); }
  /// A lookup alone; -1 for a miss, else the owner.
  int lookup(std::uint64_t line, unsigned sm) {
    EXPECT_TRUE(rata->lookup().push({line, sm}));
    tick();
    EXPECT_EQ(rata->rsp().front(), nullptr);
    tick();
    const auto* rsp = rata->rsp().front();
    if (!rsp) throw std::runtime_error("no response after two ticks");
    const int owner = rsp->hit ? static_cast<int>(rsp->owner) : -1;
    if (!rsp->hit) {
      EXPECT_EQ(rsp->owner, 0u);
    }
    rata->rsp().pop();
    tick();
    EXPECT_TRUE(rata->idle());
    return owner;
  }
  std::unique_ptr<Rata> rata = make_rata(odd_point, Backend::shadow);
};

TEST_F(Odd, NothingIsPresentAfterReset) {
  EXPECT_TRUE(rata->idle());
  for (unsigned line = 0; line < 128; ++line) EXPECT_EQ(lookup(line, 1), -1);
}

TEST_F(Odd, LookupAnswersAfterTwoTicksWithTheLastRequester) {
  allocate(0x25, 2);
  EXPECT_EQ(lookup(0x25, 1), 2);
  allocate(0x25, 3);
  EXPECT_EQ(lookup(0x25, 1), 3);
  EXPECT_EQ(lookup(0x24, 1), -1);  // another set
  EXPECT_EQ(lookup(0x21, 1), -1);  // another tag
}

TEST_F(Odd, TheOwnersOwnLookupMissesAndIsNoUse) {
  allocate(0, 1);
  allocate(4, 2);
  allocate(8, 3);
  EXPECT_EQ(lookup(0, 1), -1);  // own pointer: must not move line 0 to the front
  allocate(12, 2);
  EXPECT_EQ(lookup(0, 2), -1);
  EXPECT_EQ(lookup(4, 3), 2);
}

TEST_F(Odd, LookupHitIsAUseSoAnotherLineLeaves) {
  allocate(0, 1);
  allocate(4, 1);
  allocate(8, 1);
  EXPECT_EQ(lookup(0, 2), 1);  // order 0 8 4
  allocate(12, 1);
  EXPECT_EQ(lookup(4, 2), -1);
  EXPECT_EQ(lookup(0, 2), 1);
  EXPECT_EQ(lookup(8, 2), 1);
  EXPECT_EQ(lookup(12, 2), 1);
}

TEST_F(Odd, AllocationOfAPresentLineIsAUseAndTakesNoSecondEntry) {
  allocate(0, 1);
  allocate(4, 1);
  allocate(8, 1);
  allocate(0, 2);  // order 0 8 4
  allocate(12, 3);
  EXPECT_EQ(lookup(4, 0), -1);
  EXPECT_EQ(lookup(0, 0), 2);
}

TEST_F(Odd, StoreInvalidatesItsLineOnlyAndTheHoleIsFilledFirst) {
  allocate(0, 1);
  allocate(4, 1);
  allocate(8, 1);
  update(RataOp::invalidate, 4);
  EXPECT_EQ(lookup(4, 2), -1);
  EXPECT_EQ(lookup(0, 2), 1);  // a hit behind the hole
  allocate(16, 3);
  for (const unsigned line : {0u, 8u}) EXPECT_EQ(lookup(line, 2), 1);
  EXPECT_EQ(lookup(16, 2), 3);
  update(RataOp::invalidate, 100);  // absent: nothing happens
  EXPECT_EQ(lookup(16, 2), 3);
}

TEST_F(Odd, AllocationOfALineBehindAHoleLeavesOneCopy) {
  allocate(0, 1);
  allocate(4, 1);
  allocate(8, 1);
  update(RataOp::invalidate, 8);
  allocate(0, 2);
  update(RataOp::invalidate, 0);
  EXPECT_EQ(lookup(0, 3), -1);
  EXPECT_EQ(lookup(4, 3), 1);
}

TEST_F(Odd, DropForgetsTheLineOnlyWhileTheProbedSmOwnsIt) {
  allocate(0x11, 2);
  update(RataOp::drop, 0x11, 3);
  EXPECT_EQ(lookup(0x11, 1), 2);
  update(RataOp::drop, 0x11, 2);
  EXPECT_EQ(lookup(0x11, 1), -1);
}

TEST_F(Odd, ClearForgetsEverythingInOneCycle) {
  for (unsigned line = 0; line < 8; ++line) allocate(line, 1);
  ASSERT_TRUE(rata->update().push({RataOp::clear, 0, 0}));
  tick();
  EXPECT_FALSE(rata->lookup().ready());
  tick();
  EXPECT_TRUE(rata->lookup().ready());
  for (unsigned line = 0; line < 8; ++line) EXPECT_EQ(lookup(line, 2), -1);
  allocate(3, 2);
  EXPECT_EQ(lookup(3, 1), 2);
}

TEST_F(Odd, ClearBehindAnAllocationForgetsItAlthoughItsRowIsBeingWritten) {
  ASSERT_TRUE(rata->update().push({RataOp::allocate, 5, 1}));
  tick();
  ASSERT_TRUE(rata->update().push({RataOp::clear, 0, 0}));
  tick();
  ASSERT_TRUE(rata->update().push({RataOp::allocate, 9, 3}));  // same set, right behind
  tick(3);
  EXPECT_EQ(lookup(5, 2), -1);
  EXPECT_EQ(lookup(9, 2), 3);
}

TEST_F(Odd, UpdatesFlowOnePerCycleWhileNoLookupWaits) {
  for (unsigned i = 0; i < 10; ++i) {
    ASSERT_TRUE(rata->update().push({RataOp::allocate, 4 * i, i % 4}));  // one set: each on the row of the last
    tick();
  }
  tick(2);
  EXPECT_EQ(lookup(36, 0), 1);
  EXPECT_EQ(lookup(32, 1), 0);
  EXPECT_EQ(lookup(28, 0), 3);
  EXPECT_EQ(lookup(24, 0), -1);
}

TEST_F(Odd, LookupsOfOneSetFlowOnePerCycleAndSeeEachOthersUse) {
  for (const unsigned line : {0u, 4u, 8u}) allocate(line, 1);
  const unsigned lines[] = {0, 4, 0, 8, 0, 4, 4, 0, 8, 12, 0, 4};
  for (unsigned i = 0; i < 14; ++i) {
    if (i < 12) {
      ASSERT_TRUE(rata->lookup().push({lines[i], 2})) << i;
    }
    ASSERT_EQ(rata->rsp().front() != nullptr, i >= 2) << i;
    if (i >= 2) {
      EXPECT_EQ(*rata->rsp().front(), (lines[i - 2] == 12 ? RataRsp{} : RataRsp{true, 1})) << i;
      rata->rsp().pop();
    }
    tick();
  }
  allocate(16, 1);  // order 4 0 8: line 8 leaves
  EXPECT_EQ(lookup(8, 2), -1);
  EXPECT_EQ(lookup(0, 2), 1);
}

TEST_F(Odd, LookupTakenWithAnUpdateComesBeforeItAndTheNextOneAfterIt) {
  ASSERT_TRUE(rata->update().push({RataOp::allocate, 7, 1}));
  ASSERT_TRUE(rata->lookup().push({7, 2}));
  tick();
  EXPECT_FALSE(rata->lookup().push({7, 2}));  // the update has its turn
  tick();
  ASSERT_TRUE(rata->lookup().push({7, 2}));
  EXPECT_EQ(*rata->rsp().front(), (RataRsp{false, 0}));
  rata->rsp().pop();
  tick(2);
  EXPECT_EQ(*rata->rsp().front(), (RataRsp{true, 1}));
}

TEST_F(Odd, UpdatesAndLookupsTakeTurnsWhenBothAreOfferedEveryCycle) {
  std::string turns;
  for (unsigned i = 0; i < 12; ++i) {
    const bool lookup_taken = rata->lookup().push({1, 1}),
               update_taken = rata->update().push({RataOp::allocate, 2, 2});
    turns += lookup_taken ? (update_taken ? 'b' : 'l') : (update_taken ? 'u' : '-');
    if (rata->rsp().front()) rata->rsp().pop();
    tick();
  }
  EXPECT_EQ(turns, "bululululul" + std::string("u"));
}

TEST_F(Odd, ThreeUnansweredLookupsHoldOffTheFourthButNoUpdate) {
  unsigned taken = 0;
  for (unsigned i = 0; i < 10; ++i) {
    taken += rata->lookup().push({1, 1});
    tick();
  }
  EXPECT_EQ(taken, 3u);
  EXPECT_FALSE(rata->lookup().ready());
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_TRUE(rata->update().push({RataOp::allocate, i, 2}));
    EXPECT_FALSE(rata->lookup().push({1, 1}));
    tick();
  }
  rata->rsp().pop();
  tick(3);
  EXPECT_TRUE(rata->lookup().ready());
}

TEST_F(Odd, ResetForgetsEntriesResponsesAndTheWaitingUpdate) {
  allocate(3, 1);
  rata->lookup().push({3, 2});
  rata->update().push({RataOp::allocate, 5, 1});
  tick();
  rata->reset();
  EXPECT_TRUE(rata->idle());
  EXPECT_EQ(rata->rsp().front(), nullptr);
  EXPECT_EQ(lookup(3, 2), -1);
  EXPECT_EQ(lookup(5, 2), -1);
}

TEST(Rata, PaperPointHoldsThirtyOneBitsPerEntry) {
  EXPECT_EQ(paper_point.storage_bits(), 31u * 1024);
  EXPECT_EQ(full_point.storage_bits(), 31u * 3072);
}

TEST(Rata, UnknownPointAndBadParametersAreRefused) {
  EXPECT_THROW(make_rata({.ways = 5}, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(make_rata({.ways = 5}, Backend::model));
  EXPECT_THROW(make_rata({.sets = 48}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_rata({.ways = 1}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_rata({.sm_bits = 0}, Backend::model), std::invalid_argument);
}

// ---- random streams ------------------------------------------------------------------------------

/// What the block must answer, written from the decisions: a time stamp per line, no rows, no order lists.
class Reference {
 public:
  explicit Reference(const RataParams& params) : params_(params) {}
  RataRsp lookup(const RataLookup& request) {
    const auto at = lines_.find(request.line);
    if (at == lines_.end() || at->second.sm == request.sm) return {};
    at->second.used = ++now_;
    return {true, at->second.sm};
  }
  void update(const RataUpdate& request) {
    if (request.op == RataOp::clear) {
      lines_.clear();
      return;
    }
    const auto at = lines_.find(request.line);
    if (request.op == RataOp::allocate) {
      if (at == lines_.end()) make_room(request.line);
      lines_[request.line] = {request.sm, ++now_};
    } else if (at != lines_.end() && (request.op == RataOp::invalidate || at->second.sm == request.sm)) {
      lines_.erase(at);
    }
  }
  unsigned evictions() const { return evictions_; }

 private:
  struct Line {
    unsigned sm;
    std::uint64_t used;
  };
  void make_room(std::uint64_t line) {
    unsigned held = 0;
    auto oldest = lines_.end();
    for (auto at = lines_.begin(); at != lines_.end(); ++at) {
      if ((at->first ^ line) % params_.sets != 0) continue;
      ++held;
      if (oldest == lines_.end() || at->second.used < oldest->second.used) oldest = at;
    }
    if (held < params_.ways) return;
    lines_.erase(oldest);
    ++evictions_;
  }
  RataParams params_;
  std::map<std::uint64_t, Line> lines_;
  std::uint64_t now_ = 0;
  unsigned evictions_ = 0;
};

struct Traffic {
  unsigned operations;
  unsigned offer_lookup, offer_update, accept;    // percent per cycle
  unsigned lines, sets;                           // spread of the addresses
  unsigned invalidates, drops, clears_per_mille;  // shares of the updates
  bool flips;  // tags that differ in one bit from one of them, instead of spread ones
  std::uint32_t seed;
  unsigned first_set = 0;
};

struct Counts {
  unsigned hits = 0, misses = 0, evictions = 0;
};

/// Drives random traffic; throws on the first response that differs from the reference. The reference learns
/// of operations in the order the header promises.
Counts drive(Rata& rata, const RataParams& params, const Traffic& traffic) {
  std::minstd_rand random(traffic.seed);
  const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
  const std::uint64_t line_mask = (std::uint64_t{1} << (params.tag_bits + std::countr_zero(params.sets))) - 1;
  const std::uint64_t base = random();
  const tb::OneBitApart<std::uint64_t> flipped(base, params.tag_bits, random());
  const auto any_line = [&] {
    const std::uint64_t pick = random() % traffic.lines;
    const std::uint64_t set = (traffic.first_set + random() % traffic.sets) % params.sets;
    const std::uint64_t spread = pick * 0x9e3779b97f4a7c15u;
    return ((traffic.flips ? flipped(pick) : spread) << std::countr_zero(params.sets) | set) & line_mask;
  };
  const auto any_sm = [&] { return static_cast<unsigned>(random() >> 8) % (1u << params.sm_bits); };
  Reference reference(params);
  std::deque<RataRsp> expected;
  std::optional<RataLookup> lookup;
  std::optional<RataUpdate> update, waiting;
  Counts counts;
  unsigned started = 0, stalled = 0;
  while (started < traffic.operations || lookup || update || waiting || !expected.empty()) {
    if (++stalled > 2000) throw std::runtime_error("no progress");
    if (!lookup && started < traffic.operations && chance(traffic.offer_lookup)) {
      lookup = RataLookup{any_line(), any_sm()};
      ++started;
    }
    if (!update && started < traffic.operations && chance(traffic.offer_update)) {
      const unsigned kind = random() % 100;
      const RataOp op = random() % 1000 < traffic.clears_per_mille   ? RataOp::clear
                        : kind < traffic.invalidates                 ? RataOp::invalidate
                        : kind < traffic.invalidates + traffic.drops ? RataOp::drop
                                                                     : RataOp::allocate;
      update = RataUpdate{op, any_line(), any_sm()};
      ++started;
    }
    const bool lookup_taken = lookup && rata.lookup().push(*lookup);
    const bool update_taken = update && rata.update().push(*update);
    if (lookup_taken) {  // before an update that waits or is taken now
      expected.push_back(reference.lookup(*lookup));
      (expected.back().hit ? counts.hits : counts.misses)++;
      lookup.reset();
    } else if (waiting && rata.update().ready()) {
      reference.update(*waiting);
      waiting.reset();
    }
    if (update_taken) {
      if (waiting) {  // it went in this cycle although nobody saw: both cannot have happened
        throw std::runtime_error("update taken while another waits");
      }
      waiting = update;
      update.reset();
    }
    if (const auto* rsp = rata.rsp().front(); rsp && chance(traffic.accept)) {
      if (expected.empty()) throw std::runtime_error("response nobody waits for");
      if (!(*rsp == expected.front())) {
        throw std::runtime_error("got " + describe(*rsp) + ", expected " + describe(expected.front()));
      }
      expected.pop_front();
      rata.rsp().pop();
      stalled = 0;
    }
    if (lookup_taken || update_taken) stalled = 0;
    (void)rata.idle();  // compared by the shadow
    rata.tick();
  }
  counts.evictions = reference.evictions();
  return counts;
}

struct Point {
  const char* name;
  RataParams params;
};
const Point points[] = {{"odd", odd_point}, {"six", six_point}, {"paper", paper_point}, {"full", full_point}};

Traffic any_traffic(const RataParams& params, std::minstd_rand& random, unsigned operations) {
  const auto percent = [&](unsigned low) { return low + static_cast<unsigned>(random()) % (101 - low); };
  const unsigned lines = 1 + static_cast<unsigned>(random()) % (2 * params.ways);
  // Few sets, so that they fill; or all of them, so that each meets every other.
  const unsigned kind = random() % 8, few = 1 + static_cast<unsigned>(random()) % 4;
  const unsigned sets = kind == 0 ? params.sets : kind < 4 ? 1 : few;
  return {operations,
          percent(10),
          percent(10),
          percent(10),
          lines,
          std::min(sets, params.sets),
          static_cast<unsigned>(random()) % 30,
          static_cast<unsigned>(random()) % 30,
          random() % 3 ? 0 : static_cast<unsigned>(random()) % 40,
          random() % 2 == 0,
          static_cast<std::uint32_t>(random() | 1),
          static_cast<unsigned>(random()) % params.sets};
}

class RataPoints : public ::testing::TestWithParam<Point> {};
INSTANTIATE_TEST_SUITE_P(Points, RataPoints, ::testing::ValuesIn(points),
                         [](const auto& info) { return info.param.name; });

TEST_P(RataPoints, RandomTrafficAnswersLikeTheReferenceInLockStep) {
  const RataParams params = GetParam().params;
  Counts total;
  tb::check_property("rata like reference", 150, [&] {
    std::minstd_rand random(*rc::gen::inRange(1u, 1u << 30));
    auto rata = make_rata(params, Backend::shadow);
    rata->reset();
    const Counts counts = drive(*rata, params, any_traffic(params, random, *rc::gen::inRange(1u, 600u)));
    total.hits += counts.hits;
    total.misses += counts.misses;
    total.evictions += counts.evictions;
  });
  EXPECT_GT(total.hits, 100u);
  EXPECT_GT(total.misses, 100u);
  EXPECT_GT(total.evictions, 20u);
}

TEST_P(RataPoints, OneMillionOperationsInLockStep) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for one million operations";
  const RataParams params = GetParam().params;
  auto rata = make_rata(params, Backend::shadow);
  std::minstd_rand random(20);
  Counts total;
  for (unsigned run = 0; run < 1000; ++run) {
    rata->reset();
    const Counts counts = drive(*rata, params, any_traffic(params, random, 1000));
    total.hits += counts.hits;
    total.evictions += counts.evictions;
  }
  EXPECT_GT(total.hits, 10000u);
  EXPECT_GT(total.evictions, 1000u);
  tb::report_transactions(1000 * 1000);
}

TEST(Rata, ModelTakesShapesThatAreNotCompiled) {
  const RataParams params{.sets = 16, .ways = 24, .tag_bits = 20, .sm_bits = 4};
  auto rata = make_rata(params, Backend::model);
  EXPECT_GT(drive(*rata, params, {20000, 100, 60, 90, 40, 4, 10, 10, 2, false, 5}).evictions, 100u);
}

/// A block that forgets stores would serve stale lines; the bench must see it.
TEST(Rata, LostInvalidationIsCaught) {
  struct Deaf final : Rata {
    struct Filter final : InPort<RataUpdate> {
      explicit Filter(InPort<RataUpdate>& port) : inner(port) {}
      bool ready() const override { return inner.ready(); }
      bool push(const RataUpdate& update) override {
        RataUpdate changed = update;
        if (update.op == RataOp::invalidate) changed = {RataOp::drop, update.line, update.sm};
        return inner.push(changed);
      }
      InPort<RataUpdate>& inner;
    };
    Deaf() { connect_ports(*this, inner->lookup(), inner->rsp(), filter); }
    void reset() override { inner->reset(); }
    void tick() override { inner->tick(); }
    bool idle() const override { return inner->idle(); }
    std::unique_ptr<Rata> inner = make_rata(odd_point, Backend::model);
    Filter filter{inner->update()};
  } deaf;
  EXPECT_THROW(drive(deaf, odd_point, {2000, 80, 80, 100, 4, 2, 30, 0, 0, false, 3}), std::runtime_error);
}

TEST(Rata, DescribesItemsOfItsPorts) {
  EXPECT_EQ(describe(RataLookup{.line = 0x12, .sm = 3}), "line 0x12 sm 3");
  EXPECT_EQ(describe(RataRsp{.hit = true, .owner = 2}), "hit owner 2");
  EXPECT_EQ(describe(RataRsp{}), "miss");
  EXPECT_EQ(describe(RataUpdate{.op = RataOp::invalidate, .line = 0x12, .sm = 3}), "invalidate line 0x12 sm 3");
}

}  // namespace
}  // namespace warpsieve::rata
