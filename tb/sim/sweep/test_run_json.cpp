// Results that were cut, edited or mixed up: one line that names the place, before a figure is taken from them.
#include <gmock/gmock.h>

#include "core/params.h"
#include "run/run_json.h"
#include "run/simulate.h"
#include "run/version.h"
#include "scratch.h"
#include "support/damage.h"
#include "support/property.h"
#include "sweep/database.h"
#include "sweep/pool.h"
#include "sweep/slurm.h"
#include "sweep/sqlite.h"

namespace warpsieve::tb {
namespace {

using nlohmann::ordered_json;
using Pointer = ordered_json::json_pointer;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// What goes wrong with it, as one line; empty: nothing. Any other exception fails the test.
template <class F>
std::string error_of(F&& reads) {
  try {
    reads();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

/// A run with private memory: it has every field there is.
const ordered_json& spilled_run() {
  static const ordered_json run = [] {
    run::RunSpec spec;
    spec.workload = "backprop";
    spec.scheme = "avc";
    spec.profile = "avc";
    spec.scale = "small";
    spec.set = {"spill.percent=50"};
    return run::simulate(spec).result.stats;
  }();
  return run;
}

std::string error_of_run(const ordered_json& run) {
  return error_of([&] { run::check_run(run, "r.json: run 3"); });
}

TEST(RunJson, WhatASimulationWritesIsComplete) {
  EXPECT_EQ(error_of_run(spilled_run()), "");
  EXPECT_GT(spilled_run()["private_memory"]["kernels"].size(), 0u);
}

TEST(RunJson, EveryMissingFieldIsNamed) {
  for (const char* key : {"workload", "scheme", "profile", "cycles", "ipc", "thread_ipc", "off_chip_requests",
                          "counters", "kernels", "integrity", "verify", "scheme_report", "parameters"}) {
    ordered_json run = spilled_run();
    run.erase(key);
    EXPECT_EQ(error_of_run(run), std::string("r.json: run 3: a run without '") + key + "'");
  }
  ordered_json run = spilled_run();
  run["off_chip_requests"].erase("verify_read");
  EXPECT_EQ(error_of_run(run), "r.json: run 3: 'off_chip_requests' without 'verify_read'");
  EXPECT_EQ(error_of_run(nullptr), "r.json: run 3: a run is no object");
}

TEST(RunJson, WrongTypesAreNamedWithWhatWasExpected) {
  const auto changed = [](const char* at, const ordered_json& to) {
    ordered_json run = spilled_run();
    run.at(Pointer(at)) = to;
    return error_of_run(run);
  };
  EXPECT_EQ(changed("/ipc", "fast"), "r.json: run 3: 'ipc': expected a number, found \"fast\"");
  EXPECT_EQ(changed("/cycles", -1), "r.json: run 3: 'cycles': expected a whole number, found -1");
  EXPECT_EQ(changed("/off_chip_requests/read_only", 0.5),
            "r.json: run 3: 'off_chip_requests.read_only': expected a whole number, found 0.5");
  EXPECT_EQ(changed("/counters/l2.requests", nullptr),
            "r.json: run 3: 'counters.l2.requests': expected a whole number, found null");
  EXPECT_EQ(changed("/integrity/clean", 1), "r.json: run 3: 'integrity.clean': expected true or false, found 1");
  EXPECT_EQ(changed("/integrity/checked_sectors/dram", ordered_json::array()),
            "r.json: run 3: 'integrity.checked_sectors.dram': expected a whole number, found []");
  EXPECT_EQ(changed("/kernels", ordered_json::object()), "r.json: run 3: 'kernels': expected a list, found {}");
  EXPECT_EQ(changed("/kernels/0", 7), "r.json: run 3: 'kernels 1' is no object");
  EXPECT_EQ(changed("/kernels/0/cycles", "x"),
            "r.json: run 3: 'kernels 1.cycles': expected a whole number, found \"x\"");
  EXPECT_EQ(changed("/private_memory/kernels/0/r_base", true),
            "r.json: run 3: 'private_memory.kernels 1.r_base': expected a whole number, found true");
  EXPECT_EQ(changed("/scheme", std::string(99, 'x') + "\n\xff"),
            "");  // any string: who looks it up says that there is no such scheme
  EXPECT_EQ(changed("/scheme", {std::string(99, 'x')}),
            "r.json: run 3: 'scheme': expected a string, found [\"" + std::string(38, 'x') + "...");
}

TEST(RunJson, DamageIsRefusedOrHarmless) {
  const ordered_json whole = {{"run", spilled_run()}};
  check_property("RunJson.DamageIsRefusedOrHarmless", 300, [&] {
    ordered_json json = whole;
    damage(json);
    const std::string error = error_of_run(json.contains("run") ? json["run"] : ordered_json());
    RC_ASSERT(error.empty() || one_line_from(error, "r.json: run 3: "));
  });
}

TEST(RunJson, ExperimentsOfOneWorkloadAreToldApart) {
  const auto run = [](const char* workload, const char* scheme, const char* experiment) {
    return ordered_json{{"workload", workload}, {"scheme", scheme}, {"profile", "p"}, {"experiment", experiment}};
  };
  std::vector<ordered_json> runs = {run("bfs", "baseline", "x"), run("bfs", "baseline", "y"), run("bfs", "cmd", "y"),
                                    run("bfs", "cmd", "x"),      run("cfd", "cmd", "z"),      run("bfs", "cmd", "w")};
  runs.push_back({{"workload", "mis"}, {"scheme", "cmd"}, {"profile", "p"}});  // of a version before there was one
  runs.push_back(runs.back());
  std::vector<ordered_json*> together;
  for (ordered_json& r : runs) together.push_back(&r);
  run::tell_apart(together);
  std::vector<std::string> names;
  for (const ordered_json& r : runs) names.push_back(r["workload"]);
  EXPECT_THAT(names, ::testing::ElementsAre("bfs", "bfs #2", "bfs #2", "bfs", "cfd", "bfs #3", "mis", "mis"));
}

class DamagedSweep : public Folder {
 protected:
  DamagedSweep() : sweep_(small_sweep()), store_(path("s")) {
    store_.create(sweep_);
    run_points(store_, sweep_.points, {.jobs = 2});
    text_ = read(path("s/sweep.json"));
  }
  std::string error_with(const char* at, const ordered_json& to) {
    ordered_json json = ordered_json::parse(text_);
    json.at(Pointer(at)) = to;
    write("s/sweep.json", json.dump());
    return error_of([&] { store_.load(); });
  }
  sweep::Sweep sweep_;
  sweep::Store store_;
  std::string text_;
};

TEST_F(DamagedSweep, RowsPointToWhatThereIs) {
  const std::string file = path("s/sweep.json");
  EXPECT_EQ(error_with("/rows/2/point", 8), file + ": row 3: there is no point 8, there are 8");
  EXPECT_EQ(error_with("/rows/0/values", ordered_json::array()),
            file + ": row 1: expected a value for each of 1 axes, found 0");
  EXPECT_EQ(error_with("/rows/11/values/0", 3), file + ": row 12: axis cmd.fifo_entries has no value 3");
  EXPECT_THAT(error_with("/rows/11/seed", "x"), StartsWith(file + ": not a complete sweep: "));
  EXPECT_EQ(error_with("/format", 5), file + ": expected JSON of format warpsieve-sweep-1");
}

TEST_F(DamagedSweep, ResultsAndFailuresAreCheckedWhereTheyAreRead) {
  const sweep::Point& p = sweep_.points[5];
  const std::string file = path("s/results/" + p.id + ".json");
  ordered_json json = ordered_json::parse(read(file));
  json["run"]["off_chip_requests"]["total"] = "many";
  write("s/results/" + p.id + ".json", json.dump());
  const std::string why = file + ": 'off_chip_requests.total': expected a whole number, found \"many\"";
  EXPECT_EQ(error_of([&] { store_.result(p); }), why);
  EXPECT_EQ(error_of([&] { merge(store_, path("s.sqlite")); }), why);
  write("s/failed/" + p.id + ".json", R"({"format": "warpsieve-failure-1", "error": 5})");
  EXPECT_EQ(error_of([&] { store_.failure(p); }),
            path("s/failed/" + p.id + ".json") + ": 'error': expected a string, found 5");
}

TEST_F(DamagedSweep, DatabasesToo) {
  merge(store_, path("s.sqlite"));
  const std::string whole = read(path("s.sqlite"));
  const auto with = [&](const std::string& change) {
    write("s.sqlite", whole);
    {
      sweep::Database db(path("s.sqlite"), true);
      db.run(change.c_str());
    }
    return error_of([&] { sweep::read_database(path("s.sqlite")); });
  };
  const std::string file = path("s.sqlite");
  EXPECT_EQ(with("UPDATE point SET id = id"), "");
  EXPECT_THAT(with("UPDATE point SET run = json_set(run, '$.cycles', 'x')"),
              AllOf(StartsWith(file + ": point "), HasSubstr(": 'cycles': expected a whole number, found \"x\"")));
  EXPECT_THAT(with("UPDATE point SET run = '{'"), HasSubstr(": not what `sweep merge` writes: "));
  EXPECT_THAT(with("UPDATE point SET spec = '{}'"), HasSubstr(": not what `sweep merge` writes: "));
  EXPECT_EQ(with("UPDATE coordinate SET combination = 99 WHERE combination = 3"),
            file + ": a coordinate of combination 99, there are 12");
  EXPECT_EQ(with("UPDATE coordinate SET value = -1 WHERE combination = 0"),
            file + ": row 1: axis cmd.fifo_entries has no value 18446744073709551615");
}

TEST_F(DamagedSweep, ChunksOfSlurmToo) {
  const auto task = [&](const ordered_json& json) {
    const std::string file = write("chunks.json", json.dump());
    return error_of([&] { sweep::read_task(store_, file, 0); });
  };
  const std::string file = path("chunks.json");
  ordered_json chunks = {{"format", "warpsieve-chunks-1"},
                         {"version", run::version()},
                         {"stop_after", 5.0},
                         {"chunks", {{sweep_.points[1].id}}}};
  EXPECT_EQ(task(chunks), "");
  chunks["chunks"][0][0] = 5;
  EXPECT_THAT(task(chunks), StartsWith(file + ": not what `sweep run --slurm` writes: "));
  chunks["chunks"] = 7;
  EXPECT_THAT(task(chunks), StartsWith(file + ": not what `sweep run --slurm` writes: "));
  chunks["chunks"] = ordered_json::array();
  EXPECT_EQ(task(chunks), file + ": task 0: there are 0");
  chunks["version"] = nullptr;
  EXPECT_EQ(task(chunks), file + ": 'version': expected a string, found null");
}

}  // namespace
}  // namespace warpsieve::tb
