// claims: what is wrong with a rule, and the built-in rules against the registries.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "claims/evaluate.h"
#include "claims/run_set.h"
#include "core/number.h"
#include "support/tree.h"
#include "sweep/sweep_file.h"
#include "workloads/registry.h"
#include "workloads/suites.h"

namespace warpsieve::claims {
namespace {

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
  EXPECT_NE(message("[[claim]]\nid = \"cmd.x\"\nkind = \"mean\"")
                .find("share, change, removed, points, registers or hardware"),
            std::string::npos);
  EXPECT_NE(message("[[claim]]\nid = \"cmd.x\"\nkind = \"share\"\nover = [\"ipc\"]\nscheme = \"cmd\"\nholds = 1\n"
                    "group = \"no\"")
                .find("group 'no' is not defined"),
            std::string::npos);
  EXPECT_NE(
      message("[[claim]]\nid = \"cmd.x\"\nkind = \"change\"\nover = [\"ipc\"]\nscheme = \"cmd\"").find("against"),
      std::string::npos);
  const std::string by_ipc = "scheme = \"cmd\"\nover = [\"ipc\"]\n";
  for (const std::string& group : {std::string("above = 3"), by_ipc, by_ipc + "above = 3\nworkloads = [\"bfs\"]"})
    EXPECT_NE(message("[group.a]\n" + group).find("rules.toml:1: expected either workloads"), std::string::npos);
  const std::string of_b = "[group.a]\nof = \"b\"\n" + by_ipc + "above = 3\n";
  for (const std::string& b : {std::string(), "[group.b]\nof = \"a\"\n" + by_ipc + "up_to = 3"})
    EXPECT_NE(message(of_b + b).find("rules.toml:1: of: 'b': expected a group of this file that has no of"),
              std::string::npos);
  EXPECT_NE(message("[[claim").find("rules.toml:1:"), std::string::npos);
  EXPECT_NE(message("[[not_testable]]\nid = \"cmd.x\"").find("rules.toml:1: expected why"), std::string::npos);
  EXPECT_NE(message("[[claim]]\nid = \"cmd.x\"\nkind = \"share\"\nover = [\"ipc\"]\nscheme = \"cmd\"\nbound = 1")
                .find("rules.toml:6: bound: expected true or false"),
            std::string::npos);
  const std::string share = "[[claim]]\nid = \"cmd.x\"\nkind = \"share\"\nover = [\"ipc\"]\nscheme = \"cmd\"\n";
  EXPECT_NE(message(share + "evidence = \"x\"").find("rules.toml:1: evidence: expected the why"), std::string::npos);
  EXPECT_NE(message(share + "why_as = \"cmd.y\"").find("rules.toml:1: why_as: 'cmd.y': expected a claim"),
            std::string::npos);
  EXPECT_NE(message("[[claim]]\nid = \"cmd.x\"\nkind = \"hardware\"\nscheme = \"cmd\"").find("of kind hardware"),
            std::string::npos);
  EXPECT_NE(message(share + "holds = 1\nat_most = 2").find("holds or at_most, not both"), std::string::npos);
  EXPECT_NE(message(share + "worst = 1").find("rules.toml:6: worst: expected true or false"), std::string::npos);
  for (const char* half : {"goal = 3", "what = \"IPC\"", "unit = \"GE\""})
    EXPECT_NE(message(share + half).find("rules.toml:1: expected goal and what together"), std::string::npos) << half;
  const std::string goal = share + "goal = 3\nwhat = \"IPC\"\n";
  EXPECT_NE(message(goal + share + "goal = 3\nwhat = \"IPC\"\nreading = \"again\"")
                .find("rules.toml:8: goal: 'cmd.x' has one above"),
            std::string::npos);
  EXPECT_EQ(message(goal + share + "reading = \"again\""), "no error");
  EXPECT_THROW(rules("cdm"), ConfigError);
}

TEST(ClaimRules, EveryFileOfRulesIsReadAndNamesItsSet) {
  std::set<std::string> files, sets;
  for (const auto& file : std::filesystem::directory_iterator(tb::in_sources("sim_cpp/configs/claims")))
    files.insert(file.path().stem());
  for (const RuleSet& set : rules()) {
    sets.insert(set.paper);
    EXPECT_EQ(rules(set.paper).size(), 1u) << set.paper;
  }
  EXPECT_EQ(sets, files);
}

TEST(ClaimRules, BuiltInRulesNameClaimsSchemesAndWorkloadsThatExistAndRunsThatTheSweepsMake) {
  std::set<std::string> seen;
  for (const RuleSet& set : rules()) {
    struct Made {
      std::string workload, scheme;
      std::vector<std::string> set, sizes;
    };
    std::vector<Made> made;
    for (const ClaimSweep& builtin : claim_sweeps(set.paper))
      for (const sweep::Point& point : sweep::parse_sweep(builtin.text, builtin.file).points) {
        made.push_back({point.spec.workload, point.spec.scheme, point.spec.set,
                        named_sizes(set, point.spec.workload, point.spec.sizes)});
        std::erase(made.back().set, "cmd.potential=1");  // as RunSet::add
        std::sort(made.back().set.begin(), made.back().set.end());
      }
    const auto makes = [&](const std::string& scheme, const std::vector<std::string>& given) {
      return std::any_of(made.begin(), made.end(),
                         [&](const Made& m) { return m.scheme == scheme && m.set == given; });
    };
    for (const auto& [name, group] : set.groups) {
      for (const std::string& workload : group.workloads) EXPECT_NO_THROW(workloads::workload_info(workload));
      if (!group.scheme.empty()) {
        EXPECT_TRUE(makes(group.scheme, {})) << set.paper << ' ' << name;
      }
      if (!group.against.empty()) {
        EXPECT_TRUE(makes(group.against, {})) << set.paper << ' ' << name;
      }
    }
    for (const Rule& rule : set.rules) {
      EXPECT_TRUE(seen.insert(rule.id + rule.reading).second) << rule.id;
      const std::vector<cost::Claim> rows = rows_of(set);
      const auto is_claim = [&](const std::string& id) {
        return std::any_of(rows.begin(), rows.end(), [&](const cost::Claim& c) { return c.id == id; });
      };
      EXPECT_TRUE(is_claim(rule.id) || rule.kind == Kind::hardware) << rule.id;
      EXPECT_TRUE(rule.increment_over.empty() || is_claim(rule.increment_over)) << rule.id;
      for (const std::string& evidence : {rule.evidence, rule.evidence_paper})
        EXPECT_TRUE(evidence.empty() || evidence.starts_with("warpsieve ")) << rule.id;
      if (rule.kind == Kind::hardware) continue;
      if (rule.kind == Kind::registers) {
        for (const char* count : {"spill.registers=1", "spill.registers=20"}) {
          EXPECT_TRUE(makes(rule.scheme, {count})) << rule.id;
          EXPECT_TRUE(makes(rule.against, {count})) << rule.id;
        }
        continue;
      }
      EXPECT_TRUE(makes(rule.scheme, rule.set)) << rule.id;
      for (const auto& [workload, sizes] : rule.sizes)
        EXPECT_TRUE(std::any_of(made.begin(), made.end(),
                                [&, &workload = workload, &sizes = sizes](const Made& m) {
                                  return m.workload == workload && m.scheme == rule.scheme && m.set == rule.set &&
                                         m.sizes == sizes;
                                }))
            << rule.id << ' ' << workload;
      if (!rule.against.empty()) {
        EXPECT_TRUE(makes(rule.against, rule.against_set)) << rule.id;
      }
    }
  }
  EXPECT_GE(seen.size(), 50u);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, at);) out.push_back(word);
  return out;
}

/// The commands behind causes are commands that this program takes. Energies are of a run that the same line makes.
TEST(ClaimRules, EvidenceIsACommandThatRuns) {
  const std::string energy = " && warpsieve energy out.json";
  const std::set<std::string> energies = {energy + " --terms", energy + " --clock gated",
                                          energy + " --terms --clock gated"};
  std::set<std::string> commands;
  for (const RuleSet& set : rules())
    for (const Rule& rule : set.rules)
      for (const std::string& evidence : {rule.evidence, rule.evidence_paper}) {
        EXPECT_FALSE(evidence.starts_with("warpsieve energy ")) << rule.id << ": of which run?";
        if (!evidence.starts_with("warpsieve run ")) continue;
        const std::size_t end = evidence.find(" && ");
        commands.insert(evidence.substr(0, end));
        if (end == std::string::npos) continue;
        EXPECT_TRUE(energies.contains(evidence.substr(end))) << rule.id;
        EXPECT_TRUE(evidence.substr(0, end).ends_with(" --json out.json")) << rule.id;
      }
  EXPECT_GE(commands.size(), 10u);
  for (const std::string& command : commands) {
    SCOPED_TRACE(command);
    const std::vector<std::string> words = split(command, ' ');
    run::RunSpec spec;
    std::vector<std::string> names, schemes;
    for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
      const std::string &option = words[i], &value = words[i + 1];
      if (option == "-w")
        names = split(value, ',');
      else if (option == "--suite")
        for (const workloads::SuiteRun& run : workloads::load_suite(value).runs) names.push_back(run.workload);
      else if (option == "-s" || option == "--compare")
        for (const std::string& scheme : split(value, ',')) schemes.push_back(scheme);
      else if (option == "-p")
        spec.profile = value;
      else if (option == "--scale")
        spec.scale = value;
      else if (option == "--set")
        spec.set.push_back(value);
      else if (option == "--size")
        spec.sizes.push_back(value);
      else if (option == "--repeat")
        EXPECT_LE(to_number<unsigned>(value).value_or(run::kRepetitions + 1), run::kRepetitions);
      else
        EXPECT_EQ(option, "--json");
    }
    ASSERT_FALSE(names.empty());
    ASSERT_FALSE(schemes.empty());
    for (const std::string& name : names)
      for (const std::string& scheme : schemes) {
        spec.workload = name;
        spec.scheme = scheme;
        EXPECT_NO_THROW(run::check(spec)) << name << ' ' << scheme;
      }
  }
}

/// Thesis 5.2 to 5.4: "the group having better IPC than DPC" and "1% difference compared to the baseline".
TEST(ClaimRules, FiguresOfDpcsFirstGroupAreOfFavourableWorkloadsThatGainAndMissesAreAgainstTheBaseline) {
  const RuleSet set = rules("dpc").at(0);
  const Group& gaining = set.groups.at("gaining");
  EXPECT_EQ(gaining.of, "favourable");
  EXPECT_EQ(gaining.scheme + " against " + gaining.against, "df_man+rc against dpc");
  EXPECT_EQ(gaining.ratio.over, std::vector<std::string>{"ipc"});
  EXPECT_EQ(gaining.above, 0);
  std::set<std::string> first;
  for (const Rule& rule : set.rules) {
    EXPECT_NE(rule.group, "favourable") << rule.id;
    if (rule.group == "gaining") first.insert(rule.id);
    if (rule.id == "dpc.missrate_unfavourable") {
      EXPECT_EQ(rule.against, "baseline");
    }
  }
  EXPECT_EQ(first, (std::set<std::string>{"dpc.ipc_over_dpc_favourable", "dpc.space_dfman", "dpc.space_dpc",
                                          "dpc.traffic_dpc_favourable"}));
}

}  // namespace
}  // namespace warpsieve::claims
