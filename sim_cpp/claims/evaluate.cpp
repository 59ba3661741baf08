#include "claims/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/spread.h"

namespace warpsieve::claims {

using nlohmann::ordered_json;

namespace {

constexpr double kNegligible = 1e-4;  // AVC paper, 5.1: private transactions per instruction

/// A figure of one workload in each repetition that all of its runs have.
using Series = std::map<unsigned, double>;

double mean_of(const Series& series) {
  double sum = 0;
  for (const auto& [repetition, value] : series) sum += value;
  return sum / static_cast<double>(series.size());
}

std::vector<double> values_of(const Series& series) {
  std::vector<double> values;
  for (const auto& [repetition, value] : series) values.push_back(value);
  return values;
}

Spread spread_of_series(const Series& series) { return spread_of(values_of(series)); }

/// What ran on different inputs is not compared: the first value that the runs of one input give.
template <class F>
auto of_one_input(const RunSet& runs, const std::string& workload, F&& value_of) -> decltype(value_of("")) {
  for (const std::string& input : runs.inputs_of(workload))
    if (auto value = value_of(input); !value.empty()) return value;
  return {};
}

std::optional<double> compared(Kind kind, double x, double y) {
  if (kind == Kind::points) return 100 * (x - y);
  if (y == 0) return {};
  return kind == Kind::change ? 100 * (x / y - 1) : 100 * (1 - x / y);
}

Series figure(const Rule& rule, const RunSet& runs, const std::string& workload, const std::string& input) {
  const auto named = rule.sizes.find(workload);
  const std::vector<std::string> sizes = named == rule.sizes.end() ? std::vector<std::string>() : named->second;
  const RunEntry* run = runs.find(workload, input, rule.scheme, rule.set, sizes);
  if (!run) return {};
  const bool share = rule.kind == Kind::share;
  const RunEntry* other = share ? run : runs.find(workload, input, rule.against, rule.against_set, sizes);
  if (!other) return {};
  Series out;
  for (const auto& [repetition, statistics] : run->repetitions) {
    const auto x = ratio_of(statistics, rule.ratio);
    const auto beside = other->repetitions.find(repetition);
    if (!x || beside == other->repetitions.end()) continue;
    if (share) {
      out[repetition] = 100 * *x;
    } else if (const auto y = ratio_of(beside->second, rule.ratio)) {
      if (const auto value = compared(rule.kind, *x, *y)) out[repetition] = *value;
    }
  }
  return out;
}

Series figure(const Rule& rule, const RunSet& runs, const std::string& workload) {
  return of_one_input(runs, workload, [&](const std::string& input) { return figure(rule, runs, workload, input); });
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
  const Series series = figure(by, runs, workload);
  if (series.empty()) return false;
  const double value = mean_of(series);
  return (!group.above || value > *group.above) && (!group.up_to || value <= *group.up_to);
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
std::optional<double> private_traffic(const Statistics& statistics, const std::string& kernel) {
  const auto transactions = statistics.find(kKernelPrefix + kernel + kPrivate),
             instructions = statistics.find(kKernelPrefix + kernel + kInstructions);
  if (transactions == statistics.end() || instructions == statistics.end() || instructions->second == 0) return {};
  return transactions->second / instructions->second;
}

/// Registers that each kernel needs, by its name.
std::map<std::string, double> kernels_of(const Statistics& statistics) {
  std::map<std::string, double> out;
  const std::string_view prefix = kKernelPrefix, suffix = kNeeded;
  for (const auto& [name, value] : statistics)
    if (name.starts_with(prefix) && name.ends_with(suffix))
      out[name.substr(prefix.size(), name.size() - prefix.size() - suffix.size())] = value;
  return out;
}

/// Registers of spilled data that the caches of `scheme` hold, mean of the kernels, in each repetition.
Series registers_covered(const Rule& rule, const RunSet& runs, const std::string& workload, const std::string& input,
                         const std::string& scheme) {
  const auto series = runs.series(workload, input, scheme, rule.set, "spill.registers");
  if (series.empty()) return {};
  Series out;
  for (const auto& [repetition, first] : series.begin()->second->repetitions) {
    double covered = 0;
    unsigned kernels = 0;
    for (const auto& [kernel, base] : kernels_of(first)) {
      if (!rule.kernels.empty() && std::find(rule.kernels.begin(), rule.kernels.end(), kernel) == rule.kernels.end())
        continue;
      double cache = base;
      for (auto it = series.rbegin(); it != series.rend(); ++it) {
        if (it->first >= base) continue;
        const auto run = it->second->repetitions.find(repetition);
        const auto traffic =
            run == it->second->repetitions.end() ? std::nullopt : private_traffic(run->second, kernel);
        if (!traffic || *traffic >= kNegligible) break;
        cache = it->first;
      }
      covered += base - cache;
      ++kernels;
    }
    if (kernels) out[repetition] = covered / kernels;
  }
  return out;
}

struct Named {
  std::string workload;
  Series series;
};

/// What the row's mean is made of.
struct Figures {
  std::vector<Named> workloads;
  Spread all;  ///< of the row's figure
  unsigned repetitions = 0;
};

/// Drops the repetitions that some workload lacks.
void keep_common(std::vector<Named>& workloads) {
  for (Named& w : workloads)
    std::erase_if(w.series, [&](const auto& value) {
      return std::any_of(workloads.begin(), workloads.end(),
                         [&](const Named& other) { return !other.series.contains(value.first); });
    });
}

/// Of each workload the difference in registers; the row is the change of the sums, in %.
Figures register_figures(const Rule& rule, const RunSet& runs, const std::vector<std::string>& names) {
  Figures out;
  std::vector<Named> with, without;
  for (const std::string& name : names)
    for (const std::string& input : runs.inputs_of(name)) {
      Series x = registers_covered(rule, runs, name, input, rule.scheme),
             y = registers_covered(rule, runs, name, input, rule.against);
      std::erase_if(x, [&](const auto& v) { return !y.contains(v.first); });
      std::erase_if(y, [&](const auto& v) { return !x.contains(v.first); });
      if (x.empty()) continue;
      with.push_back({name, std::move(x)});
      without.push_back({name, std::move(y)});
      break;
    }
  keep_common(with);
  if (with.empty()) return out;
  Series all;
  for (const auto& [repetition, ignored] : with.front().series) {
    double sum = 0, base = 0;
    for (std::size_t i = 0; i < with.size(); ++i) {
      sum += with[i].series.at(repetition);
      base += without[i].series.at(repetition);
    }
    if (base != 0) all[repetition] = 100 * (sum / base - 1);
  }
  if (!all.empty()) out.all = spread_of_series(all);
  out.repetitions = static_cast<unsigned>(all.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    for (auto& [repetition, value] : with[i].series) value -= without[i].series.at(repetition);
    if (!with[i].series.empty()) out.workloads.push_back(std::move(with[i]));
  }
  return out;
}

Figures run_figures(const Rule& rule, const RunSet& runs, const std::vector<std::string>& names) {
  Figures out;
  for (const std::string& workload : names)
    if (Series series = figure(rule, runs, workload); !series.empty())
      out.workloads.push_back({workload, std::move(series)});
  const bool complete = std::all_of(rule.sizes.begin(), rule.sizes.end(), [&](const auto& named) {
    return std::any_of(out.workloads.begin(), out.workloads.end(),
                       [&](const Named& w) { return w.workload == named.first; });
  });
  if (!complete) out.workloads.clear();  // the others alone are another figure
  if (out.workloads.empty()) return out;
  const auto count = [](const Named& w) { return w.series.size(); };
  const auto [least, most] = std::ranges::minmax(out.workloads, {}, count);
  if (count(least) < count(most)) {  // the sweep repeats some of them more often ([repeat_at_least.SCALE])
    std::vector<std::vector<double>> measured;
    for (const Named& w : out.workloads) measured.push_back(values_of(w.series));
    out.all = spread_of_mean(measured);
    out.repetitions = static_cast<unsigned>(count(most));
    return out;
  }
  keep_common(out.workloads);
  Series all;
  for (const auto& [repetition, ignored] : out.workloads.front().series) {
    double sum = 0;
    for (const Named& w : out.workloads) sum += w.series.at(repetition);
    all[repetition] = sum / static_cast<double>(out.workloads.size());
  }
  if (all.empty()) return {};
  out.all = spread_of_series(all);
  out.repetitions = static_cast<unsigned>(all.size());
  return out;
}

std::optional<double> geometric_mean(const std::vector<WorkloadFigure>& changes) {
  double sum = 0;
  for (const WorkloadFigure& w : changes) {
    if (w.mean <= -100) return {};
    sum += std::log1p(w.mean / 100);
  }
  return 100 * std::expm1(sum / static_cast<double>(changes.size()));
}

double median_of(const std::vector<WorkloadFigure>& workloads) {
  std::vector<double> sorted;
  for (const WorkloadFigure& w : workloads) sorted.push_back(w.mean);
  std::sort(sorted.begin(), sorted.end());
  return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

/// Whether a workload's own figure says what the paper's does.
bool agrees(const Rule& rule, double paper, const WorkloadFigure& w) {
  if (rule.bound) return w.mean <= paper;
  const double sign = paper < 0 ? -1 : 1;
  if (rule.at_most) return sign * w.mean <= sign * *rule.at_most;
  if (rule.kind == Kind::share) return w.mean > 0 && w.mean >= least(paper, rule.holds);
  return sign * w.mean > w.noise;
}

/// The workload that is furthest from what the rule asks for.
const WorkloadFigure& worst_of(const Rule& rule, const std::vector<WorkloadFigure>& workloads) {
  const auto [least, most] = std::ranges::minmax_element(workloads, {}, &WorkloadFigure::mean);
  return rule.bound ? *most : *least;
}

/// The paper's figure for what is added to that of another row.
double increment(Kind kind, double sum, double base) {
  switch (kind) {
    case Kind::change: return 100 * ((1 + sum / 100) / (1 + base / 100) - 1);
    case Kind::removed: return 100 * (1 - (1 - sum / 100) / (1 - base / 100));
    default: return sum - base;
  }
}

cost::Claim claim_of(const RuleSet& set, const std::string& id) {
  const std::vector<cost::Claim> all = rows_of(set);
  const auto found = std::find_if(all.begin(), all.end(), [&](const cost::Claim& c) { return c.id == id; });
  if (found == all.end()) throw std::logic_error("claims.csv has no " + id);
  return *found;
}

Row row_of(const cost::Claim& claim) {
  Row row;
  row.id = claim.id;
  row.what = claim.metric;
  row.scope = claim.scope;
  row.unit = claim.unit;
  row.where = claim.where;
  row.paper = claim.value;
  return row;
}

/// A row of claims.csv by one rule.
Row answer(const cost::Claim& claim, const Rule& rule, const RuleSet& set, const RunSet& runs) {
  Row row = row_of(claim);
  if (!rule.reading.empty()) row.what += fmt::format(" ({})", rule.reading);
  if (!rule.increment_over.empty()) {
    row.paper = increment(rule.kind, claim.value, claim_of(set, rule.increment_over).value);
    row.what += fmt::format(" (increment over {})", rule.increment_over);
  }
  row.bound = rule.bound;
  const std::vector<std::string> wanted = members(set, rule, runs);
  const Figures found =
      rule.kind == Kind::registers ? register_figures(rule, runs, wanted) : run_figures(rule, runs, wanted);
  // A count above 0 is above 0 however often it is repeated; a difference has noise even where it was not measured.
  const double unmeasured = rule.kind == Kind::share ? 0 : kDefaultNoise;
  for (const Named& w : found.workloads) {
    const Spread s = spread_of_series(w.series);
    const double alone = rule.kind == Kind::registers ? 0 : unmeasured;
    row.workloads.push_back({w.workload, s.mean, s.deviation, w.series.size() > 1 ? s.half : alone});
  }
  for (const std::string& workload : rule.potential.empty() ? std::vector<std::string>() : wanted) {
    Rule reached = rule;
    reached.ratio.under = rule.potential;
    if (const Series series = figure(reached, runs, workload); !series.empty())
      row.of_potential.emplace_back(workload, mean_of(series));
  }
  if (found.repetitions) {
    const Spread& s = found.all;
    row.ours = s.mean;
    row.deviation = s.deviation;
    row.repetitions = found.repetitions;
    row.noise = row.repetitions > 1 ? s.half : unmeasured;
    if (rule.worst) {
      const WorkloadFigure& worst = worst_of(rule, row.workloads);
      row.ours = worst.mean;
      row.deviation = worst.deviation;
      row.noise = worst.noise;
      row.worst = worst.name;
    }
    row.median = median_of(row.workloads);
    if (rule.kind == Kind::change && !rule.worst) row.geometric = geometric_mean(row.workloads);
    row.agree = static_cast<std::size_t>(std::count_if(row.workloads.begin(), row.workloads.end(),
                                                       [&](const auto& w) { return agrees(rule, *row.paper, w); }));
    row.verdict = judge({*row.paper, *row.ours, row.noise, claim.unit == "%", rule.bound, false, rule.holds,
                         rule.at_most, row.workloads.size(), row.agree});
  }
  if (row.verdict != Verdict::reproduced) {
    const bool paper_scale = runs.scale() == "paper", quarter = runs.scale() == "quarter";
    row.why = paper_scale ? rule.why_paper : quarter ? rule.why : "";
    row.evidence = paper_scale ? rule.evidence_paper : quarter ? rule.evidence : "";
  }
  return row;
}

}  // namespace

double mean(const std::vector<std::pair<std::string, double>>& values) {
  double sum = 0;
  for (const auto& [name, value] : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::vector<Row> evaluate(const RuleSet& set, const RunSet& runs) {
  std::vector<Row> out;
  for (const cost::Claim& claim : rows_of(set))
    for (const Rule& rule : set.rules)
      if (rule.id == claim.id && rule.kind != Kind::hardware) out.push_back(answer(claim, rule, set, runs));
  return out;
}

std::vector<Row> hardware_rows(const std::string& paper, cost::Source& cacti) {
  std::vector<Row> out;
  for (const RuleSet& set : rules(paper))
    for (const cost::Finding& f : cost::findings(set.paper, cacti)) {
      const auto rule = std::find_if(set.rules.begin(), set.rules.end(), [&](const Rule& r) { return r.id == f.id; });
      Row row;
      row.id = f.id;
      row.what = f.what;
      row.scope = f.scope;
      row.unit = f.unit;
      row.where = f.where;
      row.in_claims = f.in_claims;
      row.bound = f.bound;
      row.paper = f.paper;
      row.ours = f.ours;
      row.answer = Answer::hardware;
      row.why = f.why;
      row.evidence = "warpsieve claims --area";
      row.arithmetic = f.arithmetic;
      const bool known = rule != set.rules.end();
      const auto goal =
          std::find_if(set.goals.begin(), set.goals.end(), [&](const cost::Claim& c) { return c.id == f.id; });
      if (goal != set.goals.end()) row.paper = goal->value;
      if (f.in_claims && !known)
        throw std::logic_error(fmt::format("claims.csv: {}: no rule of kind hardware", f.id));
      if (!row.paper)
        row.verdict = Verdict::not_stated;
      else if (f.ours)
        row.verdict = judge({*row.paper,
                             *f.ours,
                             0,
                             f.unit == "%",
                             f.bound,
                             true,
                             {},
                             known ? rule->at_most : std::optional<double>(),
                             1,
                             1});
      else
        row.verdict = Verdict::not_testable;
      out.push_back(std::move(row));
    }
  const auto& claims = cost::all_claims();
  const auto rank = [&](const Row& row) {
    return std::find_if(claims.begin(), claims.end(), [&](const cost::Claim& c) { return c.id == row.id; }) -
           claims.begin();
  };
  std::stable_sort(out.begin(), out.end(), [&](const Row& a, const Row& b) { return rank(a) < rank(b); });
  return out;
}

std::vector<Row> every_row(const RuleSet& set, const RunSet& runs) {
  std::vector<Row> simulated = evaluate(set, runs), built = hardware_rows(set.paper, runs.cacti()), out;
  for (const cost::Claim& claim : rows_of(set)) {
    const std::size_t before = out.size();
    for (std::vector<Row>* from : {&simulated, &built})
      for (Row& row : *from)
        if (row.id == claim.id) out.push_back(std::move(row));
    if (out.size() != before) continue;
    const auto open = std::find_if(set.not_testable.begin(), set.not_testable.end(),
                                   [&](const NotTestable& n) { return n.id == claim.id; });
    if (open == set.not_testable.end())
      throw std::logic_error(fmt::format("claims.csv: {}: no rule, and not [[not_testable]]", claim.id));
    Row row = row_of(claim);
    row.why = open->why;
    row.answer = Answer::nothing;
    row.verdict = Verdict::not_testable;
    out.push_back(std::move(row));
  }
  return out;
}

ordered_json to_json(const Row& row) {
  const auto optional = [](const std::optional<double>& x) { return x ? ordered_json(*x) : ordered_json(nullptr); };
  constexpr const char* kAnswers[] = {"runs", "hardware", "nothing"};
  ordered_json j = {{"id", row.id},
                    {"in_claims_csv", row.in_claims},
                    {"what", row.what},
                    {"scope", row.scope},
                    {"unit", row.unit},
                    {"where", row.where},
                    {"paper", optional(row.paper)},
                    {"ours", optional(row.ours)},
                    {"bound", row.bound},
                    {"answer", kAnswers[static_cast<unsigned>(row.answer)]},
                    {"verdict", to_string(row.verdict)},
                    {"why", row.why},
                    {"evidence", row.evidence}};
  if (row.answer == Answer::hardware) j["arithmetic"] = row.arithmetic;
  if (row.answer != Answer::runs) return j;
  if (!row.worst.empty()) j["worst"] = row.worst;
  j["deviation"] = row.deviation;
  j["noise"] = row.noise;
  j["repetitions"] = row.repetitions;
  j["median"] = optional(row.median);
  j["geometric"] = optional(row.geometric);
  j["agree"] = row.agree;
  j["workloads"] = ordered_json::object();
  for (const WorkloadFigure& w : row.workloads)
    j["workloads"][w.name] = {{"mean", w.mean}, {"deviation", w.deviation}, {"noise", w.noise}};
  for (const auto& [name, value] : row.of_potential) j["of_potential"][name] = value;
  return j;
}

bool DramLoad::bound() const { return std::max(bus, activates) >= kDramBound; }

std::vector<DramLoad> dram_loads(const RunSet& runs) {
  std::vector<DramLoad> out;
  std::set<std::string> seen;
  for (const RunEntry& e : runs.entries()) {
    if (e.scheme != "baseline" && e.scheme != "lamar") continue;
    if (!e.given.sizes.empty() || seen.contains(e.workload)) continue;
    DramLoad load{e.workload, 0, 0};
    double count = 0;
    for (const auto& [repetition, statistics] : e.repetitions) {
      const auto bus = statistics.find(kBusShare), activates = statistics.find(kActivateShare);
      if (bus == statistics.end() || activates == statistics.end()) continue;
      load.bus += bus->second;
      load.activates += activates->second;
      ++count;
    }
    if (count == 0) continue;
    load.bus /= count;
    load.activates /= count;
    seen.insert(e.workload);
    out.push_back(std::move(load));
  }
  return out;
}

}  // namespace warpsieve::claims
