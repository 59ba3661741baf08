// claims: rules against runs made by hand; the built-in rules and sweeps against the registries.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "claims/evaluate.h"
#include "core/params.h"
#include "cost/cacti/query.h"
#include "schemes/registry.h"
#include "sweep/sweep_file.h"
#include "workloads/registry.h"

namespace warpsieve::claims {
namespace {

using nlohmann::ordered_json;

ordered_json run(const std::string& workload, const std::string& scheme, double ipc, int writes = 0) {
  return {{"workload", workload},
          {"scheme", scheme},
          {"profile", "cmd-quarter"},
          {"ipc", ipc},
          {"cycles", 100},
          {"off_chip_requests", {{"write", writes}, {"total", 200}}},
          {"counters", {{"dedup.writes", 50}, {"dedup.writes_intra", writes}}},
          {"kernels", {{{"cycles", 10}, {"spare_shared_bytes", 30}}, {{"cycles", 30}, {"spare_shared_bytes", 10}}}},
          {"parameters", {{"sm.shared_bytes", 40}}},
          {"scheme_report", {{"captured", 0.5}, {"parameters", ordered_json::object()}}}};
}

class Claims : public ::testing::Test {
 protected:
  std::unique_ptr<cost::Source> cacti_ = cost::make_source("recorded");
  RunSet runs_{*cacti_};
  std::vector<SimulatedClaim> evaluated(const std::string& rules) {
    return evaluate(parse_rules(rules, "rules.toml", "cmd"), runs_);
  }
  SimulatedClaim one(const std::string& rules) {
    const auto found = evaluated(rules);
    EXPECT_EQ(found.size(), 1u);
    return found.at(0);
  }
};

TEST_F(Claims, ChangeIsTheArithmeticMeanOfTheWorkloadsWithTheGeometricBesideIt) {
  runs_.add(run("bfs", "baseline", 1.0), {});
  runs_.add(run("bfs", "cmd", 1.5), {});
  runs_.add(run("cfd", "baseline", 2.0), {});
  runs_.add(run("cfd", "cmd", 1.6), {});
  runs_.add(run("mis", "cmd", 9.0), {});  // without a baseline: left out
  const auto claim = one(R"([[claim]]
id = "cmd.ipc_cmd"
kind = "change"
over = ["ipc"]
scheme = "cmd"
against = "baseline")");
  EXPECT_DOUBLE_EQ(*claim.finding.ours, 15.0);
  EXPECT_NEAR(*claim.geometric, 100 * (std::sqrt(1.5 * 0.8) - 1), 1e-9);
  EXPECT_EQ(claim.workloads.size(), 2u);
  EXPECT_EQ(*claim.finding.paper, 37.79);
  EXPECT_EQ(claim.finding.verdict, cost::Verdict::direction);
}

TEST_F(Claims, SharesRemovalsAndPoints) {
  runs_.add(run("bfs", "baseline", 1, 100), {});
  runs_.add(run("bfs", "cmd", 1, 25), {});
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
[[claim]]
id = "cmd.inter_dup"
kind = "share"
over = ["report.captured"]
scheme = "cmd")");
  std::map<std::string, double> ours;
  for (const auto& claim : found) ours[claim.finding.id] = *claim.finding.ours;
  EXPECT_DOUBLE_EQ(ours["cmd.write_reduction"], 75);
  EXPECT_DOUBLE_EQ(ours["cmd.intra_dup"], 50);
  EXPECT_DOUBLE_EQ(ours["cmd.offchip_write"], -37.5);
  EXPECT_DOUBLE_EQ(ours["cmd.extra_read"], 100.0 * 600 / 1600);  // (10 * 30 + 30 * 10) / (40 cycles * 40 bytes)
  EXPECT_DOUBLE_EQ(ours["cmd.inter_dup"], 50);
}

TEST_F(Claims, RunsAreFoundByTheParametersTheyWereGiven) {
  runs_.add(run("bfs", "baseline", 1.0), {});
  runs_.add(run("bfs", "cmd", 2.0), {});
  runs_.add(run("bfs", "cmd", 3.0), {"cmd.fifo_entries=8"});
  const std::string rule = R"([[claim]]
id = "cmd.ipc_cmd"
kind = "change"
over = ["ipc"]
scheme = "cmd"
against = "baseline"
)";
  EXPECT_DOUBLE_EQ(*one(rule).finding.ours, 100);
  EXPECT_DOUBLE_EQ(*one(rule + "set = [\"cmd.fifo_entries=8\"]").finding.ours, 200);
  EXPECT_FALSE(one(rule + "set = [\"cmd.fifo_entries=9\"]").finding.ours);
  EXPECT_EQ(one(rule + "set = [\"cmd.fifo_entries=9\"]").finding.verdict, cost::Verdict::not_modelled);
}

TEST_F(Claims, GroupsByNameAndByFigure) {
  runs_.add(run("bfs", "baseline", 1.0, 10), {});
  runs_.add(run("bfs", "cmd", 2.0, 10), {});
  runs_.add(run("cfd", "baseline", 1.0, 40), {});
  runs_.add(run("cfd", "cmd", 4.0, 40), {});
  const std::string claim = R"([[claim]]
id = "cmd.ipc_cmd"
kind = "change"
over = ["ipc"]
scheme = "cmd"
against = "baseline"
group = "some")";
  EXPECT_DOUBLE_EQ(*one("[group.some]\nworkloads = [\"bfs\"]\n" + claim).finding.ours, 100);
  const std::string figure =
      "[group.some]\nscheme = \"cmd\"\nover = [\"dedup.writes_intra\"]\nunder = [\"dedup.writes\"]\n";
  EXPECT_DOUBLE_EQ(*one(figure + "above = 50\n" + claim).finding.ours, 300);
  EXPECT_DOUBLE_EQ(*one(figure + "up_to = 50\n" + claim).finding.ours, 100);
}

TEST_F(Claims, ConclusionHoldsBySignOrBound) {
  runs_.add(run("bfs", "baseline", 1.0), {});
  runs_.add(run("bfs", "esd", 1.1), {});
  const auto claim = one(R"([[claim]]
id = "cmd.ipc_esd"
kind = "change"
over = ["ipc"]
scheme = "esd"
against = "baseline")");
  EXPECT_EQ(claim.finding.verdict, cost::Verdict::contradicts);  // the paper: -3.98
  runs_.add(run("bfs", "cmd", 1.1), {});
  const std::string rule = R"([[claim]]
id = "cmd.ipc_cmd"
kind = "change"
over = ["ipc"]
scheme = "cmd"
against = "baseline"
)";
  EXPECT_EQ(one(rule).finding.verdict, cost::Verdict::direction);
  EXPECT_EQ(one(rule + "holds = 20").finding.verdict, cost::Verdict::contradicts);
}

TEST_F(Claims, OneMachineOnly) {
  runs_.add(run("bfs", "baseline", 1), {});
  auto other = run("bfs", "cmd", 1);
  other["profile"] = "cmd";
  EXPECT_THROW(runs_.add(other, {}), ConfigError);
}

TEST(ClaimRules, ErrorsNameFileAndLine) {
  const auto message = [](const std::string& text) {
    try {
      parse_rules(text, "rules.toml", "cmd");
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("[[claim]]\nid = 1").substr(0, 13), "rules.toml:2:");
  EXPECT_NE(message("x = 1").find("unknown key 'x'"), std::string::npos);
  EXPECT_NE(message("[[claim]]\nid = \"rata.x\"").find("expected cmd.NAME"), std::string::npos);
  EXPECT_NE(message("[[claim]]\nid = \"cmd.x\"\nkind = \"mean\"").find("share, change, removed or points"),
            std::string::npos);
  EXPECT_NE(message("[[claim]]\nid = \"cmd.x\"\nkind = \"share\"\nover = [\"ipc\"]\nscheme = \"cmd\"\ngroup = \"no\"")
                .find("group 'no' is not defined"),
            std::string::npos);
  EXPECT_NE(
      message("[[claim]]\nid = \"cmd.x\"\nkind = \"change\"\nover = [\"ipc\"]\nscheme = \"cmd\"").find("against"),
      std::string::npos);
  EXPECT_NE(message("[group.a]\nabove = 3").find("expected either workloads"), std::string::npos);
  EXPECT_NE(message("[[claim").find("rules.toml:1:"), std::string::npos);
  EXPECT_THROW(rules("cdm"), ConfigError);
}

TEST(ClaimRules, BuiltInRulesNameClaimsSchemesAndWorkloadsThatExistAndRunsThatTheSweepsMake) {
  std::set<std::string> seen;
  for (const RuleSet& set : rules()) {
    struct Made {
      std::string scheme;
      std::vector<std::string> set;
    };
    std::vector<Made> made;
    for (const ClaimSweep& builtin : claim_sweeps(set.paper))
      for (const sweep::Point& point : sweep::parse_sweep(builtin.text, builtin.file).points) {
        made.push_back({point.spec.scheme, point.spec.set});
        std::sort(made.back().set.begin(), made.back().set.end());
      }
    const auto makes = [&](const std::string& scheme, const std::vector<std::string>& given) {
      return std::any_of(made.begin(), made.end(),
                         [&](const Made& m) { return m.scheme == scheme && m.set == given; });
    };
    for (const auto& [name, group] : set.groups) {
      for (const std::string& workload : group.workloads) EXPECT_NO_THROW(workloads::workload_info(workload));
      if (!group.scheme.empty()) EXPECT_TRUE(makes(group.scheme, {})) << set.paper << ' ' << name;
    }
    for (const Rule& rule : set.rules) {
      EXPECT_TRUE(seen.insert(rule.id).second) << rule.id;
      EXPECT_TRUE(std::any_of(cost::all_claims().begin(), cost::all_claims().end(), [&](const cost::Claim& c) {
        return c.id == rule.id;
      })) << rule.id;
      EXPECT_TRUE(makes(rule.scheme, rule.set)) << rule.id;
      if (!rule.against.empty()) EXPECT_TRUE(makes(rule.against, rule.against_set)) << rule.id;
    }
  }
  EXPECT_GE(seen.size(), 50u);
}

}  // namespace
}  // namespace warpsieve::claims
