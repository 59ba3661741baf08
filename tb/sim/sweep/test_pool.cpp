// Points on this machine: results, failures, processes that die, and what a second call does.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "core/params.h"
#include "run/version.h"
#include "scratch.h"
#include "sweep/pool.h"
#include "sweep/slurm.h"
#include "sweep/status.h"

namespace warpsieve::tb {
namespace {

using sweep::State;
using sweep::Store;
using ::testing::Each;
using ::testing::HasSubstr;

using Pool = Folder;

TEST_F(Pool, EveryPointGetsWhatSimulateGives) {
  const sweep::Sweep s = small_sweep();
  const Store store(path("s"));
  store.create(s);
  EXPECT_THAT(store.states(s), Each(State::missing));
  const sweep::PoolOutcome outcome = run_points(store, s.points, {.jobs = 2});
  EXPECT_EQ(outcome.done, 8u);
  EXPECT_EQ(outcome.failed + outcome.left + outcome.elsewhere, 0u);
  EXPECT_THAT(store.states(s), Each(State::done));
  for (const sweep::Point& p : s.points) EXPECT_EQ(store.result(p), simulate(p.spec).result.stats) << p.label();
  for (const auto& entry : std::filesystem::directory_iterator(path("s/running"))) ADD_FAILURE() << entry.path();
}

TEST_F(Pool, ASecondCallDoesOnlyWhatIsMissingWithTheSameBytes) {
  const sweep::Sweep s = small_sweep();
  const Store store(path("s"));
  store.create(s);
  run_points(store, s.points, {.jobs = 1});
  std::vector<std::string> first;
  for (const sweep::Point& p : s.points) first.push_back(store.result_text(p));
  std::filesystem::remove(path("s/results/" + s.points[3].id + ".json"));
  EXPECT_EQ(store.state(s.points[3]), State::missing);
  std::vector<std::string> lines;
  const sweep::PoolOutcome again = run_points(store, s.points, {.jobs = 2, .progress = [&](const auto& p) {
                                                                  if (!p.finished.empty())
                                                                    lines.push_back(p.finished);
                                                                }});
  EXPECT_EQ(again.done, 1u);
  EXPECT_THAT(lines, ::testing::ElementsAre("done " + s.points[3].label()));
  for (std::size_t i = 0; i < s.points.size(); ++i) EXPECT_EQ(store.result_text(s.points[i]), first[i]);
}

TEST_F(Pool, APointThatFailsHasItsErrorLineAndTheOthersGoOn) {
  // A machine slower than its own patience: a deadlock by its own rules.
  const sweep::Sweep s = sweep::parse_sweep(R"(
scale = "small"
schemes = ["cmd"]
workloads = ["bfs"]
[set]
gpu.image_in_l2 = 0
"cmd.metadata_cycles" = 5000
[[axis]]
parameter = "gpu.patience"
values = [1000, 100000]
)",
                                            "f.toml");
  const Store store(path("s"));
  store.create(s);
  EXPECT_EQ(run_points(store, s.points, {}).failed, 1u);
  EXPECT_EQ(store.state(s.points[0]), State::failed);
  EXPECT_EQ(store.state(s.points[1]), State::done);
  const sweep::Failure failure = store.failure(s.points[0]);
  EXPECT_THAT(failure.error, HasSubstr("deadlock in cycle"));
  EXPECT_EQ(failure.error.find('\n'), std::string::npos);
  EXPECT_THAT(failure.detail, HasSubstr("SM 0"));
  const sweep::Status status = status_of(store);
  EXPECT_EQ(status.failed, 1u);
  EXPECT_EQ(status.failures[0].text, failure.error);
  ASSERT_TRUE(status.peak.has_value());  // of the finished one
  EXPECT_EQ(status.peak->group, "bfs cmd");
  EXPECT_GT(status.peak->megabytes, 5);
  EXPECT_EQ(run_points(store, s.points, {}).failed, 0u) << "it is not tried again";
  store.forget_failure(s.points[0]);
  EXPECT_EQ(run_points(store, s.points, {}).failed, 1u);
}

/// A point of at least five seconds on a fast host: the pool looks around twice a second.
sweep::Sweep slow_sweep() {
  return sweep::parse_sweep("profile = \"cmd\"\nschemes = [\"cmd\"]\nworkloads = [\"gather\"]\n", "slow.toml");
}

/// The first child of this process that exists within ten seconds.
pid_t some_child() {
  for (int i = 0; i < 1000; ++i) {
    std::ifstream in("/proc/self/task/" + std::to_string(gettid()) + "/children");
    if (pid_t child = 0; in >> child) return child;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return 0;
}

TEST_F(Pool, AProcessThatIsKilledIsTriedAgainAndThenGivenUp) {
  const sweep::Sweep s = slow_sweep();
  const Store store(path("s"));
  store.create(s);
  const pid_t pool = fork();
  if (pool == 0) {  // kills its own children as they come
    std::size_t kills = 0;
    const sweep::PoolOutcome outcome =
        run_points(store, s.points, {.attempts = 3, .progress = [&](const sweep::PoolProgress& p) {
                                       if (p.running && kill(some_child(), SIGKILL) == 0) ++kills;
                                     }});
    _exit(outcome.failed == 1 && kills >= 3 ? 0 : 1);
  }
  int status = 0;
  waitpid(pool, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(store.failure(s.points[0]).error, "ended by signal 9 (Killed), 3 times");
}

TEST_F(Pool, APoolThatIsKilledLeavesNoProcessAndNoClaim) {
  const sweep::Sweep s = slow_sweep();
  const Store store(path("s"));
  store.create(s);
  const pid_t pool = fork();
  if (pool == 0) {
    run_points(store, s.points, {});
    _exit(0);
  }
  // A runner locks its file, then writes its name into it.
  const auto runs = [&] { return store.state(s.points[0]) == State::running && !store.runner(s.points[0]).empty(); };
  for (int i = 0; i < 1000 && !runs(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(store.state(s.points[0]), State::running);
  EXPECT_THAT(store.runner(s.points[0]), ::testing::MatchesRegex("[^ ]+ [0-9]+"));
  EXPECT_EQ(status_of(store).running, 1u);
  EXPECT_FALSE(store.claim(s.points[0]).has_value()) << "one process at a time";
  kill(pool, SIGKILL);
  waitpid(pool, nullptr, 0);
  for (int i = 0; i < 1000 && store.state(s.points[0]) == State::running; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(store.state(s.points[0]), State::missing);
  EXPECT_TRUE(store.claim(s.points[0]).has_value());
}

TEST_F(Pool, WaitsForThePointsOfOthersAndTakesOverWhatTheyLeave) {
  const sweep::Sweep s = small_sweep();
  const Store store(path("s"));
  store.create(s);
  for (const bool finishes : {true, false}) {
    std::filesystem::remove(path("s/results/" + s.points[0].id + ".json"));
    auto claim = std::make_optional(store.claim(s.points[0]).value());
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      if (finishes) store.write_result(s.points[0], simulate(s.points[0].spec).result);
      claim.reset();
    });
    std::size_t others = 0;
    const sweep::PoolOutcome outcome = run_points(
        store, s.points,
        {.jobs = 2, .wait_for_others = true, .progress = [&](const sweep::PoolProgress& p) { others = p.others; }});
    other.join();
    EXPECT_EQ(others, finishes ? 1u : 0u);
    EXPECT_THAT(store.states(s), Each(State::done));
    EXPECT_EQ(outcome.elsewhere, finishes ? 1u : 0u);
    EXPECT_EQ(outcome.done, finishes ? 7u : 1u);
  }
}

TEST_F(Pool, CountsWhatOthersFinishBeforeTheirTurnAndNotWhatWasThere) {
  const sweep::Sweep s = small_sweep();
  const Store store(path("s"));
  store.create(s);
  const auto finish = [&](const sweep::Point& point) { store.write_result(point, simulate(point.spec).result); };
  finish(s.points[1]);
  sweep::PoolProgress last;
  const sweep::PoolOutcome outcome = run_points(store, s.points, {.progress = [&](const sweep::PoolProgress& p) {
                                                  if (last.done == 0 && p.done == 1) finish(s.points.back());
                                                  last = p;
                                                }});
  EXPECT_EQ(outcome.done, 6u);
  EXPECT_EQ(last.done, 6u);
  EXPECT_EQ(last.others, 1u);
}

TEST_F(Pool, ADirectoryHasTheResultsOfOneSweepFile) {
  const std::string first = write("a.toml", kSmallSweep), second = write("b.toml", kSmallSweep);
  const Store store(path("s"));
  store.create(sweep::read_sweep(first));
  store.create(sweep::read_sweep(write("a.toml", std::string(kSmallSweep) + "# edited\n")));
  try {
    store.create(sweep::read_sweep(second));
    ADD_FAILURE() << "taken";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.what(),
              path("s") + ": has the results of " + store.load().file + ": give another directory with -o");
  }
  std::filesystem::rename(first, path("moved.toml"));
  store.create(sweep::read_sweep(path("moved.toml")));
  EXPECT_THAT(store.load().file, ::testing::EndsWith("/moved.toml"));
  // What is told at the end is about the points of the caller.
  sweep::Sweep other = small_sweep();
  other.points.resize(3);
  EXPECT_EQ(status_of(store, other).total, 3u);
  EXPECT_EQ(status_of(store).total, 8u);
}

TEST_F(Pool, AFolderThatCannotBeReadIsNoMissingResult) {
  const sweep::Sweep s = small_sweep();
  const Store store(path("s"));
  store.create(s);
  std::filesystem::remove(path("s/results"));
  std::filesystem::create_symlink(path("s/results"), path("s/results"));
  EXPECT_THROW(store.state(s.points[0]), ConfigError);
  EXPECT_THROW(run_points(store, s.points, {}), ConfigError);
}

TEST_F(Pool, StopsStartingWhenItsTimeIsOver) {
  const sweep::Sweep s = small_sweep();
  const Store store(path("s"));
  store.create(s);
  const sweep::PoolOutcome outcome = run_points(store, s.points, {.stop_after = 1e-9});
  EXPECT_EQ(outcome.done, 0u);
  EXPECT_EQ(outcome.left, s.points.size());
}

TEST_F(Pool, TimesComeFromTheLogs) {
  const sweep::Sweep s = small_sweep();
  const Store store(path("s"));
  store.create(s);
  EXPECT_FALSE(store.times().of("").has_value());
  EXPECT_FALSE(status_of(store).left_seconds.has_value());
  EXPECT_FALSE(status_of(store).peak.has_value());
  store.log_finished(s.points[0], 2, 100);  // vecadd baseline
  store.log_finished(s.points[0], 4, 300);
  store.log_finished(s.points[1], 9, 200);  // vecadd cmd
  store.log_failed(s.points[2], "done 1 1 s a b");
  EXPECT_DOUBLE_EQ(store.times().of("vecadd baseline").value(), 3);
  EXPECT_DOUBLE_EQ(store.times().of("vecadd cmd").value(), 9);
  EXPECT_DOUBLE_EQ(store.times().of("gather cmd").value(), 5) << "the mean of all";
  // vecadd: 1 x 3 + 3 x 9; gather: 4 x 5
  EXPECT_DOUBLE_EQ(status_of(store).left_seconds.value(), 50);
  EXPECT_DOUBLE_EQ(status_of(store).peak->megabytes, 300);
  EXPECT_EQ(status_of(store).peak->group, "vecadd baseline");
}

TEST_F(Pool, ASweepThatAnotherProcessIsMakingIsNoOtherFile) {
  std::filesystem::create_directory(path("s"));
  write("s/.sweep.json.4711.part", "{");
  const Store store(path("s"));
  store.create(small_sweep());
  EXPECT_FALSE(store.load().points.empty());
  std::filesystem::create_directory(path("t"));
  write("t/notes.part", "");
  EXPECT_THROW(Store(path("t")).create(small_sweep()), ConfigError);
}

TEST_F(Pool, AnotherFormatOrNothingIsOneLine) {
  EXPECT_THROW(Store(path("none")).load(), ConfigError);
  std::filesystem::create_directory(path("bad"));
  for (const char* text : {"", "{", "[]", R"({"format": "x"})", R"({"format": "warpsieve-sweep-1"})"}) {
    write("bad/sweep.json", text);
    EXPECT_THROW(Store(path("bad")).load(), ConfigError) << text;
  }
}

std::vector<sweep::Point> points(std::size_t n, const std::string& workload) {
  sweep::Point p;
  p.spec.workload = workload;
  p.spec.scheme = "cmd";
  return std::vector<sweep::Point>(n, p);
}

TEST(Chunks, LastAtLeastTheGivenTime) {
  sweep::Times times;
  times.add("bfs cmd", 7);
  times.add("cfd cmd", 40);
  auto all = points(21, "bfs");
  const auto more = points(3, "cfd");
  all.insert(all.end(), more.begin(), more.end());
  const auto chunks = sweep::make_chunks(all, times, 30, 1000);
  std::vector<std::size_t> sizes;
  std::size_t next = 0;
  for (const sweep::Chunk& chunk : chunks) {
    double seconds = 0;
    for (const std::size_t i : chunk) {
      EXPECT_EQ(i, next++);
      seconds += i < 21 ? 7 : 40;
    }
    EXPECT_GE(seconds, 30);
    sizes.push_back(chunk.size());
  }
  EXPECT_EQ(next, all.size());
  EXPECT_THAT(sizes, ::testing::ElementsAre(5, 5, 5, 5, 2, 1, 1));
}

TEST(Chunks, TheLastOneIsNeverShorterThanTheOthers) {
  sweep::Times times;
  times.add("bfs cmd", 10);
  const auto chunks = sweep::make_chunks(points(8, "bfs"), times, 30, 1000);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[1].size(), 5u);
  EXPECT_EQ(sweep::make_chunks(points(2, "bfs"), times, 30, 1000).size(), 1u) << "all there is is less";
}

TEST(Chunks, ThereAreAtMostSoMany) {
  sweep::Times times;
  times.add("bfs cmd", 100);
  EXPECT_LE(sweep::make_chunks(points(999, "bfs"), times, 30, 10).size(), 10u);
  EXPECT_EQ(sweep::make_chunks(points(999, "bfs"), times, 30, 1000).size(), 999u);
}

TEST(Chunks, WithoutTimesAllIsOne) {
  EXPECT_EQ(sweep::make_chunks(points(50, "bfs"), {}, 30, 1000).size(), 1u);
  EXPECT_TRUE(sweep::make_chunks({}, {}, 30, 1000).empty());
}

}  // namespace
}  // namespace warpsieve::tb
