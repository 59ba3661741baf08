#include "report/measured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>

namespace warpsieve::report {

namespace {

using nlohmann::ordered_json;

/// One run of a scheme, or of a variant of it (variants.h), beside the baseline's of the same workload, profile, seed
/// and place.
struct Pair {
  const ResultRun *base, *mine;
};

std::vector<Pair> pairs(const Results& results, const std::string& scheme, const std::string& variant) {
  std::map<std::string, const ResultRun*> bases;
  const auto key = [](const ResultRun& r) {
    return fmt::format("{} {} {} {}", r.run["workload"].get<std::string>(), r.run["profile"].get<std::string>(),
                       r.seed, fmt::join(r.at, " "));
  };
  for (const ResultRun& r : results.runs)
    if (r.scheme == "baseline") bases[key(r)] = &r;
  std::vector<Pair> out;
  for (const ResultRun& r : results.runs)
    if (const auto found = bases.find(key(r)); found != bases.end() && (r.scheme == scheme || r.scheme == variant))
      out.push_back({found->second, &r});
  return out;
}

double requests(const ResultRun& r, const char* kind) { return r.run["off_chip_requests"].value(kind, 0.0); }

/// Percent of the baseline's requests that are gone; nothing where it has none.
std::optional<double> removed(const Pair& p, const char* kind) {
  const double base = requests(*p.base, kind);
  if (base == 0) return std::nullopt;
  return 100 * (1 - requests(*p.mine, kind) / base);
}

std::optional<double> ipc_change(const Pair& p) {
  return 100 * (p.mine->run["ipc"].get<double>() / p.base->run["ipc"].get<double>() - 1);
}

std::optional<double> read_only_removed(const Pair& p) { return removed(p, "read_only"); }

constexpr const char* kFifo = "cmd.fifo_entries";

struct Measure {
  const char* claim;
  const char* scheme;
  std::optional<double> (*value)(const Pair&);
  std::uint64_t fifo_entries = 0;  ///< only runs with so many, alone or of a sweep over them; 0: no sweep over axes
};

constexpr Measure kMeasures[] = {
    {"cmd.offchip_reduction", "cmd", [](const Pair& p) { return removed(p, "total"); }},
    {"cmd.write_reduction", "cmd", [](const Pair& p) { return removed(p, "write"); }},
    {"cmd.data_read_reduction", "cmd", [](const Pair& p) { return removed(p, "data_read"); }},
    {"cmd.read_only_reduction", "cmd", read_only_removed},
    {"cmd.ipc_cmd", "cmd", ipc_change},
    {"cmd.ipc_dedup_only", "dedup", ipc_change},
    {"cmd.ipc_dedup_car", "dedup+car", ipc_change},
    {"cmd.ipc_5mb", "l2_5mb", ipc_change},
    {"cmd.fifo_1", "cmd", read_only_removed, 1},
    {"cmd.fifo_2", "cmd", read_only_removed, 2},
    {"cmd.fifo_4", "cmd", read_only_removed, 4},
    {"cmd.fifo_8", "cmd", read_only_removed, 8},
    {"cmd.fifo_16", "cmd", read_only_removed, 16},
    {"cmd.fifo_32", "cmd", read_only_removed, 32},
};

/// Whether the run says something about the claim: the paper's machine, not one that an axis has changed.
bool counts(const Measure& m, const Results& results, const ResultRun& r) {
  if (m.fifo_entries == 0) return results.axes.empty();
  const ordered_json& report = r.run["scheme_report"];
  const bool other_axes =
      results.axes.size() > 1 ||
      (results.axes.size() == 1 && results.axes.front().parameters != std::vector<std::string>{kFifo});
  if (other_axes || !report.contains("parameters")) return false;
  const auto entries = report["parameters"].find(kFifo);
  return entries != report["parameters"].end() && *entries == m.fifo_entries;
}

ordered_json not_here(const cost::Claim& c) {
  return {{"id", c.id},
          {"what", c.metric + ", " + c.scope},
          {"where", c.where},
          {"unit", c.unit},
          {"paper", c.value},
          {"ours", nullptr},
          {"verdict", "not in these results"},
          {"why", ""}};
}

/// The mean of what the results have, over the seeds of each workload first; the verdict's direction: the same sign
/// as the paper's.
ordered_json measured(const cost::Claim& c, const Measure& m, const Results& results) {
  struct Mean {
    std::string workload;
    double sum = 0;
    double count = 0;
  };
  std::vector<Mean> workloads;
  std::size_t count = 0;
  const std::string with_fifo = fmt::format("{} ({}={})", m.scheme, kFifo, m.fifo_entries);
  for (const Pair& p : pairs(results, m.scheme, m.fifo_entries ? with_fifo : m.scheme)) {
    const auto value = counts(m, results, *p.mine) ? m.value(p) : std::nullopt;
    if (!value) continue;
    const std::string name = p.mine->run["workload"].get<std::string>();
    auto mean = std::find_if(workloads.begin(), workloads.end(), [&](const Mean& w) { return w.workload == name; });
    if (mean == workloads.end()) mean = workloads.insert(mean, Mean{name, 0, 0});
    mean->sum += *value;
    ++mean->count;
    ++count;
  }
  ordered_json out = not_here(c);
  if (count == 0) return out;
  double ours = 0;
  std::vector<std::string> names;
  for (const Mean& w : workloads) {
    ours += w.sum / w.count / static_cast<double>(workloads.size());
    names.push_back(w.workload);
  }
  out["ours"] = ours;
  out["verdict"] = to_string(cost::judge(c.value, ours, c.unit, false, (ours > 0) == (c.value > 0) && ours != 0));
  out["why"] = fmt::format("mean of {} runs of {}: {}; the paper has other workloads", count, m.scheme,
                           fmt::join(names, ", "));
  return out;
}

}  // namespace

ordered_json claim_data(const Results& results, const std::vector<cost::Finding>& hardware) {
  ordered_json out = ordered_json::array();
  for (const cost::Claim& c : cost::all_claims()) {
    const auto found =
        std::find_if(hardware.begin(), hardware.end(), [&](const cost::Finding& f) { return f.id == c.id; });
    const auto* measure =
        std::find_if(std::begin(kMeasures), std::end(kMeasures), [&](const Measure& m) { return c.id == m.claim; });
    if (found != hardware.end()) {
      out.push_back(to_json(*found));
    } else if (measure != std::end(kMeasures)) {
      out.push_back(measured(c, *measure, results));
    } else {
      out.push_back(not_here(c));
    }
  }
  return out;
}

}  // namespace warpsieve::report
