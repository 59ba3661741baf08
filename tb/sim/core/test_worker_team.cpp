// WorkerTeam and ThreadChoice: every step once, in every number of threads; errors, sleepers, more threads than
// cores.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/shared_pool.h"
#include "core/stats.h"
#include "core/thread_choice.h"
#include "core/worker_team.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

TEST(WorkerTeam, RunsEveryStepOnceAndSeesWhatCameBefore) {
  for (const unsigned threads : {1, 2, 3, 4, 7}) {
    WorkerTeam team(threads);
    EXPECT_EQ(team.threads(), threads);
    std::vector<std::uint32_t> count(200), before(200);
    for (std::uint32_t call = 1; call <= 300; ++call) {
      const std::uint32_t steps = call % 200;
      team.run(steps, [&](std::uint32_t i) {
        before[i] = count[i];  // plain memory: the call before must be seen, on whatever thread it was
        ++count[i];
      });
      for (std::uint32_t i = 0; i < steps; ++i) ASSERT_EQ(count[i], before[i] + 1) << threads << " " << call;
    }
    std::uint64_t all = 0;
    for (std::uint32_t call = 1; call <= 300; ++call) all += call % 200;
    EXPECT_EQ(std::accumulate(count.begin(), count.end(), std::uint64_t{0}), all) << threads;
  }
}

TEST(WorkerTeam, UsesSeveralThreads) {
  WorkerTeam team(2);
  std::atomic<unsigned> inside{0};
  bool met = false;
  // Both steps wait for each other, with a bound; a loaded host gets several tries.
  for (unsigned attempt = 0; attempt < 100 && !met; ++attempt) {
    inside = 0;
    std::atomic<unsigned> saw{0};
    team.run(2, [&](std::uint32_t) {
      ++inside;
      const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
      while (inside < 2 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
      saw += inside == 2;
    });
    met = saw == 2;
  }
  EXPECT_TRUE(met);
  EXPECT_GT(team.times().calls, 0u);
  EXPECT_GT(team.times().inside, 0);
  EXPECT_LE(team.times().working, team.times().inside);
}

TEST(WorkerTeam, ThrowsTheErrorOfTheFirstStepAndGoesOn) {
  for (const unsigned threads : {1, 2, 4}) {
    WorkerTeam team(threads);
    for (unsigned round = 0; round < 50; ++round) {
      try {
        team.run(40, [](std::uint32_t i) {
          if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
        });
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "7") << threads;
      }
      std::atomic<unsigned> steps{0};
      team.run(40, [&](std::uint32_t) { ++steps; });
      EXPECT_EQ(steps, 40u) << threads;
    }
  }
}

TEST(WorkerTeam, LeavesOutThoseThatAreNotInUse) {
  WorkerTeam team(4);
  std::vector<unsigned> count(50);
  for (unsigned call = 0; call < 200; ++call) {
    team.use(1 + call % 5);  // beyond 4: all
    EXPECT_EQ(team.used(), std::min(1 + call % 5, 4u));
    team.run(50, [&](std::uint32_t i) { ++count[i]; });
  }
  for (const unsigned n : count) EXPECT_EQ(n, 200u);
}

TEST(WorkerTeam, WakesThreadsThatHaveGoneToSleep) {
  WorkerTeam team(3);
  for (unsigned call = 0; call < 5; ++call) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::atomic<unsigned> steps{0};
    team.run(30, [&](std::uint32_t) {
      std::this_thread::sleep_for(std::chrono::microseconds(300));
      ++steps;
    });
    EXPECT_EQ(steps, 30u);
  }
}

TEST(WorkerTeam, RefusesMoreStepsThanItCanNumber) {
  WorkerTeam team(2);
  EXPECT_THROW(team.run(WorkerTeam::kMostSteps + 1, [](std::uint32_t) {}), std::logic_error);
}

/// Twelve threads on whatever cores there are: it ends, whoever is not run by the host.
TEST(WorkerTeam, EndsWithMoreThreadsThanCores) {
  WorkerTeam team(12);
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> part(24);
  for (unsigned call = 0; call < 2000; ++call) {
    team.run(24, [&](std::uint32_t i) { part[i] += i; });
    sum += 276;
  }
  EXPECT_EQ(std::accumulate(part.begin(), part.end(), std::uint64_t{0}), sum);
}

/// The thread count that ThreadChoice comes to when pieces cost this much with each.
unsigned settled(unsigned most, const std::function<double(unsigned)>& cost, unsigned pieces = 3000) {
  ThreadChoice choice(most);
  std::vector<unsigned> used(most + 1);
  for (unsigned i = 0; i < pieces; ++i) {
    const unsigned n = choice.threads();
    if (i >= pieces / 2) ++used[n];
    choice.measured(cost(n) * (1 + i % 7), 1 + i % 7);
  }
  return static_cast<unsigned>(std::max_element(used.begin(), used.end()) - used.begin());
}

TEST(ThreadChoice, TakesMoreThreadsOnlyWhereTheyAreFaster) {
  EXPECT_EQ(settled(4, [](unsigned n) { return 1.0 / n; }), 4u);
  EXPECT_EQ(settled(4, [](unsigned n) { return n <= 2 ? 1.0 / n : 3.0; }), 2u);
  EXPECT_EQ(settled(4, [](unsigned n) { return 1.0 + n; }), 1u);
  EXPECT_EQ(settled(8, [](unsigned) { return 1.0; }), 1u) << "as fast: fewer";
  EXPECT_EQ(settled(1, [](unsigned) { return 1.0; }), 1u);
}

TEST(ThreadChoice, FollowsAHostThatChanges) {
  ThreadChoice choice(2);
  const auto run = [&](unsigned pieces, double two) {
    for (unsigned i = 0; i < pieces; ++i) choice.measured(choice.threads() == 2 ? two : 1.0, 1);
    return choice.threads();
  };
  EXPECT_EQ(run(100, 0.6), 2u);
  EXPECT_EQ(run(3000, 1.5), 1u);
  EXPECT_EQ(run(3000, 0.6), 2u);
}

TEST(ThreadChoice, SpendsLittleOnTrials) {
  ThreadChoice choice(8);
  double time = 0;
  constexpr unsigned kPieces = 100000;
  for (unsigned i = 0; i < kPieces; ++i) {
    time += choice.threads();
    choice.measured(choice.threads(), 1);
  }
  EXPECT_LT(time, 1.01 * kPieces) << "in pieces of one thread, which is the fastest";
}

TEST(ThreadChoice, IsNotMisledByAFewDisturbedPieces) {
  ThreadChoice choice(2);
  for (unsigned i = 0; i < 1000; ++i) choice.measured((choice.threads() == 2 ? 0.6 : 1.0) * (i % 3 ? 1 : 50), 1);
  EXPECT_EQ(choice.threads(), 2u);
}

TEST(StatsParts, AddUpInTheWholeInItsOrder) {
  Stats whole;
  whole.add("a", "items", "first");
  Stats one(kPart, whole), two(kPart, whole);
  Counter b1 = one.add("b", "items", "second"), b2 = two.add("b", "items", "second"),
          a2 = two.add("a", "items", "first");
  b1 += 3;
  b2 += 4;
  ++a2;
  whole.gather();
  whole.gather();  // nothing twice
  EXPECT_EQ(whole.values().dump(), R"({"a":1,"b":7})");
  EXPECT_EQ(one.value("b"), 7u) << "a part answers for the whole";
  EXPECT_TRUE(two.has("b"));
  EXPECT_FALSE(two.has("c"));
  EXPECT_THROW(two.add("b", "cycles", ""), std::logic_error);
  whole.freeze();
  b2 += 100;
  whole.thaw();
  ++b2;
  whole.gather();
  EXPECT_EQ(whole.value("b"), 8u) << "what a part counted meanwhile vanishes";
}

TEST(SharedPool, PartsTakeAndGiveTheSameObjects) {
  SharedPool<std::uint64_t> pool;
  SharedPool<std::uint64_t> one(kPart, pool), two(kPart, pool);
  const std::uint32_t a = one.take(), b = two.take(), c = pool.take();
  EXPECT_NE(a, b);
  EXPECT_NE(b, c);
  one[a] = 5;
  EXPECT_EQ(two[a], 5u);
  EXPECT_EQ(pool.used(), 3u);
  two.give(a);
  EXPECT_EQ(pool.used(), 2u);
  EXPECT_TRUE(one.none_free());
  EXPECT_FALSE(two.none_free());
  two.move_free(one);
  EXPECT_EQ(one.take(), a);
  EXPECT_EQ(pool.used(), 3u);
}

TEST(SharedPool, OwnersTakeAtTheSameTime) {
  SharedPool<std::uint64_t> pool;
  std::vector<std::unique_ptr<SharedPool<std::uint64_t>>> parts;
  for (unsigned i = 0; i < 4; ++i) parts.push_back(std::make_unique<SharedPool<std::uint64_t>>(kPart, pool));
  WorkerTeam team(4);
  std::vector<std::vector<std::uint32_t>> mine(4);
  team.run(4, [&](std::uint32_t i) {
    for (unsigned n = 0; n < 3000; ++n) {
      mine[i].push_back(parts[i]->take());
      (*parts[i])[mine[i].back()] = i;
    }
  });
  for (std::uint32_t i = 0; i < 4; ++i)
    for (const std::uint32_t at : mine[i]) ASSERT_EQ(pool[at], i);
  EXPECT_EQ(pool.used(), 12000u);
}

}  // namespace
}  // namespace warpsieve::tb
