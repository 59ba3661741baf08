// The figures of a report: which numbers they have, and how they are written as SVG and CSV.
#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "core/params.h"
#include "report/comparison.h"
#include "report/figures.h"
#include "report/svg.h"
#include "report/variants.h"
#include "sim/sweep/scratch.h"

namespace warpsieve::tb {
namespace {

using nlohmann::ordered_json;
using report::Figure;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A run with what figures read. All requests are writes and data reads.
report::ResultRun a_run(const std::string& workload, const std::string& scheme, double ipc, int writes, int reads) {
  report::ResultRun out;
  out.scheme = scheme;
  out.workload = workload;
  out.run = {{"workload", workload},
             {"scheme", scheme},
             {"profile", "p"},
             {"ipc", ipc},
             {"off_chip_requests", {{"write", writes}, {"data_read", reads}, {"total", writes + reads}}},
             {"scheme_report", ordered_json::object()},
             {"parameters", {{"l2.ways", 16}}}};
  return out;
}

report::ResultRun repeated(report::ResultRun run, std::vector<double> ipc, std::vector<double> requests) {
  run.run["repeats"] = {{"ipc", {{"values", std::move(ipc)}}},
                        {"off_chip_requests", {{"values", std::move(requests)}}}};
  return run;
}

std::vector<Figure> figures(const report::Results& results) {
  return run_figures(results, compare(results), std::vector<ordered_json>(results.runs.size()));
}

const Figure* find(const std::vector<Figure>& all, const std::string& id) {
  for (const Figure& f : all)
    if (f.id == id) return &f;
  ADD_FAILURE() << "no figure " << id;
  return nullptr;
}

const report::FigureRow& row(const Figure& f, const std::string& group, const std::string& series,
                             const std::string& part = "") {
  for (const report::FigureRow& r : f.rows)
    if (r.group == group && r.series == series && r.part == part) return r;
  throw std::runtime_error("no row " + group + " " + series + " " + part);
}

report::Results two_workloads() {
  report::Results out;
  out.runs = {a_run("bfs", "baseline", 2.0, 60, 40), a_run("bfs", "cmd", 1.94, 30, 45),
              a_run("cfd", "baseline", 1.0, 0, 0), a_run("cfd", "cmd", 1.1, 0, 0)};
  return out;
}

TEST(Figures, ChangesStandAroundZeroAndTheBaselineHasNoBars) {
  const auto all = figures(two_workloads());
  const Figure& ipc = *find(all, "ipc");
  EXPECT_EQ(&ipc, &all.front());  // the first picture
  EXPECT_EQ(ipc.title, "IPC of cmd against baseline");
  EXPECT_THAT(ipc.series, ElementsAre("cmd"));
  EXPECT_THAT(ipc.groups, ElementsAre("bfs", "cfd", "mean", "geometric mean"));
  EXPECT_NEAR(*row(ipc, "bfs", "cmd").value, -3, 1e-9);
  EXPECT_NEAR(*row(ipc, "cfd", "cmd").value, 10, 1e-9);
  EXPECT_NEAR(*row(ipc, "mean", "cmd").value, 3.5, 1e-9);
  EXPECT_NEAR(*row(ipc, "geometric mean", "cmd").value, 100 * (std::sqrt(0.97 * 1.1) - 1), 1e-9);
  EXPECT_FALSE(row(ipc, "bfs", "cmd").low);
  EXPECT_THAT(ipc.note, HasSubstr("Single runs"));
  EXPECT_EQ(all[1].id, "off_chip");
}

TEST(Figures, ABaselineWithoutRequestsHasNoChangeOfThem) {
  const auto all = figures(two_workloads());
  const Figure& traffic = *find(all, "off_chip");
  EXPECT_NEAR(*row(traffic, "bfs", "cmd").value, -25, 1e-9);
  EXPECT_FALSE(row(traffic, "cfd", "cmd").value);
  EXPECT_THAT(traffic.note, HasSubstr("None: baseline has no off-chip requests"));
  EXPECT_THAT(to_svg(traffic), HasSubstr(">none</text>"));
}

TEST(Figures, KindsAddUpToTheChange) {
  const auto all = figures(two_workloads());
  const Figure& kinds = *find(all, "off_chip_kinds");
  EXPECT_THAT(kinds.parts, ElementsAre("write", "data-read"));
  EXPECT_NEAR(*row(kinds, "bfs", "cmd", "write").value, -30, 1e-9);
  EXPECT_NEAR(*row(kinds, "bfs", "cmd", "data-read").value, 5, 1e-9);
}

TEST(Figures, WhiskersAreTheIntervalOfPairedRepetitions) {
  report::Results results;
  results.runs = {repeated(a_run("bfs", "baseline", 2, 1, 0), {2.0, 4.0, 5.0}, {1, 1, 1}),
                  repeated(a_run("bfs", "cmd", 2.2, 1, 0), {2.2, 4.4, 6.0}, {1, 1, 1}),
                  repeated(a_run("cfd", "baseline", 1, 1, 0), {1.0, 1.0, 1.0}, {1, 1, 1}),
                  repeated(a_run("cfd", "cmd", 1, 1, 0), {0.9, 1.0, 1.1}, {1, 1, 1})};
  const auto all = figures(results);
  const report::FigureRow& bfs = row(*find(all, "ipc"), "bfs", "cmd");
  const double mean = 100 * (0.1 + 0.1 + 0.2) / 3, deviation = std::sqrt((2 * 1.0 / 9 + 4.0 / 9) * 100 / 2);
  EXPECT_NEAR(*bfs.value, mean, 1e-9);
  EXPECT_NEAR(*bfs.high - *bfs.value, 4.303 * deviation / std::sqrt(3), 1e-6);
  EXPECT_NEAR(*bfs.value - *bfs.low, 4.303 * deviation / std::sqrt(3), 1e-6);
  EXPECT_EQ(bfs.runs, 3u);
  // The mean has the noise of the means of the repetitions: 0, 5 and 15 %.
  const report::FigureRow& of_means = row(*find(all, "ipc"), "mean", "cmd");
  EXPECT_NEAR(*of_means.value, 20.0 / 3, 1e-9);
  EXPECT_NEAR(*of_means.high - *of_means.value,
              4.303 * std::sqrt((44.444444 + 2.777778 + 69.444444) / 2) / std::sqrt(3), 1e-4);
  // Pale: 0 is inside.
  EXPECT_THAT(to_svg(*find(all, "ipc")), HasSubstr("fill-opacity=\"0.4\"><title>cfd, cmd: 0 %</title>"));
}

TEST(Figures, RepetitionsThatAreNoNumbersAreRefused) {
  report::ResultRun run = a_run("bfs", "cmd", 1, 1, 1);
  for (const ordered_json& values :
       {ordered_json("x"), ordered_json::array(), ordered_json({1, "x"}), ordered_json({-1})}) {
    run.run["repeats"] = {{"ipc", {{"values", values}}}, {"off_chip_requests", {{"values", {1}}}}};
    EXPECT_THROW(report::check_repetitions(run.run, "f.json: run 1"), ConfigError) << values;
  }
}

TEST(Figures, OneChangingParameterGetsItsCurve) {
  report::Results results;
  results.runs.push_back(a_run("bfs", "baseline", 2, 10, 10));
  for (const int hashers : {16, 1, 4}) {
    report::ResultRun run = a_run("bfs", "cmd", 2 + 0.1 * hashers, 10, 10);
    run.run["scheme_report"] = {{"parameters", {{"cmd.hash_units", hashers}, {"cmd.hash_sets", 8}}}};
    run.scheme = "cmd (cmd.hash_units=" + std::to_string(hashers) + ")";
    results.runs.push_back(run);
  }
  const auto all = figures(results);
  const Figure& curve = *find(all, "ipc_over_cmd_hash_units_cmd");
  EXPECT_EQ(curve.kind, Figure::Kind::lines);
  EXPECT_EQ(curve.x_label, "cmd.hash_units");
  ASSERT_EQ(curve.rows.size(), 3u);
  EXPECT_EQ(curve.rows[0].x, 1);
  EXPECT_NEAR(*curve.rows[0].value, 5, 1e-9);
  EXPECT_EQ(curve.rows[2].x, 16);
  EXPECT_NEAR(*curve.rows[2].value, 80, 1e-9);
  // A second number that changes leaves no curve.
  results.runs.back().run["scheme_report"]["parameters"]["cmd.hash_sets"] = 4;
  for (const Figure& f : figures(results)) EXPECT_THAT(f.id, Not(HasSubstr("_over_")));
}

TEST(Figures, FootprintsOfTheWorkloadsGiveDots) {
  report::Results results = two_workloads();
  results.footprints = {{"bfs", 3.5}};
  const auto all = figures(results);
  const Figure& dots = *find(all, "ipc_over_footprint");
  ASSERT_EQ(dots.rows.size(), 1u);
  EXPECT_EQ(dots.rows[0].x, 3.5);
  EXPECT_NEAR(*dots.rows[0].value, -3, 1e-9);
}

TEST(Figures, CurvesOfMachinesNeedTwoNumbers) {
  report::Results results;
  results.curves = {{"pitch", "volta", {{128, 14}, {256, 12}, {512, 8}}, {{256, 11, "Fermi", "paper"}}},
                    {"occupancy", "volta", {{16, 64}}, {}}};
  const auto all = curve_figures(results);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].title, "Bandwidth by pitch: volta");
  EXPECT_EQ(all[0].rows.size(), 4u);
  EXPECT_EQ(all[0].note, "Crosses: published figures.");
}

TEST(FigureFiles, CsvHasWholeNumbersAndItsUnit) {
  Figure f;
  f.group_name = "workload";
  f.series_name = "scheme";
  f.y_label = "change of IPC";
  f.unit = "%";
  f.rows = {{.group = "bfs (a, \"b\")", .series = "cmd", .value = 1.0 / 3, .low = 0, .high = 1, .runs = 3},
            {.group = "cfd", .series = "cmd"}};
  EXPECT_EQ(to_csv(f),
            "workload,scheme,change of IPC (%),low (95 %),high (95 %),runs\n"
            "\"bfs (a, \"\"b\"\")\",cmd,0.3333333333333333,0,1,3\n"
            "cfd,cmd,,,,1\n");
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t out = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++out;
  return out;
}

TEST(FigureFiles, SvgHasAMarkForEachRowAndEscapesNames) {
  report::Results results = two_workloads();
  for (report::ResultRun& r : results.runs)
    if (r.workload == "bfs") r.run["workload"] = "<b>&\"";
  const auto all = figures(results);
  const Figure& ipc = *find(all, "ipc");
  const std::string svg = to_svg(ipc);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_EQ(count(svg, "<title>"), ipc.rows.size());
  EXPECT_THAT(svg, HasSubstr("<title>&lt;b&gt;&amp;&quot;, cmd: -3.00 %</title>"));
  EXPECT_THAT(svg, Not(HasSubstr("<b>")));
  EXPECT_THAT(svg, HasSubstr("geometric mean"));
}

TEST(FigureFiles, SvgOfLinesHasItsMarkersInTheLegend) {
  report::Results results;
  results.curves = {{"pitch", "volta", {{128, 14}, {256, 12}}, {}}, {"pitch", "turing", {{128, 6}, {256, 5}}, {}}};
  const std::string svg = to_svg(curve_figures(results)[0]);
  EXPECT_EQ(count(svg, "<path d="), 4u + 2u);  // of each point, and one for each name
  EXPECT_EQ(count(svg, "<title>"), 4u);
}

TEST(FigureFiles, PlacesAreChosenOneByOne) {
  Figure f;
  f.rows = {{.group = "a", .at = {0, 1}}, {.group = "b", .at = {1, 1}}, {.group = "c"}};
  const Figure chosen = at_place(f, {1, 1});
  ASSERT_EQ(chosen.rows.size(), 2u);
  EXPECT_EQ(chosen.rows[0].group, "b");
}

TEST(FigureNumbers, HaveThreeSignificantDigits) {
  for (const auto& [value, text] : std::initializer_list<std::pair<double, const char*>>{{0.97, "0.970"},
                                                                                         {1, "1"},
                                                                                         {1.0004, "1.00"},
                                                                                         {12.34, "12.3"},
                                                                                         {999.6, "1,000"},
                                                                                         {9.999, "10.0"},
                                                                                         {123456, "123,000"},
                                                                                         {-0.01234, "-0.0123"},
                                                                                         {0.0001, "0"},
                                                                                         {999, "999"}})
    EXPECT_EQ(report::short_number(value), text);
  EXPECT_EQ(report::short_number(3, true), "+3.00");
  EXPECT_EQ(report::short_number(-3, true), "-3.00");
  EXPECT_EQ(report::short_number(0, true), "0");
}

TEST(Labels, CarryTheInputAndWhatDiffers) {
  EXPECT_EQ(report::with_input("bfs", "graphs/NY.gr"), "bfs (NY.gr)");
  EXPECT_EQ(report::with_input("bfs", ""), "bfs");
  std::vector<report::ResultRun> runs;
  for (const char* size : {"vertices=1024", "vertices=4096"}) {
    report::ResultRun run = a_run("bfs", "cmd", 1, 1, 1);
    run.sizes = {"degree=4", size};
    run.run["experiment"] = size;
    runs.push_back(run);
  }
  runs.push_back(a_run("nn", "cmd", 1, 1, 1));
  runs.back().input = "files/cities.txt";
  report::name_experiments(runs);
  EXPECT_EQ(runs[0].run["workload"], "bfs (vertices=1024)");
  EXPECT_EQ(runs[1].run["workload"], "bfs (vertices=4096)");
  EXPECT_EQ(runs[2].run["workload"], "nn (cities.txt)");
}

}  // namespace
}  // namespace warpsieve::tb
