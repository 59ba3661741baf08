// metadata_cache with check bits: every stored bit wrong once, pairs of them, and random traffic under random wrong
// bits. A corrected cache is in lock step with the model, in which no bit goes wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "bench.h"
#include "blocks/secded/secded_words.h"
#include "cosim/bits.h"
#include "support/property.h"

namespace warpsieve::metadata_cache {
namespace {

unsigned log2_of(std::uint32_t power) { return static_cast<unsigned>(std::bit_width(power) - 1); }

/// The two memories of a cache.
enum class Table : std::uint8_t { sectors, rows };

/// Their words, by the header of metadata_cache.sv: a row has per way a tag, valid and dirty bits and a place in the
/// order.
secded::WordsCode code_of(const MetadataCacheParams& p, Table table) {
  if (table == Table::sectors) return secded::WordsCode({8 * p.sector_bytes, 1});
  const unsigned subs = p.line_bytes / p.sector_bytes;
  const unsigned number = p.index_bits - log2_of(p.entries_per_sector());
  const unsigned tag = std::max(number, log2_of(subs * p.sets) + 1) - log2_of(subs * p.sets);
  const unsigned way = p.ways > 1 ? static_cast<unsigned>(std::bit_width(p.ways - 1)) : 1;
  return secded::WordsCode({p.ways * (tag + 2 * subs + way), 1});
}

/// What flip() takes to invert these stored bits; the second may be none.
std::uint32_t bits(Table table, unsigned first, int second = -1) {
  const std::uint32_t top = table == Table::rows ? 0x8000 : 0;
  return (top | (first + 1)) | (second < 0 ? 0 : (top | static_cast<std::uint32_t>(second + 1)) << 16);
}

class MetadataCacheSecded : public ::testing::TestWithParam<Point> {
 protected:
  const MetadataCacheParams& params() const { return GetParam().params; }
  MetaRsp read(MetadataCache& cache, std::uint32_t index) { return access(cache, memory, {.index = index}); }
  /// Cycles with a memory that takes and answers at once. All answers that came.
  std::vector<MetaRsp> run(MetadataCache& cache, int cycles) {
    std::vector<MetaRsp> answers;
    while (cycles-- > 0) {
      cache.tick();
      if (const auto* mem = cache.mem_req().front()) {
        memory.take(*mem);
        cache.mem_req().pop();
      }
      if (!memory.fetched().empty() && cache.mem_rsp().push(memory.fetched().front())) {
        memory.fetched().erase(memory.fetched().begin());
      }
      if (const auto* rsp = cache.rsp().front()) {
        answers.push_back(*rsp);
        cache.rsp().pop();
      }
    }
    return answers;
  }
  /// It lost a word: it takes nothing and gives nothing more.
  void expect_halted(MetadataCache& cache) {
    EXPECT_TRUE(cache.fatal());
    const unsigned writes = memory.writes, fetches = memory.fetches;
    for (int cycle = 0; cycle < 40; ++cycle) {
      EXPECT_FALSE(cache.idle());
      EXPECT_FALSE(cache.req().ready());
      EXPECT_FALSE(cache.mem_rsp().ready());
      cache.req().push({.index = 0});
      cache.mem_rsp().push({0, memory.sector(0)});
      EXPECT_TRUE(run(cache, 1).empty());
      EXPECT_TRUE(cache.fatal());
    }
    EXPECT_EQ(memory.writes, writes);
    EXPECT_EQ(memory.fetches, fetches);
  }
  void restart(MetadataCache& cache) {
    cache.flip(0);
    cache.reset();
    memory = PlainMemory(params());
    EXPECT_FALSE(cache.fatal());
    EXPECT_EQ(cache.corrected(), 0u);
    EXPECT_TRUE(cache.idle());
  }
  std::uint32_t line_entries() const { return params().line_bytes * 8 / params().entry_bits; }
  /// Entry 0 of the line, of those that share a set.
  std::uint32_t line(std::uint32_t number) const { return number * line_entries() * params().sets; }
  PlainMemory memory{GetParam().params};
};
INSTANTIATE_TEST_SUITE_P(Points, MetadataCacheSecded,
                         ::testing::Values(Point{"guarded", guarded_point}, Point{"ecc", ecc_point}),
                         [](const auto& info) { return info.param.name; });

TEST_P(MetadataCacheSecded, AWrongBitOfASectorIsCorrectedUntilItsSectorIsWritten) {
  auto cache = make_metadata_cache(params(), Backend::shadow);
  for (unsigned bit = 0; bit < code_of(params(), Table::sectors).stored_bits(); ++bit) {
    SCOPED_TRACE(bit);
    restart(*cache);
    cache->flip(bits(Table::sectors, bit));
    EXPECT_EQ(read(*cache, 1).data, memory.entry(1));
    EXPECT_EQ(cache->corrected(), 1u);
    cache->flip(0);
    for (std::uint32_t index = 0; index < params().entries_per_sector(); ++index) {
      EXPECT_EQ(read(*cache, index).data, memory.entry(index));
      EXPECT_EQ(cache->corrected(), 2u + index);
    }
    const std::uint64_t before = cache->corrected();
    access(*cache, memory, {.write = true, .index = 1, .data = 1});
    EXPECT_EQ(cache->corrected(), before + 1);
    EXPECT_EQ(read(*cache, 1).data, 1u);
    EXPECT_EQ(cache->corrected(), before + 1);
  }
}

TEST_P(MetadataCacheSecded, AWrongBitOfARowIsCorrectedAndGoneWithTheNextHit) {
  auto cache = make_metadata_cache(params(), Backend::shadow);
  for (unsigned bit = 0; bit < code_of(params(), Table::rows).stored_bits(); ++bit) {
    SCOPED_TRACE(bit);
    restart(*cache);
    read(*cache, line(1));
    EXPECT_EQ(cache->corrected(), 0u);
    cache->flip(bits(Table::rows, bit));
    EXPECT_FALSE(read(*cache, line(1)).missed);  // the row is written again, wrong now
    EXPECT_EQ(cache->corrected(), 0u);
    cache->flip(0);
    EXPECT_EQ(read(*cache, line(1)), (MetaRsp{memory.entry(line(1)), 0, false}));
    EXPECT_EQ(cache->corrected(), 1u);
    EXPECT_FALSE(read(*cache, line(1)).missed);
    EXPECT_EQ(cache->corrected(), 1u);
  }
}

TEST_P(MetadataCacheSecded, TwoWrongBitsOfOnePartStopItAndOfTwoPartsDoNot) {
  auto cache = make_metadata_cache(params(), Backend::rtl);
  std::minstd_rand random(3);
  for (const Table table : {Table::sectors, Table::rows}) {
    const secded::WordsCode code = code_of(params(), table);
    unsigned lost = 0;
    for (unsigned high = 1; high < code.stored_bits(); ++high) {
      for (const unsigned low : {high - 1, static_cast<unsigned>(random() % high)}) {
        SCOPED_TRACE(testing::Message() << (table == Table::rows ? "row bits " : "sector bits ") << low << ' '
                                        << high);
        restart(*cache);
        cache->flip(bits(table, low, static_cast<int>(high)));
        if (code.part_of(low) != code.part_of(high)) {
          EXPECT_EQ(read(*cache, 1), (MetaRsp{memory.entry(1), 0, true}));
          EXPECT_EQ(cache->corrected(), 1u);
          EXPECT_FALSE(cache->fatal());
          continue;
        }
        ++lost;
        EXPECT_TRUE(cache->req().push({.index = 1}));
        EXPECT_TRUE(run(*cache, 30).empty());
        EXPECT_EQ(cache->corrected(), 0u);
        expect_halted(*cache);
      }
    }
    EXPECT_GT(lost, 0u);
    restart(*cache);
    EXPECT_EQ(read(*cache, 1), (MetaRsp{memory.entry(1), 0, true}));
  }
}

TEST_P(MetadataCacheSecded, ALostSectorIsNotWrittenBack) {
  auto cache = make_metadata_cache(params(), Backend::rtl);
  restart(*cache);
  read(*cache, 0);
  cache->flip(bits(Table::sectors, 0, 1));
  access(*cache, memory, {.write = true, .index = 0, .data = 1});
  cache->flip(0);
  for (unsigned way = 1; way < params().ways; ++way) read(*cache, line(way));
  EXPECT_EQ(memory.writes, 0u);
  EXPECT_FALSE(cache->fatal());
  EXPECT_TRUE(cache->req().push({.index = line(params().ways)}));  // its fill evicts line 0
  EXPECT_TRUE(run(*cache, 30).empty());
  EXPECT_EQ(memory.writes, 0u);
  expect_halted(*cache);
}

TEST_P(MetadataCacheSecded, AFillThatReadsALostRowStopsIt) {
  auto cache = make_metadata_cache(params(), Backend::rtl);
  restart(*cache);
  read(*cache, line(1));
  // A miss is parked, then a hit writes the row wrong, and only then its fill comes.
  EXPECT_TRUE(cache->req().push({.index = line(2)}));
  for (int cycle = 0; cycle < 4; ++cycle) cache->tick();
  ASSERT_NE(cache->mem_req().front(), nullptr);
  cache->mem_req().pop();
  cache->flip(bits(Table::rows, 2, 7));
  EXPECT_TRUE(cache->req().push({.index = line(1)}));
  EXPECT_EQ(run(*cache, 10).size(), 1u);
  EXPECT_FALSE(cache->fatal());
  EXPECT_TRUE(cache->mem_rsp().push({line(2) / params().entries_per_sector(), {}}));
  EXPECT_TRUE(run(*cache, 30).empty());
  expect_halted(*cache);
}

/// Requests, wrong bits and the memory alike to model and RTL: in each cycle the same, until the RTL loses a word.
/// What it gives after that is the beginning of what the model gives.
class ModelAndRtl {
 public:
  ModelAndRtl(const MetadataCacheParams& params, std::uint32_t seed)
      : params_(params), random_(seed), memory_(params), model_(make_metadata_cache(params, Backend::model)),
        rtl_(make_metadata_cache(params, Backend::rtl)) {
    model_->reset();
    rtl_->reset();
  }
  /// `percent` of the cycles have wrong bits. False: a difference. Ends when a word is lost.
  bool run(int cycles, unsigned percent, unsigned lines) {
    for (; cycles > 0 && !rtl_->fatal(); --cycles) {
      rtl_->flip(random_() % 100 < percent ? wrong_bits() : 0);
      if (random_() % 4 && model_->req().ready()) {
        const std::uint32_t entries = params_.entries_per_sector() * params_.line_bytes / params_.sector_bytes;
        const std::uint32_t at = random_() % lines * entries * params_.sets + random_() % entries;
        const MetaReq req{random_() % 2 == 0, at & low_bits(params_.index_bits), std::uint32_t(random_()), 0};
        if (!model_->req().push(req) || !rtl_->req().push(req)) return false;
      }
      const bool take = random_() % 4 != 0;
      if (!same_fronts()) return false;
      if (const auto* mem = model_->mem_req().front(); mem && take) {
        memory_.take(*mem);
        model_->mem_req().pop();
        rtl_->mem_req().pop();
      }
      if (auto& fetched = memory_.fetched(); !fetched.empty() && random_() % 4 == 0) {
        if (model_->mem_rsp().push(fetched.front()) != rtl_->mem_rsp().push(fetched.front())) return false;
        if (model_->mem_rsp().ready()) fetched.erase(fetched.begin());
      }
      if (model_->rsp().front() && random_() % 4) {
        model_->rsp().pop();
        rtl_->rsp().pop();
      }
      model_->tick();
      rtl_->tick();
    }
    return !rtl_->fatal() || drains_alike();
  }
  bool lost() const { return rtl_->fatal(); }
  std::uint64_t corrected() const { return rtl_->corrected(); }

 private:
  std::uint32_t wrong_bits() {
    const Table table = random_() % 2 ? Table::rows : Table::sectors;
    const unsigned stored = code_of(params_, table).stored_bits();
    const unsigned first = random_() % stored;
    return random_() % 8 ? bits(table, first) : bits(table, first, static_cast<int>(random_() % stored));
  }
  template <class T>
  static bool same(const T* model, const T* rtl) {
    return (model == nullptr) == (rtl == nullptr) && (!model || *model == *rtl);
  }
  bool same_fronts() {
    return same(model_->rsp().front(), rtl_->rsp().front()) &&
           same(model_->mem_req().front(), rtl_->mem_req().front()) && model_->req().ready() == rtl_->req().ready() &&
           model_->mem_rsp().ready() == rtl_->mem_rsp().ready();
  }
  bool drains_alike() {
    std::vector<MetaRsp> answers[2];
    std::vector<MetaMemReq> requests[2];
    for (const int side : {0, 1}) {
      MetadataCache& cache = side == 0 ? *model_ : *rtl_;
      for (int cycle = 0; cycle < 60; ++cycle) {
        if (const auto* rsp = cache.rsp().front()) {
          answers[side].push_back(*rsp);
          cache.rsp().pop();
        }
        if (const auto* mem = cache.mem_req().front()) {
          requests[side].push_back(*mem);
          cache.mem_req().pop();
        }
        cache.tick();
      }
    }
    const auto begins = [](const auto& whole, const auto& part) {
      return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
    };
    return rtl_->fatal() && begins(answers[0], answers[1]) && begins(requests[0], requests[1]);
  }
  MetadataCacheParams params_;
  std::minstd_rand random_;
  PlainMemory memory_;
  std::unique_ptr<MetadataCache> model_, rtl_;
};

TEST_P(MetadataCacheSecded, UnderRandomWrongBitsItIsTheModelUntilItStops) {
  unsigned lost = 0, whole = 0;
  std::uint64_t corrected = 0;
  tb::check_property("metadata_cache secded", 200, [&] {
    ModelAndRtl pair(params(), *rc::gen::inRange(1u, 1u << 30));
    RC_ASSERT(pair.run(600, *rc::gen::inRange(0u, 20u), *rc::gen::inRange(1u, 2 * params().ways)));
    (pair.lost() ? lost : whole) += 1;
    corrected += pair.corrected();
  });
  EXPECT_GT(lost, 10u);
  EXPECT_GT(whole, 10u);
  EXPECT_GT(corrected, 100u);
}

TEST(MetadataCache, TheModelAndACacheWithoutCheckBitsIgnoreFlips) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    auto cache = make_metadata_cache(odd_point, backend);
    cache->reset();
    PlainMemory memory(odd_point);
    cache->flip(0xffff8001);
    EXPECT_EQ(access(*cache, memory, {.index = 3}).data, memory.entry(3));
    EXPECT_EQ(access(*cache, memory, {.index = 3}).data, memory.entry(3));
    EXPECT_EQ(cache->corrected(), 0u);
    EXPECT_FALSE(cache->fatal());
  }
}

}  // namespace
}  // namespace warpsieve::metadata_cache
