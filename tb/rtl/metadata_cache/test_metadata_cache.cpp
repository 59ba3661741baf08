// metadata_cache: exact latencies, hit/miss/evict sequences by hand, then random streams in lock step of
// model and RTL against a plain array, with back-pressure on all ports and a memory that reorders.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <deque>
#include <stdexcept>

#include "bench.h"
#include "support/long_run.h"
#include "support/one_bit_apart.h"
#include "support/property.h"

namespace warpsieve::metadata_cache {
namespace {

constexpr unsigned odd_entries = 4;                // entries per sector at the odd point
constexpr unsigned odd_line = 16;                  // entries per line
constexpr unsigned odd_set_stride = 2 * odd_line;  // next line of the same set

class Odd : public ::testing::Test {
 protected:
  void SetUp() override { cache->reset(); }
  void tick(unsigned times = 1) {
    while (times--) cache->tick();
  }
  void offer(const MetaReq& req) { ASSERT_TRUE(cache->req().push(req)); }
  MetaRsp access(const MetaReq& req) { return metadata_cache::access(*cache, memory, req, &log); }
  MetaRsp read(std::uint32_t index) { return access({.index = index, .id = 1}); }
  MetaRsp write(std::uint32_t index, std::uint32_t data) {
    return access({.write = true, .index = index, .data = data});
  }
  std::vector<std::string> mem_log() {
    std::vector<std::string> words;
    for (const auto& req : log) words.push_back((req.write ? "w" : "r") + std::to_string(req.sector));
    log.clear();
    return words;
  }
  using Words = std::vector<std::string>;

  PlainMemory memory{odd_point};
  std::unique_ptr<MetadataCache> cache = make_metadata_cache(odd_point, Backend::shadow);
  std::vector<MetaMemReq> log;
};

TEST_F(Odd, HitAnswersAfterThreeTicks) {
  read(5);
  offer({.index = 6, .id = 9});
  tick(2);
  EXPECT_EQ(cache->rsp().front(), nullptr);
  tick();
  ASSERT_NE(cache->rsp().front(), nullptr);
  EXPECT_EQ(*cache->rsp().front(), (MetaRsp{memory.entry(6), 9, false}));
}

TEST_F(Odd, MissFetchesAfterTwoTicksAndAnswersSevenTicksAfterItsFill) {
  offer({.index = 5, .id = 3});
  tick();
  EXPECT_EQ(cache->mem_req().front(), nullptr);
  tick();
  ASSERT_NE(cache->mem_req().front(), nullptr);
  EXPECT_EQ(*cache->mem_req().front(), (MetaMemReq{false, 1, {}}));
  cache->mem_req().pop();
  tick();
  EXPECT_TRUE(cache->idle());  // nothing to do but wait
  tick(10);
  EXPECT_EQ(cache->rsp().front(), nullptr);
  ASSERT_TRUE(cache->mem_rsp().push({1, memory.sector(1)}));
  for (int i = 0; i < 6; ++i) {
    tick();
    EXPECT_EQ(cache->rsp().front(), nullptr) << i;
    EXPECT_EQ(cache->req().ready(), i >= 4);  // held off for the three cycles of install and one of replay
  }
  tick();
  ASSERT_NE(cache->rsp().front(), nullptr);
  EXPECT_EQ(*cache->rsp().front(), (MetaRsp{memory.entry(5), 3, true}));
}

TEST_F(Odd, HitsFlowOnePerCycle) {
  read(4);
  for (unsigned i = 0; i < 20; ++i) {
    if (i < 17) offer({.index = 4 + i % 4, .id = i % 16});
    EXPECT_EQ(cache->rsp().front() != nullptr, i >= 3);
    if (const auto* rsp = cache->rsp().front()) {
      EXPECT_EQ(rsp->id, (i - 3) % 16);
      EXPECT_EQ(rsp->data, memory.entry(4 + (i - 3) % 4));
      cache->rsp().pop();
    }
    tick();
  }
}

TEST_F(Odd, WritesFlowOnePerCycleAndEachAcknowledgesTheOldValue) {
  read(4);
  const std::uint32_t old = memory.entry(4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    offer({.write = true, .index = 4, .data = 0x10 + i, .id = i});
    tick();
  }
  std::vector<MetaRsp> seen;
  for (int i = 0; i < 8; ++i, tick()) {
    if (const auto* rsp = cache->rsp().front()) {
      seen.push_back(*rsp);
      cache->rsp().pop();
    }
  }
  EXPECT_EQ(seen, (std::vector<MetaRsp>{{old, 0, false}, {0x10, 1, false}, {0x11, 2, false}, {0x12, 3, false}}));
  EXPECT_EQ(read(4).data, 0x13u);
}

TEST_F(Odd, FillBringsOneSectorNotTheLine) {
  EXPECT_TRUE(read(0).missed);
  EXPECT_FALSE(read(3).missed);
  EXPECT_TRUE(read(4).missed);  // next sector, same line
  EXPECT_EQ(mem_log(), (Words{"r0", "r1"}));
}

TEST_F(Odd, EvictsTheLeastRecentlyUsedOfThreeWays) {
  for (const unsigned line : {0u, 1u, 2u}) EXPECT_TRUE(read(line * odd_set_stride).missed);
  EXPECT_FALSE(read(0).missed);                  // order 0 2 1
  EXPECT_TRUE(read(odd_line).missed);            // the other set is not touched
  EXPECT_TRUE(read(3 * odd_set_stride).missed);  // takes line 1's way
  EXPECT_FALSE(read(0).missed);
  EXPECT_FALSE(read(2 * odd_set_stride).missed);
  EXPECT_FALSE(read(3 * odd_set_stride).missed);
  mem_log();
  EXPECT_TRUE(read(1 * odd_set_stride).missed);
  EXPECT_EQ(mem_log(), (Words{"r8"}));  // clean victim: no write-back
}

TEST_F(Odd, OnlyDirtySectorsOfTheVictimAreWrittenBackInSectorOrderBeforeTheAnswer) {
  write(3 * odd_entries + 1, 0xaa);  // line 0: sectors 3 and 1 dirty, 0 clean
  write(1 * odd_entries + 2, 0xbb);
  read(0);
  for (const unsigned line : {1u, 2u}) read(line * odd_set_stride);
  mem_log();
  read(3 * odd_set_stride);
  EXPECT_EQ(mem_log(), (Words{"r24", "w1", "w3"}));
  EXPECT_EQ(memory.entry(3 * odd_entries + 1), 0xaau);
  EXPECT_EQ(memory.entry(1 * odd_entries + 2), 0xbbu);
  EXPECT_EQ(read(3 * odd_entries + 1), (MetaRsp{0xaa, 1, true}));
}

TEST_F(Odd, RewrittenSectorAfterEvictionIsCleanUntilWrittenAgain) {
  write(0, 0x77);
  for (const unsigned line : {1u, 2u, 3u}) read(line * odd_set_stride);  // line 0 leaves
  read(0);
  mem_log();
  for (const unsigned line : {1u, 2u, 3u}) read(line * odd_set_stride);  // and again
  EXPECT_EQ(mem_log(), (Words{"r8", "r16", "r24"}));
}

TEST_F(Odd, SecondRequestToASectorParksBehindTheFirstWithoutASecondFetch) {
  offer({.write = true, .index = 5, .data = 0x42, .id = 1});
  tick();
  offer({.index = 5, .id = 2});
  tick();
  tick(2);
  ASSERT_NE(cache->mem_req().front(), nullptr);
  cache->mem_req().pop();
  tick();
  EXPECT_EQ(cache->mem_req().front(), nullptr);
  ASSERT_TRUE(cache->mem_rsp().push({1, memory.sector(1)}));
  tick(7);
  ASSERT_NE(cache->rsp().front(), nullptr);
  EXPECT_EQ(*cache->rsp().front(), (MetaRsp{memory.entry(5), 1, true}));
  cache->rsp().pop();
  tick();  // replays are one per cycle
  ASSERT_NE(cache->rsp().front(), nullptr);
  EXPECT_EQ(*cache->rsp().front(), (MetaRsp{0x42, 2, true}));
}

TEST_F(Odd, HitsGoOnUnderMissesAndOvertakeThem) {
  read(0);
  offer({.index = 100, .id = 1});
  tick();
  offer({.index = 2, .id = 2});
  tick(3);
  ASSERT_NE(cache->rsp().front(), nullptr);
  EXPECT_EQ(*cache->rsp().front(), (MetaRsp{memory.entry(2), 2, false}));
}

TEST_F(Odd, ThreeParkedRequestsHoldOffTheFourth) {
  for (unsigned i = 0; i < 3; ++i) {
    while (!cache->req().ready()) {
      if (cache->mem_req().front()) cache->mem_req().pop();
      tick();
    }
    offer({.index = i * odd_line, .id = i});
    tick();
  }
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(cache->req().ready());
    if (cache->mem_req().front()) cache->mem_req().pop();
    tick();
  }
  ASSERT_TRUE(cache->mem_rsp().push({4, memory.sector(4)}));  // any order: the second sector first
  tick(7);
  ASSERT_NE(cache->rsp().front(), nullptr);
  EXPECT_EQ(*cache->rsp().front(), (MetaRsp{memory.entry(16), 1, true}));
  EXPECT_TRUE(cache->req().ready());
}

TEST_F(Odd, FourWaitingResponsesHoldOffRequests) {
  read(0);
  unsigned taken = 0;
  for (int i = 0; i < 20; ++i) {
    taken += cache->req().push({.index = 0});
    tick();
  }
  EXPECT_EQ(taken, 4u);
}

TEST_F(Odd, ResetForgetsTheContentsAndTheParks) {
  write(0, 0x12);
  offer({.index = 200});
  tick(4);
  cache->reset();
  memory = PlainMemory(odd_point);
  EXPECT_TRUE(cache->idle());
  EXPECT_EQ(read(0), (MetaRsp{memory.entry(0), 1, true}));
}

TEST(MetadataCache, PaperPointsHaveThePapersCapacities) {
  EXPECT_EQ(type_cache.capacity_bytes(), 5u * 1024);
  EXPECT_EQ(mask_cache.capacity_bytes(), 10u * 1024);
  EXPECT_EQ(address_cache.capacity_bytes(), 48u * 1024);
  EXPECT_EQ(type_cache.entries_per_sector(), 128u);
  EXPECT_EQ(mask_cache.entries_per_sector(), 64u);
  EXPECT_EQ(address_cache.entries_per_sector(), 8u);
}

TEST(MetadataCache, UnknownPointAndBadParametersAreRefused) {
  MetadataCacheParams params = type_cache;
  params.ways = 7;
  EXPECT_THROW(make_metadata_cache(params, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(make_metadata_cache(params, Backend::model));
  params.entry_bits = 3;
  EXPECT_THROW(make_metadata_cache(params, Backend::model), std::invalid_argument);
  params = type_cache;
  params.index_bits = 6;  // less than a sector
  EXPECT_THROW(make_metadata_cache(params, Backend::model), std::invalid_argument);
}

// ---- random streams ------------------------------------------------------------------------------

struct Traffic {
  std::vector<MetaReq> requests;                   // ids are assigned by the driver
  unsigned offer, accept, mem_accept, mem_return;  // percent
  bool reorder;
  std::uint32_t seed;
};

struct Counts {
  unsigned missed = 0, overtaken = 0, writebacks = 0;
};

/// Drives the traffic; throws on the first wrong, lost, duplicate or misordered response.
Counts drive(MetadataCache& cache, const MetadataCacheParams& params, const Traffic& traffic) {
  std::minstd_rand random(traffic.seed);
  const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
  const auto wrong = [](const std::string& what) { throw std::runtime_error(what); };
  PlainMemory memory(params);
  std::map<std::uint32_t, std::uint32_t> values;  // the plain array
  struct Open {
    std::uint32_t sector, data;
  };
  std::map<std::uint32_t, Open> open;                           // by id
  std::map<std::uint32_t, std::deque<std::uint32_t>> expected;  // ids per sector, in order
  std::deque<std::uint32_t> order;                              // ids in request order
  Counts counts;
  std::size_t next = 0, stalled = 0;
  bool offering = false;
  const std::uint32_t ids = params.id_bits >= 5 ? 32 : 1u << params.id_bits;
  while (next < traffic.requests.size() || !open.empty()) {
    if (++stalled > 5000) wrong("no progress");
    if (const auto* rsp = cache.rsp().front(); rsp && chance(traffic.accept)) {
      const auto at = open.find(rsp->id);
      if (at == open.end()) wrong("response nobody waits for: " + describe(*rsp));
      auto& queue = expected[at->second.sector];
      if (queue.front() != rsp->id) wrong("out of order in its sector: " + describe(*rsp));
      queue.pop_front();
      if (rsp->data != at->second.data) wrong("stale data: " + describe(*rsp));
      counts.missed += rsp->missed;
      counts.overtaken += order.front() != rsp->id;
      std::erase(order, rsp->id);
      open.erase(at);
      cache.rsp().pop();
      stalled = 0;
    }
    offering = offering || (next < traffic.requests.size() && chance(traffic.offer));
    if (offering && cache.req().ready()) {
      MetaReq req = traffic.requests[next];
      for (req.id = 0; req.id < ids && open.contains(req.id);) ++req.id;
      if (req.id < ids) {
        cache.req().push(req);
        const std::uint32_t sector = req.index / params.entries_per_sector();
        const auto at = values.try_emplace(req.index, memory.entry(req.index)).first;
        open[req.id] = {sector, at->second};
        expected[sector].push_back(req.id);
        order.push_back(req.id);
        if (req.write) at->second = req.data;
        ++next;
        offering = false;
        stalled = 0;
      }
    }
    if (const auto* req = cache.mem_req().front(); req && chance(traffic.mem_accept)) {
      memory.take(*req);
      cache.mem_req().pop();
    }
    if (auto& ready = memory.fetched(); !ready.empty() && chance(traffic.mem_return)) {
      const auto pick = ready.begin() + (traffic.reorder ? static_cast<long>(random() % ready.size()) : 0);
      if (cache.mem_rsp().push(*pick)) ready.erase(pick);
    }
    cache.tick();
  }
  counts.writebacks = memory.writes;
  return counts;
}

class MetadataCachePoints : public ::testing::TestWithParam<Point> {};
INSTANTIATE_TEST_SUITE_P(Points, MetadataCachePoints, ::testing::ValuesIn(points),
                         [](const auto& info) { return info.param.name; });

/// A cache in lock step in which `parked` requests wait for the sector of `index`; sector 0, if that is another, is
/// there.
class Waiting {
 public:
  Waiting(const MetadataCacheParams& params, unsigned parked, std::uint32_t index)
      : memory_(params), cache_(make_metadata_cache(params, Backend::shadow)) {
    cache_->reset();
    if (index != 0) {
      park(0, 1);
      fill();
    }
    park(index, parked);
  }
  /// The memory answers the fetch; taken with the next tick.
  void fill() {
    EXPECT_TRUE(cache_->mem_rsp().push(memory_.fetched().front()));
    memory_.fetched().clear();
  }
  /// Cycles from the one after a fill is taken to the first in which a request is.
  unsigned held_off() {
    unsigned cycles = 0;
    for (tick(); !cache_->req().ready(); tick()) ++cycles;
    return cycles;
  }
  /// Hits on sector 0 per cycle, offered and answered in every cycle.
  double hit_rate() {
    unsigned taken = 0;
    tick(20);
    for (int cycle = 0; cycle < 100; ++cycle, tick()) taken += cache_->req().push({});
    return taken / 100.0;
  }

 private:
  void park(std::uint32_t index, unsigned requests) {
    for (unsigned k = 0; k < requests; ++k, tick(5)) EXPECT_TRUE(cache_->req().push({.index = index}));
  }
  void tick(unsigned times = 1) {
    while (times--) {
      cache_->tick();
      if (cache_->rsp().front()) cache_->rsp().pop();
      if (const auto* req = cache_->mem_req().front()) {
        memory_.take(*req);
        cache_->mem_req().pop();
      }
    }
  }
  PlainMemory memory_;
  std::unique_ptr<MetadataCache> cache_;
};

/// The rate that the RTL's header states, from which rtl/README.md has it.
TEST_P(MetadataCachePoints, HitsFlowOnePerCycleOrEverySecondOneWhileOneParkIsFree) {
  const MetadataCacheParams& params = GetParam().params;
  const bool one_sector = (1u << params.index_bits) <= params.entries_per_sector();
  for (unsigned parked = 0; parked < (one_sector ? 1 : params.parks); ++parked) {
    Waiting cache(params, parked, params.entries_per_sector());
    EXPECT_DOUBLE_EQ(cache.hit_rate(), params.parks - parked > 1 ? 1 : 0.5) << parked;
  }
}

TEST_P(MetadataCachePoints, AFillHoldsRequestsOffForThreeCyclesAndItsReplays) {
  for (unsigned parked = 1; parked <= GetParam().params.parks; ++parked) {
    Waiting cache(GetParam().params, parked, 0);
    cache.fill();
    // A single park is kept for the replayed request until its tags are known.
    EXPECT_EQ(cache.held_off(), 3 + parked + (GetParam().params.parks == 1));
  }
}

TEST_P(MetadataCachePoints, EverySingleBitOfTheIndexMakesAnotherEntryAndAboveTheOffsetAnotherSector) {
  const MetadataCacheParams& params = GetParam().params;
  auto cache = make_metadata_cache(params, Backend::shadow);
  const std::uint32_t index = 0x15a6c9u & ((1u << params.index_bits) - 1);
  for (unsigned bit = 0; bit < params.index_bits; ++bit) {
    SCOPED_TRACE(bit);
    PlainMemory memory(params);
    cache->reset();
    const std::uint32_t other = tb::flip_bit(index, bit), old = memory.entry(index);
    EXPECT_EQ(access(*cache, memory, {.write = true, .index = index, .data = old ^ 1}), (MetaRsp{old, 0, true}));
    EXPECT_EQ(access(*cache, memory, {.index = other}),
              (MetaRsp{memory.entry(other), 0, 1u << bit >= params.entries_per_sector()}));
    EXPECT_EQ(access(*cache, memory, {.index = index}).data, old ^ 1);
  }
}

/// Streams of at most `longest` requests through fresh caches; returns the number of requests.
std::uint64_t coherence_property(const MetadataCacheParams& params, const std::string& name, int cases,
                                 unsigned longest) {
  Counts total;
  std::uint64_t requests = 0;
  tb::check_property(name, cases, [&] {
    std::minstd_rand random(*rc::gen::inRange(1u, 1u << 30));
    // A few more lines than one set holds, all in one or two sets, so that everything is evicted often.
    const std::uint32_t line = params.line_bytes * 8 / params.entry_bits;
    const std::uint32_t lines = *rc::gen::inRange(1u, 2 * params.ways + 2);
    const std::uint32_t spread = *rc::gen::element(1u, params.sets);
    // Anywhere in the address space, every other line in its other half: all bits of the tags matter.
    const std::uint32_t base = *rc::gen::arbitrary<bool>() ? 0 : random();
    const std::uint32_t half = *rc::gen::arbitrary<bool>() ? 0 : 1u << (params.index_bits - 1);
    // Or lines of one set whose tags are one bit apart.
    const bool flips = *rc::gen::arbitrary<bool>();
    const auto below_tag = static_cast<unsigned>(std::countr_zero(line * params.sets));
    const tb::OneBitApart<std::uint32_t> flipped(0, params.index_bits > below_tag ? params.index_bits - below_tag : 0,
                                                 random());
    const unsigned writes = *rc::gen::inRange(0u, 101u);
    Traffic traffic{{},
                    *rc::gen::inRange(20u, 101u),
                    *rc::gen::inRange(20u, 101u),
                    *rc::gen::inRange(20u, 101u),
                    *rc::gen::inRange(5u, 101u),
                    *rc::gen::arbitrary<bool>(),
                    *rc::gen::inRange(1u, 1u << 30)};
    const unsigned length = *rc::gen::inRange(1u, longest);
    std::uint32_t index = 0;
    for (unsigned i = 0; i < length; ++i) {
      if (random() % 3 != 0) {  // else the same entry again: forwarding
        const std::uint32_t chosen = random() % lines;
        const std::uint32_t spread_line = base / line * line + chosen * spread * line;
        const std::uint32_t flipped_line = base / line * line ^ flipped(chosen) << below_tag;
        index = (flips ? flipped_line : (chosen % 2 * half) ^ spread_line) + random() % line;
        if (random() % 2 == 0) index -= index % 2;
      }
      index &= (1u << params.index_bits) - 1;
      const std::uint32_t data = static_cast<std::uint32_t>(random() * 2654435761u) >> (32 - params.entry_bits);
      traffic.requests.push_back({random() % 100 < writes, index, data, 0});
    }
    auto cache = make_metadata_cache(params, Backend::shadow);
    cache->reset();
    const Counts counts = drive(*cache, params, traffic);
    total.missed += counts.missed;
    total.overtaken += counts.overtaken;
    total.writebacks += counts.writebacks;
    requests += length;
  });
  // The property is worth something only if these happened.
  EXPECT_GT(total.missed, 0u);
  const bool one_sector = (1u << params.index_bits) <= params.entries_per_sector();
  if (!one_sector && params.parks > 1) {
    EXPECT_GT(total.overtaken, 0u);
  }
  if ((1u << params.index_bits) >
      params.entries_per_sector() * params.line_bytes / params.sector_bytes * params.sets) {
    EXPECT_GT(total.writebacks, 0u);
  }
  return requests;
}

TEST_P(MetadataCachePoints, RandomTrafficReadsWhatWasWrittenInLockStep) {
  coherence_property(GetParam().params, "metadata_cache coherence", 400, 300);
}

TEST_P(MetadataCachePoints, LongTrafficInLockStep) {  // twelve points: more than a million requests together
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 95,000 requests per point";
  const std::uint64_t requests = coherence_property(GetParam().params, "metadata_cache coherence, long", 240, 2001);
  EXPECT_GT(requests, 95000u);
  tb::report_transactions(requests);
}

TEST(MetadataCache, ModelTakesShapesThatAreNotCompiled) {
  const MetadataCacheParams params{.entry_bits = 16,
                                   .index_bits = 12,
                                   .sets = 4,
                                   .ways = 2,
                                   .line_bytes = 32,
                                   .sector_bytes = 8,
                                   .parks = 5,
                                   .id_bits = 5};
  auto cache = make_metadata_cache(params, Backend::model);
  std::minstd_rand random(7);
  Traffic traffic{{}, 100, 100, 50, 20, true, 9};
  for (int i = 0; i < 2000; ++i)
    traffic.requests.push_back({i % 3 == 0, std::uint32_t(random() % 512), std::uint32_t(i), 0});
  EXPECT_GT(drive(*cache, params, traffic).writebacks, 100u);
}

/// A memory path that swaps a write-back with the fetch behind it breaks the rule in the header; the
/// bench must notice, or it would notice nothing.
TEST(MetadataCache, MemoryThatServesAFetchBeforeAnOlderWriteBackIsCaught) {
  const MetadataCacheParams params = tiny_cache(32);
  auto cache = make_metadata_cache(params, Backend::model);
  PlainMemory memory(params);
  std::deque<MetaMemReq> held;
  const auto run = [&](const MetaReq& req) {
    cache->req().push(req);
    for (int i = 0; i < 60; ++i) {
      cache->tick();
      if (const auto* mem = cache->mem_req().front()) {
        if (mem->write)
          held.push_back(*mem);
        else
          memory.take(*mem);
        cache->mem_req().pop();
      }
      if (!memory.fetched().empty() && cache->mem_rsp().push(memory.fetched().front())) memory.fetched().clear();
      if (const auto* rsp = cache->rsp().front()) {
        const std::uint32_t data = rsp->data;
        cache->rsp().pop();
        cache->tick();
        return data;
      }
    }
    throw std::runtime_error("no response");
  };
  run({.write = true, .index = 0, .data = 0x12345678});
  run({.index = 64});  // evicts line 0; its write-back is held
  EXPECT_NE(run({.index = 0}), 0x12345678u);
  ASSERT_EQ(held.size(), 1u);
  memory.take(held.front());
  run({.index = 64});
  EXPECT_EQ(run({.index = 0}), 0x12345678u);
}

TEST(MetadataCache, DescribesItemsOfItsPorts) {
  EXPECT_EQ(describe(MetaReq{.write = true, .index = 7, .data = 0xab, .id = 3}), "write index 7 data 0xab id 3");
  EXPECT_EQ(describe(MetaReq{.index = 7}), "read index 7 data 0x0 id 0");
  EXPECT_EQ(describe(MetaRsp{.data = 0xab, .id = 3, .missed = true}), "data 0xab id 3 missed true");
  SectorData data{};
  data[0] = 0x7f;
  const std::string hex = std::string(62, '0') + "7f";  // the last byte first
  EXPECT_EQ(describe(MetaMemReq{.write = true, .sector = 5, .data = data}), "write sector 5 data " + hex);
  EXPECT_EQ(describe(MetaMemReq{.sector = 5}), "fetch sector 5 data " + std::string(64, '0'));
  EXPECT_EQ(describe(MetaMemRsp{.sector = 5, .data = data}), "sector 5 data " + hex);
}

TEST(MetadataCache, TheRtlNeitherAnswersAtOnceNorSaysThatItIsHeld) {
  auto cache = make_metadata_cache(odd_point, Backend::rtl);
  cache->reset();
  MetaRsp answer;
  EXPECT_FALSE(cache->hit_at_once({.index = 7}, answer));
  EXPECT_FALSE(cache->held());
}

}  // namespace
}  // namespace warpsieve::metadata_cache
