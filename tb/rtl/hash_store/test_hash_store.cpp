// hash_store: every operation's exact answer, replacement order and latency by hand, then random
// operations in lock step of model and RTL against an abstract map, at every compiled point.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <vector>

#include "blocks/hash_store/hash_store.h"
#include "support/lockstep.h"
#include "support/long_run.h"
#include "support/one_bit_apart.h"
#include "support/property.h"

namespace warpsieve::hash_store {
namespace {

using Op = HashStoreOp;

constexpr HashStoreParams min_point{1, 1, 2, 1, 1, 0, 1, 2}, odd_point{4, 3, 5, 3, 2, 0, 2, 3},
    tiny_point{2, 2, 128, 8, 3, 0, 4, 2}, paper_point{128, 16, 128, 21, 16}, domain_point{2, 2, 128, 8, 3, 2, 4, 2},
    secure_point{128, 16, 128, 21, 16, 4};

std::array<std::uint8_t, 16> hash_of(std::uint32_t low, std::uint8_t top = 0) {
  std::array<std::uint8_t, 16> hash{};
  for (unsigned i = 0; i < 4; ++i) hash[i] = static_cast<std::uint8_t>(low >> (8 * i));
  hash[15] = top;
  return hash;
}
HashStoreReq lookup(std::uint32_t hash) { return {Op::lookup, hash_of(hash), 0, 0}; }
HashStoreReq insert(std::uint32_t hash, std::uint32_t ref) { return {Op::insert, hash_of(hash), ref, 0}; }
HashStoreReq at(Op op, std::uint32_t index, std::uint32_t ref) { return {op, {}, ref, index}; }

HashStoreReq of(Op op, std::uint32_t ref) { return {op, {}, ref, 0}; }  // DECREMENT, EVICT

bool sought(Op op) { return op == Op::decrement || op == Op::evict; }

/// Issues one operation and expects its response exactly two ticks later, or three when its entry has to be sought.
HashStoreRsp run(HashStore& store, const HashStoreReq& req) {
  for (unsigned k = 0; k < 300 && !store.ready(); ++k) store.tick();  // after a reset
  EXPECT_TRUE(store.push(req));
  store.tick();
  if (sought(req.op)) {
    EXPECT_EQ(store.front(), nullptr);
    store.tick();
  }
  EXPECT_EQ(store.front(), nullptr);
  EXPECT_FALSE(store.ready());
  store.tick();
  if (!store.front()) throw std::runtime_error("no response in the cycle in which it is due");
  const HashStoreRsp rsp = *store.front();
  EXPECT_FALSE(store.ready());
  store.pop();
  store.tick();
  EXPECT_EQ(store.front(), nullptr);
  EXPECT_EQ(store.ready(), !rsp.evicted);
  if (rsp.evicted) store.tick();
  EXPECT_TRUE(store.ready());
  return rsp;
}

class Tiny : public ::testing::Test {
 protected:
  void SetUp() override { store->reset(); }
  HashStoreRsp run(const HashStoreReq& req) { return hash_store::run(*store, req); }
  std::unique_ptr<HashStore> store = make_hash_store(tiny_point, Backend::shadow);
};

TEST(HashStore, TablesAreClearedAfterEveryReset) {
  for (const HashStoreParams& params : {min_point, odd_point, tiny_point, paper_point}) {
    auto store = make_hash_store(params, Backend::shadow);
    for (unsigned round = 0; round < 3; ++round) {
      store->reset();
      const unsigned sets = std::max(params.sets, params.ref_sets);
      for (unsigned k = 0; k < sets; ++k) {
        EXPECT_FALSE(store->ready()) << k;
        EXPECT_FALSE(store->idle()) << k;
        store->tick();
      }
      EXPECT_TRUE(store->ready());
      EXPECT_FALSE(run(*store, lookup(1)).hit);
      EXPECT_FALSE(run(*store, of(Op::decrement, 1)).hit);
      EXPECT_TRUE(run(*store, insert(1, 1)).ok);
      store->push(lookup(1));  // the reset takes it
    }
  }
}

TEST_F(Tiny, EmptyAfterResetAndEveryOperationTakesItsCycles) {
  const HashStoreRsp nothing{};
  for (const Op op : {Op::lookup, Op::increment, Op::decrement, Op::evict}) {
    for (std::uint32_t index = 0; index < 4; ++index) EXPECT_EQ(run(at(op, index, 0)), nothing);
  }
  EXPECT_EQ(run(insert(0, 9)), (HashStoreRsp{.index = 0, .ref = 9, .count = 1, .ok = true}));
  store->reset();
  EXPECT_EQ(run(lookup(0)), nothing);
}

TEST_F(Tiny, IndexIsSetThenWayAndFreeWaysFillFromZero) {
  EXPECT_EQ(run(insert(0x10, 1)).index, 0u);  // set 0 way 0
  EXPECT_EQ(run(insert(0x11, 2)).index, 2u);  // set 1 way 0
  EXPECT_EQ(run(insert(0x20, 3)).index, 1u);  // set 0 way 1
  EXPECT_EQ(run(insert(0x21, 4)).index, 3u);  // set 1 way 1
  EXPECT_EQ(run(lookup(0x21)), (HashStoreRsp{.hit = true, .index = 3, .ref = 4, .count = 1, .ok = true}));
}

TEST_F(Tiny, HashesThatDifferOnlyInTheLastBitAreDifferent) {
  EXPECT_TRUE(run({Op::insert, hash_of(2, 0x80), 1, 0}).ok);
  EXPECT_FALSE(run({Op::lookup, hash_of(2, 0x00), 0, 0}).hit);
  EXPECT_TRUE(run({Op::lookup, hash_of(2, 0x80), 0, 0}).hit);
}

TEST(HashStore, EqualHashesOfTwoDomainsAreTwoEntriesOfOneSet) {
  for (const HashStoreParams& params : {domain_point, secure_point}) {
    auto store = make_hash_store(params, Backend::shadow);
    store->reset();
    const std::uint8_t last = static_cast<std::uint8_t>((1u << params.domain_bits) - 1);
    for (const std::uint8_t domain : {std::uint8_t{0}, last}) {
      EXPECT_FALSE(run(*store, {Op::lookup, hash_of(1), 0, 0, domain}).hit);
      EXPECT_TRUE(run(*store, {Op::insert, hash_of(1), 5u + domain, 0, domain}).ok);
      EXPECT_EQ(run(*store, {Op::lookup, hash_of(1), 0, 0, domain}).ref, 5u + domain);
    }
    EXPECT_EQ(run(*store, {Op::lookup, hash_of(1), 0, 0, 0}).index, 1u << std::bit_width(params.ways - 1));
    EXPECT_EQ(run(*store, {Op::lookup, hash_of(1), 0, 0, last}).index, (1u << std::bit_width(params.ways - 1)) + 1);
    EXPECT_FALSE(run(*store, {Op::lookup, hash_of(1), 0, 0, 1}).hit);
  }
}

TEST(HashStore, WithoutDomainBitsTheDomainIsIgnored) {
  auto store = make_hash_store(tiny_point, Backend::shadow);
  store->reset();
  EXPECT_TRUE(run(*store, {Op::insert, hash_of(1), 5, 0, 3}).ok);
  EXPECT_TRUE(run(*store, {Op::lookup, hash_of(1), 0, 0, 2}).hit);
}

TEST_F(Tiny, InsertOfAPresentHashIsRefusedAndReportsTheEntry) {
  run(insert(6, 0x55));
  run(at(Op::increment, 0, 0x55));
  EXPECT_EQ(run(insert(6, 0x66)), (HashStoreRsp{.hit = true, .index = 0, .ref = 0x55, .count = 2}));
  EXPECT_EQ(run(lookup(6)).ref, 0x55u);
}

TEST_F(Tiny, EvictsTheLeastRecentlyUsedEntryOfCountOne) {
  run(insert(2, 0xa));  // way 0
  run(insert(4, 0xb));  // way 1; order 1 0
  run(lookup(2));       // order 0 1
  EXPECT_EQ(run(insert(6, 0xc)),
            (HashStoreRsp{.index = 1, .ref = 0xc, .count = 1, .ok = true, .evicted = true, .evicted_ref = 0xb}));
  // order 1 0: the next one to go is way 0
  EXPECT_EQ(run(insert(8, 0xd)),
            (HashStoreRsp{.index = 0, .ref = 0xd, .count = 1, .ok = true, .evicted = true, .evicted_ref = 0xa}));
  EXPECT_FALSE(run(lookup(2)).hit);
  EXPECT_FALSE(run(lookup(4)).hit);
}

TEST_F(Tiny, OnlyLookupHitsAndInsertionsChangeTheOrder) {
  run(insert(2, 0xa));
  run(insert(4, 0xb));             // order 1 0
  run(at(Op::increment, 0, 0xa));  // none of these makes way 0 recent
  run(of(Op::decrement, 0xa));
  run(insert(2, 0xf));
  EXPECT_EQ(run(insert(6, 0xc)).evicted_ref, 0xau);
}

TEST_F(Tiny, CountAboveOnePinsAnEntryAndAFullyPinnedSetRefuses) {
  run(insert(2, 0xa));
  run(insert(4, 0xb));
  EXPECT_EQ(run(at(Op::increment, 0, 0xa)),
            (HashStoreRsp{.hit = true, .index = 0, .ref = 0xa, .count = 2, .ok = true}));
  EXPECT_EQ(run(insert(6, 0xc)).evicted_ref, 0xbu);  // way 0 is older but pinned
  run(at(Op::increment, 1, 0xc));
  EXPECT_EQ(run(insert(8, 0xd)), HashStoreRsp{});
  run(of(Op::decrement, 0xa));
  EXPECT_EQ(run(insert(8, 0xd)).evicted_ref, 0xau);
}

TEST_F(Tiny, CountSaturatesAtSevenAndNeverWraps) {
  run(insert(2, 0xa));
  for (std::uint32_t count = 2; count <= 7; ++count) EXPECT_EQ(run(at(Op::increment, 0, 0xa)).count, count);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(at(Op::increment, 0, 0xa)), (HashStoreRsp{.hit = true, .index = 0, .ref = 0xa, .count = 7}));
  }
  EXPECT_EQ(run(of(Op::decrement, 0xa)).count, 6u);
}

TEST_F(Tiny, DecrementToZeroRemovesAndFreesTheWay) {
  run(insert(2, 0xa));
  run(insert(4, 0xb));
  run(at(Op::increment, 1, 0xb));
  EXPECT_EQ(run(of(Op::decrement, 0xb)), (HashStoreRsp{.hit = true, .index = 1, .ref = 0xb, .count = 1, .ok = true}));
  EXPECT_EQ(run(of(Op::decrement, 0xb)), (HashStoreRsp{.hit = true, .index = 1, .ref = 0xb, .count = 0, .ok = true}));
  EXPECT_EQ(run(of(Op::decrement, 0xb)), HashStoreRsp{});
  EXPECT_FALSE(run(lookup(4)).hit);
  EXPECT_EQ(run(insert(6, 0xc)), (HashStoreRsp{.index = 1, .ref = 0xc, .count = 1, .ok = true}));
}

TEST_F(Tiny, IncrementChecksTheReferenceOfItsIndex) {
  run(insert(3, 0xa));  // index 2
  EXPECT_EQ(run(at(Op::increment, 2, 0xb)), HashStoreRsp{});
  EXPECT_EQ(run(at(Op::increment, 3, 0xa)), HashStoreRsp{});
  EXPECT_EQ(run(lookup(3)).count, 1u);
}

TEST_F(Tiny, DecrementAndEvictFindTheEntryOfTheReferenceWhateverTheIndex) {
  for (const Op op : {Op::decrement, Op::evict}) {
    run(insert(3, 0xa));
    EXPECT_EQ(run(of(op, 0xb)), HashStoreRsp{});
    EXPECT_EQ(run(at(op, 1, 0xa)), (HashStoreRsp{.hit = true, .index = 2, .ref = 0xa, .count = 0, .ok = true}));
    EXPECT_EQ(run(of(op, 0xa)), HashStoreRsp{});
  }
}

TEST_F(Tiny, ReferenceHasOneEntry) {
  EXPECT_TRUE(run(insert(2, 0xa)).ok);
  EXPECT_EQ(run(insert(3, 0xa)), HashStoreRsp{});
  run(of(Op::decrement, 0xa));
  EXPECT_TRUE(run(insert(3, 0xa)).ok);
}

TEST_F(Tiny, InsertionNeedsAPlaceInTheSetOfItsReference) {
  // Sets of references: parity of bits 0, 2, 4, 6 and of bits 1, 3, 5, 7. 0x00, 0x05 and 0x11 share one.
  EXPECT_TRUE(run(insert(2, 0x00)).ok);
  EXPECT_TRUE(run(insert(3, 0x05)).ok);
  EXPECT_EQ(run(insert(5, 0x11)), HashStoreRsp{});
  EXPECT_TRUE(run(insert(5, 0x01)).ok);
  run(of(Op::evict, 0x00));
  EXPECT_TRUE(run(insert(4, 0x11)).ok);
}

TEST_F(Tiny, EvictedEntryLeavesTheSetOfItsReference) {
  run(insert(2, 0x00));
  run(insert(3, 0x05));
  run(insert(4, 0x01));
  EXPECT_EQ(run(insert(6, 0x02)).evicted_ref, 0x00u);
  EXPECT_EQ(run(of(Op::decrement, 0x00)), HashStoreRsp{});
  EXPECT_TRUE(run(insert(5, 0x11)).ok);  // in the place of 0x00
  EXPECT_EQ(run(of(Op::decrement, 0x11)).index, 3u);
}

TEST_F(Tiny, EvictRemovesAPinnedEntry) {
  run(insert(3, 0xa));
  run(at(Op::increment, 2, 0xa));
  EXPECT_EQ(run(of(Op::evict, 0xa)), (HashStoreRsp{.hit = true, .index = 2, .ref = 0xa, .count = 0, .ok = true}));
  EXPECT_FALSE(run(lookup(3)).hit);
}

TEST_F(Tiny, ResponseWaitsForItsTakerAndHoldsOffTheNextRequest) {
  run(lookup(0));
  ASSERT_TRUE(store->push(insert(2, 7)));
  store->tick();
  store->tick();
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(store->push(lookup(2)));
    ASSERT_NE(store->front(), nullptr);
    EXPECT_EQ(store->front()->ref, 7u);
    EXPECT_FALSE(store->idle());
    store->tick();
  }
  store->pop();
  store->tick();
  EXPECT_TRUE(store->idle());
}

TEST(HashStore, PaperPointHoldsExactlySixteenEntriesPerSet) {
  auto store = make_hash_store(paper_point, Backend::shadow);
  store->reset();
  for (std::uint32_t i = 0; i < 16; ++i) {
    EXPECT_EQ(run(*store, insert(i << 7 | 127, i)),
              (HashStoreRsp{.index = 127 * 16 + i, .ref = i, .count = 1, .ok = true}));
  }
  const HashStoreRsp rsp = run(*store, insert(16 << 7 | 127, 0x1fffff));
  EXPECT_EQ(rsp, (HashStoreRsp{.index = 127 * 16, .ref = 0x1fffff, .count = 1, .ok = true, .evicted = true}));
}

TEST(HashStore, PaperPointSaturatesAt65535) {
  auto store = make_hash_store(paper_point, Backend::shadow);
  store->reset();
  run(*store, insert(5, 1));
  for (std::uint32_t count = 2; count <= 65535; ++count) ASSERT_TRUE(run(*store, at(Op::increment, 5 * 16, 1)).ok);
  EXPECT_EQ(run(*store, at(Op::increment, 5 * 16, 1)),
            (HashStoreRsp{.hit = true, .index = 80, .ref = 1, .count = 65535}));
}

TEST(HashStore, SingleEntryStoreHasNoEntryOne) {
  auto store = make_hash_store(min_point, Backend::shadow);
  run(*store, insert(1, 1));
  EXPECT_FALSE(run(*store, at(Op::increment, 1, 1)).hit);
  EXPECT_TRUE(run(*store, at(Op::increment, 0, 1)).hit);
  EXPECT_FALSE(run(*store, of(Op::decrement, 0)).hit);
  EXPECT_TRUE(run(*store, of(Op::decrement, 1)).hit);
}

TEST(HashStore, RequestsAndResponsesInMessages) {
  HashStoreReq req{.op = HashStoreOp::decrement, .ref = 0x1a, .index = 3};
  req.hash[0] = 0xcd;  // little-endian: the last digits
  req.hash[15] = 0x01;
  EXPECT_EQ(describe(req), "decrement hash 010000000000000000000000000000cd domain 0 ref 0x1a index 3");
  const HashStoreRsp rsp{
      .hit = true, .index = 5, .ref = 0x2b, .count = 7, .ok = false, .evicted = true, .evicted_ref = 9};
  EXPECT_EQ(describe(rsp), "hit true ok false index 5 ref 0x2b count 7 evicted true evicted_ref 0x9");
}

TEST(HashStore, UnknownPointAndBadParametersAreRefused) {
  EXPECT_THROW(make_hash_store({2, 3, 16, 9, 8}, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(make_hash_store({2, 3, 16, 9, 8}, Backend::model));
  for (const HashStoreParams& bad :
       {HashStoreParams{3, 1, 8, 8, 8}, HashStoreParams{1, 0, 8, 8, 8}, HashStoreParams{256, 1, 7, 8, 8},
        HashStoreParams{1, 1, 129, 8, 8}, HashStoreParams{2, 2, 16, 8, 3, 1}, HashStoreParams{2, 2, 128, 8, 3, 9},
        HashStoreParams{2, 2, 16, 8, 3, 0, 3, 1}, HashStoreParams{2, 2, 16, 8, 3, 0, 256, 1},
        HashStoreParams{2, 2, 16, 8, 3, 0, 2, 0}}) {
    EXPECT_THROW(make_hash_store(bad, Backend::model), std::invalid_argument);
  }
}

// Everything the store promises except which entry of count 1 leaves: at most one entry per hash and per reference,
// exact counts, an eviction only of a count of 1 from a full set, a place for every reference.
class Contract {
 public:
  explicit Contract(const HashStoreParams& params) : params_(params) {}
  void check(const HashStoreReq& req, const HashStoreRsp& rsp) {
    req.op == Op::lookup || req.op == Op::insert ? by_hash(req, rsp) : by_entry(req, rsp);
  }

 private:
  struct Entry {
    std::array<std::uint8_t, 16> hash;
    std::uint8_t domain;
    std::uint32_t ref, count;
  };
  unsigned set_of_index(std::uint32_t index) const { return index >> std::bit_width(params_.ways - 1); }
  void by_hash(const HashStoreReq& req, const HashStoreRsp& rsp) {
    const unsigned set = (req.hash[0] | req.hash[1] << 8) & (params_.sets - 1);
    unsigned used = 0, single = 0;
    for (const auto& [index, entry] : entries_) {
      if (set_of_index(index) != set) continue;
      ++used;
      single += entry.count == 1;
      if (entry.hash != req.hash || entry.domain != req.domain) continue;
      RC_ASSERT(
          rsp ==
          (HashStoreRsp{
              .hit = true, .index = index, .ref = entry.ref, .count = entry.count, .ok = req.op == Op::lookup}));
      return;
    }
    unsigned beside = 0;
    bool known = false;
    for (const auto& [index, entry] : entries_) {
      beside += ref_set(entry.ref) == ref_set(req.ref);
      known |= entry.ref == req.ref;
    }
    const bool room = (used < params_.ways || single > 0) && !known && beside < params_.ref_ways;
    if (req.op == Op::lookup || !room) {
      RC_ASSERT(rsp == HashStoreRsp{});
      return;
    }
    RC_ASSERT(rsp.ok);
    RC_ASSERT(!rsp.hit);
    RC_ASSERT(rsp.evicted == (used == params_.ways));
    const auto old = entries_.find(rsp.index);
    RC_ASSERT((old != entries_.end()) == rsp.evicted);
    if (rsp.evicted) {
      RC_ASSERT(old->second.count == 1u);
      RC_ASSERT(old->second.ref == rsp.evicted_ref);
    }
    RC_ASSERT(set_of_index(rsp.index) == set);
    RC_ASSERT(rsp.ref == req.ref);
    RC_ASSERT(rsp.count == 1u);
    entries_[rsp.index] = {req.hash, req.domain, req.ref, 1};
  }
  unsigned ref_set(std::uint32_t ref) const {
    unsigned set = 0;
    const unsigned bits = std::bit_width(params_.ref_sets - 1);
    for (unsigned b = 0; bits && b < params_.ref_bits; ++b) set ^= (ref >> b & 1) << b % bits;
    return set;
  }
  void by_entry(const HashStoreReq& req, const HashStoreRsp& rsp) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) {
      return entry.second.ref == req.ref && (req.op != Op::increment || entry.first == req.index);
    });
    if (found == entries_.end()) {
      RC_ASSERT(rsp == HashStoreRsp{});
      return;
    }
    Entry& entry = found->second;
    const bool saturated = entry.count == (1u << params_.count_bits) - 1;
    bool ok = true;
    if (req.op == Op::increment) {
      ok = !saturated;
      entry.count += ok;
    } else {
      entry.count = req.op == Op::decrement ? entry.count - 1 : 0;
    }
    RC_ASSERT(rsp ==
              (HashStoreRsp{.hit = true, .index = found->first, .ref = entry.ref, .count = entry.count, .ok = ok}));
    if (entry.count == 0) entries_.erase(found);
  }
  HashStoreParams params_;
  std::map<std::uint32_t, Entry> entries_;
};

class HashStorePoints : public ::testing::TestWithParam<HashStoreParams> {};
INSTANTIATE_TEST_SUITE_P(Points, HashStorePoints,
                         ::testing::Values(min_point, odd_point, tiny_point, paper_point, domain_point, secure_point),
                         [](const auto& info) {
                           return "S" + std::to_string(info.param.sets) + "W" + std::to_string(info.param.ways) +
                                  "D" + std::to_string(info.param.domain_bits);
                         });

/// A request whose key, {domain, hash}, is bytes of `key`, cut to the bits the store has.
HashStoreReq keyed(const HashStoreParams& params, Op op, const std::array<std::uint8_t, 17>& key, std::uint32_t ref) {
  HashStoreReq req{op, {}, ref, 0, static_cast<std::uint8_t>(key[16] & ((1u << params.domain_bits) - 1))};
  for (unsigned bit = 0; bit < params.hash_bits; ++bit) {
    req.hash[bit / 8] = static_cast<std::uint8_t>(req.hash[bit / 8] | (key[bit / 8] & 1u << bit % 8));
  }
  return req;
}
const std::array<std::uint8_t, 17> any_key{0x6b, 0x1e, 0xc5, 0x93, 0x0f, 0xa8, 0x72, 0xdd, 0x34,
                                           0xe9, 0x57, 0x80, 0xfc, 0x2a, 0xb1, 0x4d, 0x06};

TEST_P(HashStorePoints, EverySingleBitOfTheKeyMakesAnotherEntry) {
  const HashStoreParams& params = GetParam();
  auto store = make_hash_store(params, Backend::shadow);
  const unsigned set_bits = std::bit_width(params.sets - 1);
  for (unsigned bit = 0; bit < params.hash_bits + params.domain_bits; ++bit) {
    const auto other = tb::flip_bit(any_key, bit);
    store->reset();
    EXPECT_TRUE(run(*store, keyed(params, Op::insert, any_key, 0)).ok) << bit;
    EXPECT_FALSE(run(*store, keyed(params, Op::lookup, other, 0)).hit) << bit;
    const HashStoreRsp second = run(*store, keyed(params, Op::insert, other, 1));
    EXPECT_TRUE(second.ok && !second.hit) << bit;
    const HashStoreRsp first = run(*store, keyed(params, Op::lookup, any_key, 0));
    EXPECT_EQ(first.hit, params.ways > 1 || bit < set_bits) << bit;
    EXPECT_EQ(first.ref, 0u) << bit;
    EXPECT_EQ(run(*store, keyed(params, Op::lookup, other, 0)).ref, 1u) << bit;
  }
}

TEST_P(HashStorePoints, EverySingleBitOfTheReferenceIsChecked) {
  const HashStoreParams& params = GetParam();
  auto store = make_hash_store(params, Backend::shadow);
  store->reset();
  const std::uint32_t ref = 0x12c5a6u & ((1u << params.ref_bits) - 1);
  const std::uint32_t index = run(*store, keyed(params, Op::insert, any_key, ref)).index;
  for (unsigned bit = 0; bit < params.ref_bits; ++bit) {
    for (const Op op : {Op::increment, Op::decrement, Op::evict}) {
      EXPECT_EQ(run(*store, at(op, index, tb::flip_bit(ref, bit))), HashStoreRsp{}) << bit;
    }
  }
  EXPECT_TRUE(run(*store, of(Op::evict, ref)).ok);
}

/// Random operations in lock step of model and RTL; each response is checked. Adds the number of operations.
void contract_property(const HashStoreParams& params, int cases, unsigned longest, std::uint64_t& operations) {
  tb::check_property("hash_store contract", cases, [&] {
    std::minstd_rand random(*rc::gen::inRange(1u, 1u << 30));
    // Few sets and hashes so that sets fill up; references follow the hash so that index operations hit.
    const unsigned sets = std::min(params.sets, *rc::gen::inRange(1u, 3u));
    const unsigned tags = *rc::gen::inRange(params.ways, 2 * params.ways + 2);
    // Which sets and hashes they are is arbitrary, so that every set and every bit of a hash is used.
    const std::uint32_t first_set = *rc::gen::inRange(0u, params.sets);
    const std::uint32_t first_tag = *rc::gen::arbitrary<std::uint8_t>();
    const unsigned length = *rc::gen::inRange(1u, longest);
    // Half of the time hashes that differ in one bit above the set's.
    const bool flips = *rc::gen::arbitrary<bool>();
    auto base = any_key;
    for (std::uint8_t& byte : base) byte = static_cast<std::uint8_t>(byte ^ random() >> 8);
    const tb::OneBitApart<std::array<std::uint8_t, 17>> flipped(base, params.hash_bits, random());
    const unsigned domains = params.domain_bits ? *rc::gen::inRange(1u, (1u << params.domain_bits) + 1) : 1;
    const std::uint32_t ref_mask = (1u << params.ref_bits) - 1;
    // A few references, half of the time of one set.
    const unsigned ref_bits = std::bit_width(params.ref_sets - 1);
    const bool one_set = *rc::gen::arbitrary<bool>();
    const unsigned refs = *rc::gen::inRange(1u, 2 * std::max(params.ways * sets, params.ref_ways) + 2);
    const std::uint32_t first_ref = random();
    const auto reference = [&](unsigned k) {
      std::uint32_t ref = first_ref + k * 5;
      if (one_set && ref_bits) {  // the lowest bits make the parity 0
        ref = k << ref_bits & ref_mask;
        for (std::uint32_t rest = ref >> ref_bits; rest; rest >>= ref_bits) ref ^= rest & (params.ref_sets - 1);
      }
      return ref & ref_mask;
    };
    const unsigned set_bits = std::bit_width(params.sets - 1);
    // The generator knows what the store holds, so that most increments name an entry.
    auto known = make_hash_store(params, Backend::model);
    known->reset();
    std::vector<HashStoreRsp> seen;
    std::vector<HashStoreReq> requests;
    for (unsigned i = 0; i < length; ++i) {
      const unsigned set = (first_set + random() % sets) % params.sets;
      const std::uint32_t tag = first_tag ^ (random() % tags);
      HashStoreReq req{static_cast<Op>(random() % 5), hash_of(tag << set_bits | set), 0, 0,
                       static_cast<std::uint8_t>(random() % domains)};
      if (req.op == Op::evict && random() % 2) req.op = Op::insert;
      if (params.hash_bits < 32) {
        req.hash = hash_of((tag << set_bits | set) & ((1u << params.hash_bits) - 1));
      }
      if (flips) {
        req.hash = keyed(params, req.op, flipped(random() % tags), 0).hash;
        for (unsigned bit = 0; bit < set_bits; ++bit) {
          if (((req.hash[bit / 8] >> bit % 8) ^ (set >> bit)) & 1) req.hash = tb::flip_bit(req.hash, bit);
        }
      }
      req.ref = reference(random() % refs);
      if (random() % 16 == 0) req.ref = tb::flip_bit(req.ref, random() % params.ref_bits);
      req.index = random() & ((1u << params.index_bits()) - 1);
      if (req.op == Op::increment && !seen.empty() && random() % 8) {
        const HashStoreRsp& entry = seen[seen.size() - 1 - random() % std::min<std::size_t>(seen.size(), 8)];
        req.index = entry.index;
        if (random() % 8) req.ref = entry.ref;
      }
      // Only LOOKUP and INSERT look at the hash.
      if (req.op > Op::insert && random() % 2 == 0)
        req.hash = hash_of(random() & ((1u << std::min(params.hash_bits, 31u)) - 1));
      requests.push_back(req);
      while (!known->ready()) known->tick();
      known->push(req);
      while (!known->front()) known->tick();
      if (known->front()->hit || known->front()->ok) seen.push_back(*known->front());
      known->pop();
      known->tick();
    }
    const tb::Pressure pressure{*rc::gen::inRange(20u, 101u), *rc::gen::inRange(20u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    auto store = make_hash_store(params, Backend::shadow);
    store->reset();
    const auto responses = tb::drive_stream(*store, requests, requests.size(), pressure);
    Contract contract(params);
    for (std::size_t i = 0; i < requests.size(); ++i) contract.check(requests[i], responses[i]);
    operations += requests.size();
  });
}

TEST_P(HashStorePoints, RandomOperationsKeepTheContractInLockStep) {
  std::uint64_t operations = 0;
  contract_property(GetParam(), 400, 400, operations);
}

TEST_P(HashStorePoints, LongRunInLockStep) {  // six points: more than a million operations together
  if (!std::getenv("WARPSIEVE_LONG"))
    GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 170,000 operations per point";
  std::uint64_t operations = 0;
  contract_property(GetParam(), 180, 4000, operations);
  EXPECT_GT(operations, 170000u);
  tb::report_transactions(operations);
}

}  // namespace
}  // namespace warpsieve::hash_store
