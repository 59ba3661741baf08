// The sweep files: those behind the claims, the sensitivity studies and the long regressions.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "claims/estimate.h"
#include "claims/evaluate.h"
#include "core/params.h"
#include "run/simulate.h"
#include "schemes/registry.h"
#include "support/tree.h"
#include "sweep/sweep_file.h"
#include "workloads/registry.h"

namespace warpsieve::claims {
namespace {

TEST(Estimate, TakesTheTimeOfTheSameSizesAtAnotherScale) {
  const auto seconds = [](const char* workload, std::vector<std::string> sizes, const char* scale) {
    run::RunSpec spec;
    spec.workload = workload;
    spec.sizes = std::move(sizes);
    spec.scale = scale;
    return known_seconds(spec);
  };
  const std::vector<std::string> all = {"side=96", "launches=1"};
  ASSERT_TRUE(seconds("hotspot", all, "quarter"));
  EXPECT_LT(*seconds("hotspot", all, "paper"), 10 * *seconds("hotspot", all, "quarter")) << "the same run";
  EXPECT_GT(*seconds("hotspot", {}, "paper"), 10 * *seconds("hotspot", all, "paper"));
  EXPECT_EQ(seconds("hotspot", {"launches=1"}, "paper"), seconds("hotspot", {}, "paper"));
  EXPECT_GT(seconds("kmeans", {"layout=point-major"}, "paper"), seconds("kmeans", {"layout=point-major"}, "quarter"))
      << "the scale decides how many points there are";
  const std::vector<std::string> small = {"search=6", "template=4"};  // less at every scale
  EXPECT_LT(*seconds("heartwall", small, "paper"), *seconds("heartwall", {}, "paper") / 2);
  EXPECT_FALSE(seconds("hotspot", {}, "small"));
}

TEST(Estimate, KnowsTheMachineAndTheSample) {
  const auto seconds = [](const char* workload, const char* profile, std::vector<std::string> set) {
    run::RunSpec spec;
    spec.workload = workload;
    spec.profile = profile;
    spec.scale = "paper";
    spec.set = std::move(set);
    return known_seconds(spec).value();
  };
  EXPECT_EQ(seconds("srad", "avc", {}), seconds("srad", "avc-quarter", {}));
  EXPECT_NE(seconds("srad", "avc", {}), seconds("srad", "rata", {}));
  EXPECT_NE(seconds("srad", "plain", {}), seconds("srad", "rata", {})) << "not run there: the mean over machines";
  EXPECT_LT(seconds("srad", "rata", {"gpu.launch_sample=20"}), seconds("srad", "rata", {}) / 10);
}

/// Else the noise of a figure would be 0, whatever its size.
TEST(Repetitions, ChangeTheCyclesOnEveryMachineOfTheClaims) {
  std::set<std::string> profiles;
  for (const auto& file : std::filesystem::directory_iterator(tb::in_sources("sim_cpp/configs/claim_sweeps")))
    profiles.insert(sweep::read_sweep(file.path()).points.front().spec.profile);
  EXPECT_GE(profiles.size(), 5u);
  for (const std::string& profile : profiles) {
    std::set<Cycle> cycles;
    for (unsigned repetition = 0; repetition < 3; ++repetition) {
      run::RunSpec spec;
      spec.workload = "gather";
      spec.sizes = {"threads=512"};
      spec.scheme = "baseline";
      spec.profile = profile;
      spec.repetition = repetition;
      cycles.insert(run::simulate(spec).result.cycles);
    }
    EXPECT_GE(cycles.size(), 2u) << profile;
  }
}

/// The sensitivity studies of the papers.
TEST(SensitivityStudies, AreSweepFilesThatExpand) {
  for (const auto& file : std::filesystem::directory_iterator(tb::in_sources("sim_cpp/configs/sweeps"))) {
    const sweep::Sweep study = sweep::read_sweep(file.path());
    SCOPED_TRACE(file.path());
    EXPECT_FALSE(study.points.empty());
    EXPECT_FALSE(study.doc.empty());
    EXPECT_FALSE(study.axes.empty());
  }
}

/// Kernels of nw, backprop and lud need fewer than the default spill.min_base: a study of their private memory sets
/// it.
TEST(SensitivityStudies, OfSpillsHavePrivateMemoryInEveryWorkload) {
  std::size_t studies = 0;
  for (const auto& file : std::filesystem::directory_iterator(tb::in_sources("sim_cpp/configs/sweeps"))) {
    for (const sweep::Point& point : sweep::read_sweep(file.path()).points) {
      const bool few =
          point.spec.workload == "nw" || point.spec.workload == "backprop" || point.spec.workload == "lud";
      const auto has = [&](const std::string& text) {
        return std::any_of(point.spec.set.begin(), point.spec.set.end(),
                           [&](const std::string& s) { return s.starts_with(text); });
      };
      if (!few || !has("spill.percent=")) continue;
      ++studies;
      EXPECT_TRUE(has("spill.min_base=4")) << file.path() << ' ' << point.label();
    }
  }
  EXPECT_GT(studies, 0u);
}

/// Of the built-in sweeps, on the whole machine: other workload sizes, the same points otherwise.
TEST(ClaimSweeps, AtScalePaperTakeTheWholeMachine) {
  for (const ClaimSweep& builtin : claim_sweeps()) {
    SCOPED_TRACE(builtin.name);
    const ClaimSweep paper = at_scale(builtin, "paper");
    EXPECT_EQ(paper.name, builtin.name + "_paper");
    const sweep::Sweep small = sweep::parse_sweep(builtin.text, builtin.file);
    sweep::Sweep large = sweep::parse_sweep(paper.text, paper.file);
    // [repeat_at_least.paper]
    std::erase_if(large.points, [](const sweep::Point& point) { return point.spec.repetition != 0; });
    ASSERT_EQ(large.points.size(), small.points.size());
    for (std::size_t i = 0; i < large.points.size(); ++i) {
      const run::RunSpec& a = small.points[i].spec;
      run::RunSpec b = large.points[i].spec;
      std::erase_if(b.set, [](const std::string& set) { return set.starts_with("gpu.launch_sample="); });
      EXPECT_EQ(b.scale, "paper");
      EXPECT_FALSE(b.profile.ends_with("-quarter"));
      EXPECT_TRUE(a.profile.starts_with(b.profile));
      EXPECT_EQ(std::tie(a.workload, a.scheme, a.sizes, a.set, a.seed),
                std::tie(b.workload, b.scheme, b.sizes, b.set, b.seed));
    }
  }
  EXPECT_THROW(at_scale(claim_sweeps("cmd").front(), "huge"), workloads::WorkloadError);
}

TEST(ClaimSweeps, SampleLaunchesAtTheScaleThatSaysSo) {
  const ClaimSweep dpc = claim_sweeps("dpc").front();
  const auto sampled = [](const ClaimSweep& sweep) {
    std::set<std::string> out;
    for (const sweep::Point& point : sweep::parse_sweep(sweep.text, sweep.file).points)
      for (const std::string& set : point.spec.set)
        if (set.starts_with("gpu.launch_sample=")) out.insert(point.spec.workload);
    return out;
  };
  EXPECT_TRUE(sampled(dpc).empty());
  EXPECT_TRUE(sampled(at_scale(dpc, "small")).empty());
  EXPECT_TRUE(sampled(at_scale(dpc, "paper")).contains("srad"));
  EXPECT_TRUE(sampled(at_scale(repeated(dpc, 2), "paper")).contains("srad"));
}

/// A point that a sweep holds twice would count twice in a mean.
TEST(SensitivityStudies, ClaimSweepsHoldEveryPointOnce) {
  for (const ClaimSweep& builtin : claim_sweeps()) {
    SCOPED_TRACE(builtin.name);
    std::set<std::string> labels;
    const sweep::Sweep claim = sweep::parse_sweep(builtin.text, builtin.file);
    for (const sweep::Point& point : claim.points) EXPECT_TRUE(labels.insert(point.label()).second) << point.label();
    EXPECT_FALSE(labels.empty());
  }
}

/// `make regress`: each scheme of the registry, each workload; in shadow what has RTL.
TEST(Regression, SweepsRunEveryWorkloadUnderEveryScheme) {
  std::map<std::string, std::set<std::string>> workloads_of;
  std::set<std::string> shadowed;
  for (const auto& file : std::filesystem::directory_iterator(tb::in_sources("sim_cpp/configs/regress"))) {
    for (const sweep::Point& point : sweep::read_sweep(file.path().string()).points) {
      const bool shadow = point.spec.backend == "shadow";
      EXPECT_EQ(file.path().stem().string().ends_with("_shadow"), shadow) << point.label();
      if (shadow)
        shadowed.insert(point.spec.scheme);
      else
        workloads_of[point.spec.scheme].insert(point.spec.workload);
    }
  }
  for (const schemes::SchemeInfo& scheme : schemes::scheme_list()) {
    EXPECT_EQ(workloads_of[scheme.name].size(), workloads::workload_list().size()) << scheme.name;
    EXPECT_TRUE(scheme.blocks.empty() || shadowed.count(scheme.name)) << scheme.name;
  }
}

/// Every machine that a built-in sweep asks for can be built, and copies a vector as it should.
TEST(SensitivityStudies, MachinesOfAllPointsRun) {
  std::set<std::string> seen;
  const auto try_machines = [&seen](const sweep::Sweep& study) {
    for (const sweep::Point& point : study.points) {
      const run::RunSpec& asked = point.spec;
      const std::string machine = fmt::format("{} {} {}", asked.profile, asked.scheme, fmt::join(asked.set, " "));
      if (!seen.insert(machine).second) continue;
      SCOPED_TRACE(machine);
      run::RunSpec spec;
      spec.workload = "vecadd";
      spec.scale = "small";
      spec.scheme = asked.scheme;
      spec.profile = asked.profile;
      spec.set = asked.set;
      ASSERT_NO_THROW(run::check(spec));
      EXPECT_TRUE(run::simulate(spec).result.clean);
    }
  };
  for (const ClaimSweep& builtin : claim_sweeps()) try_machines(sweep::parse_sweep(builtin.text, builtin.file));
  for (const auto& file : std::filesystem::directory_iterator(tb::in_sources("sim_cpp/configs/sweeps")))
    try_machines(sweep::read_sweep(file.path().string()));
  EXPECT_GE(seen.size(), 100u);
}

TEST(SensitivityStudies, ParametersThatNoBlockTakesAreRefusedByNameBeforeTheRun) {
  const auto error_of = [](const std::string& scheme, const std::string& set) {
    run::RunSpec spec;
    spec.workload = "vecadd";
    spec.scheme = scheme;
    if (scheme == "rata") spec.profile = "rata-quarter";
    spec.set = {set};
    try {
      run::check(spec);
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(error_of("cmd", "cmd.hash_sets=175"), "cmd.hash_sets = 175: expected a power of two");
  EXPECT_EQ(error_of("cmd", "cmd.lent_sets=6"), "cmd.lent_sets = 6: expected a power of two");
  EXPECT_EQ(error_of("rata", "rata.sets=12"), "rata.sets = 12: expected a power of two");
  EXPECT_EQ(error_of("justit", "justit.counters=100"), "justit.counters = 100: expected a power of two");
  EXPECT_EQ(error_of("justit", "justit.threshold=3"),
            "justit.threshold = 3: expected at most 2 with counters of 2 bits");
  EXPECT_EQ(error_of("df_man", "dpc.table_sets=5"), "dpc.table_sets = 5: expected a power of two");
  EXPECT_EQ(error_of("bpc", "bpc.size_sets=3"), "bpc.size_sets = 3: expected a power of two");
  EXPECT_EQ(error_of("bcd", "bcd.translation_sets=3"), "bcd.translation_sets = 3: expected a power of two");
  EXPECT_EQ(error_of("avc", "avc.sets=3"), "avc.sets = 3: expected a power of two");
}

}  // namespace
}  // namespace warpsieve::claims
