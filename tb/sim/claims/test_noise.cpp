// claims: the noise of what rules compute, against runs made by hand.
#include <cmath>

#include "hand_runs.h"

namespace warpsieve::claims {
namespace {

using Noise = Claims;

TEST_F(Noise, IsOfTheMeanOverWorkloadsPairedByRepetition) {
  // Both runs move together by 10 % from repetition to repetition: the change does not.
  runs_.repeated("bfs", "baseline", {1.0, 1.1, 1.2});
  runs_.repeated("bfs", "cmd", {1.3, 1.43, 1.56});
  const Row paired = one(kIpcOfCmd);
  EXPECT_NEAR(*paired.ours, 30, 1e-9);
  EXPECT_NEAR(paired.noise, 0, 1e-9);
  EXPECT_EQ(paired.repetitions, 3u);
  EXPECT_EQ(paired.verdict, Verdict::weaker);
  // Workloads that move against each other: the mean has no noise, they have.
  runs_.repeated("cfd", "baseline", {1, 1, 1});
  runs_.repeated("cfd", "cmd", {1.1, 1.2, 1.3});
  runs_.repeated("mis", "baseline", {1, 1, 1});
  runs_.repeated("mis", "cmd", {1.3, 1.2, 1.1});
  const Row three = one(kIpcOfCmd);
  EXPECT_NEAR(*three.ours, 70.0 / 3, 1e-9);
  EXPECT_NEAR(three.noise, 0, 1e-9);
  ASSERT_EQ(three.workloads.size(), 3u);
  EXPECT_NEAR(three.workloads[1].deviation, 10, 1e-9);
  EXPECT_NEAR(three.workloads[1].noise, 4.303 * 10 / std::sqrt(3), 1e-9);
  EXPECT_EQ(three.agree, 1u) << "cfd and mis are inside their noise";
  const ordered_json json = to_json(three);
  EXPECT_EQ(json["repetitions"], 3);
  EXPECT_NEAR(json["workloads"]["mis"]["noise"].get<double>(), three.workloads[2].noise, 1e-12);
}

TEST_F(Noise, EachWorkloadHasTheMeanOfAllItsRepetitions) {
  runs_.repeated("bfs", "baseline", {1, 1, 1});
  runs_.repeated("bfs", "cmd", {2, 2, 5});
  runs_.repeated("cfd", "baseline", {1, 1});
  runs_.repeated("cfd", "cmd", {2, 2});
  const Row row = one(kIpcOfCmd);
  EXPECT_NEAR(*row.ours, (200 + 100) / 2.0, 1e-9);
  EXPECT_EQ(row.repetitions, 3u);
  // Of bfs alone, whose deviation is sqrt(3) * 100; cfd does not vary.
  EXPECT_NEAR(row.deviation, 100.0 / 2, 1e-9);
}

/// Where a sweep repeats some workloads ([repeat_at_least.SCALE]), the others are as noisy as they are.
TEST_F(Noise, AWorkloadThatRanOnceHasTheNoiseOfTheOthers) {
  const auto change = [this](const char* workload, std::vector<double> ipc) {
    runs_.repeated(workload, "baseline", std::vector<double>(ipc.size(), 1.0));
    runs_.repeated(workload, "cmd", ipc);
  };
  change("bfs", {1.3, 1.4, 1.5});
  change("cfd", {1.5});
  const Row two = one(kIpcOfCmd);
  EXPECT_NEAR(*two.ours, 45, 1e-9);
  EXPECT_EQ(two.repetitions, 3u);
  // Deviation of one run: 10 for both; of the mean: sqrt(100 / 3 + 100) / 2. Two degrees of freedom.
  EXPECT_NEAR(two.deviation, std::sqrt(100.0 / 3 + 100) / 2, 1e-9);
  EXPECT_NEAR(two.noise, 4.303 * two.deviation, 1e-9);
  EXPECT_EQ(two.workloads[1].noise, kDefaultNoise) << "of itself nothing is known";
  change("mis", {1.2, 1.2});
  const Row three = one(kIpcOfCmd);
  EXPECT_NEAR(*three.ours, (40 + 50 + 20) / 3.0, 1e-9);
  EXPECT_NEAR(three.deviation, std::sqrt(100 * (1.0 / 3 + 0.5)) / 3, 1e-9) << "mis does not vary at all";
}

TEST_F(Noise, AChangeInsideTheNoiseIsNoEffectAndItsSignIsNotStated) {
  runs_.repeated("bfs", "baseline", {1, 1, 1});
  runs_.repeated("bfs", "cmd", {1.5, 0.6, 1.1});
  const Row noisy = one(kIpcOfCmd);
  EXPECT_NEAR(*noisy.ours, 100 * 0.2 / 3, 1e-9);
  EXPECT_EQ(noisy.verdict, Verdict::no_effect);
  EXPECT_TRUE(noisy.inside_noise());
  EXPECT_EQ(noisy.agree, 0u);
}

TEST_F(Noise, WithoutRepetitionsTheDefaultBandIsTheNoiseOfChangesAndNotOfShares) {
  runs_.add(run("bfs", "baseline", 1.0, 100), {}, kInput);
  runs_.add(run("bfs", "cmd", 1.029, 100), {}, kInput);
  EXPECT_EQ(one(kIpcOfCmd).noise, kDefaultNoise);
  EXPECT_EQ(one(kIpcOfCmd).repetitions, 1u);
  EXPECT_EQ(one(kIpcOfCmd).verdict, Verdict::no_effect);
  runs_.add(run("cfd", "baseline", 1.0, 1), {}, kInput);
  runs_.add(run("cfd", "cmd", 0.9, 1), {}, kInput);
  EXPECT_EQ(one(kIpcOfCmd).verdict, Verdict::opposite);
  const Row share =
      one("[[claim]]\nid = \"cmd.offchip_write\"\nkind = \"share\"\nover = [\"dedup.writes_intra\"]\n"
          "under = [\"dedup.writes\"]\nscheme = \"cmd\"\n");
  EXPECT_EQ(share.noise, 0);
}

}  // namespace
}  // namespace warpsieve::claims
