// claims: rules against runs made by hand.
#include <fmt/format.h>

#include <algorithm>

#include "hand_runs.h"

namespace warpsieve::claims {
namespace {

TEST_F(Claims, ChangeIsTheArithmeticMeanOfTheWorkloadsWithTheGeometricBesideIt) {
  runs_.add(run("bfs", "baseline", 1.0), {}, kInput);
  runs_.add(run("bfs", "cmd", 1.5), {}, kInput);
  runs_.add(run("cfd", "baseline", 2.0), {}, kInput);
  runs_.add(run("cfd", "cmd", 1.6), {}, kInput);
  runs_.add(run("mis", "cmd", 9.0), {}, kInput);  // without a baseline: left out
  const auto claim = one(kIpcOfCmd);
  EXPECT_DOUBLE_EQ(*claim.ours, 15.0);
  EXPECT_NEAR(*claim.geometric, 100 * (std::sqrt(1.5 * 0.8) - 1), 1e-9);
  EXPECT_EQ(claim.workloads.size(), 2u);
  EXPECT_EQ(*claim.paper, 37.79);
  EXPECT_DOUBLE_EQ(*claim.median, 15.0);
  EXPECT_EQ(claim.agree, 1u);
  EXPECT_EQ(claim.verdict, Verdict::marginal) << "more than a third of the paper's, but in one workload of two";
}

TEST_F(Claims, ARowOfItsOwnSizesNeedsThemAllAndNoOtherRowLooksAtThem) {
  const std::string rules = R"([[claim]]
id = "cmd.ipc_cmd"
kind = "share"
over = ["ipc"]
scheme = "cmd"
holds = 50
[[claim]]
id = "cmd.ipc_5mb"
kind = "share"
over = ["ipc"]
scheme = "cmd"
holds = 50
sizes = ["bfs.block=32", "cfd.block=32"]
)";
  const RuleSet set = parse_rules(rules, "rules.toml", "cmd");
  const std::vector<std::string> wide = {"block=32"};
  EXPECT_EQ(named_sizes(set, "bfs", {"vertices=64", "block=32"}), wide);
  EXPECT_EQ(named_sizes(set, "bfs", {"block=16"}), std::vector<std::string>());
  EXPECT_EQ(named_sizes(set, "mis", wide), std::vector<std::string>());
  EXPECT_TRUE(runs_.add(run("bfs", "cmd", 0.9), {}, "wide", wide));  // not the same run twice
  EXPECT_TRUE(runs_.add(run("bfs", "cmd", 0.1), {}, kInput));
  EXPECT_TRUE(runs_.add(run("cfd", "cmd", 0.2), {}, kInput));
  EXPECT_TRUE(runs_.add(run("mis", "cmd", 0.3), {}, kInput));
  const auto figure = [&](const std::string& id) {
    for (const Row& claim : evaluated(rules))
      if (claim.id == id) return claim.ours;
    return std::optional<double>();
  };
  EXPECT_NEAR(*figure("cmd.ipc_cmd"), 20, 1e-9);
  EXPECT_FALSE(figure("cmd.ipc_5mb"));  // cfd is missing
  EXPECT_TRUE(runs_.add(run("cfd", "cmd", 0.6), {}, "wide", wide));
  EXPECT_NEAR(*figure("cmd.ipc_5mb"), 60, 1e-9);  // 90, 60, and 30 as it is
  EXPECT_NEAR(*figure("cmd.ipc_cmd"), 20, 1e-9);
  for (const char* wrong : {"block=32", "bfs.block"})
    EXPECT_THROW(parse_rules(fmt::format("[[claim]]\nid = \"cmd.x\"\nkind = \"share\"\nover = [\"ipc\"]\nscheme = "
                                         "\"cmd\"\nholds = 1\nsizes = [\"{}\"]\n",
                                         wrong),
                             "rules.toml", "cmd"),
                 ConfigError);
}

TEST_F(Claims, RunsOfSampledLaunchesCompareAmongThemselves) {
  run::RunSpec spec;
  spec.workload = "bfs";
  const RuleSet rules = parse_rules("", "rules.toml", "cmd");
  const auto add = [&](const std::string& scheme, double ipc, std::vector<std::string> set) {
    spec.set = std::move(set);
    const Given given = given_by(spec, rules);
    runs_.add(run("bfs", scheme, ipc), given.set, given.input);
  };
  add("baseline", 1, {});
  add("cmd", 3, {"gpu.launch_sample=8"});
  EXPECT_TRUE(one(kIpcOfCmd).workloads.empty());
  add("baseline", 2, {"gpu.launch_sample=8"});
  EXPECT_EQ(means(one(kIpcOfCmd)), (Figures{{"bfs", 50}}));
}

TEST_F(Claims, SharesRemovalsAndPoints) {
  runs_.add(run("bfs", "baseline", 1, 100), {}, kInput);
  runs_.add(run("bfs", "cmd", 1, 25), {}, kInput);
  const auto found = evaluated(R"([[claim]]
id = "cmd.write_reduction"
kind = "removed"
over = ["off_chip.write"]
scheme = "cmd"
against = "baseline"
[[claim]]
id = "cmd.intra_dup"
kind = "share"
over = ["dedup.writes", "-dedup.writes_intra"]
under = ["dedup.writes"]
scheme = "cmd"
holds = 10
[[claim]]
id = "cmd.offchip_write"
kind = "points"
over = ["off_chip.write"]
under = ["off_chip.total"]
scheme = "cmd"
against = "baseline"
[[claim]]
id = "cmd.extra_read"
kind = "share"
over = ["shared.spare"]
under = ["shared.all"]
scheme = "cmd"
at_most = 2
[[claim]]
id = "cmd.inter_dup"
kind = "share"
over = ["report.captured"]
scheme = "cmd"
holds = 60)");
  std::map<std::string, double> ours;
  std::map<std::string, Verdict> verdicts;
  for (const auto& claim : found) {
    ours[claim.id] = *claim.ours;
    verdicts[claim.id] = claim.verdict;
  }
  EXPECT_DOUBLE_EQ(ours["cmd.write_reduction"], 75);
  EXPECT_DOUBLE_EQ(ours["cmd.intra_dup"], 50);
  EXPECT_DOUBLE_EQ(ours["cmd.offchip_write"], -37.5);
  EXPECT_DOUBLE_EQ(ours["cmd.extra_read"], 100.0 * 600 / 1600);  // (10 * 30 + 30 * 10) / (40 cycles * 40 bytes)
  EXPECT_DOUBLE_EQ(ours["cmd.inter_dup"], 50);
  EXPECT_EQ(verdicts["cmd.intra_dup"], Verdict::stronger);   // 40.18 in the paper
  EXPECT_EQ(verdicts["cmd.extra_read"], Verdict::opposite);  // 0.9, at most 2
  EXPECT_EQ(verdicts["cmd.inter_dup"], Verdict::reproduced);
  EXPECT_EQ(verdicts["cmd.write_reduction"], Verdict::stronger);
}

TEST_F(Claims, WhatOfThePotentialWasReachedStandsBesideTheWorkloadsThatCountedIt) {
  const std::string rule = R"([[claim]]
id = "cmd.inter_dup"
kind = "share"
over = ["dedup.writes_intra"]
under = ["dedup.writes"]
potential = ["dedup.potential_inter", "dedup.potential_silent"]
scheme = "cmd"
holds = 10
)";
  const auto counted = [](const std::string& workload, int writes, int inter, int silent) {
    ordered_json r = run(workload, "cmd", 1, writes);
    r["counters"]["dedup.potential_inter"] = inter;
    r["counters"]["dedup.potential_silent"] = silent;
    return r;
  };
  runs_.add(run("bfs", "cmd", 1, 10), {}, kInput);  // did not count it
  EXPECT_TRUE(one(rule).of_potential.empty());
  EXPECT_FALSE(to_json(one(rule)).contains("of_potential"));
  // It changes no figure, so that the run is found like one without it.
  runs_.add(counted("cfd", 20, 15, 10), {"cmd.potential=1"}, kInput);
  runs_.add(counted("mis", 0, 0, 0), {"cmd.potential=1"}, kInput);  // had none to reach
  runs_.add(counted("sssp", 5, 0, 50), {"cmd.potential=1"}, kInput);
  const Row claim = one(rule);
  EXPECT_DOUBLE_EQ(*claim.ours, (20 + 40 + 0 + 10) / 4.0);
  const std::vector<std::pair<std::string, double>> reached = {{"cfd", 80}, {"sssp", 10}};
  EXPECT_EQ(claim.of_potential, reached);
  EXPECT_DOUBLE_EQ(mean(claim.of_potential), 45);
  EXPECT_EQ(to_json(claim)["of_potential"], ordered_json({{"cfd", 80.0}, {"sssp", 10.0}}));
  EXPECT_THROW(parse_rules(kIpcOfCmd + "potential = [\"1\"]\n", "rules.toml", "cmd"), ConfigError);
}

TEST_F(Claims, RunsAreFoundByTheParametersTheyWereGiven) {
  runs_.add(run("bfs", "baseline", 1.0), {}, kInput);
  runs_.add(run("bfs", "cmd", 2.0), {}, kInput);
  runs_.add(run("bfs", "cmd", 3.0), {"cmd.fifo_entries=8"}, kInput);
  EXPECT_DOUBLE_EQ(*one(kIpcOfCmd).ours, 100);
  EXPECT_DOUBLE_EQ(*one(kIpcOfCmd + "set = [\"cmd.fifo_entries=8\"]").ours, 200);
  EXPECT_FALSE(one(kIpcOfCmd + "set = [\"cmd.fifo_entries=9\"]").ours);
  EXPECT_EQ(one(kIpcOfCmd + "set = [\"cmd.fifo_entries=9\"]").verdict, Verdict::no_runs);
  EXPECT_DOUBLE_EQ(*one(kIpcOfCmd + "set = [\"cmd.fifo_entries=16\"]").ours, 100) << "the default is no setting";
}

TEST_F(Claims, OnlyRunsOfOneInputAreCompared) {
  EXPECT_TRUE(runs_.add(run("bfs", "cmd", 5.0), {}, "seed 1"));
  EXPECT_TRUE(runs_.add(run("bfs", "baseline", 1.0), {}, "seed 2"));  // that of seed 1 failed, say
  EXPECT_FALSE(one(kIpcOfCmd).ours);
  EXPECT_FALSE(runs_.add(run("bfs", "cmd", 2.0), {}, "seed 2")) << "as that of seed 1, but for the seed";
  EXPECT_TRUE(runs_.add(run("bfs", "cmd", 2.0), {}, "seed 2")) << "again: dropped";
  EXPECT_DOUBLE_EQ(*one(kIpcOfCmd).ours, 100);
  EXPECT_TRUE(runs_.add(run("bfs", "cmd", 9.0), {"cmd.fifo_entries=8"}, "seed 3")) << "other parameters";
}

TEST_F(Claims, GroupsByNameAndByFigure) {
  runs_.add(run("bfs", "baseline", 1.0, 10), {}, kInput);
  runs_.add(run("bfs", "cmd", 2.0, 10), {}, kInput);
  runs_.add(run("cfd", "baseline", 1.0, 40), {}, kInput);
  runs_.add(run("cfd", "cmd", 4.0, 40), {}, kInput);
  const std::string claim = kIpcOfCmd + "group = \"some\"";
  EXPECT_DOUBLE_EQ(*one("[group.some]\nworkloads = [\"bfs\"]\n" + claim).ours, 100);
  const std::string figure =
      "[group.some]\nscheme = \"cmd\"\nover = [\"dedup.writes_intra\"]\nunder = [\"dedup.writes\"]\n";
  EXPECT_DOUBLE_EQ(*one(figure + "above = 50\n" + claim).ours, 300);
  EXPECT_DOUBLE_EQ(*one(figure + "up_to = 50\n" + claim).ours, 100);
}

TEST_F(Claims, AGroupOfAGroupByWhatItsWorkloadsGain) {
  const auto add = [this](const std::string& workload, int writes, double base, double cmd) {
    runs_.add(run(workload, "baseline", base, writes), {}, kInput);
    runs_.add(run(workload, "cmd", cmd, writes), {}, kInput);
  };
  add("bfs", 40, 1.0, 3.0);
  add("cfd", 40, 1.0, 1.0);                             // not above 0
  add("mis", 10, 1.0, 9.0);                             // gains, but outside the first group
  runs_.add(run("color", "cmd", 2.0, 40), {}, kInput);  // no run to compare with
  const std::string groups = R"([group.a_gaining]
of = "writing"
scheme = "cmd"
against = "baseline"
over = ["ipc"]
above = 0
[group.writing]
scheme = "cmd"
over = ["dedup.writes_intra"]
under = ["dedup.writes"]
above = 50
)";
  EXPECT_EQ(means(one(groups + kIpcOfCmd + "group = \"a_gaining\"")), (Figures{{"bfs", 200}}));
  EXPECT_EQ(one(groups + kIpcOfCmd + "group = \"writing\"").workloads.size(), 2u);
}

TEST_F(Claims, WhatOccursNowhereIsNoEffect) {
  const std::string rule = R"([[claim]]
id = "cmd.extra_read"
kind = "share"
over = ["off_chip.write"]
under = ["off_chip.total"]
scheme = "cmd"
at_most = 7
)";
  runs_.add(run("bfs", "cmd", 1.0, 0), {}, kInput);
  runs_.add(run("cfd", "cmd", 1.0, 0), {}, kInput);
  EXPECT_EQ(*one(rule).ours, 0);  // 0.9 in the paper, less than 3 points away
  EXPECT_EQ(one(rule).verdict, Verdict::no_effect);
  EXPECT_EQ(one(rule + "bound = true").verdict, Verdict::reproduced) << "below a bound";
  runs_.add(run("mis", "cmd", 1.0, 1), {}, kInput);
  EXPECT_EQ(one(rule).verdict, Verdict::reproduced);
}

TEST_F(Claims, ABoundHoldsFromBelow) {
  runs_.add(run("bfs", "cmd", 1.0, 1), {}, kInput);  // 1 of 50
  const std::string rule = R"([[claim]]
id = "cmd.offchip_ratio"
kind = "share"
over = ["dedup.writes_intra"]
under = ["dedup.writes"]
scheme = "cmd"
bound = true
)";
  EXPECT_LT(*one(rule).ours, *one(rule).paper);  // far below it
  EXPECT_EQ(one(rule).verdict, Verdict::reproduced);
  Runs far{*cacti_};
  far.add(run("bfs", "cmd", 1.0, 40), {}, kInput);
  const auto verdict = [&](const std::string& text) {
    return evaluate(parse_rules(text, "rules.toml", "cmd"), far).at(0).verdict;
  };
  EXPECT_EQ(verdict(rule + "at_most = 90"), Verdict::weaker);
  EXPECT_EQ(verdict(rule + "at_most = 60"), Verdict::opposite);
}

TEST_F(Claims, AnIncrementIsComparedWithTheIncrementOfThePaper) {
  runs_.add(run("bfs", "dedup", 1.0), {}, kInput);
  runs_.add(run("bfs", "dedup+car", 1.1), {}, kInput);
  const Row row = one(R"([[claim]]
id = "cmd.ipc_dedup_car"
kind = "change"
over = ["ipc"]
scheme = "dedup+car"
against = "dedup"
increment_over = "cmd.ipc_dedup_only"
)");
  EXPECT_NEAR(*row.paper, 100 * (1.2962 / 1.0952 - 1), 1e-9);  // 29.62 and 9.52
  EXPECT_NEAR(*row.ours, 10, 1e-9);
  EXPECT_EQ(row.verdict, Verdict::weaker);
  EXPECT_NE(row.what.find("increment over cmd.ipc_dedup_only"), std::string::npos);
}

TEST_F(Claims, ACauseStandsOnlyBesideWhatDiffers) {
  const std::string rule = kIpcOfCmd + "why = \"Because\"\nevidence = \"warpsieve run\"\nwhy_paper = \"For\"\n";
  runs_.add(run("bfs", "baseline", 1.0), {}, kInput);
  runs_.add(run("bfs", "cmd", 1.4), {}, kInput);
  EXPECT_EQ(one(rule).why, "") << "reproduced";
  runs_.add(run("cfd", "baseline", 1.0), {}, kInput);
  runs_.add(run("cfd", "cmd", 0.1), {}, kInput);
  EXPECT_EQ(one(rule).why, "Because");
  EXPECT_EQ(one(rule).evidence, "warpsieve run");
  runs_.is_scale("paper");
  EXPECT_EQ(one(rule).why, "For");
  EXPECT_EQ(one(rule).evidence, "");
}

/// Two kernels that need 12 and 10 registers (and one that needs 4); at 10,000 instructions each, the traffic of the
/// first two at `registers` is one transaction for each register below `first` and `second`.
ordered_json register_run(const std::string& workload, const std::string& scheme, int registers, int first,
                          int second) {
  ordered_json r = run(workload, scheme, 1);
  r["private_memory"]["kernels"] = {
      {{"kernel", "a"}, {"r_base", 12}}, {{"kernel", "b"}, {"r_base", 10}}, {{"kernel", "c"}, {"r_base", 4}}};
  const auto launch = [](const char* kernel, int transactions) {
    return ordered_json{{"kernel", kernel},
                        {"cycles", 1},
                        {"warp_instructions", 5000},
                        {"private_transactions", std::max(transactions, 0)}};
  };
  r["kernels"] = {launch("a", first - registers), launch("a", 0), launch("b", second - registers), launch("b", 0),
                  launch("c", 100)};
  return r;
}

TEST_F(Claims, RegistersCoveredAreCountedFromTheTrafficOfEachKernel) {
  for (int n = 1; n <= 14; ++n) {
    const std::vector<std::string> set = {fmt::format("spill.registers={}", n)};
    runs_.add(register_run("bfs", "baseline", n, 9, 8), set, kInput);  // covers 3 and 2
    runs_.add(register_run("bfs", "cmd", n, 6, 8), set, kInput);       // 6 and 2
    runs_.add(register_run("cfd", "baseline", n, 11, 9), set, kInput);
    runs_.add(register_run("cfd", "cmd", n, 12, 4), set, kInput);  // 0 and 6
  }
  runs_.add(register_run("mis", "cmd", 3, 9, 9), {"spill.registers=3"}, kInput);  // without a baseline: left out
  const auto claim = one(R"([[claim]]
id = "cmd.ipc_cmd"
kind = "registers"
scheme = "cmd"
against = "baseline"
kernels = ["a", "b"])");
  // bfs 4 against 2.5, cfd 3 against 1.
  EXPECT_DOUBLE_EQ(*claim.ours, 100 * (7.0 / 3.5 - 1));
  EXPECT_EQ(means(claim), (Figures{{"bfs", 1.5}, {"cfd", 2.0}}));
}

TEST_F(Claims, EveryRowOfAPaperHasAnAnswerOrAReason) {
  RuleSet set = rules("avc").at(0);
  std::erase_if(set.rules, [](const Rule& rule) { return rule.id == "avc.affine_32wide"; });
  set.not_testable.push_back({"avc.affine_32wide", "no blocks of this width"});
  const auto rows = every_row(set, runs_);
  std::size_t runs = 0, hardware = 0, nothing = 0;
  for (const Row& row : rows) {
    runs += row.answer == Answer::runs;
    hardware += row.answer == Answer::hardware;
    nothing += row.answer == Answer::nothing;
    if (row.answer == Answer::nothing) {
      EXPECT_EQ(row.id, "avc.affine_32wide");
      EXPECT_EQ(row.why, "no blocks of this width");
      EXPECT_EQ(row.verdict, Verdict::not_testable);
    }
    if (row.answer == Answer::hardware) {
      EXPECT_TRUE(row.ours) << row.id;
    }
  }
  EXPECT_EQ(rows.size(), runs + 4 + 1);
  EXPECT_EQ(hardware, 4u);
  EXPECT_EQ(nothing, 1u);
  RuleSet none;
  none.paper = "rata";
  EXPECT_THROW(every_row(none, runs_), std::logic_error);
}

TEST_F(Claims, AllRowsOfClaimsCsvAreCovered) {
  std::vector<std::string> found, wanted;
  for (const RuleSet& set : rules()) {
    for (const Row& row : every_row(set, runs_)) found.push_back(row.id);
    for (const cost::Claim& goal : set.goals) wanted.push_back(goal.id);
  }
  for (const cost::Claim& claim : cost::all_claims()) wanted.push_back(claim.id);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());  // a row has one rule for each reading
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(found, wanted);
}

TEST_F(Claims, OneMachineOnly) {
  runs_.add(run("bfs", "baseline", 1), {}, kInput);
  auto other = run("bfs", "cmd", 1);
  other["profile"] = "cmd";
  EXPECT_THROW(runs_.add(other, {}, kInput), ConfigError);
}

TEST_F(Claims, GoalsAreRowsAndTheWorstWorkloadCanStandForAll) {
  const std::string goal = R"([[claim]]
id = "cmd.lost"
kind = "removed"
goal = 1
what = "IPC lost"
over = ["ipc"]
scheme = "cmd"
against = "baseline"
bound = true
)";
  for (const auto& [workload, ipc] : {std::pair{"bfs", 0.995}, {"cfd", 0.9}, {"mis", 2.0}}) {
    runs_.add(run(workload, "baseline", 1), {}, kInput);
    runs_.add(run(workload, "cmd", ipc), {}, kInput);
  }
  const Row mean = one(goal), worst = one(goal + "worst = true\n");
  EXPECT_EQ(mean.what, "IPC lost");
  EXPECT_EQ(mean.where, "goal");
  EXPECT_EQ(mean.unit, "%");
  EXPECT_EQ(mean.paper, 1.0);
  EXPECT_NEAR(*mean.ours, (0.5 + 10 - 100) / 3, 1e-9);
  EXPECT_EQ(mean.verdict, Verdict::reproduced);
  EXPECT_EQ(mean.worst, "");
  EXPECT_NEAR(*worst.ours, 10, 1e-9);
  EXPECT_EQ(worst.worst, "cfd");
  EXPECT_EQ(worst.verdict, Verdict::opposite);
  EXPECT_EQ(worst.agree, 2u);
  EXPECT_EQ(to_json(worst)["worst"], "cfd");
  runs_.add(run("nw", "baseline", 1), {}, kInput);
  runs_.add(run("nw", "cmd", 0.98), {}, kInput);
  EXPECT_EQ(one(goal + "group = \"nw\"\n[group.nw]\nworkloads = [\"nw\"]\n").verdict, Verdict::no_effect)
      << "2 +- 3 against 1";
  EXPECT_FALSE(to_json(mean).contains("worst"));
  std::string gain = goal;
  gain.replace(gain.find("removed"), 7, "change");
  gain.replace(gain.find("bound = true"), 12, "worst = true");
  EXPECT_NEAR(*one(gain).ours, -10, 1e-9) << "no bound: the smallest";
}

TEST_F(Claims, ARunThatComesAgainHasTheSameFigures) {
  runs_.repeated("bfs", "cmd", {1.0, 1.25});
  EXPECT_TRUE(runs_.add(run("bfs", "cmd", 1.25), {}, kInput, {}, 1)) << "the same";
  EXPECT_EQ(runs_.entries().size(), 1u);
  try {
    runs_.add(run("bfs", "cmd", 1.5), {}, kInput, {}, 1);
    FAIL() << "another IPC";
  } catch (const ConfigError& e) {
    EXPECT_STREQ(e.what(), "bfs under cmd, repetition 1: ipc is 1.25 in one and 1.5 in another: expected one figure");
  }
  EXPECT_THROW(
      runs_.add(
          run("bfs", "cmd", 1.0)
              .patch(ordered_json::parse(R"([{"op": "replace", "path": "/off_chip_requests/total", "value": 201}])")),
          {}, kInput),
      ConfigError);
}

TEST_F(Claims, ASeriesNamesTheValueThatIsNoNumber) {
  for (const char* value : {"x", "3x", "-1", "4294967296"}) {
    Runs runs{*cacti_};
    runs.add(run("bfs", "cmd", 1.0), {std::string("cmd.fifo_entries=") + value}, kInput);
    try {
      runs.series("bfs", kInput, "cmd", {}, "cmd.fifo_entries");
      ADD_FAILURE() << value;
    } catch (const ConfigError& e) {
      EXPECT_EQ(std::string(e.what()), "results of bfs with cmd: cmd.fifo_entries = '" + std::string(value) +
                                           "', expected a whole number from 0 to 2^32 - 1");
    }
  }
}

}  // namespace
}  // namespace warpsieve::claims
