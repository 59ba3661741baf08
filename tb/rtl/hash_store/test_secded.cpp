// hash_store with secded: every stored bit of every table wrong once, pairs of wrong bits, halting and reset, random
// traffic with wrong bits in lock step of model and RTL against a store without any.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "blocks/hash_store/hash_store.h"
#include "blocks/hash_store/wrong_bits.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::hash_store {
namespace {

using Op = HashStoreOp;
using Table = HashStoreTable;

constexpr HashStoreParams guarded_point{4, 3, 5, 3, 2, 0, 2, 3, true}, ecc_point{2, 2, 128, 8, 3, 2, 4, 2, true};
constexpr unsigned kPatience = 20;

HashStoreReq request(Op op, std::uint32_t hash, std::uint32_t ref, std::uint32_t index = 0) {
  HashStoreReq req{op, {}, ref, index};
  for (unsigned i = 0; i < 4; ++i) req.hash[i] = static_cast<std::uint8_t>(hash >> (8 * i));
  return req;
}

/// What an operation showed: its answer, if there was one, and the cycles with a corrected bit.
struct Outcome {
  bool answered = false;
  HashStoreRsp rsp;
  unsigned corrected = 0;
};

void ready(HashStore& store) {
  for (unsigned k = 0; k < kPatience && !store.ready() && !store.fatal(); ++k) store.tick();
}

/// Until the store is ready again, or halted for some cycles.
Outcome observe(HashStore& store, const HashStoreReq& req) {
  Outcome out;
  ready(store);
  if (!store.push(req)) throw std::runtime_error("the store is not ready");
  store.tick();
  for (unsigned k = 0; k < kPatience && (!store.ready() || k == 0); ++k) {
    out.corrected += store.corrected();
    if (store.front()) {
      out.answered = true;
      out.rsp = *store.front();
      store.pop();
    }
    store.tick();
  }
  return out;
}

/// With these flips in every write of the operation.
Outcome observe_wrong(HashStore& store, const HashStoreReq& req, std::uint32_t flips) {
  ready(store);
  store.set_flips(flips);
  const Outcome out = observe(store, req);
  store.set_flips(0);
  return out;
}

std::uint32_t pair_of(Table table, unsigned low, unsigned high) {
  return flip_of(table, low) | std::uint32_t{flip_of(table, high)} << 16;
}

class Secded : public ::testing::TestWithParam<HashStoreParams> {
 protected:
  unsigned stored_bits(Table table) const { return WrongBits::shape(GetParam(), table).stored_bits(); }
  unsigned part_of(Table table, unsigned number) const {
    return WrongBits::shape(GetParam(), table).code.part_of(number);
  }
  unsigned lane_of(Table table, unsigned number) const { return WrongBits::shape(GetParam(), table).lane_of(number); }
  std::unique_ptr<HashStore> make() const {
    auto store = make_hash_store(GetParam(), Backend::shadow);
    store->reset();
    return store;
  }
  /// Halted for good: not ready, nothing on offer, nothing taken.
  void expect_halted(HashStore& store, const std::string& where) const {
    for (unsigned k = 0; k < kPatience; ++k) {
      EXPECT_TRUE(store.fatal()) << where;
      EXPECT_FALSE(store.ready()) << where;
      EXPECT_FALSE(store.corrected()) << where;
      EXPECT_EQ(store.front(), nullptr) << where;
      EXPECT_FALSE(store.push(request(Op::lookup, 0, 0))) << where;
      store.tick();
    }
  }
  void expect_works_after_reset(HashStore& store, const std::string& where) const {
    store.reset();
    EXPECT_FALSE(store.fatal()) << where;
    const Outcome out = observe(store, request(Op::insert, 0, 1));
    EXPECT_TRUE(out.answered && out.rsp.ok && out.corrected == 0) << where;
    EXPECT_TRUE(observe(store, request(Op::lookup, 0, 0)).rsp.hit) << where;
  }
};
INSTANTIATE_TEST_SUITE_P(Points, Secded, ::testing::Values(guarded_point, ecc_point),
                         [](const auto& info) { return "S" + std::to_string(info.param.sets); });

constexpr std::uint32_t kRef = 0;  // in set 0 of the second table

TEST_P(Secded, EveryWrongBitIsCorrectedAndCountedOnce) {
  auto store = make();
  for (const Table table : {Table::rows, Table::tags, Table::counts}) {
    for (unsigned number = 0; number < stored_bits(table); ++number) {
      const std::string where =
          "table " + std::to_string(static_cast<unsigned>(table)) + " bit " + std::to_string(number);
      store->reset();
      EXPECT_EQ(observe_wrong(*store, request(Op::insert, 0, kRef), flip_of(table, number)).corrected, 0u) << where;
      // Way 0 was written: what is wrong in a lane of another way was not.
      const bool wrong = lane_of(table, number) == 0;
      const Outcome found = observe(*store, request(Op::increment, 0, kRef, 0));  // writes the count, and only that
      EXPECT_EQ(found.rsp, (HashStoreRsp{true, 0, kRef, 2, true, false, 0})) << where;
      EXPECT_EQ(found.corrected, wrong) << where;
      const Outcome again = observe(*store, request(Op::lookup, 0, 0));
      EXPECT_EQ(again.rsp, (HashStoreRsp{true, 0, kRef, 2, true, false, 0})) << where;
      EXPECT_EQ(again.corrected, wrong && table != Table::counts) << where;
      // LOOKUP wrote the row: only a wrong tag is left.
      EXPECT_EQ(observe(*store, request(Op::lookup, 0, 0)).corrected, wrong && table == Table::tags) << where;
      EXPECT_FALSE(store->fatal()) << where;
    }
  }
}

TEST_P(Secded, EveryWrongBitOfAReferenceIsCorrectedWhereTheSecondTableIsLookedAt) {
  auto store = make();
  for (unsigned number = 0; number < stored_bits(Table::refs); ++number) {
    for (const Op op : {Op::decrement, Op::evict}) {
      store->reset();
      EXPECT_EQ(observe_wrong(*store, request(Op::insert, 1, kRef), flip_of(Table::refs, number)).corrected, 0u)
          << number;
      const bool wrong = lane_of(Table::refs, number) == 0;
      const std::uint32_t index = 1u << std::bit_width(GetParam().ways - 1);
      const Outcome lookup = observe(*store, request(Op::lookup, 1, 0));
      EXPECT_EQ(lookup.rsp, (HashStoreRsp{true, index, kRef, 1, true, false, 0})) << number;
      EXPECT_EQ(lookup.corrected, 0u) << number;
      EXPECT_EQ(observe(*store, request(Op::increment, 0, kRef, index)).corrected, 0u) << number;
      EXPECT_EQ(observe(*store, request(Op::insert, 1, kRef)).corrected, wrong) << number;
      const Outcome sought = observe(*store, request(op, 0, kRef));
      EXPECT_EQ(sought.rsp, (HashStoreRsp{true, index, kRef, op == Op::evict ? 0u : 1u, true, false, 0})) << number;
      EXPECT_EQ(sought.corrected, wrong) << number;
      if (op == Op::decrement) EXPECT_TRUE(observe(*store, request(op, 0, kRef)).rsp.hit) << number;
      // The name was written when the entry left.
      EXPECT_EQ(observe(*store, request(Op::decrement, 0, kRef)).corrected, 0u) << number;
      EXPECT_FALSE(store->fatal()) << number;
    }
  }
}

TEST_P(Secded, TwoWrongBitsHaltTheStoreInOnePartAndAreCorrectedInTwo) {
  auto store = make();
  for (const Table table : {Table::rows, Table::tags, Table::counts, Table::refs}) {
    const unsigned bits =
        stored_bits(table) / WrongBits::shape(GetParam(), table).lanes;  // of the lane that is written
    std::minstd_rand random(static_cast<unsigned>(table) + 1);
    for (unsigned high = 1; high < bits; ++high) {
      for (const unsigned low : {high - 1, static_cast<unsigned>(random() % high)}) {
        const std::string where = "table " + std::to_string(static_cast<unsigned>(table)) + " bits " +
                                  std::to_string(low) + ", " + std::to_string(high);
        store->reset();
        observe_wrong(*store, request(Op::insert, 0, kRef), pair_of(table, low, high));
        EXPECT_FALSE(store->fatal()) << where;  // nothing has used it
        const Outcome out = observe(*store, request(Op::decrement, 0, kRef));
        if (part_of(table, low) == part_of(table, high)) {
          EXPECT_FALSE(out.answered) << where;
          EXPECT_EQ(out.corrected, 0u) << where;
          expect_halted(*store, where);
          expect_works_after_reset(*store, where);
        } else {
          EXPECT_TRUE(out.answered && out.rsp.ok && out.corrected == 1) << where;
        }
      }
    }
  }
}

TEST_P(Secded, OneBitNamedTwiceIsWrongOnce) {
  auto store = make();
  observe_wrong(*store, request(Op::insert, 0, kRef), pair_of(Table::tags, 3, 3));
  const Outcome out = observe(*store, request(Op::lookup, 0, 0));
  EXPECT_TRUE(out.rsp.hit);
  EXPECT_EQ(out.corrected, 1u);
}

TEST_P(Secded, HalvesOfTheFlipsNameTwoTables) {
  auto store = make();
  observe_wrong(*store, request(Op::insert, 0, kRef),
                flip_of(Table::tags, 0) | std::uint32_t{flip_of(Table::refs, 0)} << 16);
  EXPECT_EQ(observe(*store, request(Op::decrement, 0, kRef)).corrected, 2u);  // its name, then its tag
}

TEST_P(Secded, AResetLiftsTheFlips) {
  auto store = make();
  store->set_flips(pair_of(Table::rows, 0, 1));
  store->reset();
  EXPECT_EQ(observe(*store, request(Op::insert, 0, kRef)).corrected, 0u);
  EXPECT_EQ(observe(*store, request(Op::lookup, 0, 0)).corrected, 0u);
}

TEST_P(Secded, WhatIsWrongSinceTheClearingIsNoticed) {
  auto store = make();
  for (const Table table : {Table::rows, Table::refs}) {
    store->reset();
    store->set_flips(flip_of(table, 1));
    ready(*store);
    store->set_flips(0);
    const Outcome out = observe(*store, request(Op::insert, 0, kRef));
    EXPECT_TRUE(out.rsp.ok);
    EXPECT_EQ(out.corrected, 1u);
    store->reset();
    store->set_flips(pair_of(table, 0, 1));
    ready(*store);
    store->set_flips(0);
    EXPECT_FALSE(observe(*store, request(Op::insert, 0, kRef)).answered);
    expect_halted(*store, "cleared");
  }
}

TEST_P(Secded, AWrongBitInAWayThatIsNotValidIsNotNoticed) {
  auto store = make();
  for (const Table table : {Table::tags, Table::counts}) {
    store->reset();
    observe_wrong(*store, request(Op::insert, 0, kRef), pair_of(table, 0, 1));
    store->reset();  // the valid bits are cleared, tags and counts stay
    EXPECT_FALSE(observe(*store, request(Op::lookup, 0, 0)).rsp.hit);
    EXPECT_TRUE(observe(*store, request(Op::insert, 0, kRef)).rsp.ok);
    EXPECT_EQ(observe(*store, request(Op::lookup, 0, 0)).corrected, 0u);
  }
}

TEST_P(Secded, TwoWrongBitsOfAnotherSetAreNotNoticed) {
  auto store = make();
  observe_wrong(*store, request(Op::insert, 1, kRef), pair_of(Table::tags, 0, 1));
  EXPECT_FALSE(observe(*store, request(Op::lookup, 0, 0)).rsp.hit);
  EXPECT_FALSE(store->fatal());
  EXPECT_FALSE(observe(*store, request(Op::lookup, 1, 0)).answered);
  EXPECT_TRUE(store->fatal());
}

TEST_P(Secded, LookupAndIncrementPassTwoWrongBitsOfTheSecondTable) {
  auto store = make();
  observe_wrong(*store, request(Op::insert, 0, kRef), pair_of(Table::refs, 0, 1));
  EXPECT_TRUE(observe(*store, request(Op::lookup, 0, 0)).rsp.hit);
  EXPECT_TRUE(observe(*store, request(Op::increment, 0, kRef, 0)).rsp.ok);
  EXPECT_FALSE(store->fatal());
  EXPECT_FALSE(observe(*store, request(Op::insert, 2, kRef)).answered);
  expect_halted(*store, "INSERT");
}

/// Takes a store whose first set has count 1 in every way, the first with a wrong name, and evicts that one.
TEST_P(Secded, AnEvictedNameThatIsLostHaltsTheStoreAfterTheAnswer) {
  for (const bool take : {true, false}) {
    auto store = make();
    const unsigned step = GetParam().sets;
    // References of set 0 of the second table: the first one's name is lost. The others are in other sets.
    observe_wrong(*store, request(Op::insert, 0, kRef), pair_of(Table::refs, 0, 1));
    for (unsigned way = 1; way < GetParam().ways; ++way)
      EXPECT_TRUE(observe(*store, request(Op::insert, way * step, way == 1 ? 1 : 2)).rsp.ok) << way;
    ready(*store);
    const unsigned other = GetParam().ref_sets == 4 ? 2 : 4;
    ASSERT_TRUE(store->push(request(Op::insert, GetParam().ways * step, other)));
    store->tick();
    store->tick();
    ASSERT_NE(store->front(), nullptr);
    EXPECT_TRUE(store->front()->evicted);
    EXPECT_EQ(store->front()->evicted_ref, kRef);
    if (take) store->pop();
    store->tick();
    EXPECT_FALSE(store->fatal());  // the name of the evicted entry is read now
    store->tick();
    EXPECT_TRUE(store->fatal());
    if (take) {
      expect_halted(*store, "wipe");
    } else {  // it was made from words that are whole
      for (unsigned k = 0; k < 3; ++k) {
        EXPECT_NE(store->front(), nullptr);
        store->tick();
      }
      store->pop();
      store->tick();
      expect_halted(*store, "wipe, answer waited");
    }
    expect_works_after_reset(*store, "wipe");
  }
}

TEST_P(Secded, AHaltWritesNothing) {  // an assertion in the RTL: these operations would write every table
  auto store = make();
  for (const Op op : {Op::lookup, Op::increment, Op::decrement, Op::evict}) {
    store->reset();
    observe_wrong(*store, request(Op::insert, 0, kRef), pair_of(Table::counts, 0, 1));
    EXPECT_FALSE(observe(*store, request(op, 0, kRef, 0)).answered);
    expect_halted(*store, "count");
  }
}

TEST(SecdedOff, FlipsAreIgnored) {
  for (const HashStoreParams& params :
       {HashStoreParams{4, 3, 5, 3, 2, 0, 2, 3}, HashStoreParams{1, 1, 2, 1, 1, 0, 1, 2}}) {
    auto store = make_hash_store(params, Backend::shadow);
    store->reset();
    for (unsigned table = 0; table < 4; ++table) {
      store->set_flips(pair_of(static_cast<Table>(table), 0, 1));
      EXPECT_EQ(observe(*store, request(Op::insert, 0, kRef)).rsp.ok, table == 0);
      EXPECT_TRUE(observe(*store, request(Op::lookup, 0, 0)).rsp.hit);
      EXPECT_FALSE(store->fatal());
    }
  }
}

TEST(SecdedOff, UnknownPointsAndNumbersAreRefused) {
  EXPECT_THROW(make_hash_store({4, 3, 5, 3, 2, 0, 4, 3, true}, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(flip_of(Table::refs, 16382));
  EXPECT_THROW(flip_of(Table::refs, 16383), std::invalid_argument);
  EXPECT_EQ(flip_of(Table::counts, 5), 0x8006);
}

/// Random operations with flips that come and go, in lock step of model and RTL. Each answer is that of a store
/// without wrong bits; nothing is answered after a halt, and a reset ends it.
void traffic(const HashStoreParams& params, std::uint32_t seed, unsigned length, bool pairs,
             std::uint64_t& operations, std::uint64_t& corrected, std::uint64_t& halts) {
  std::minstd_rand random(seed);
  auto store = make_hash_store(params, Backend::shadow);
  HashStoreParams plain = params;
  plain.secded = false;
  auto reference = make_hash_store(plain, Backend::model);
  store->reset();
  reference->reset();
  const auto any_flip = [&] {
    const auto table = static_cast<Table>(random() % 4);
    return flip_of(table, static_cast<unsigned>(random() % WrongBits::shape(params, table).stored_bits()));
  };
  const auto any_pair = [&] {
    const auto table = static_cast<Table>(random() % 4);
    const unsigned bits = WrongBits::shape(params, table).stored_bits();
    const unsigned number = static_cast<unsigned>(random() % (bits - 1));
    return pair_of(table, number, number + 1);
  };
  std::vector<HashStoreRsp> seen;
  for (unsigned i = 0; i < length; ++i) {
    HashStoreReq req = request(static_cast<Op>(random() % 5), static_cast<std::uint32_t>(random() % 16),
                               static_cast<std::uint32_t>(random() % 8));
    if (req.op == Op::evict && random() % 2) req.op = Op::insert;
    if (!seen.empty() && random() % 4) {
      const HashStoreRsp& entry = seen[seen.size() - 1 - random() % std::min<std::size_t>(seen.size(), 6)];
      req.index = entry.index;
      if (req.op != Op::insert) req.ref = entry.ref;
    }
    const bool two = pairs && random() % 16 == 0;
    store->set_flips(random() % 3 ? 0u : two ? any_pair() : std::uint32_t{any_flip()});
    const Outcome wrong = observe(*store, req), right = observe(*reference, req);
    ++operations;
    corrected += wrong.corrected;
    if (store->fatal()) {
      ASSERT_TRUE(pairs);
      // Only a lost name of an evicted entry leaves an answer.
      ASSERT_TRUE(!wrong.answered || (wrong.rsp.evicted && wrong.rsp == right.rsp));
      ++halts;
      for (unsigned k = 0; k < 5; ++k) {
        ASSERT_FALSE(store->push(req));
        ASSERT_EQ(store->front(), nullptr);
        store->tick();
      }
      store->reset();
      reference->reset();
      seen.clear();
      continue;
    }
    ASSERT_TRUE(wrong.answered);
    ASSERT_EQ(wrong.rsp, right.rsp) << describe(req) << ": " << describe(wrong.rsp) << " for " << describe(right.rsp);
    if (right.rsp.hit || right.rsp.ok) seen.push_back(right.rsp);
  }
}

TEST_P(Secded, RandomOperationsWithSingleFlipsAnswerAsWithout) {
  std::uint64_t operations = 0, corrected = 0, halts = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed)
    traffic(GetParam(), seed, 1500, false, operations, corrected, halts);
  EXPECT_GT(corrected, operations / 20);
  EXPECT_EQ(halts, 0u);
}

TEST_P(Secded, RandomOperationsWithPairsOfFlipsAnswerAsWithoutOrHalt) {
  std::uint64_t operations = 0, corrected = 0, halts = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) traffic(GetParam(), seed, 1500, true, operations, corrected, halts);
  EXPECT_GT(corrected, operations / 20);
  EXPECT_GT(halts, 20u);
}

TEST_P(Secded, LongRunWithFlips) {
  if (!std::getenv("WARPSIEVE_LONG"))
    GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 100,000 operations per point";
  std::uint64_t operations = 0, corrected = 0, halts = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed)
    traffic(GetParam(), seed, 5000, seed % 2 == 0, operations, corrected, halts);
  tb::report_transactions(operations);
}

}  // namespace
}  // namespace warpsieve::hash_store
