#include "claims/rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <sstream>

#include "core/builtin_text.h"
#include "core/name_lookup.h"
#include "core/params.h"
#include "core/toml_reader.h"
#include "workloads/registry.h"

namespace warpsieve::claims {

// Defined by the generated sources, see CMakeLists.txt.
std::span<const BuiltinText> builtin_rule_files();
std::span<const BuiltinText> builtin_claim_sweeps();

namespace {

constexpr std::array<std::pair<const char*, Kind>, 6> kKinds{{{"share", Kind::share},
                                                              {"change", Kind::change},
                                                              {"removed", Kind::removed},
                                                              {"points", Kind::points},
                                                              {"registers", Kind::registers},
                                                              {"hardware", Kind::hardware}}};

Group read_group(const TomlReader& in, const toml::table& table) {
  in.only(table, {"workloads", "of", "scheme", "against", "over", "under", "above", "up_to"});
  Group group{in.texts(table, "workloads"),
              in.text(table, "of"),
              in.text(table, "scheme"),
              in.text(table, "against"),
              {in.texts(table, "over"), in.texts(table, "under")},
              in.number(table, "above"),
              in.number(table, "up_to")};
  const bool complete = !group.scheme.empty() && !group.ratio.over.empty() && (group.above || group.up_to);
  const bool by_figure = !group.scheme.empty() || !group.against.empty() || !group.ratio.over.empty();
  if (group.workloads.empty() ? !complete : by_figure)
    in.fail(table, "expected either workloads, or scheme, over, under and above");
  return group;
}

/// `of` names a group that stands by itself, so that no group can be part of itself.
void check_parents(const TomlReader& in, const toml::table& groups, const RuleSet& set) {
  for (const auto& [name, node] : groups) {
    const std::string& of = set.groups.at(std::string(name.str())).of;
    if (of.empty()) continue;
    const auto parent = set.groups.find(of);
    if (parent == set.groups.end() || !parent->second.of.empty())
      in.fail(node, fmt::format("of: '{}': expected a group of this file that has no of", of));
  }
}

std::string read_id(const TomlReader& in, const toml::table& table, const RuleSet& set) {
  const std::string id = in.text(table, "id");
  if (!id.starts_with(set.paper + ".")) in.fail(table, fmt::format("id: expected {}.NAME", set.paper));
  return id;
}

/// Copies the causes of rules that others refer to. `nodes`: where each rule stands.
void share_causes(const TomlReader& in, const std::vector<const toml::node*>& nodes, std::vector<Rule>& rules) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].why_as.empty()) continue;
    const auto other = std::find_if(rules.begin(), rules.end(), [&](const Rule& r) {
      return r.id == rules[i].why_as && !(r.why + r.why_paper).empty() && r.why_as.empty();
    });
    if (other == rules.end())
      in.fail(*nodes[i], fmt::format("why_as: '{}': expected a claim of this file that has a why", rules[i].why_as));
    rules[i].why = other->why;
    rules[i].why_paper = other->why_paper;
    rules[i].evidence = other->evidence;
    rules[i].evidence_paper = other->evidence_paper;
  }
}

/// What a rule of its kind needs, and what it cannot have.
void check_kind(const TomlReader& in, const toml::table& table, const Rule& rule) {
  if (rule.kind == Kind::hardware) {
    if (!rule.scheme.empty() || !rule.ratio.over.empty() || rule.holds || !rule.potential.empty())
      in.fail(table, "a rule of kind hardware: expected id, kind and perhaps at_most");
    return;
  }
  const bool counted = rule.kind == Kind::registers;
  if (rule.scheme.empty() || rule.ratio.over.empty() != counted)
    in.fail(table, "expected scheme, and over for every kind but registers");
  if (rule.holds && rule.at_most) in.fail(table, "expected holds or at_most, not both");
  if (rule.worst && counted) in.fail(table, "worst: expected for every kind but registers");
  if (!rule.potential.empty() && rule.kind != Kind::share) in.fail(table, "potential: expected for a share alone");
  if (counted && !rule.sizes.empty()) in.fail(table, "sizes: expected for every kind but registers");
  if ((rule.kind == Kind::share) != rule.against.empty())
    in.fail(table, "against: expected for every kind but share");
  for (const auto& [why, evidence] : {std::pair{&rule.why, &rule.evidence}, {&rule.why_paper, &rule.evidence_paper}})
    if (!evidence->empty() && why->empty()) in.fail(table, "evidence: expected the why that it shows");
}

/// The row of the newest rule, where it states a goal. Another reading of the same row states none.
void add_goal(const TomlReader& in, const toml::table& table, RuleSet& set) {
  const Rule& rule = set.rules.back();
  const auto goal = in.number(table, "goal");
  const std::string what = in.text(table, "what"), unit = in.text(table, "unit");
  if (goal.has_value() == what.empty() || (!goal && !unit.empty()))
    in.fail(table, "expected goal and what together, and unit only with them");
  if (!goal) return;
  if (std::any_of(set.goals.begin(), set.goals.end(), [&](const cost::Claim& c) { return c.id == rule.id; }))
    in.fail(table, fmt::format("goal: '{}' has one above", rule.id));
  const std::string scope = rule.group.empty() ? "all workloads" : rule.group;
  set.goals.push_back({rule.id, set.paper, scope, what, unit.empty() ? "%" : unit, *goal, "goal", ""});
}

Rule read_rule(const TomlReader& in, const toml::table& table, const RuleSet& set) {
  in.only(table, {"id",      "kind",        "over",           "under", "scheme",    "against",   "group",
                  "set",     "against_set", "sizes",          "holds", "at_most",   "potential", "bound",
                  "kernels", "reading",     "increment_over", "why",   "why_paper", "evidence",  "evidence_paper",
                  "why_as",  "worst",       "goal",           "what",  "unit"});
  Rule rule;
  rule.id = read_id(in, table, set);
  const std::string kind = in.text(table, "kind");
  const auto known = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& k) { return k.first == kind; });
  if (known == kKinds.end()) in.fail(table, "kind: expected share, change, removed, points, registers or hardware");
  rule.kind = known->second;
  rule.ratio = {in.texts(table, "over"), in.texts(table, "under")};
  rule.scheme = in.text(table, "scheme");
  rule.against = in.text(table, "against");
  rule.group = in.text(table, "group");
  rule.set = in.texts(table, "set");
  rule.against_set = in.texts(table, "against_set");
  std::sort(rule.set.begin(), rule.set.end());
  std::sort(rule.against_set.begin(), rule.against_set.end());
  for (const std::string& size : in.texts(table, "sizes")) {
    const auto dot = size.find('.');
    if (dot == std::string::npos || size.find('=', dot) == std::string::npos)
      in.fail(table, fmt::format("sizes: '{}': expected WORKLOAD.NAME=VALUE", size));
    rule.sizes[size.substr(0, dot)].push_back(size.substr(dot + 1));
  }
  for (auto& [workload, sizes] : rule.sizes) std::sort(sizes.begin(), sizes.end());
  rule.holds = in.number(table, "holds");
  rule.at_most = in.number(table, "at_most");
  rule.why = in.text(table, "why");
  rule.why_paper = in.text(table, "why_paper");
  rule.evidence = in.text(table, "evidence");
  rule.evidence_paper = in.text(table, "evidence_paper");
  rule.why_as = in.text(table, "why_as");
  if (!rule.why_as.empty() && !(rule.why + rule.why_paper).empty())
    in.fail(table, "expected why or why_as, not both");
  rule.increment_over = in.text(table, "increment_over");
  rule.reading = in.text(table, "reading");
  for (const Rule& other : set.rules)
    if (other.id == rule.id && other.reading == rule.reading)
      in.fail(table, fmt::format("id: '{}': expected another reading than the rule above", rule.id));
  rule.bound = in.flag(table, "bound");
  rule.worst = in.flag(table, "worst");
  rule.kernels = in.texts(table, "kernels");
  rule.potential = in.texts(table, "potential");
  check_kind(in, table, rule);
  if (!rule.group.empty() && !set.groups.count(rule.group))
    in.fail(table, fmt::format("group '{}' is not defined in this file", rule.group));
  return rule;
}

/// "cmd" of "cmd_fifo".
std::string paper_of(std::string_view name) { return std::string(name.substr(0, name.find('_'))); }

void check_paper(const std::string& paper) {
  std::vector<std::string> known;
  for (const BuiltinText& f : builtin_rule_files()) known.emplace_back(f.name);
  if (!paper.empty() && std::find(known.begin(), known.end(), paper) == known.end())
    throw ConfigError("unknown paper " + expected_one_of(paper, known));
}

}  // namespace

RuleSet parse_rules(std::string_view text, const std::string& file, const std::string& paper) {
  const TomlReader in(file, text);
  in.only(in.root(), {"group", "claim", "not_testable"});
  RuleSet set;
  set.paper = paper;
  if (const toml::node* groups = in.root().get("group")) {
    if (!groups->is_table()) in.fail(*groups, "expected [group.NAME]");
    for (const auto& [name, node] : *groups->as_table()) {
      if (!node.is_table()) in.fail(node, "expected [group.NAME]");
      set.groups[std::string(name.str())] = read_group(in, *node.as_table());
    }
    check_parents(in, *groups->as_table(), set);
  }
  if (const toml::node* claims = in.root().get("claim")) {
    if (!claims->is_array_of_tables()) in.fail(*claims, "expected [[claim]]");
    std::vector<const toml::node*> nodes;
    for (const toml::node& node : *claims->as_array()) {
      set.rules.push_back(read_rule(in, *node.as_table(), set));
      add_goal(in, *node.as_table(), set);
      nodes.push_back(&node);
    }
    share_causes(in, nodes, set.rules);
  }
  if (const toml::node* rows = in.root().get("not_testable")) {
    if (!rows->is_array_of_tables()) in.fail(*rows, "expected [[not_testable]]");
    for (const toml::node& node : *rows->as_array()) {
      const toml::table& table = *node.as_table();
      in.only(table, {"id", "why"});
      set.not_testable.push_back({read_id(in, table, set), in.text(table, "why")});
      if (set.not_testable.back().why.empty()) in.fail(table, "expected why");
    }
  }
  return set;
}

std::vector<cost::Claim> rows_of(const RuleSet& set) {
  std::vector<cost::Claim> rows = set.goals;
  for (const cost::Claim& claim : cost::all_claims())
    if (claim.paper == set.paper) rows.push_back(claim);
  return rows;
}

std::vector<RuleSet> rules(const std::string& paper) {
  check_paper(paper);
  constexpr std::array<std::string_view, 7> order{"cmd", "rata", "justit", "dpc", "avc", "sieve", "rtx3070"};
  const auto files = builtin_rule_files();
  std::vector<BuiltinText> sorted(files.begin(), files.end());  // what is not in `order` comes last
  std::ranges::stable_sort(sorted, {}, [&](const BuiltinText& f) { return std::ranges::find(order, f.name); });
  std::vector<RuleSet> sets;
  for (const BuiltinText& f : sorted)
    if (paper.empty() || paper == f.name) sets.push_back(parse_rules(f.text, f.file, std::string(f.name)));
  return sets;
}

std::vector<std::string> named_sizes(const RuleSet& set, const std::string& workload,
                                     const std::vector<std::string>& sizes) {
  std::vector<std::string> named;
  for (const std::string& size : sizes)
    if (std::any_of(set.rules.begin(), set.rules.end(), [&](const Rule& rule) {
          const auto wanted = rule.sizes.find(workload);
          return wanted != rule.sizes.end() && std::binary_search(wanted->second.begin(), wanted->second.end(), size);
        }))
      named.push_back(size);
  std::sort(named.begin(), named.end());
  return named;
}

namespace {

std::string text_of(const toml::table& table) {
  std::ostringstream text;
  text << table << "\n";
  return text.str();
}

}  // namespace

ClaimSweep repeated(const ClaimSweep& sweep, unsigned repetitions) {
  toml::table root = TomlReader(sweep.file, sweep.text).root();
  root.insert_or_assign("repeat", static_cast<std::int64_t>(repetitions));
  return {sweep.name, sweep.file, text_of(root)};
}

std::string whole_machine(std::string profile) {
  constexpr std::string_view kQuarter = "-quarter";
  if (profile.ends_with(kQuarter)) profile.resize(profile.size() - kQuarter.size());
  return profile;
}

ClaimSweep at_scale(const ClaimSweep& sweep, const std::string& scale) {
  workloads::parse_scale(scale);
  toml::table root = TomlReader(sweep.file, sweep.text).root();
  root.insert_or_assign("profile", whole_machine(root["profile"].value_or(std::string())));
  root.insert_or_assign("scale", scale);
  return {sweep.name + "_" + scale, sweep.file, text_of(root)};
}

std::vector<ClaimSweep> claim_sweeps(const std::string& paper) {
  check_paper(paper);
  std::vector<ClaimSweep> sweeps;
  for (const BuiltinText& s : builtin_claim_sweeps()) {
    if (paper.empty() || paper_of(s.name) == paper) sweeps.push_back({s.name, s.file, s.text});
  }
  return sweeps;
}

}  // namespace warpsieve::claims
