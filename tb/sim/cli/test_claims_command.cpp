// warpsieve claims --results/--run: figures from a sweep that the program itself ran.
#include <nlohmann/json.hpp>

#include "program.h"
#include "run/run_json.h"

namespace warpsieve::tb {
namespace {

constexpr const char* kClaimSweep = R"(profile = "rata-quarter"
scale = "small"
schemes = ["baseline", "rata", "rata_ideal"]
workloads = ["resnet_conv"]
)";

TEST(SimulatedClaims, FiguresOfASweepInTextAndJson) {
  const Scratch scratch;
  const std::string file = scratch.write("rata.toml", kClaimSweep), directory = scratch.path("rata.sweep");
  ASSERT_EQ(warpsieve({"sweep", "run", file, "--output", directory}).code, 0);
  const Ran text = warpsieve({"claims", "--paper", "rata", "--results", directory});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* word : {"rata.replication", "rata.ipc_ideal", "68.0", "134.0", "rata-quarter", "one run of each"})
    EXPECT_NE(text.out.find(word), std::string::npos) << word;
  const auto json =
      nlohmann::json::parse(warpsieve({"claims", "--paper", "rata", "--results", directory, "--json"}).out);
  EXPECT_EQ(json["format"], "warpsieve-claims-2");
  EXPECT_EQ(json["papers"]["rata"]["profile"], "rata-quarter");
  EXPECT_EQ(json["papers"]["rata"]["repetitions"], 1);
  EXPECT_EQ(json["claims"].size(), 4u);  // rata.replication in two readings
}

TEST(SimulatedClaims, RepetitionsGiveNoiseAndAResultsFilePrintsTheSameTables) {
  const Scratch scratch;
  const std::string file = scratch.write("rata.toml", std::string(kClaimSweep) + "repeat = 3\n"),
                    directory = scratch.path("rata.sweep");
  ASSERT_EQ(warpsieve({"sweep", "run", file, "--output", directory}).code, 0);
  const std::vector<std::string> command = {"claims", "--paper", "rata", "--results", directory, "--json"};
  const auto json = nlohmann::json::parse(warpsieve(command).out);
  EXPECT_EQ(json["papers"]["rata"]["repetitions"], 3);
  for (const auto& claim : json["claims"])
    if (claim["id"] == "rata.ipc_ideal") {
      EXPECT_EQ(claim["repetitions"], 3);
      EXPECT_GT(claim["noise"], 0.0);
      EXPECT_EQ(claim["workloads"]["resnet_conv"]["mean"], claim["ours"]);
    }
  EXPECT_EQ(warpsieve({"claims", "--paper", "rata", "--results", directory}).out.find("one run of each"),
            std::string::npos);
}

/// The built-in sweep, stopped at once and gone on with: the second call simulates nothing twice and saves.
TEST(SimulatedClaims, ARunIsSavedAndPrintedAgain) {
  const Scratch scratch;
  const std::string directory = scratch.path("results"), saved = scratch.path("rata.json");
  const std::vector<std::string> run = {"claims",  "--paper", "rata",     "--run",   directory,
                                        "--scale", "small",   "--repeat", "2",       "--jobs",
                                        "2",       "--save",  saved,      "--cacti", "recorded"};
  std::vector<std::string> as_json = run;
  as_json.emplace_back("--json");
  const Ran first = warpsieve(as_json);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.err.find("points to simulate, "), std::string::npos) << first.err;
  const Ran second = warpsieve(as_json);
  EXPECT_EQ(second.err.find("points to simulate"), std::string::npos) << second.err;
  EXPECT_EQ(second.out, first.out);
  const Ran printed = warpsieve({"claims", "--results", saved, "--cacti", "recorded", "--json"});
  EXPECT_EQ(printed.code, 0) << printed.err;
  EXPECT_EQ(printed.out, first.out);
  std::string text = read_file(saved);
  EXPECT_NE(text.find("\"command\": \"warpsieve claims --paper rata --run results/rata --scale small --repeat 2\""),
            std::string::npos);
  const auto digit = text.find("\"ipc\":") + 8;
  text[digit] = text[digit] == '1' ? '2' : '1';
  const std::string changed = scratch.write("changed.json", text);
  const Ran refused = warpsieve({"claims", "--results", changed});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("changed.json: "), std::string::npos) << refused.err;
  EXPECT_EQ(warpsieve({"claims", "--run", directory, "--save", saved}).code, 2) << "no --paper";

  // Finished sweeps again: of another program, of another plan, and with a point lost.
  std::vector<std::string> finished = run;
  std::erase(finished, "--jobs");
  finished.erase(finished.begin() + 9);
  finished.insert(finished.end(), {"--finished", "--json"});
  const auto again = [&](const std::string& what) {
    const Ran ran = warpsieve(finished);
    EXPECT_EQ(ran.err.find("points to simulate"), std::string::npos) << what;
    return ran;
  };
  const std::string text_before = read_file(saved), sweep = directory + "/rata_small.sweep";
  EXPECT_EQ(again("the same program").out, first.out);
  EXPECT_EQ(read_file(saved), text_before);
  auto plan = nlohmann::ordered_json::parse(read_file(sweep + "/sweep.json"));
  plan["version"] = "0.0.1+other";
  plan.erase("digest");
  run::add_digest(plan);
  scratch.write("results/rata_small.sweep/sweep.json", plan.dump());
  EXPECT_EQ(again("another program").code, 0);
  EXPECT_NE(read_file(saved).find("\"version\": \"0.0.1+other\""), std::string::npos);
  const std::string last = read_file(saved);
  for (const auto& entry : std::filesystem::directory_iterator(sweep + "/results")) {
    std::filesystem::remove(entry.path());
    break;
  }
  const Ran lost = again("a point lost");
  EXPECT_EQ(lost.code, 2);
  EXPECT_NE(lost.err.find("rata.json: not written: 0 points failed, 1 are not finished"), std::string::npos)
      << lost.err;
  EXPECT_EQ(read_file(saved), last);
  finished[8] = "3";  // --repeat
  EXPECT_EQ(again("another plan").code, 2);
  EXPECT_EQ(warpsieve({"claims", "--paper", "rata", "--run", directory, "--repeat", "10"}).code, 2);
}

/// A finished sweep, and another one that repeats a workload of it.
TEST(SimulatedClaims, SweepsOfResultsAreSavedTogether) {
  const Scratch scratch;
  const std::string directory = scratch.path("results"), more = scratch.path("more.sweep"),
                    saved = scratch.path("rata.json");
  ASSERT_EQ(warpsieve({"claims", "--paper", "rata", "--run", directory, "--scale", "small"}).code, 0);
  const std::string file = scratch.write("more.toml",
                                         "profile = \"rata\"\nscale = \"small\"\nworkloads = [\"cfd\"]\n"
                                         "schemes = [\"baseline\", \"rata\", \"rata_ideal\"]\nrepeat = 3\n");
  ASSERT_EQ(warpsieve({"sweep", "run", file, "--output", more}).code, 0);
  const Ran ran = warpsieve({"claims", "--paper", "rata", "--results", directory + "/rata_small.sweep," + more,
                             "--save", saved, "--cacti", "recorded", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string text = read_file(saved);
  EXPECT_NE(text.find("\"workload\":\"cfd\",\"scheme\":\"rata\",\"repeat\":3,"), std::string::npos) << text;
  EXPECT_EQ(text.find("\"workload\":\"bfs\",\"scheme\":\"rata\",\"repeat\""), std::string::npos) << text;
  EXPECT_NE(text.find("--run results/rata --scale small --repeat 1\""), std::string::npos) << text;
  const Ran printed = warpsieve({"claims", "--results", saved, "--cacti", "recorded", "--json"});
  EXPECT_EQ(printed.code, 0) << printed.err;
  const auto claims = nlohmann::json::parse(printed.out).at("claims");
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("claims"), claims);
  for (const auto& row : claims)
    if (row.at("id") == "rata.ipc_ideal") {
      EXPECT_EQ(row.at("repetitions"), 3);
    }
  EXPECT_EQ(warpsieve({"claims", "--paper", "rata", "--save", saved}).code, 2) << "no runs";

  // The same in two steps: a results file grows.
  const std::string first = scratch.path("first.json"), grown = scratch.path("grown.json");
  ASSERT_EQ(warpsieve({"claims", "--paper", "rata", "--results", directory + "/rata_small.sweep", "--save", first,
                       "--cacti", "recorded"})
                .code,
            0);
  const Ran both = warpsieve({"claims", "--paper", "rata", "--results", first + "," + more, "--save", grown,
                              "--cacti", "recorded", "--json"});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(nlohmann::json::parse(both.out).at("claims"), claims);
  const auto grown_json = nlohmann::json::parse(read_file(grown)), saved_json = nlohmann::json::parse(text);
  for (const char* same : {"version", "command", "profile", "scale", "repeat"})
    EXPECT_EQ(grown_json.at(same), saved_json.at(same)) << same;
  EXPECT_EQ(grown_json.at("runs").size(), saved_json.at("runs").size());

  // Energies of two cost models stay marked as such.
  auto older = nlohmann::ordered_json::parse(read_file(first));
  older.erase("digest");
  older["cost_model"] = "0000000000000001";
  const Ran mixed =
      warpsieve({"claims", "--paper", "rata", "--results", scratch.write("older.json", older.dump()) + "," + more,
                 "--save", grown, "--cacti", "recorded"});
  EXPECT_EQ(mixed.code, 0) << mixed.err;
  EXPECT_EQ(nlohmann::json::parse(read_file(grown)).at("cost_model"),
            "0000000000000001, " + saved_json.at("cost_model").get<std::string>());
}

TEST(SimulatedClaims, WhatOfThePotentialWasRemovedStandsBesideTheWorkload) {
  const Scratch scratch;
  const std::string file = scratch.write("cmd.toml",
                                         "profile = \"cmd-quarter\"\nschemes = [\"cmd\"]\nworkloads = [\"cfd\"]\n"
                                         "[set]\n\"cmd.potential\" = 1\n"),
                    directory = scratch.path("cmd.sweep");
  ASSERT_EQ(warpsieve({"sweep", "run", file, "--output", directory}).code, 0);
  const std::vector<std::string> command = {"claims", "--paper", "cmd", "--results", directory};
  const std::string beside = "cfd 0.5 (100.0 of potential); mean 100.0 of potential";
  const Ran text = warpsieve(command);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("cmd.inter_dup: " + beside + "\n"), std::string::npos) << text.out;
  for (const char* form : {"--markdown", "--json"}) {
    std::vector<std::string> with = command;
    with.emplace_back(form);
    const Ran ran = warpsieve(with);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find(form == std::string("--json") ? "\"of_potential\"" : "| " + beside + ". "),
              std::string::npos)
        << ran.out;
  }
}

TEST(SimulatedClaims, OtherSeedsAreNotMixedAndSaidSo) {
  const Scratch scratch;
  const std::string file = scratch.write("rata.toml", std::string(kClaimSweep) + "seeds = [1, 2]\n"),
                    directory = scratch.path("rata.sweep");
  ASSERT_EQ(warpsieve({"sweep", "run", file, "--output", directory}).code, 0);
  const Ran ran = warpsieve({"claims", "--paper", "rata", "--results", directory});
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.err.find("claims: 3 points differ from others in scale, sizes, input or seed alone"),
            std::string::npos)
      << ran.err;
}

TEST(SimulatedClaims, BadArguments) {
  const Ran paper = warpsieve({"claims", "--paper", "rta", "--results", "/nonexistent"});
  EXPECT_EQ(paper.code, 2);
  EXPECT_EQ(
      paper.err,
      "warpsieve: unknown paper 'rta': expected avc, cmd, dpc, justit, rata, rtx3070 or sieve, did you mean rata?\n");
  const Ran directory = warpsieve({"claims", "--paper", "rata", "--results", "/nonexistent"});
  EXPECT_EQ(directory.code, 2);
  EXPECT_NE(directory.err.find("/nonexistent"), std::string::npos);
  EXPECT_EQ(warpsieve({"claims", "--jobs", "0"}).code, 2);
}

}  // namespace
}  // namespace warpsieve::tb
