#include "claims/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/params.h"
#include "cost/energy.h"

namespace warpsieve::claims {

using nlohmann::ordered_json;

namespace {

constexpr std::uint32_t kNodeNm = 16;  // CMD's energies; only ratios of energies are ever compared

/// Sum over kernels of cycles x a field of the kernel.
std::optional<double> over_kernels(const ordered_json& run, const char* field) {
  double sum = 0;
  for (const ordered_json& kernel : run.at("kernels")) {
    if (!kernel.contains(field)) return {};
    sum += kernel.at("cycles").get<double>() * kernel.at(field).get<double>();
  }
  return sum;
}

double mean(const std::vector<std::pair<std::string, double>>& values) {
  double sum = 0;
  for (const auto& [name, value] : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::optional<double> geometric_mean(const std::vector<std::pair<std::string, double>>& changes) {
  double sum = 0;
  for (const auto& [name, change] : changes) {
    if (change <= -100) return {};
    sum += std::log1p(change / 100);
  }
  return 100 * std::expm1(sum / static_cast<double>(changes.size()));
}

/// The workloads a rule looks at.
std::vector<std::string> members(const RuleSet& set, const Rule& rule, const RunSet& runs) {
  std::vector<std::string> names = runs.workloads();
  if (rule.group.empty()) return names;
  const Group& group = set.groups.at(rule.group);
  std::erase_if(names, [&](const std::string& name) {
    if (!group.workloads.empty())
      return std::find(group.workloads.begin(), group.workloads.end(), name) == group.workloads.end();
    const ordered_json* run = runs.find(name, group.scheme, {});
    const auto value = run ? runs.ratio(*run, group.ratio) : std::nullopt;
    return !value || 100 * *value <= group.above || 100 * *value > group.up_to;
  });
  return names;
}

std::optional<double> figure(const Rule& rule, const RunSet& runs, const std::string& workload) {
  const ordered_json* run = runs.find(workload, rule.scheme, rule.set);
  const auto x = run ? runs.ratio(*run, rule.ratio) : std::nullopt;
  if (!x) return {};
  if (rule.kind == Kind::share) return 100 * *x;
  const ordered_json* other = runs.find(workload, rule.against, rule.against_set);
  const auto y = other ? runs.ratio(*other, rule.ratio) : std::nullopt;
  if (!y) return {};
  if (rule.kind == Kind::points) return 100 * (*x - *y);
  if (*y == 0) return {};
  return rule.kind == Kind::change ? 100 * (*x / *y - 1) : 100 * (1 - *x / *y);
}

}  // namespace

void RunSet::add(ordered_json run, std::vector<std::string> set) {
  const std::string profile = run.at("profile"), workload = run.at("workload"), scheme = run.at("scheme");
  if (profile_.empty()) profile_ = profile;
  if (profile != profile_)
    throw ConfigError(fmt::format("runs of profile {} among those of {}: the figures of a paper need one machine",
                                  profile, profile_));
  std::sort(set.begin(), set.end());
  if (!find(workload, scheme, set)) runs_.push_back({workload, scheme, std::move(set), std::move(run)});
}

const ordered_json* RunSet::find(const std::string& workload, const std::string& scheme,
                                 const std::vector<std::string>& set) const {
  for (const Entry& e : runs_)
    if (e.workload == workload && e.scheme == scheme && e.set == set) return &e.run;
  return nullptr;
}

std::vector<std::string> RunSet::workloads() const {
  std::vector<std::string> names;
  for (const Entry& e : runs_)
    if (std::find(names.begin(), names.end(), e.workload) == names.end()) names.push_back(e.workload);
  return names;
}

std::optional<double> RunSet::statistic(const ordered_json& run, const std::string& name) const {
  if (name == "1") return 1.0;
  if (name == "ipc" || name == "cycles") return run.at(name).get<double>();
  if (name == "energy.off_chip")
    return cost::energy_of(cost::RunFigures::from_json(run), cacti_, kNodeNm).off_chip_nj();
  if (name == "shared.spare") return over_kernels(run, "spare_shared_bytes");  // byte cycles of one SM
  if (name == "shared.all") {
    const auto cycles = over_kernels(run, "cycles");
    double sum = 0;
    for (const ordered_json& kernel : run.at("kernels")) sum += kernel.at("cycles").get<double>();
    return cycles ? std::optional(sum * run.at("parameters").at("sm.shared_bytes").get<double>()) : std::nullopt;
  }
  const std::string report = "report.";
  if (name.starts_with(report)) {
    const ordered_json& figures = run.at("scheme_report");
    const auto found = figures.find(name.substr(report.size()));
    return found == figures.end() || !found->is_number() ? std::nullopt : std::optional(found->get<double>());
  }
  const std::string kinds = "off_chip.";
  const bool off_chip = name.starts_with(kinds);
  const ordered_json& table = off_chip ? run.at("off_chip_requests") : run.at("counters");
  const std::string key = off_chip ? name.substr(kinds.size()) : name;
  if (!table.contains(key)) return {};
  return table.at(key).get<double>();
}

std::optional<double> RunSet::ratio(const ordered_json& run, const Ratio& ratio) const {
  const auto sum = [&](const std::vector<std::string>& names) -> std::optional<double> {
    double total = 0;
    for (const std::string& name : names) {
      const bool minus = name.starts_with('-');
      const auto value = statistic(run, minus ? name.substr(1) : name);
      if (!value) return {};
      total += minus ? -*value : *value;
    }
    return total;
  };
  const auto over = sum(ratio.over);
  const auto under = ratio.under.empty() ? std::optional(1.0) : sum(ratio.under);
  if (!over || !under || *under == 0) return {};
  return *over / *under;
}

std::vector<SimulatedClaim> evaluate(const RuleSet& set, const RunSet& runs) {
  std::vector<SimulatedClaim> out;
  for (const cost::Claim& claim : cost::all_claims()) {
    const auto rule =
        std::find_if(set.rules.begin(), set.rules.end(), [&](const Rule& r) { return r.id == claim.id; });
    if (rule == set.rules.end()) continue;
    SimulatedClaim found;
    found.scope = claim.scope;
    found.finding.id = claim.id;
    found.finding.what = claim.metric;
    found.finding.unit = claim.unit;
    found.finding.where = claim.where;
    found.finding.paper = claim.value;
    for (const std::string& workload : members(set, *rule, runs))
      if (const auto value = figure(*rule, runs, workload)) found.workloads.emplace_back(workload, *value);
    if (!found.workloads.empty()) {
      const double ours = mean(found.workloads);
      const bool holds = rule->holds ? (claim.value >= 0 ? ours >= *rule->holds : ours <= *rule->holds)
                                     : (ours > 0) == (claim.value > 0);
      found.finding.ours = ours;
      found.finding.verdict = cost::judge(claim.value, ours, claim.unit, false, holds);
      if (rule->kind == Kind::change) found.geometric = geometric_mean(found.workloads);
    }
    found.finding.why = rule->why;
    out.push_back(std::move(found));
  }
  return out;
}

ordered_json to_json(const SimulatedClaim& claim) {
  ordered_json j = cost::to_json(claim.finding);
  j.erase("arithmetic");
  j["scope"] = claim.scope;
  j["geometric"] = claim.geometric ? ordered_json(*claim.geometric) : ordered_json(nullptr);
  j["workloads"] = ordered_json::object();
  for (const auto& [name, value] : claim.workloads) j["workloads"][name] = value;
  return j;
}

}  // namespace warpsieve::claims
