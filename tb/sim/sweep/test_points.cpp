// From a sweep file to points: what gives a point its name, what a file expands to, what is refused.
#include <gmock/gmock.h>

#include <set>

#include "core/params.h"
#include "run/content_hash.h"
#include "run/version.h"
#include "scratch.h"
#include "support/tree.h"
#include "sweep/point.h"
#include "trace/writer.h"
#include "workloads/registry.h"

namespace warpsieve::tb {
namespace {

using run::RunSpec;
using sweep::make_point;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunSpec vecadd(const std::string& scheme = "cmd") {
  RunSpec spec;
  spec.workload = "vecadd";
  spec.scheme = scheme;
  spec.scale = "small";
  return spec;
}

using PointId = Folder;

TEST_F(PointId, ChangesWithEverythingThatCanChangeTheResult) {
  const std::string graph = write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n");
  const std::string machine = write("m.toml", "[gpu]\nsms = 4\n");
  std::vector<RunSpec> all(13, vecadd());
  all[1].workload = "gather";
  all[2].scheme = "dedup";
  all[3].profile = "cmd";
  all[4].scale = "quarter";
  all[5].sizes = {"elements=64"};
  all[6].set = {"cmd.fifo_entries=8"};
  all[7].set = {"l2.sets=64"};
  all[8].backend = "rtl";
  all[9].blocks = {"dedup=rtl"};
  all[10].seed = 2;
  all[11].profile = machine;
  all[12].repetition = 1;
  std::set<std::string> ids;
  for (const RunSpec& spec : all) EXPECT_TRUE(ids.insert(make_point(spec).id).second) << sweep::to_json(spec).dump();
  // Files count by their bytes, wherever they are.
  RunSpec with_input = vecadd();
  with_input.workload = "bfs";
  with_input.input = graph;
  const std::string first = make_point(with_input).id;
  with_input.input = write("b.mtx", read(graph));
  EXPECT_EQ(make_point(with_input).id, first);
  write("b.mtx", read(graph) + "\n");
  EXPECT_NE(make_point(with_input).id, first);
  RunSpec on_file = all[11];
  on_file.profile = write("m2.toml", "[gpu]\nsms = 4\n");
  EXPECT_EQ(make_point(on_file).id, make_point(all[11]).id);
  write("m2.toml", "[gpu]\nsms = 5\n");
  EXPECT_NE(make_point(on_file).id, make_point(all[11]).id);
  for (const std::string& id : ids) EXPECT_EQ(id.size(), 32u);
}

TEST_F(PointId, SpellingDoesNotMatter) {
  RunSpec a = vecadd(), b = vecadd();
  a.set = {"l2.sets=64", "cmd.fifo_entries=4", "l1.line_fill=true"};
  b.set = {"cmd.fifo_entries=9", "l1.line_fill=1", "cmd.fifo_entries=4", "l2.sets=64"};  // the last one counts
  EXPECT_EQ(make_point(a).id, make_point(b).id);
  a = vecadd("l2_5mb+cmd");
  b = vecadd("cmd+l2_5mb");
  EXPECT_EQ(make_point(a).id, make_point(b).id);
  a = b = vecadd();
  a.scale = "";  // cmd-quarter says it
  b.scale = "quarter";
  EXPECT_EQ(make_point(a).id, make_point(b).id);
}

TEST_F(PointId, AParameterOfAnotherSchemeDoesNotMatter) {
  RunSpec a = vecadd("baseline"), b = a;
  b.set = {"cmd.fifo_entries=4"};
  EXPECT_EQ(make_point(a).id, make_point(b).id);
  b.set = {"l2.sets=64"};
  EXPECT_NE(make_point(a).id, make_point(b).id);
}

TEST_F(PointId, NamesTheHashOfItsDescription) {
  // XXH3-128 of nothing, as the xxHash project publishes it.
  EXPECT_EQ(run::content_hash(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_THAT(run::version(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\\+[0-9a-f]+"));
}

/// Records vecadd, as small as it gets.
std::string recorded(const std::string& path, std::uint64_t seed = 1, const std::string& values = "recorded") {
  const auto workload = workloads::make_workload("vecadd", {.scale = workloads::Scale::small, .seed = seed});
  trace::ProgramInfo info;
  info.workload = "vecadd";
  info.values = values;
  trace::record(*workload, path, info);
  return path;
}

TEST_F(PointId, ATraceCountsByItsContent) {
  RunSpec spec = vecadd();
  spec.sizes.clear();
  spec.scale = "";
  const auto id = [&](const std::string& file) {
    spec.workload = "trace:" + file;
    return make_point(spec).id;
  };
  const std::string one = id(recorded(path("a")));
  EXPECT_EQ(id(recorded(path("elsewhere"))), one);
  spec.seed = 7;  // nothing is generated
  EXPECT_EQ(id(path("a")), one);
  EXPECT_NE(id(recorded(path("b"), 2)), one);
  EXPECT_NE(id(recorded(path("a"), 2)), one) << "the file changed";
  EXPECT_EQ(make_point(spec).spec.scale, "");
  EXPECT_THROW(id(path("nowhere")), ConfigError);
}

TEST_F(PointId, APointOfATraceGivesTheStatisticsOfItsWorkload) {
  RunSpec spec = vecadd();
  spec.sizes.clear();
  spec.scale = "small";
  auto original = run::simulate(make_point(spec).spec).result.stats;
  spec.scale = "";
  spec.workload = "trace:" + recorded(path("t"));
  auto replay = run::simulate(make_point(spec).spec).result.stats;
  EXPECT_EQ(replay["workload"], "trace:vecadd");
  EXPECT_FALSE(replay.contains("values"));
  for (auto* stats : {&original, &replay})
    for (const char* key : {"workload", "experiment"}) stats->erase(key);
  EXPECT_EQ(original, replay);
}

using SweepFile = Folder;

TEST_F(SweepFile, ExpandsToEveryCombinationAndEachPointOnce) {
  const sweep::Sweep s = small_sweep();
  EXPECT_EQ(s.rows.size(), 12u);  // 3 values x 2 workloads x 2 schemes
  EXPECT_EQ(s.points.size(), 8u);
  EXPECT_EQ(s.name, "small");
  EXPECT_EQ(s.points[0].label(), "vecadd baseline cmd-quarter");
  EXPECT_EQ(s.points[1].label(), "vecadd cmd cmd-quarter cmd.fifo_entries=1");
  EXPECT_EQ(s.rows[4].point, s.rows[0].point) << "the baseline of the next value";
  EXPECT_NE(s.rows[5].point, s.rows[1].point);
  EXPECT_THAT(s.rows[11].values, ElementsAre(2));
}

TEST_F(SweepFile, NamesTracesBesideIt) {
  recorded(path("v.wst"));
  const sweep::Sweep s = sweep::parse_sweep(
      "schemes = [\"baseline\", \"cmd\"]\nworkloads = [\"vecadd\", \"trace:v.wst\"]\nscale = \"small\"\nseeds = [1, "
      "2]\n",
      path("x.toml"));
  EXPECT_EQ(s.rows.size(), 8u);
  EXPECT_EQ(s.points.size(), 4u + 2u) << "one point of a trace for all seeds";
  const auto row =
      std::find_if(s.rows.begin(), s.rows.end(), [](const auto& r) { return r.workload == "trace:v.wst"; });
  ASSERT_NE(row, s.rows.end());
  EXPECT_EQ(s.points[row->point].spec.workload, "trace:" + path("v.wst"));
  EXPECT_EQ(s.points[row->point].spec.scale, "");
  EXPECT_TRUE(run::simulate(s.points[row->point].spec).result.clean);
}

TEST_F(SweepFile, RefusesTracesThatCannotRun) {
  const auto error = [&](const std::string& scheme, const std::string& file) -> std::string {
    try {
      sweep::parse_sweep("schemes = [\"" + scheme + "\"]\nworkloads = [\"trace:" + file + "\"]\n", path("x.toml"));
    } catch (const ConfigError& e) {
      return e.what();
    }
    return "";
  };
  recorded(path("blind"), 1, "none");
  write("text", "x");
  EXPECT_EQ(error("baseline", "blind"), "");
  EXPECT_THAT(error("cmd", "blind"), HasSubstr("the trace has no data values, and scheme cmd looks at them"));
  EXPECT_THAT(error("baseline", "text"), HasSubstr("not a Warpsieve trace"));
  EXPECT_THAT(error("baseline", "nowhere"), HasSubstr("nowhere: cannot read: No such file"));
}

TEST_F(SweepFile, SampledLaunchesAreThoseOfTheirWorkload) {
  const std::string base = "schemes = [\"cmd\"]\nworkloads = [\"vecadd\", \"gather\"]\n";
  for (const std::string scale : {"", "scale = \"quarter\"\n", "scale = \"small\"\n"}) {
    const sweep::Sweep s = sweep::parse_sweep(base + scale + "[sample.small]\ngather = 5\n", path("f.toml"));
    ASSERT_EQ(s.points.size(), 2u);
    EXPECT_TRUE(s.points[0].spec.set.empty());
    EXPECT_EQ(s.points[1].spec.set.size(), scale.find("small") == std::string::npos ? 0u : 1u);
    if (!s.points[1].spec.set.empty()) {
      EXPECT_EQ(s.points[1].spec.set[0], "gpu.launch_sample=5");
    }
  }
}

TEST_F(SweepFile, AxesSeedsFixedParametersAndSizes) {
  const sweep::Sweep s = sweep::parse_sweep(R"(
name = "all of it"
schemes = ["cmd"]
workloads = ["vecadd", "gather"]
seeds = [3, 4]
[set]
"l1.ways" = 8
sm.blocks = 16
[size.vecadd]
elements = 4096
[[axis]]
name = "L2"
unit = "KB"
parameters = ["l2.sets", "l2.ways"]
values = [[64, 8], [128, 16]]
labels = [256, "1024"]
[[axis]]
parameter = "profile"
values = ["cmd", "cmd-quarter"]
[[axis]]
parameter = "size.gather.threads"
values = [128, 256, 512]
)",
                                            path("x.toml"));
  EXPECT_EQ(s.rows.size(), 2u * 2 * 3 * 2 * 2);
  // vecadd has no size.gather.threads: a third of its combinations.
  EXPECT_EQ(s.points.size(), 2u * 2 * 3 * 2 + 2u * 2 * 2);
  EXPECT_EQ(s.axes[0].values[1].label, "1024");
  const RunSpec& first = s.points[0].spec;
  EXPECT_THAT(first.set, ElementsAre("l1.ways=8", "l2.sets=64", "l2.ways=8", "sm.blocks=16"));
  EXPECT_THAT(first.sizes, ElementsAre("elements=4096"));
  EXPECT_EQ(first.seed, 3u);
  EXPECT_EQ(first.profile, "cmd");
  EXPECT_EQ(first.scale, "full");
  const RunSpec& last = s.points.back().spec;
  EXPECT_THAT(last.sizes, ElementsAre("threads=512"));
  EXPECT_EQ(last.profile, "cmd-quarter");
  EXPECT_EQ(last.scale, "quarter");
}

TEST_F(SweepFile, SuitesBringTheirWorkloadsAndSizes) {
  write("mine.toml", "[[run]]\nworkload = \"vecadd\"\nelements = 4096\n[[run]]\nworkload = \"gather\"\n");
  const std::string file = write("s.toml", "schemes = [\"cmd\"]\nworkloads = [\"bfs\"]\nsuites = [\"mine.toml\"]\n");
  const sweep::Sweep s = sweep::read_sweep(file);
  ASSERT_EQ(s.points.size(), 3u);
  EXPECT_EQ(s.points[0].spec.workload, "bfs");
  EXPECT_THAT(s.points[1].spec.sizes, ElementsAre("elements=4096"));
  EXPECT_EQ(s.points[2].spec.workload, "gather");
  EXPECT_GT(sweep::parse_sweep("schemes = [\"cmd\"]\nsuites = [\"cmd\"]\n", path("t.toml")).points.size(), 5u);
}

TEST_F(SweepFile, OtherSizesOfAWorkloadHaveOneNumberAtEveryPlace) {
  write("a.toml", "[[run]]\nworkload = \"gather\"\nthreads = 128\n");
  write("b.toml", "[[run]]\nworkload = \"gather\"\n[[run]]\nworkload = \"vecadd\"\n");
  const std::string file = write("s.toml",
                                 "schemes = [\"baseline\", \"cmd\"]\nseeds = [1, 2]\n"
                                 "suites = [\"a.toml\", \"b.toml\", \"a.toml\"]\n"
                                 "[[axis]]\nparameter = \"cmd.fifo_entries\"\nvalues = [1, 2]\n");
  const sweep::Sweep s = sweep::read_sweep(file);
  const sweep::Sweep back = sweep::sweep_from_json(to_json(s));
  ASSERT_EQ(s.rows.size(), 2u * 4 * 2 * 2);
  for (std::size_t i = 0; i < s.rows.size(); ++i) {
    const std::size_t program = i / 4 % 4;  // gather of 128, gather, vecadd, gather of 128 again
    EXPECT_EQ(s.rows[i].experiment, program == 1 ? 2u : 1u) << i;
    EXPECT_EQ(back.rows[i].experiment, s.rows[i].experiment) << i;
  }
}

TEST_F(SweepFile, SurvivesItsJson) {
  const sweep::Sweep s = small_sweep();
  const sweep::Sweep back = sweep::sweep_from_json(to_json(s));
  EXPECT_EQ(to_json(back), to_json(s));
  EXPECT_EQ(back.points[3].id, make_point(back.points[3].spec).id);
}

TEST_F(SweepFile, FilesAreRelativeToIt) {
  write("machine.toml", "[gpu]\nsms = 4\n");
  const std::string file =
      write("s.toml", "profile = \"machine.toml\"\nschemes = [\"cmd\"]\nworkloads = [\"vecadd\"]\n");
  EXPECT_EQ(std::filesystem::path(sweep::read_sweep(file).points[0].spec.profile),
            std::filesystem::canonical(path("machine.toml")));
}

void expect_refused(const std::string& text, const std::string& says) {
  SCOPED_TRACE(text);
  try {
    sweep::parse_sweep(text, "f.toml");
    ADD_FAILURE() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr(says));
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr(says));
  }
}

TEST_F(SweepFile, RepetitionsComeAfterAllCombinationsAndTheFirstIsThePointWithoutAny) {
  const std::string base = "schemes = [\"baseline\", \"cmd\"]\nworkloads = [\"vecadd\", \"gather\"]\n";
  const sweep::Sweep once = sweep::parse_sweep(base, "f.toml");
  const sweep::Sweep all = sweep::parse_sweep(base + "repeat = 3\n", "f.toml");
  ASSERT_EQ(all.points.size(), 12u);
  for (std::size_t i = 0; i < all.points.size(); ++i) {
    EXPECT_EQ(all.points[i].spec.repetition, i / 4);
    if (i < 4) {
      EXPECT_EQ(all.points[i].id, once.points[i].id);
    }
  }
  EXPECT_EQ(all.points[4].label(), "vecadd baseline cmd-quarter repetition=1");
  const sweep::Sweep again = sweep::sweep_from_json(to_json(all));
  for (std::size_t i = 0; i < all.points.size(); ++i)
    EXPECT_EQ(again.points[i].spec.repetition, all.points[i].spec.repetition);
  for (const char* wrong : {"0", "10", "\"two\"", "1.5"})
    expect_refused(base + "repeat = " + wrong + "\n", "f.toml:3: repeat: expected a whole number from 1 to 9");
}

TEST_F(SweepFile, SomeWorkloadsRunMoreOftenAtTheirScale) {
  const std::string base =
      "scale = \"small\"\nschemes = [\"baseline\"]\nworkloads = [\"vecadd\", \"gather\"]\n"
      "repeat_at_least.small = { gather = 3 }\nrepeat_at_least.paper = { vecadd = 9 }\n";
  const auto labels = [](const std::string& text) {
    std::vector<std::string> out;
    for (const sweep::Point& point : sweep::parse_sweep(text, "f.toml").points)
      out.push_back(fmt::format("{}{}", point.spec.workload, point.spec.repetition));
    return out;
  };
  EXPECT_EQ(labels(base), (std::vector<std::string>{"vecadd0", "gather0", "gather1", "gather2"}));
  EXPECT_EQ(labels(base + "repeat = 2\n"),
            (std::vector<std::string>{"vecadd0", "gather0", "vecadd1", "gather1", "gather2"}));
  EXPECT_EQ(labels(base + "repeat = 4\n").size(), 8u);
  const std::string plain = "schemes = [\"cmd\"]\nworkloads = [\"vecadd\"]\n";
  expect_refused(plain + "repeat_at_least = 5\n", "f.toml:3: repeat_at_least: expected a table");
  expect_refused(plain + "repeat_at_least.small = { vecadd = 10 }\n",
                 "f.toml:3: repeat_at_least.vecadd: expected a whole number from 1 to 9");
  expect_refused(plain + "repeat_at_least.paper = { vecad = 2 }\n", "f.toml:3: unknown workload 'vecad'");
  expect_refused(plain + "repeat_at_least.large = { vecadd = 2 }\n", "f.toml:3: ");
}

TEST_F(SweepFile, WhatIsWrongIsSaidWithTheLine) {
  const std::string base = "schemes = [\"cmd\"]\nworkloads = [\"vecadd\"]\n";
  expect_refused("schemes = [", "f.toml:1: ");
  expect_refused("workloads = [\"bfs\"]\n", "expected schemes");
  expect_refused(base + "wrokloads = [\"bfs\"]\n", "f.toml:3: unknown key 'wrokloads', did you mean workloads?");
  expect_refused(base + "seeds = [1, -2]\n", "f.toml:3: seeds: expected whole numbers");
  expect_refused(base + "seeds = []\n", "f.toml:3: seeds: expected a list of at least one value");
  expect_refused("schemes = [\"cmd\",\n\"cdm\"]\nworkloads = [\"vecadd\"]\n",
                 "f.toml:2: unknown scheme 'cdm', did you mean cmd");
  expect_refused("schemes = [\"cmd\"]\nworkloads = [\"vecad\"]\n", "f.toml:2: unknown workload 'vecad'");
  expect_refused("schemes = [\"cmd\"]\nsuites = [\"cmdd\"]\n", "f.toml:2: ");
  expect_refused(base + "[[axis]]\nvalues = [1]\n", "f.toml:3: axis 1: expected `parameter`");
  expect_refused(base + "[[axis]]\nparameter = \"l2.sets\"\n", "axis 1: expected `values`");
  expect_refused(base + "[[axis]]\nparameter = \"l2.sets\"\nvalues = [1, 1]\n",
                 "f.toml:5: axis 1: '1' is there twice");
  expect_refused(base + "[[axis]]\nparameter = \"l2.sets\"\nvalues = [1]\nlabels = [1, 2]\n", "f.toml:6: axis 1");
  expect_refused(base + "[[axis]]\nparameters = [\"l2.sets\", \"l2.ways\"]\nvalues = [[1]]\n", "f.toml:5: axis 1");
  expect_refused(base + "[[axis]]\nparameter = \"cmd.fifo_entires\"\nvalues = [1]\n",
                 "did you mean cmd.fifo_entries?");
  expect_refused(base + "[[axis]]\nparameter = \"l2.sets\"\nvalues = [0]\n", "l2.sets = 0");
  expect_refused(base + "[sample.small]\nvecad = 5\n", "f.toml:4: unknown workload 'vecad'");
  expect_refused(base + "[sample.smal]\nvecadd = 5\n", "f.toml:3: ");
  expect_refused(base + "scale = \"small\"\n[sample.small]\nvecadd = 0\n", "f.toml:5: ");
  expect_refused(base + "sample = 5\n", "f.toml:3: sample: expected a table");
  expect_refused(base + "sample.small = 5\n", "f.toml:3: sample: expected [sample.SCALE]");
  expect_refused(base + "[size.vecad]\nelements = 1\n", "f.toml:3: unknown workload 'vecad'");
  expect_refused(base + "[size.vecadd]\nlength = 1\n", "f.toml:4: unknown parameter of vecadd 'length'");
  for (const char* name : {"size.vecad.elements", "size.vecadd.elemets", "size.vecadd"}) {
    const std::string parameter = std::string("\"") + name + "\"";
    expect_refused(base + "[[axis]]\nparameter = " + parameter + "\nvalues = [1024]\n", "f.toml:3: ");
    expect_refused(base + "[set]\n" + parameter + " = 1024\n", "f.toml:4: ");
  }
  const std::string axis = "[[axis]]\nparameter = \"cmd.fifo_entries\"\nvalues = [1, 2]\n";
  expect_refused(base + axis + axis, "f.toml:6: axis 2: an axis has 'cmd.fifo_entries' already");
  // Reports would show both under one name.
  expect_refused(base + "[[axis]]\nname = \"L2\"\nparameter = \"l2.sets\"\nvalues = [64]\n[[axis]]\n" +
                     "parameter = \"l2.ways\"\nname = \"L2\"\nvalues = [8]\n",
                 "f.toml:9: axis 2: another axis is called 'L2' already");
  // A wrong value is said with its place.
  expect_refused(base + "[[axis]]\nparameter = \"l2.ways\"\nvalues = [8,\n\"a\"]\n",
                 "f.toml:6: vecadd cmd: l2.ways: 'a' is not a whole number");
  expect_refused(base + "[set]\n\"l1.ways\" = 8\n\"l2.ways\" = \"a\"\n",
                 "f.toml:5: vecadd cmd: l2.ways: 'a' is not a whole number");
  expect_refused(base + "[set]\n\"l2.sets\" = 1.5\n", "f.toml:4: l2.sets: expected a text, a whole number");
  // A misspelled parameter of a scheme that would be dropped is found as well.
  expect_refused("schemes = [\"baseline\"]\nworkloads = [\"vecadd\"]\n[set]\n\"cmd.fifo_entires\" = 1\n",
                 "cmd.fifo_entires");
}

TEST_F(SweepFile, RefusesAnAxisThatNoPointHas) {
  const std::string axis = "workloads = [\"vecadd\"]\n[[axis]]\nparameter = \"";
  expect_refused("schemes = [\"cmd\"]\n" + axis + "size.bfs.vertices\"\nvalues = [64, 128]\n",
                 "f.toml:3: axis 'size.bfs.vertices' changes nothing");
  expect_refused("schemes = [\"baseline\"]\n" + axis + "cmd.fifo_entries\"\nvalues = [1, 2]\n",
                 "f.toml:3: axis 'cmd.fifo_entries' changes nothing");
  const std::string shared = "schemes = [\"baseline\", \"cmd\"]\n" + axis + "cmd.fifo_entries\"\nvalues = [1, 2]\n";
  EXPECT_EQ(sweep::parse_sweep(shared, path("f.toml")).points.size(), 3u) << "one baseline serves both values";
}

TEST_F(SweepFile, RefusesPathsThatResultsCannotName) {
  const std::string folder = path("caf\xe9");
  std::filesystem::create_directory(folder);
  try {
    sweep::parse_sweep("schemes = [\"cmd\"]\nworkloads = [\"bfs\"]\ninput = \"g.graph\"\n", folder + "/f.toml");
    ADD_FAILURE() << "taken";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected a path in UTF-8"));
  }
}

TEST_F(SweepFile, EverySweepOfTheProjectExpands) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tb::in_sources("sim_cpp/configs/sweeps"))) {
    SCOPED_TRACE(entry.path());
    EXPECT_GT(sweep::read_sweep(entry.path()).points.size(), 4u);
    ++files;
  }
  EXPECT_GE(files, 5u);
}

}  // namespace
}  // namespace warpsieve::tb
