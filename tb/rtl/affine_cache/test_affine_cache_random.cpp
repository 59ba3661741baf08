// affine_cache: random traffic through a whole memory stage (bench.h) with model and RTL in lock step, its contract,
// and what the printed algorithms would do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>

#include "bench.h"
#include "blocks/affine_cache/affine_cache.h"
#include "cosim/shadow.h"
#include "support/long_run.h"
#include "support/one_bit_apart.h"
#include "support/property.h"
#include "vectors.h"

namespace warpsieve::affine_cache {
namespace {

/// Accesses to few lines of few sets, half of the time with tags one bit apart; values that often share base and
/// stride; dense, nested and odd masks.
std::vector<AvcReq> traffic(const AffineCacheParams& p, std::uint32_t seed, unsigned count) {
  std::minstd_rand random(seed);
  const auto pick = [&](unsigned n) { return static_cast<std::uint32_t>(random() >> 7) % n; };
  const unsigned tags = 1 + pick(std::min(2 * p.ways + 2, 1u << 3));
  const unsigned sets = 1 + pick(2), slots = std::min(p.slots, 1u + pick(4));
  const unsigned stores = 20 + pick(60), strange = pick(50);
  const bool flushes = pick(4) == 0;
  const unsigned tag_bits = p.line_bits - static_cast<unsigned>(std::countr_zero(p.sets * p.slots));
  const bool flips = pick(2) == 0;
  const std::uint32_t base = flips ? pick(1u << 24) * 2654435761u : 0;
  const tb::OneBitApart<std::uint32_t> flipped(0, tag_bits, pick(tag_bits));
  std::vector<AvcReq> program;
  for (unsigned i = 0; i < count; ++i) {
    AvcReq req;
    const std::uint32_t number = pick(tags), tag = flips ? flipped(number) : number;
    req.line = (base ^ ((tag * p.sets + pick(sets) * (p.sets - 1)) * p.slots + pick(slots) * (p.slots - 1))) &
               ((1u << p.line_bits) - 1);
    const std::uint32_t kind = pick(4);
    req.mask = kind == 0 ? all(p) : kind == 1 ? all(p) >> pick(p.vector.lanes) : pick(1u << 24) * 2654435761u;
    if (kind == 3) req.mask |= req.mask << 1;
    req.mask &= all(p);
    if (pick(100) < stores) {
      req.op = AvcOp::store;
      const std::uint32_t code = pick(p.vector.uniform_code() + 1);
      const std::uint32_t stride = code == p.vector.uniform_code() ? 0 : 1u << code;
      req.data = pick(100) < strange ? generic(p, pick(8)) : ramp(p, (pick(2) * 5) << code, stride);
      if (pick(10) == 0) req.data = ramp(p, ~0u - pick(200), stride);  // wraps, or is not aligned
    } else if (flushes && pick(200) == 0) {
      req.op = AvcOp::flush;
    }
    program.push_back(req);
  }
  return program;
}

class AffineCachePoints : public ::testing::TestWithParam<AffineCacheParams> {};
INSTANTIATE_TEST_SUITE_P(Points, AffineCachePoints,
                         ::testing::Values(odd_point, direct_point, paper_point, way3_point), [](const auto& info) {
                           return "L" + std::to_string(info.param.vector.lanes) + "S" +
                                  std::to_string(info.param.sets) + "W" + std::to_string(info.param.ways);
                         });

void expect_all_kinds(const Tallies& t) {
  for (const unsigned count : {t.full_hits, t.partial_hits, t.l1_hits, t.fetches, t.merged, t.affine_stores,
                               t.generic_stores, t.affine_fills, t.generic_fills, t.second_fills, t.write_backs,
                               t.merged_write_backs, t.l1_evictions, t.stale_fill_words}) {
    EXPECT_GT(count, 0u);
  }
}
void add(Tallies& to, const Tallies& from) {
  to.loads += from.loads;
  to.full_hits += from.full_hits;
  to.partial_hits += from.partial_hits;
  to.l1_hits += from.l1_hits;
  to.fetches += from.fetches;
  to.merged += from.merged;
  to.affine_stores += from.affine_stores;
  to.generic_stores += from.generic_stores;
  to.affine_fills += from.affine_fills;
  to.generic_fills += from.generic_fills;
  to.second_fills += from.second_fills;
  to.write_backs += from.write_backs;
  to.merged_write_backs += from.merged_write_backs;
  to.l1_evictions += from.l1_evictions;
  to.stale_fill_words += from.stale_fill_words;
  to.requests += from.requests;
}

Bench::Knobs knobs(std::uint32_t seed) {
  std::minstd_rand random(seed * 7 + 3);
  const auto one_of = [&](std::initializer_list<unsigned> values) {
    return values.begin()[random() % values.size()];
  };
  Bench::Knobs k;
  k.offer_percent = one_of({25, 60, 100});
  k.accept_percent = one_of({25, 60, 100});
  k.evict_percent = one_of({0, 2, 20});
  k.arrive_percent = one_of({3, 20, 100});
  k.fill_full = random() % 2;
  k.seed = seed;
  return k;
}

TEST_P(AffineCachePoints, EveryReadReturnsTheLastWriteInLockStep) {
  const AffineCacheParams params = GetParam();
  Tallies total;
  tb::check_property("affine_cache L" + std::to_string(params.vector.lanes) + "W" + std::to_string(params.ways), 60,
                     [&](std::uint32_t seed) {
                       auto avc = make_affine_cache(params, Backend::shadow);
                       avc->reset();
                       Bench bench(*avc, params, knobs(seed));
                       bench.run(traffic(params, seed, 300));
                       add(total, bench.tallies());
                     });
  expect_all_kinds(total);
}

TEST(AffineCache, ModelTakesShapesThatAreNotCompiled) {
  const AffineCacheParams params{
      .vector = {.lanes = 16, .width = 32, .stride_bits = 3}, .slots = 4, .sets = 4, .ways = 6, .line_bits = 9};
  Tallies total;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    auto avc = make_affine_cache(params, Backend::model);
    Bench bench(*avc, params, knobs(seed));
    bench.run(traffic(params, seed, 1000));
    add(total, bench.tallies());
  }
  expect_all_kinds(total);
}

/// Each rule of the port contract, broken on purpose, must be noticed by the bench.
TEST(AffineCache, BreakingTheContractIsCaught) {
  for (const Mistake mistake : {Mistake::no_l1_clear, Mistake::stale_fill, Mistake::no_l1_merge}) {
    unsigned caught = 0;
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
      auto avc = make_affine_cache(odd_point, Backend::model);
      Bench::Knobs k = knobs(seed);
      k.mistake = mistake;
      try {
        Bench(*avc, odd_point, k).run(traffic(odd_point, seed, 500));
      } catch (const std::runtime_error&) {
        ++caught;
      }
    }
    EXPECT_GT(caught, 5u) << static_cast<int>(mistake);
  }
}

/// Algorithm 2 as printed does not clear the AVC's valid bits on a generic store (A9).
class AsPrinted final : public AffineCache {
 public:
  AsPrinted() : avc_(make_affine_cache(odd_point, Backend::model)) {}
  void reset() override { avc_->reset(); }
  bool ready() const override { return avc_->ready(); }
  bool push(const AvcReq& req) override {
    const bool generic_store =
        req.op == AvcOp::store && !affine::encode(odd_point.vector, {req.data, req.mask}).affine;
    // A load instead, which leaves the words valid; the answer is that of a generic store.
    AvcReq passed = req;
    if (generic_store) passed.op = AvcOp::load;
    const bool taken = avc_->push(passed);
    if (taken) ops_.push_back({generic_store, req.mask});
    return taken;
  }
  const AvcRsp* front() const override {
    const AvcRsp* rsp = avc_->front();
    if (!rsp || rsp->write_back || !ops_.front().first) return rsp;
    answer_ = *rsp;
    answer_.mask = ops_.front().second;
    return &answer_;
  }
  void pop() override {
    if (const AvcRsp* rsp = avc_->front(); rsp && !rsp->write_back) ops_.pop_front();
    avc_->pop();
  }
  void tick() override { avc_->tick(); }
  bool idle() const override { return avc_->idle(); }

 private:
  std::unique_ptr<AffineCache> avc_;
  std::deque<std::pair<bool, std::uint32_t>> ops_;
  mutable AvcRsp answer_;
};

TEST(AffineCache, AlgorithmTwoAsPrintedLeavesStaleWords) {
  unsigned caught = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    AsPrinted avc;
    try {
      Bench(avc, odd_point, knobs(seed)).run(traffic(odd_point, seed, 500));
    } catch (const std::runtime_error& error) {
      // Beside the L1's newer word, or read after the L1 evicted that.
      using ::testing::HasSubstr;
      EXPECT_THAT(error.what(), ::testing::AnyOf(HasSubstr("valid in the L1"), HasSubstr("from the AVC")));
      ++caught;
    }
  }
  EXPECT_GT(caught, 5u);
}

// Wherever a sweep, a flush or a conflict stands when reset comes, nothing of it is left; the shadow compares.
TEST(AffineCache, ResetAtAnyMomentIsLikeAFreshCache) {
  auto avc = make_affine_cache(odd_point, Backend::shadow);
  std::minstd_rand random(4);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  for (unsigned episode = 0; episode < 1500; ++episode) {
    avc->reset();
    EXPECT_TRUE(avc->ready());
    EXPECT_TRUE(avc->idle());
    const unsigned stores = below(101), accept = 20 + below(81);
    for (unsigned cycle = 1 + below(40); cycle > 0; --cycle) {
      AvcReq req{below(100) < stores ? AvcOp::store
                 : below(8)          ? AvcOp::load
                                     : AvcOp::flush,
                 below(1u << odd_point.line_bits),
                 1 + below(all(odd_point)),
                 {}};
      if (req.op == AvcOp::store) req.data = ramp(odd_point, 4 * below(8), below(2));
      avc->push(req);
      if (avc->front() && below(100) < accept) avc->pop();
      avc->tick();
    }
  }
  avc->reset();
  Bench(*avc, odd_point, {}).run({{AvcOp::store, 3, all(odd_point), ramp(odd_point, 8, 1)}, {AvcOp::load, 3, 1, {}}});
}

TEST(AffineCacheLong, AMillionRequestsOverThePoints) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for a million transactions";
  Tallies total;
  for (const AffineCacheParams& params : {odd_point, direct_point, paper_point, way3_point}) {
    Tallies point;
    for (std::uint32_t seed = 1; point.requests < 250000; ++seed) {
      auto avc = make_affine_cache(params, Backend::shadow);
      avc->reset();
      Bench bench(*avc, params, knobs(seed + 1000));
      bench.run(traffic(params, seed + 1000, 5000));
      add(point, bench.tallies());
    }
    expect_all_kinds(point);
    add(total, point);
  }
  EXPECT_GE(total.requests, 1000000u);
  tb::report_transactions(total.requests);
}

}  // namespace
}  // namespace warpsieve::affine_cache
