#include "claims/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/number.h"
#include "core/params.h"
#include "cost/energy.h"

namespace warpsieve::claims {

using nlohmann::ordered_json;

namespace {

constexpr std::uint32_t kNodeNm = 16;  // CMD's energies; only ratios of energies are ever compared
constexpr double kNegligible = 1e-4;   // AVC paper, 5.1: private transactions per instruction

/// Sum over kernels of cycles x a field of the kernel.
std::optional<double> over_kernels(const ordered_json& run, const char* field) {
  double sum = 0;
  for (const ordered_json& kernel : run.at("kernels")) {
    if (!kernel.contains(field)) return {};
    sum += kernel.at("cycles").get<double>() * kernel.at(field).get<double>();
  }
  return sum;
}

std::optional<double> geometric_mean(const std::vector<std::pair<std::string, double>>& changes) {
  double sum = 0;
  for (const auto& [name, change] : changes) {
    if (change <= -100) return {};
    sum += std::log1p(change / 100);
  }
  return 100 * std::expm1(sum / static_cast<double>(changes.size()));
}

/// The first value that the runs of one input give: what ran on different ones is not compared.
template <class F>
auto of_one_input(const RunSet& runs, const std::string& workload, F&& value_of) -> decltype(value_of("")) {
  for (const std::string& input : runs.inputs_of(workload))
    if (auto value = value_of(input)) return value;
  return {};
}

std::optional<double> figure(const Rule& rule, const RunSet& runs, const std::string& workload,
                             const std::string& input) {
  const auto named = rule.sizes.find(workload);
  const std::vector<std::string> sizes = named == rule.sizes.end() ? std::vector<std::string>() : named->second;
  const ordered_json* run = runs.find(workload, input, rule.scheme, rule.set, sizes);
  const auto x = run ? runs.ratio(*run, rule.ratio) : std::nullopt;
  if (!x) return {};
  if (rule.kind == Kind::share) return 100 * *x;
  const ordered_json* other = runs.find(workload, input, rule.against, rule.against_set, sizes);
  const auto y = other ? runs.ratio(*other, rule.ratio) : std::nullopt;
  if (!y) return {};
  if (rule.kind == Kind::points) return 100 * (*x - *y);
  if (*y == 0) return {};
  return rule.kind == Kind::change ? 100 * (*x / *y - 1) : 100 * (1 - *x / *y);
}

bool belongs(const RuleSet& set, const Group& group, const RunSet& runs, const std::string& workload) {
  if (!group.of.empty() && !belongs(set, set.groups.at(group.of), runs, workload)) return false;
  if (!group.workloads.empty())
    return std::find(group.workloads.begin(), group.workloads.end(), workload) != group.workloads.end();
  Rule by;
  by.kind = group.against.empty() ? Kind::share : Kind::change;
  by.ratio = group.ratio;
  by.scheme = group.scheme;
  by.against = group.against;
  const auto value =
      of_one_input(runs, workload, [&](const std::string& input) { return figure(by, runs, workload, input); });
  return value && (!group.above || *value > *group.above) && (!group.up_to || *value <= *group.up_to);
}

/// The workloads a rule looks at.
std::vector<std::string> members(const RuleSet& set, const Rule& rule, const RunSet& runs) {
  std::vector<std::string> names = runs.workloads();
  if (!rule.group.empty())
    std::erase_if(names,
                  [&](const std::string& name) { return !belongs(set, set.groups.at(rule.group), runs, name); });
  return names;
}

/// Private transactions per warp instruction of a kernel, all launches together.
std::optional<double> private_traffic(const ordered_json& run, const std::string& kernel) {
  double transactions = 0, instructions = 0;
  for (const ordered_json& launch : run.at("kernels")) {
    if (launch.at("kernel") != kernel) continue;
    transactions += launch.at("private_transactions").get<double>();
    instructions += launch.at("warp_instructions").get<double>();
  }
  return instructions == 0 ? std::nullopt : std::optional(transactions / instructions);
}

/// Registers of spilled data that the caches of `scheme` hold, mean of the kernels; nothing without runs.
std::optional<double> registers_covered(const Rule& rule, const RunSet& runs, const std::string& workload,
                                        const std::string& input, const std::string& scheme) {
  const auto series = runs.series(workload, input, scheme, rule.set, "spill.registers");
  if (series.empty()) return {};
  double covered = 0;
  unsigned kernels = 0;
  for (const ordered_json& kernel : series.begin()->second->at("private_memory").at("kernels")) {
    const auto base = kernel.at("r_base").get<std::uint32_t>();
    if (!rule.kernels.empty() &&
        std::find(rule.kernels.begin(), rule.kernels.end(), kernel.at("kernel")) == rule.kernels.end())
      continue;
    std::uint32_t cache = base;
    for (auto it = series.rbegin(); it != series.rend(); ++it) {
      if (it->first >= base) continue;
      const auto traffic = private_traffic(*it->second, kernel.at("kernel"));
      if (!traffic || *traffic >= kNegligible) break;
      cache = it->first;
    }
    covered += base - cache;
    ++kernels;
  }
  return kernels ? std::optional(covered / kernels) : std::nullopt;
}

/// Adds the difference of each workload; returns the change of the sum in %.
std::optional<double> register_change(const Rule& rule, const RunSet& runs, const std::vector<std::string>& members,
                                      std::vector<std::pair<std::string, double>>& workloads) {
  double with = 0, without = 0;
  for (const std::string& name : members) {
    const auto covered = of_one_input(runs, name, [&](const std::string& input) {
      const auto x = registers_covered(rule, runs, name, input, rule.scheme);
      const auto y = registers_covered(rule, runs, name, input, rule.against);
      return x && y ? std::optional(std::pair(*x, *y)) : std::nullopt;
    });
    if (!covered) continue;
    workloads.emplace_back(name, covered->first - covered->second);
    with += covered->first;
    without += covered->second;
  }
  return without == 0 ? std::nullopt : std::optional(100 * (with / without - 1));
}

/// What occurs nowhere was not measured: such a 0 is not close to the paper's figure, and no conclusion follows from
/// it.
bool nowhere(const std::vector<std::pair<std::string, double>>& workloads) {
  return std::all_of(workloads.begin(), workloads.end(), [](const auto& w) { return w.second == 0; });
}

bool conclusion_holds(const Rule& rule, double paper, double ours) {
  if (rule.at_most) return ours <= *rule.at_most;
  if (!rule.holds) return (ours > 0) == (paper > 0);
  const bool more = (paper >= 0) != rule.bound;  // the more, the better for the paper's conclusion
  return more ? ours >= *rule.holds : ours <= *rule.holds;
}

}  // namespace

double mean(const std::vector<std::pair<std::string, double>>& values) {
  double sum = 0;
  for (const auto& [name, value] : values) sum += value;
  return sum / static_cast<double>(values.size());
}

bool RunSet::add(ordered_json run, std::vector<std::string> set, std::string input, std::vector<std::string> sizes) {
  const std::string profile = run.at("profile"), workload = run.at("workload"), scheme = run.at("scheme");
  if (profile_.empty()) profile_ = profile;
  if (profile != profile_)
    throw ConfigError(fmt::format("runs of profile {} among those of {}: the figures of a paper need one machine",
                                  profile, profile_));
  std::erase_if(set, [](const std::string& assignment) { return assignment.starts_with("cmd.potential="); });
  std::sort(set.begin(), set.end());
  if (find(workload, input, scheme, set, sizes)) return true;
  const bool alone = std::none_of(runs_.begin(), runs_.end(), [&](const Entry& e) {
    return e.workload == workload && e.scheme == scheme && e.set == set && e.sizes == sizes;
  });
  runs_.push_back({workload, std::move(input), scheme, std::move(set), std::move(sizes), std::move(run)});
  return alone;
}

void RunSet::is_scale(const std::string& scale) {
  if (!scale_.empty() && scale != scale_)
    throw ConfigError(
        fmt::format("runs of scale {} among those of {}: the figures of a paper need one", scale, scale_));
  scale_ = scale;
}

const ordered_json* RunSet::find(const std::string& workload, const std::string& input, const std::string& scheme,
                                 const std::vector<std::string>& set, const std::vector<std::string>& sizes) const {
  for (const Entry& e : runs_)
    if (e.workload == workload && e.input == input && e.scheme == scheme && e.set == set && e.sizes == sizes)
      return &e.run;
  return nullptr;
}

std::map<std::uint32_t, const ordered_json*> RunSet::series(const std::string& workload, const std::string& input,
                                                            const std::string& scheme,
                                                            const std::vector<std::string>& set,
                                                            const std::string& parameter) const {
  std::map<std::uint32_t, const ordered_json*> found;
  for (const Entry& e : runs_) {
    if (e.workload != workload || e.input != input || e.scheme != scheme || !e.sizes.empty()) continue;
    std::vector<std::string> others = e.set;
    std::string value;
    std::erase_if(others, [&](const std::string& assignment) {
      const bool varied = assignment.starts_with(parameter + "=");
      if (varied) value = assignment.substr(parameter.size() + 1);
      return varied;
    });
    if (value.empty() || others != set) continue;
    const auto at = to_number<std::uint32_t>(value);
    if (!at)
      throw ConfigError(fmt::format("results of {} with {}: {} = '{}', expected a whole number from 0 to 2^32 - 1",
                                    workload, scheme, parameter, value));
    found[*at] = &e.run;
  }
  return found;
}

std::vector<std::string> RunSet::workloads() const {
  std::vector<std::string> names;
  for (const Entry& e : runs_)
    if (std::find(names.begin(), names.end(), e.workload) == names.end()) names.push_back(e.workload);
  return names;
}

std::vector<std::string> RunSet::inputs_of(const std::string& workload) const {
  std::vector<std::string> inputs;
  for (const Entry& e : runs_)
    if (e.workload == workload && std::find(inputs.begin(), inputs.end(), e.input) == inputs.end())
      inputs.push_back(e.input);
  return inputs;
}

std::optional<double> RunSet::statistic(const ordered_json& run, const std::string& name) const {
  if (name == "1") return 1.0;
  if (name == "ipc" || name == "cycles") return run.at(name).get<double>();
  if (name == "energy.off_chip")
    return cost::energy_of(cost::RunFigures::from_json(run), cacti_, kNodeNm).off_chip_nj();
  if (name == "energy.dram") return cost::dram_nj(cost::RunFigures::from_json(run));
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

namespace {

/// A row of claims.csv by one rule.
SimulatedClaim answer(const cost::Claim& claim, const Rule& rule, const RuleSet& set, const RunSet& runs) {
  SimulatedClaim found;
  found.scope = claim.scope;
  found.finding.id = claim.id;
  found.finding.what = rule.reading.empty() ? claim.metric : fmt::format("{} ({})", claim.metric, rule.reading);
  found.finding.unit = claim.unit;
  found.finding.where = claim.where;
  found.finding.paper = claim.value;
  const std::vector<std::string> wanted = members(set, rule, runs);
  std::optional<double> mean_or_sum;
  if (rule.kind == Kind::registers) {
    mean_or_sum = register_change(rule, runs, wanted, found.workloads);
  } else {
    for (const std::string& workload : wanted)
      if (const auto value = of_one_input(
              runs, workload, [&](const std::string& input) { return figure(rule, runs, workload, input); }))
        found.workloads.emplace_back(workload, *value);
    if (!rule.potential.empty()) {
      Rule reached = rule;
      reached.ratio.under = rule.potential;
      for (const std::string& workload : wanted)
        if (const auto value = of_one_input(
                runs, workload, [&](const std::string& input) { return figure(reached, runs, workload, input); }))
          found.of_potential.emplace_back(workload, *value);
    }
    const bool complete = std::all_of(rule.sizes.begin(), rule.sizes.end(), [&](const auto& named) {
      return std::any_of(found.workloads.begin(), found.workloads.end(),
                         [&](const auto& workload) { return workload.first == named.first; });
    });
    if (!complete) found.workloads.clear();  // the others alone are another figure
    if (!found.workloads.empty()) mean_or_sum = mean(found.workloads);
  }
  found.finding.bound = rule.bound;
  if (mean_or_sum) {
    const double ours = *mean_or_sum;
    const bool absent = !rule.bound && claim.value != 0 && nowhere(found.workloads);
    found.finding.verdict =
        absent ? cost::Verdict::contradicts
               : cost::judge(claim.value, ours, claim.unit, rule.bound, conclusion_holds(rule, claim.value, ours));
    found.finding.ours = ours;
    if (rule.kind == Kind::change) found.geometric = geometric_mean(found.workloads);
  }
  found.finding.why = runs.scale() == "paper" ? rule.why_paper : rule.why;
  return found;
}

}  // namespace

std::vector<SimulatedClaim> evaluate(const RuleSet& set, const RunSet& runs) {
  std::vector<SimulatedClaim> out;
  for (const cost::Claim& claim : cost::all_claims())
    for (const Rule& rule : set.rules)
      if (rule.id == claim.id) out.push_back(answer(claim, rule, set, runs));
  return out;
}

std::vector<SimulatedClaim> every_row(const RuleSet& set, const RunSet& runs) {
  std::vector<SimulatedClaim> simulated = evaluate(set, runs), out;
  const std::vector<cost::Finding> hardware = cost::findings(set.paper, runs.cacti());
  const auto with_id = [](const std::string& id) { return [&id](const auto& row) { return row.id == id; }; };
  for (const cost::Claim& claim : cost::all_claims()) {
    if (claim.paper != set.paper) continue;
    const std::size_t before = out.size();
    for (SimulatedClaim& run : simulated)
      if (run.finding.id == claim.id) out.push_back(std::move(run));
    if (out.size() != before) continue;
    SimulatedClaim row;
    row.scope = claim.scope;
    if (const auto built = std::find_if(hardware.begin(), hardware.end(), with_id(claim.id));
        built != hardware.end()) {
      row.finding = *built;
      row.finding.what = claim.metric;
      row.answer = Answer::hardware;
    } else if (const auto open = std::find_if(set.not_modelled.begin(), set.not_modelled.end(), with_id(claim.id));
               open != set.not_modelled.end()) {
      row.finding.id = claim.id;
      row.finding.what = claim.metric;
      row.finding.unit = claim.unit;
      row.finding.where = claim.where;
      row.finding.why = open->why;
      row.finding.paper = claim.value;
      row.answer = Answer::nobody;
    } else {
      throw std::logic_error(
          fmt::format("claims.csv: {}: no rule, no hardware figure, and not [[not_modelled]]", claim.id));
    }
    out.push_back(std::move(row));
  }
  return out;
}

ordered_json to_json(const SimulatedClaim& claim) {
  ordered_json j = cost::to_json(claim.finding);
  j.erase("arithmetic");
  j["scope"] = claim.scope;
  constexpr const char* kAnswers[] = {"runs", "hardware", "nobody"};
  j["answer"] = kAnswers[static_cast<unsigned>(claim.answer)];
  j["geometric"] = claim.geometric ? ordered_json(*claim.geometric) : ordered_json(nullptr);
  j["workloads"] = ordered_json::object();
  for (const auto& [name, value] : claim.workloads) j["workloads"][name] = value;
  for (const auto& [name, value] : claim.of_potential) j["of_potential"][name] = value;
  return j;
}

}  // namespace warpsieve::claims
