#include "report/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/params.h"
#include "report/add_once.h"

namespace warpsieve::report {

namespace {

using nlohmann::ordered_json;

/// Of the repetitions that both have. 0 of the baseline has no ratio.
std::vector<double> ratios(const ordered_json& run, const ordered_json& base, const char* figure) {
  const std::vector<double> mine = repetitions(run, figure), theirs = repetitions(base, figure);
  std::vector<double> out;
  for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i)
    if (theirs[i] > 0) out.push_back(mine[i] / theirs[i]);
  return out;
}

bool first_place(const ResultRun& run) {
  return std::all_of(run.at.begin(), run.at.end(), [](std::size_t v) { return v == 0; });
}

}  // namespace

std::vector<double> repetitions(const ordered_json& run, const char* figure) {
  if (const auto repeats = run.find("repeats"); repeats != run.end())
    return repeats->at(figure).at("values").get<std::vector<double>>();
  const ordered_json& value = run.at(figure);
  return {value.is_object() ? value.at("total").get<double>() : value.get<double>()};
}

void check_repetitions(const ordered_json& run, const std::string& where) {
  if (!run.contains("repeats")) return;
  for (const char* figure : {"ipc", "off_chip_requests"}) {
    const ordered_json::json_pointer place(fmt::format("/repeats/{}/values", figure));
    const bool there = run.contains(place) && run[place].is_array() && !run[place].empty() &&
                       std::all_of(run[place].begin(), run[place].end(),
                                   [](const ordered_json& v) { return v.is_number() && v.get<double>() >= 0; });
    if (!there)
      throw ConfigError(fmt::format("{}: 'repeats.{}.values': expected a list of numbers from 0", where, figure));
  }
}

Comparison compare(const Results& results) {
  Comparison out;
  std::vector<std::string> all;
  std::set<std::uint64_t> seeds;
  std::set<std::string> profiles;
  for (const ResultRun& r : results.runs) {
    add_once(all, r.scheme);
    seeds.insert(r.seed);
    profiles.insert(r.run["profile"].get<std::string>());
  }
  out.seeds = seeds.size();
  out.profiles = profiles.size();
  out.base_of.assign(results.runs.size(), Comparison::kNoBase);
  if (all.empty()) return out;
  out.alone = all.size() == 1 && !results.axes.empty();
  out.base = std::find(all.begin(), all.end(), "baseline") != all.end() ? "baseline" : all.front();
  out.base_name = out.base;
  if (out.alone) {
    std::vector<std::string> places;
    for (const ResultAxis& a : results.axes) places.push_back(a.name + " " + a.labels.front());
    out.base_name += fmt::format(" at {}", fmt::join(places, ", "));
  }
  for (const std::string& scheme : all)
    if (scheme != out.base || out.alone) out.schemes.push_back(scheme);

  const auto key = [&](const ResultRun& r) {
    return fmt::format("{}\n{}\n{}\n{}", r.run["workload"].get<std::string>(), r.run["profile"].get<std::string>(),
                       r.seed, out.alone ? "" : fmt::format("{}", fmt::join(r.at, " ")));
  };
  std::map<std::string, std::size_t> bases;
  for (std::size_t i = 0; i < results.runs.size(); ++i)
    if (const ResultRun& r = results.runs[i]; r.scheme == out.base && (!out.alone || first_place(r)))
      bases[key(r)] = i;
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    const ResultRun& r = results.runs[i];
    const auto base = bases.find(key(r));
    if (base == bases.end()) continue;
    out.base_of[i] = base->second;
    if (r.scheme == out.base && !out.alone) continue;
    const ordered_json& theirs = results.runs[base->second].run;
    out.runs.push_back({i, base->second, ratios(r.run, theirs, "ipc"), ratios(r.run, theirs, "off_chip_requests")});
  }
  return out;
}

std::string group_label(const Comparison& comparison, const ResultRun& run) {
  const auto workload = run.run["workload"].get<std::string>();
  return comparison.profiles > 1 ? fmt::format("{} ({})", workload, run.run["profile"].get<std::string>()) : workload;
}

double geometric_mean(const std::vector<double>& values) {
  double logarithms = 0;
  for (const double v : values) logarithms += std::log(v);
  return std::exp(logarithms / static_cast<double>(values.size()));
}

std::string list_of(const std::vector<std::string>& names, const char* plural) {
  constexpr std::size_t kMost = 4;
  if (names.empty()) return fmt::format("no {}", plural);
  if (names.size() > kMost) return fmt::format("{} {}", names.size(), plural);
  if (names.size() == 1) return names.front();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

}  // namespace warpsieve::report
