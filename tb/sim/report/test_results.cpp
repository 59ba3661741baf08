// What a report is made from: which runs are compared with each other, and how often each counts.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "cost/cacti/query.h"
#include "memsys/profile.h"
#include "report/machine.h"
#include "report/measured.h"
#include "report/page.h"
#include "report/results.h"
#include "run/simulate.h"
#include "sim/sweep/scratch.h"
#include "sweep/database.h"
#include "sweep/pool.h"

namespace warpsieve::tb {
namespace {

using nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

/// "gather cmd 1 0": workload, scheme, seed and place of each run.
std::vector<std::string> names(const report::Results& results) {
  std::vector<std::string> out;
  for (const report::ResultRun& r : results.runs) {
    out.push_back(r.run["workload"].get<std::string>() + " " + r.scheme + " " + std::to_string(r.seed));
    for (const std::size_t v : r.at) out.back() += " " + std::to_string(v);
  }
  return out;
}

class ReportOfSweep : public Folder {
 protected:
  /// The sweep with all points but `skipped` finished.
  report::Results results(const std::string& text, const std::vector<std::size_t>& skipped = {}) {
    sweep_ = sweep::parse_sweep(text, path("s.toml"));
    const sweep::Store store(path("s"));
    store.create(sweep_);
    std::vector<sweep::Point> wanted;
    for (std::size_t i = 0; i < sweep_.points.size(); ++i)
      if (std::find(skipped.begin(), skipped.end(), i) == skipped.end()) wanted.push_back(sweep_.points[i]);
    run_points(store, wanted, {.jobs = 2});
    merge(store, path("s.sqlite"));
    const report::Results out = report::read_results({path("s")});
    EXPECT_EQ(names(report::read_results({path("s.sqlite")})), names(out));
    return out;
  }
  sweep::Sweep sweep_;
};

TEST_F(ReportOfSweep, NumbersExperimentsByTheFileAndNotByWhatIsFinished) {
  write("a.toml", "[[run]]\nworkload = \"gather\"\nthreads = 128\n");
  write("b.toml", "[[run]]\nworkload = \"gather\"\nthreads = 512\n");
  const report::Results r = results(
      "scale = \"small\"\nschemes = [\"cmd\"]\nsuites = [\"a.toml\", \"b.toml\"]\n"
      "[[axis]]\nparameter = \"l2.ways\"\nvalues = [4, 8]\n",
      {2});  // 128 threads with 8 ways
  EXPECT_EQ(r.missing, 1u);
  EXPECT_THAT(names(r), UnorderedElementsAre("gather cmd 1 0", "gather #2 cmd 1 0", "gather #2 cmd 1 1"));
}

TEST_F(ReportOfSweep, CountsEverySimulationOnce) {
  write("a.toml", "[[run]]\nworkload = \"gather\"\n");
  const report::Results r = results(
      "scale = \"small\"\nschemes = [\"baseline\", \"cmd\"]\nworkloads = [\"gather\"]\nsuites = [\"a.toml\"]\n"
      "[[axis]]\nparameter = \"cmd.fifo_entries\"\nvalues = [1, 2, 4]\n");
  EXPECT_THAT(names(r), UnorderedElementsAre("gather baseline 1 0", "gather baseline 1 1", "gather baseline 1 2",
                                             "gather cmd 1 0", "gather cmd 1 1", "gather cmd 1 2"));
  const ordered_json page = page_data(r, {.title = "", .command = "", .cacti = "recorded"}).json;
  EXPECT_EQ(page["integrity"]["runs"], 4);
  EXPECT_TRUE(page["subtitle"].get<std::string>().starts_with("4 runs: "));
  std::set<std::size_t> simulations;
  for (const ordered_json& run : page["runs"]) simulations.insert(run["simulation"].get<std::size_t>());
  EXPECT_THAT(simulations, ElementsAre(0u, 1u, 2u, 3u));
}

class ReportOfFiles : public Folder {
 protected:
  static ordered_json run(const std::string& scheme, std::vector<std::string> set = {},
                          std::vector<std::string> sizes = {}) {
    run::RunSpec spec;
    spec.workload = "gather";
    spec.scheme = scheme;
    spec.scale = "small";
    spec.set = std::move(set);
    spec.sizes = std::move(sizes);
    return run::simulate(spec).result.stats;
  }
  std::string file(const std::string& name, const std::vector<ordered_json>& runs, std::uint64_t seed = 1) {
    return write(name, ordered_json{{"format", "warpsieve-run-1"}, {"seed", seed}, {"runs", runs}}.dump());
  }
};

TEST_F(ReportOfFiles, NamesASchemeAfterParametersThatDiffer) {
  const ordered_json cmd = run("cmd");
  const std::string a = file("a.json", {run("baseline"), cmd}),
                    b = file("b.json", {run("cmd", {"cmd.hash_units=1"})});
  for (const auto& files : {std::vector{a, b}, std::vector{b, a}, std::vector{a, b, a}}) {
    const report::Results r = report::read_results(files);
    EXPECT_THAT(names(r),
                UnorderedElementsAre("gather baseline 1", "gather cmd 1", "gather cmd (cmd.hash_units=1) 1"));
    const ordered_json page = page_data(r, {.title = "", .command = "", .cacti = "recorded"}).json;
    for (const ordered_json& claim : page["claims"])
      if (claim["id"] == "cmd.ipc_cmd") {
        EXPECT_EQ(claim["workloads"].size(), 1u);
      }
    EXPECT_EQ(page["areas"].size(), 1u);  // the parameters do not count there
  }
  ordered_json other = cmd;  // as another version of the program would give it
  other["cycles"] = 1;
  EXPECT_THAT(names(report::read_results({a, file("c.json", {other})})),
              UnorderedElementsAre("gather baseline 1", "gather cmd 1", "gather cmd #2 1"));
}

TEST_F(ReportOfFiles, NumbersExperimentsAcrossSeeds) {
  const ordered_json small = run("cmd", {}, {"threads=128"}), large = run("cmd", {}, {"threads=512"});
  EXPECT_THAT(names(report::read_results({file("a.json", {small}, 1), file("b.json", {large, small}, 2)})),
              UnorderedElementsAre("gather cmd 1", "gather #2 cmd 2", "gather cmd 2"));
}

/// The claim on read-only requests with so many entries in the FIFO.
ordered_json fifo_claim(const report::Results& results, int entries) {
  const auto cacti = cost::make_source("recorded");
  for (const ordered_json& claim : report::claim_data(results, {"cmd"}, *cacti))
    if (claim["id"] == "cmd.fifo_" + std::to_string(entries)) return claim;
  return {};
}

/// dedup+car has 100 read-only requests, cmd what is given.
void add_pair(report::Results& to, const char* workload, std::uint64_t seed, int entries, int requests,
              const ordered_json& machine = ordered_json::object()) {
  for (const std::string scheme : {"dedup+car", "cmd"}) {
    ordered_json parameters = memsys::load_profile("cmd-quarter").parameters();
    parameters.update(machine);
    report::ResultRun& run = to.runs.emplace_back();
    run.run = {{"workload", workload},
               {"scheme", scheme},
               {"profile", "cmd-quarter"},
               {"ipc", 1.0},
               {"off_chip_requests", {{"read_only", scheme == "cmd" ? requests : 100}}},
               {"parameters", parameters},
               {"scheme_report", ordered_json::object()}};
    if (scheme == "cmd") run.run["scheme_report"]["parameters"]["cmd.fifo_entries"] = entries;
    run.scheme = scheme;
    run.seed = seed;
    run.workload = workload;
  }
}

TEST(ReportClaims, AreJudgedFromRunsOfTheRulesParametersAlone) {
  report::Results results;
  add_pair(results, "bfs", 1, 8, 60);
  EXPECT_NEAR(fifo_claim(results, 8)["ours"].get<double>(), 40, 1e-9);
  EXPECT_EQ(fifo_claim(results, 16)["verdict"], "no runs");
  add_pair(results, "bfs", 1, 16, 50);  // the default
  EXPECT_NEAR(fifo_claim(results, 16)["ours"].get<double>(), 50, 1e-9);
  report::Results other;
  add_pair(other, "bfs", 1, 8, 60, {{"l2.ways", 4}});
  EXPECT_NEAR(fifo_claim(other, 8)["ours"].get<double>(), 40, 1e-9) << "the machine of all runs";
  add_pair(other, "cfd", 1, 16, 50);
  EXPECT_TRUE(fifo_claim(other, 8)["ours"].is_null());
}

TEST(ReportClaims, CountEveryWorkloadOnceAndRepetitionsAsNoise) {
  report::Results results;
  for (const std::uint64_t seed : {1u, 2u, 3u}) add_pair(results, "bfs", seed, 8, 40);
  add_pair(results, "cfd", 1, 8, 100);
  EXPECT_NEAR(fifo_claim(results, 8)["ours"].get<double>(), 30, 1e-9);
  for (report::ResultRun& run : results.runs)
    run.run["repeats"] = {{"ipc", {{"values", {1.0, 1.0}}}}, {"off_chip_requests", {{"values", {100, 100}}}}};
  EXPECT_EQ(fifo_claim(results, 8)["repetitions"], 1) << "the kinds of requests are those of the first";
}

/// Repetitions of a sweep are one run with a spread.
TEST_F(ReportOfSweep, RepetitionsAreOneRunWithAllValues) {
  const report::Results r = results(
      "name = \"n\"\nscale = \"small\"\nschemes = [\"baseline\", \"cmd\"]\nworkloads = [\"gather\"]\nrepeat = 3\n");
  ASSERT_EQ(r.runs.size(), 2u);
  for (const report::ResultRun& run : r.runs) {
    ASSERT_EQ(run.run["repeats"]["ipc"]["values"].size(), 3u);
    EXPECT_EQ(run.run["repeats"]["ipc"]["values"][0], run.run["ipc"]);
    EXPECT_NE(run.run["repeats"]["ipc"]["values"][1], run.run["ipc"]);
    EXPECT_EQ(run.run["repeats"]["count"], 3);
  }
}

TEST_F(ReportOfSweep, KnowsTheParameterOfAnAxis) {
  const std::string text =
      "name = \"n\"\nscale = \"small\"\nschemes = [\"cmd\"]\nworkloads = [\"gather\"]\n"
      "[[axis]]\nname = \"FIFO\"\nparameter = \"cmd.fifo_entries\"\nvalues = [1]\n"
      "[[axis]]\nname = \"L2\"\nparameters = [\"l2.sets\", \"l2.ways\"]\nvalues = [[64, 8]]\n";
  const report::Results in_directory = results(text), in_database = report::read_results({path("s.sqlite")});
  for (const report::Results* r : {&in_directory, &in_database}) {
    EXPECT_THAT(r->axes[0].parameters, ElementsAre("cmd.fifo_entries"));
    EXPECT_THAT(r->axes[1].parameters, ElementsAre("l2.sets", "l2.ways"));
  }
}

TEST(MachineOfARun, WaysThatTheSchemeAddedAreNotTheMachines) {
  const auto machine = [](std::uint32_t ways, const ordered_json& scheme_report) {
    return report::machine_of_run({{"workload", "w"},
                                   {"scheme", "s"},
                                   {"profile", "p"},
                                   {"cycles", 1},
                                   {"counters", ordered_json::object()},
                                   {"scheme_report", scheme_report},
                                   {"parameters",
                                    {{"gpu.sms", 8},
                                     {"noc.cluster", 1},
                                     {"gpu.controllers", 2},
                                     {"l2.sets", 128},
                                     {"l2.ways", ways},
                                     {"dram.core_mhz", 1365}}}});
  };
  const cost::Machine plain = machine(16, ordered_json::object());
  EXPECT_EQ(plain.l2_ways, 16u);
  EXPECT_EQ(plain.l2_added_ways, 0u);
  for (const auto& [ways, quarters, own] : {std::tuple{20u, 1u, 16u}, {24u, 2u, 16u}, {3u, 2u, 2u}}) {
    const cost::Machine more = machine(
        ways, {{"cmd", ordered_json::object()}, {"l2_5mb", {{"parameters", {{"l2_5mb.quarters", quarters}}}}}});
    EXPECT_EQ(more.l2_ways, own);
    EXPECT_EQ(more.l2_added_ways, ways - own);
    EXPECT_EQ(more.l2_slice_bytes, 128u * 128 * own);
  }
}

/// What `validate --json` writes, with only what a report reads.
std::string validation(const std::string& point) {
  return R"({"format": "warpsieve-validate-1", "version": "v", "rows": [
    {"group": "volta", "what": "L2", "reference": 193, "source": "paper", "curve": "staircase", "at": "4096"},
    {"group": "volta", "what": "peak", "reference": 100, "source": "sheet", "curve": "bandwidth", "at": "read"},
    {"group": "turing", "what": "L1", "reference": 32, "source": "other", "curve": "staircase", "at": "16"}],
    "curves": [{"group": "volta", "name": "staircase", "points": [{"x": "16", "y": 23}, )" +
         point + R"(]}, {"group": "volta", "name": "bandwidth", "points": [{"x": "read", "y": 84}]}]})";
}

class ReportOfValidation : public Folder {};

TEST_F(ReportOfValidation, HoldsTheStaircaseOfEachMachineWithItsReferences) {
  write("v.json", validation(R"({"x": "4096", "y": 186.5})"));
  const report::Results r = report::read_results({path("v.json")});
  ASSERT_EQ(r.curves.size(), 1u);  // x of the other is no number
  const report::Curve& c = r.curves[0];
  EXPECT_EQ(c.machine, "volta");
  ASSERT_EQ(c.measured.size(), 2u);
  EXPECT_EQ(c.measured[1].x, 4096);
  EXPECT_EQ(c.measured[1].y, 186.5);
  ASSERT_EQ(c.references.size(), 1u);
  EXPECT_EQ(c.references[0].what, "L2");
  EXPECT_EQ(c.references[0].y, 193);
  const report::PageData data = report::page_data(r, {.title = "", .command = "c", .cacti = "recorded"});
  EXPECT_EQ(data.json["title"], "warpsieve validate: volta");
  EXPECT_THAT(data.json["subtitle"].get<std::string>(), HasSubstr("machines: volta; "));
  ASSERT_EQ(data.figures.size(), 1u);
  EXPECT_EQ(data.figures[0].id, "staircase");
  ASSERT_EQ(data.figures[0].rows.size(), 3u);
  EXPECT_EQ(data.figures[0].rows[2].part, "published");
  EXPECT_EQ(data.figures[0].rows[2].value, 193);
}

TEST_F(ReportOfValidation, ADamagedFileIsOneLine) {
  for (const char* point : {R"({"x": "much", "y": 1})", R"({"x": "16"})", "{"}) {
    write("v.json", validation(point));
    try {
      report::read_results({path("v.json")});
      ADD_FAILURE() << point;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path("v.json") + ": expected what `warpsieve validate --json` writes"));
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace warpsieve::tb
