// ChargedCache: hits after the cycles charged; and a cache that answers hits at once cannot be told, in any cycle and
// at any port, from one that is clocked through for each.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>

#include "bench.h"
#include "blocks/metadata_cache/charged_cache.h"
#include "support/property.h"

namespace warpsieve::metadata_cache {
namespace {

/// A model whose hit_at_once() is counted, or hidden together with held().
class Watched final : public MetadataCache {
 public:
  Watched(const MetadataCacheParams& params, unsigned* hits)
      : cache_(make_metadata_cache(params, Backend::model)), hits_(hits) {
    connect_ports(*this, cache_->req(), cache_->rsp(), cache_->mem_req(), cache_->mem_rsp());
  }
  void reset() override { cache_->reset(); }
  void tick() override { cache_->tick(); }
  bool idle() const override { return cache_->idle(); }
  bool hit_at_once(const MetaReq& req, MetaRsp& answer) override {
    if (!hits_ || !cache_->hit_at_once(req, answer)) return false;
    ++*hits_;
    return true;
  }
  bool held() const override { return hits_ && cache_->held(); }

 private:
  std::unique_ptr<MetadataCache> cache_;
  unsigned* hits_;  ///< nullptr: hidden
};

struct Pair {
  Pair(const MetadataCacheParams& params, unsigned cycles)
      : fast(std::make_unique<Watched>(params, &at_once), cycles),
        slow(std::make_unique<Watched>(params, nullptr), cycles) {
    fast.reset();
    slow.reset();
  }
  unsigned at_once = 0;
  ChargedCache fast, slow;
};

TEST(ChargedCache, AHitAnswersAfterTheCyclesChargedOrItsOwnThree) {
  for (const unsigned cycles : {0u, 2u, 3u, 4u, 20u}) {
    Pair pair(odd_point, cycles);
    PlainMemory memory(odd_point);
    std::uint64_t now = 0;
    const auto access = [&](ChargedCache& cache, std::uint32_t index) {
      EXPECT_TRUE(cache.push(now, {.index = index, .id = 2}));
      for (const std::uint64_t asked = now;; ++now) {
        if (const MetaRsp* rsp = cache.front(now)) {
          EXPECT_EQ(rsp->data, memory.entry(index));
          cache.pop();
          cache.tick(now++);
          EXPECT_TRUE(cache.idle());
          return now - 1 - asked;
        }
        if (const MetaMemReq* req = cache.mem_req().front()) {
          memory.take(*req);
          cache.mem_req().pop();
        }
        if (auto& ready = memory.fetched(); !ready.empty() && cache.mem_rsp().push(ready.front())) ready.clear();
        cache.tick(now);
        if (now > asked + 200) throw std::runtime_error("no response");
      }
    };
    for (ChargedCache* cache : {&pair.fast, &pair.slow}) {
      access(*cache, 5);
      EXPECT_EQ(access(*cache, 6), std::max(3u, cycles));
    }
    EXPECT_EQ(pair.at_once, cycles > 3 ? 1u : 0u);
  }
}

TEST(ChargedCache, HitsAtOnceCannotBeToldFromHitsThatAreClockedThrough) {
  unsigned at_once = 0, full = 0, missed = 0, skipped = 0, held = 0;
  tb::check_property("charged cache with hits at once", 600, [&] {
    std::minstd_rand random(*rc::gen::inRange(1u, 1u << 30));
    const MetadataCacheParams params =
        *rc::gen::element(min_point, odd_point, tiny_cache(2), tiny_cache(32), type_cache);
    const unsigned offer = *rc::gen::inRange(20u, 101u), take = *rc::gen::inRange(5u, 101u);
    const unsigned give = *rc::gen::inRange(2u, 101u), lines = *rc::gen::inRange(1u, 2 * params.ways + 2);
    Pair pair(params, *rc::gen::element(4u, 5u, 7u, 20u));
    PlainMemory memory(params);
    const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
    const std::uint32_t line = params.line_bytes * 8 / params.entry_bits;
    const auto same = [](const auto* a, const auto* b) { return a && b ? *a == *b : !a && !b; };
    unsigned open = 0;
    for (std::uint64_t now = 0; now < 600 || open; ++now) {
      if (now > 60000) throw std::runtime_error("no progress");
      const MetaRsp *a = pair.fast.front(now), *b = pair.slow.front(now);
      RC_ASSERT(same(a, b));
      if (a) {
        missed += a->missed;
        pair.fast.pop();
        pair.slow.pop();
        --open;
      }
      const auto *wanted = pair.fast.mem_req().front(), *other = pair.slow.mem_req().front();
      RC_ASSERT(same(wanted, other));
      bool touched = a;
      if (wanted && chance(take)) {
        memory.take(*wanted);
        pair.fast.mem_req().pop();
        pair.slow.mem_req().pop();
        touched = true;
      }
      if (auto& ready = memory.fetched(); !ready.empty() && chance(give)) {
        const bool taken = pair.fast.mem_rsp().push(ready.front());
        RC_ASSERT(taken == pair.slow.mem_rsp().push(ready.front()));
        if (taken) ready.erase(ready.begin());
        touched = true;
      }
      if (now < 600 && open < (1u << std::min(5u, params.id_bits)) && chance(offer)) {
        const std::uint32_t index = (random() % lines * params.sets * line + random() % line) &
                                    static_cast<std::uint32_t>((std::uint64_t{1} << params.index_bits) - 1);
        const auto data = static_cast<std::uint32_t>(random() * 2654435761u) >> (32 - params.entry_bits);
        const MetaReq req{random() % 3 == 0, index, data, static_cast<std::uint32_t>(now) % (1u << params.id_bits)};
        const bool taken = pair.fast.push(now, req);
        RC_ASSERT(taken == pair.slow.push(now, req));
        open += taken;
        full += !taken;
        touched = true;
      }
      const bool due = pair.fast.due() <= now, other_due = pair.slow.due() <= now;
      held += !due && other_due;  // what waits for the memory only is not clocked
      RC_ASSERT(!due || other_due);
      for (ChargedCache* cache : {&pair.fast, &pair.slow}) {
        // Its owner clocks it only when it says so.
        if (touched || cache->due() <= now)
          cache->tick(now);
        else
          ++skipped;
      }
      RC_ASSERT(pair.fast.idle() == pair.slow.idle());
    }
    at_once += pair.at_once;
  });
  EXPECT_GT(at_once, 1000u);
  EXPECT_GT(full, 1000u);
  EXPECT_GT(missed, 1000u);
  EXPECT_GT(skipped, 1000u);
  EXPECT_GT(held, 1000u);
}

}  // namespace
}  // namespace warpsieve::metadata_cache
