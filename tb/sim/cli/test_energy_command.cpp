// warpsieve energy: from the JSON of a run to a table and to JSON, and what it says of broken files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.h"
#include "support/tree.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(EnergyCommand, RelatesEachRunToTheFirstSchemeOfItsWorkload) {
  const Scratch scratch;
  const std::string results = scratch.path("results.json");
  ASSERT_EQ(run_small({"--compare", "baseline", "--set", "l2.sets=4", "--set", "l2.ways=4", "--json", results}).code,
            0);
  const Ran table = warpsieve({"energy", results, "--cacti", "recorded", "--terms"});
  // An L2 that CACTI's recorded sweep does not have is an error, not a guess.
  EXPECT_EQ(table.code, 2);
  EXPECT_EQ(std::count(table.err.begin(), table.err.end(), '\n'), 1) << table.err;
  ASSERT_EQ(run_small({"--compare", "baseline", "--json", results}).code, 0);
  const Ran ran = warpsieve({"energy", results, "--cacti", "recorded", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json out = json::parse(ran.out);
  ASSERT_EQ(out["runs"].size(), 2u);
  EXPECT_EQ(out["runs"][0]["relative_total"], 1.0);
  EXPECT_EQ(out["runs"][0]["scheme"], "baseline");
  for (const json& run : out["runs"]) {
    double sum = 0;
    for (const json& c : run["components"]) sum += c["total_nj"].get<double>();
    EXPECT_NEAR(run["total_nj"].get<double>(), sum, 1e-6 * sum);
  }
  EXPECT_DOUBLE_EQ(out["runs"][1]["relative_total"].get<double>(),
                   out["runs"][1]["total_nj"].get<double>() / out["runs"][0]["total_nj"].get<double>());
  const Ran terms = warpsieve({"energy", results, "--cacti", "recorded", "--terms"});
  for (const char* s : {"dram uJ", "controller uJ", "activate and precharge", "note: leakage of logic is not counted",
                        "measured: ", "clock pins of the logic"})
    EXPECT_THAT(terms.out, HasSubstr(s));
}

TEST(EnergyCommand, RunsOfOtherSizesOrMachinesAreNeverCompared) {
  const Scratch scratch;
  const std::string results = scratch.path("r.json"), other = scratch.path("o.json");
  const std::string suite = scratch.write("s.toml", R"(
[[run]]
workload = "vecadd"
elements = 2048
[[run]]
workload = "vecadd"
elements = 16384
)");
  ASSERT_EQ(warpsieve({"run", "--suite", suite, "-s", "cmd", "--compare", "baseline", "--json", results}).code, 0);
  const json out = json::parse(warpsieve({"energy", results, "--cacti", "recorded", "--json"}).out);
  ASSERT_EQ(out["runs"].size(), 4u);
  for (const std::size_t base : {0u, 2u}) EXPECT_EQ(out["runs"][base]["relative_total"], 1.0);
  EXPECT_EQ(out["runs"][2]["workload"], "vecadd #2");
  EXPECT_EQ(out["runs"][3]["workload"], "vecadd #2");
  // Nor in a report, where the files of two machines meet.
  ASSERT_EQ(run_small({"-p", "cmd-quarter", "--compare", "baseline", "--json", results}, "vecadd").code, 0);
  ASSERT_EQ(
      run_small({"-p", "cmd-quarter", "--compare", "baseline", "--set", "l2.sets=16", "--json", other}, "vecadd")
          .code,
      0);
  const std::string page = scratch.path("r.html");
  ASSERT_EQ(warpsieve({"report", results, other, "-o", page, "--cacti", "recorded"}).code, 0);
  EXPECT_THAT(read_file(page), HasSubstr("\"vecadd (l2.sets=16)\""));
}

TEST(EnergyCommand, ASizeThatIsNotTheNetlistsIsSaidInEveryForm) {
  const Scratch scratch;
  const std::string results = scratch.path("r.json"), page = scratch.path("r.html");
  const std::string says =
      "hash_store@paper is counted as synthesized, for cmd.hash_sets = 128, cmd.hash_ways = 16; the run has 4096, 64";
  for (const bool other : {false, true}) {
    std::vector<std::string> run = {"-s", "cmd", "--compare", "baseline", "--json", results};
    if (other)
      for (const char* set : {"cmd.hash_sets=4096", "cmd.hash_ways=64", "cmd.fifo_entries=1024"})
        run.insert(run.end(), {"--set", set});
    ASSERT_EQ(run_small(run, "vecadd").code, 0);
    ASSERT_EQ(warpsieve({"report", results, "-o", page, "--cacti", "recorded"}).code, 0);
    std::vector<std::string> outputs = {read_file(page)};
    for (const std::vector<std::string>& command : {std::vector<std::string>{"energy", results},
                                                    {"energy", results, "--json"},
                                                    {"claims", "--energy", results},
                                                    {"claims", "--energy", results, "--markdown"},
                                                    {"claims", "--energy", results, "--json"}}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--cacti", "recorded"});
      const Ran ran = warpsieve(arguments);
      ASSERT_EQ(ran.code, 0) << ran.err;
      outputs.push_back(ran.out);
    }
    for (const std::string& output : outputs) {
      if (other) {
        EXPECT_THAT(output, HasSubstr(says));
        EXPECT_THAT(output, HasSubstr("for cmd.fifo_entries = 16; the run has 1024"));
      } else {
        EXPECT_THAT(output, Not(HasSubstr("is counted as synthesized")));
      }
    }
  }
}

/// Profile avc has four lines per slice where its paper has no L2.
TEST(EnergyCommand, AMachineWithoutL2HasEnergyAreaAndReport) {
  const Scratch scratch;
  const std::string results = scratch.path("avc.json"), page = scratch.path("avc.html");
  const std::string note = "an L2 of one set, 4 lines per slice, stands for none: not counted";
  ASSERT_EQ(
      run_small({"-s", "avc", "--compare", "baseline", "-p", "avc", "--set", "spill.percent=50", "--json", results},
                "hotspot")
          .code,
      0);
  const Ran table = warpsieve({"energy", results, "--cacti", "recorded"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("note: " + note));
  const Ran ran = warpsieve({"energy", results, "--cacti", "recorded", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const json& run : json::parse(ran.out)["runs"]) {
    EXPECT_EQ(run["components"][2]["name"], "l2");
    EXPECT_EQ(run["components"][2]["total_nj"], 0.0);
    EXPECT_GT(run["total_nj"], 0.0);
  }
  const Ran area = warpsieve({"area", "-s", "avc", "-p", "avc", "--cacti", "recorded"});
  EXPECT_EQ(area.code, 0) << area.err;
  EXPECT_THAT(area.out, AllOf(HasSubstr("note: " + note), Not(HasSubstr("not in the recorded sweep"))));
  ASSERT_EQ(warpsieve({"report", results, "-o", page}).code, 0);
  EXPECT_THAT(read_file(page), AllOf(HasSubstr(note), Not(HasSubstr("No energy for"))));
}

TEST(EnergyCommand, RelativeComponentsOfTheFirstSchemeAddUpToOne) {
  const Scratch scratch;
  const std::string results = scratch.path("results.json");
  ASSERT_EQ(run_small({"--compare", "baseline", "--json", results}).code, 0);
  const Ran ran = warpsieve({"energy", results, "--cacti", "recorded", "--relative"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::istringstream lines(ran.out);
  std::string line, workload, scheme;
  double dram = 0, controller = 0, l2 = 0;
  while (std::getline(lines, line))
    if (line.find(" baseline ") != std::string::npos)
      std::istringstream(line) >> workload >> scheme >> dram >> controller >> l2;
  EXPECT_NEAR(dram + controller + l2, 1, 0.002);
}

TEST(ClaimsCommand, EnergyClaimsComeFromRuns) {
  const Scratch scratch;
  const std::string results = scratch.path("results.json");
  ASSERT_EQ(run_small({"--compare", "baseline", "--json", results}).code, 0);
  const json out =
      json::parse(warpsieve({"claims", "--energy", results, "--cacti", "recorded", "--json"}).out)["claims"];
  ASSERT_EQ(out.size(), 6u);
  unsigned found = 0;  // with clocks gated, and never gated
  for (const json& f : out) {
    if (f["id"] == "cmd.energy_cmd") {
      EXPECT_EQ(f["paper"], 32.78);
      EXPECT_TRUE(f["ours"].is_number());
      ++found;
    } else {
      EXPECT_EQ(f["verdict"], "no runs") << f["id"];
    }
  }
  EXPECT_EQ(found, 2u);
  const Ran table = warpsieve({"claims", "--energy", results, "--cacti", "recorded", "--markdown"});
  EXPECT_THAT(table.out, HasSubstr("| `cmd.energy_cmd` | energy saved"));
  EXPECT_EQ(warpsieve({"claims", "--energy", "/nonexistent.json"}).code, 2);
}

TEST(ClaimsCommand, TheHardwareTableOfTheDocumentIsWhatTheProgramPrints) {
  const Ran table = warpsieve({"claims", "--area", "--cacti", "recorded", "--markdown"});
  ASSERT_EQ(table.code, 0) << table.err;
  std::ifstream file(tb::in_sources("sim_cpp/cost/claims.md"));
  const std::string document((std::istreambuf_iterator<char>(file)), {});
  std::istringstream lines(table.out);
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) continue;
    EXPECT_NE(document.find(line + "\n"), std::string::npos)
        << "sim_cpp/cost/claims.md lacks this row, run scripts/table:\n"
        << line;
    ++rows;
  }
  EXPECT_GT(rows, 15u);
}

TEST(RunCommand, MeasuredLatenciesAreShownAndGiveWayToTheUsersOwn) {
  const Scratch scratch;
  const auto parameters = [&](std::vector<std::string> more) {
    const std::string results = scratch.path("results.json");
    more.insert(more.end(), {"--json", results});
    const Ran ran = run_small(more);
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::ifstream file(results);
    return std::pair(json::parse(file)["runs"][0], ran.out);
  };
  const auto value = [](const json& run, const char* name) {
    const std::string text = run.dump();
    const auto at = text.find(std::string("\"") + name + "\":");
    return at == std::string::npos ? -1 : std::stoi(text.substr(at + std::string(name).size() + 3));
  };
  const auto [paper, quiet] = parameters({"-s", "cmd"});
  EXPECT_EQ(value(paper, "cmd.metadata_cycles"), 20);
  EXPECT_THAT(quiet, Not(HasSubstr("latency of")));
  const auto [measured, shown] = parameters({"-s", "cmd", "--latency", "measured"});
  EXPECT_EQ(value(measured, "cmd.metadata_cycles"), 3);
  EXPECT_EQ(value(measured, "cmd.hash_cycles_per_chunk") % 64, 0);
  EXPECT_THAT(shown, HasSubstr("latency of cmd: cmd.metadata_cycles = 3, metadata_cache@"));
  const auto [own, both] = parameters({"-s", "cmd", "--latency", "measured", "--set", "cmd.metadata_cycles=7"});
  EXPECT_EQ(value(own, "cmd.metadata_cycles"), 7);
  EXPECT_EQ(run_small({"--latency", "guessed"}).code, 2);
}

TEST(EnergyCommand, BrokenFilesAreOneLine) {
  const Scratch scratch;
  const auto bad = [&](const std::string& text, const char* says) {
    const Ran ran = warpsieve({"energy", scratch.write("r.json", text)});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("r.json"));
    EXPECT_THAT(ran.err, HasSubstr(says));
  };
  bad("{", "not JSON");
  bad("[]", "warpsieve-run-1");
  bad(R"({"format": "warpsieve-run-1"})", "warpsieve-run-1");
  bad(R"({"format": "warpsieve-run-1", "runs": []})", "no run");
  bad(R"({"format": "warpsieve-run-1", "runs": [{"workload": "x"}]})", "run 1: a run without 'scheme'");
  EXPECT_EQ(warpsieve({"energy", "/nonexistent.json"}).code, 2);
  EXPECT_EQ(warpsieve({"energy"}).code, 2);
}

}  // namespace
}  // namespace warpsieve::tb
