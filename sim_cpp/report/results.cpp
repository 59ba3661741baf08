#include "report/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "core/number.h"
#include "core/params.h"
#include "memsys/profile.h"
#include "report/add_once.h"
#include "report/comparison.h"
#include "report/variants.h"
#include "run/atomic_file.h"
#include "run/run_json.h"
#include "schemes/registry.h"
#include "sweep/database.h"
#include "sweep/store.h"

namespace warpsieve::report {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// Values of `found` unlike those of `usual`, as assignments.
std::vector<std::string> changes(const ordered_json& found, const ordered_json& usual) {
  std::vector<std::string> out;
  for (const auto& [name, value] : found.items())
    if (!usual.contains(name) || usual[name] != value) out.push_back(fmt::format("{}={}", name, value.dump()));
  return out;
}

/// Of a file without its command. Parameters of a machine file or an unknown scheme have nothing to be compared with.
std::string settings(const ordered_json& json, const std::string& path) {
  std::vector<std::string> out;
  if (const std::string scale = run::text_field(json, path, "scale"); !scale.empty()) out.push_back("scale " + scale);
  if (json.contains("sizes") && json["sizes"].is_array())
    for (const ordered_json& size : json["sizes"])
      if (size.is_string()) add_once(out, size.get<std::string>());
  for (const ordered_json& run : json["runs"]) {
    const auto profile = run["profile"].get<std::string>(), scheme = run["scheme"].get<std::string>();
    try {
      const auto known = memsys::profile_names();
      if (std::find(known.begin(), known.end(), profile) != known.end())
        for (const std::string& c : changes(run["parameters"], memsys::load_profile(profile).parameters()))
          add_once(out, fmt::format("{} with {}", scheme, c));
      const ordered_json report = schemes::make_scheme(scheme, {})->report();
      if (report.contains("parameters") && run["scheme_report"].contains("parameters"))
        for (const std::string& c : changes(run["scheme_report"]["parameters"], report["parameters"]))
          add_once(out, fmt::format("{} with {}", scheme, c));
    } catch (const std::exception&) {
      continue;
    }
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string how_made(const ordered_json& json, const std::string& path) {
  const std::string command = run::text_field(json, path, "command");
  return command.empty() ? "(command not recorded) " + settings(json, path) : command;
}

void add_runs(Results& out, const std::string& text, const std::string& path) {
  const ordered_json json = run::parse_runs(text, path, ", a sweep's directory or its database");
  add_once(out.versions, run::text_field(json, path, "version"));
  add_once(out.inputs, run::text_field(json, path, "input"));
  add_once(out.warnings, run::incomplete_warning(json, path));
  out.sources.push_back({path, how_made(json, path)});
  const std::uint64_t seed = run::whole_field(json, path, "seed", 1);
  const std::string input = run::text_field(json, path, "input");
  std::vector<std::string> sizes;
  if (json.contains("sizes") && json["sizes"].is_array())
    for (const ordered_json& size : json["sizes"])
      if (size.is_string()) sizes.push_back(size.get<std::string>());
  std::size_t number = 0;
  for (const ordered_json& run : json["runs"]) {
    check_repetitions(run, fmt::format("{}: run {}", path, ++number));
    out.runs.push_back({run, run["scheme"].get<std::string>(), seed, {}, ""});
    out.runs.back().workload = run["workload"].get<std::string>();
    out.runs.back().input = input;
    out.runs.back().sizes = sizes;
  }
}

/// `format` is the first member of what the program writes.
bool has_format(std::string_view text, std::string_view format) {
  return text.substr(0, 100).find(fmt::format("\"{}\"", format)) != std::string_view::npos;
}

/// Curves whose x are numbers, with what the rows publish about their points.
void add_curves(Results& out, const std::string& text, const std::string& path) try {
  const auto name = [](const ordered_json& json, const char* key) { return json.at(key).get<std::string>(); };
  const ordered_json json = ordered_json::parse(text);
  run::check_digest(json, path);
  for (const ordered_json& from : json.at("curves")) {
    Curve curve;
    curve.machine = name(from, "group");
    curve.name = name(from, "name");
    bool numbers = true;
    for (const ordered_json& p : from.at("points")) {
      const auto x = to_number<double>(name(p, "x"));
      const ordered_json& y = p.at("y");
      numbers = numbers && x;
      if (!y.is_null()) curve.measured.push_back({x.value_or(0), y.get<double>()});
    }
    if (!numbers && curve.name == "staircase")
      throw std::invalid_argument(fmt::format("staircase of {}: x is no footprint in KiB", curve.machine));
    if (!numbers) continue;
    for (const ordered_json& row : json.at("rows"))
      if (name(row, "group") == curve.machine && row.value("curve", "") == curve.name)
        if (const auto x = to_number<double>(name(row, "at")); x && row.at("reference").is_number())
          curve.references.push_back({*x, row.at("reference").get<double>(), name(row, "what"), name(row, "source")});
    out.curves.push_back(std::move(curve));
  }
  add_once(out.versions, name(json, "version"));
  out.sources.push_back({path, "warpsieve validate --json"});
} catch (const ConfigError&) {
  throw;
} catch (const std::exception& error) {  // of the JSON library, too
  throw ConfigError(fmt::format("{}: expected what `warpsieve validate --json` writes: {}", path, error.what()));
}

void add_footprints(Results& out, const std::string& text, const std::string& path) try {
  const ordered_json json = ordered_json::parse(text);
  for (const ordered_json& w : json.at("workloads"))
    out.footprints[w.at("workload").get<std::string>()] = w.at("footprint_bytes").get<double>() / (1 << 20);
  out.sources.push_back(
      {path, fmt::format("warpsieve workloads --scale {} --format json", run::text_field(json, path, "scale", "?"))});
} catch (const ConfigError&) {
  throw;
} catch (const std::exception& error) {
  throw ConfigError(
      fmt::format("{}: expected what `warpsieve workloads --format json` writes: {}", path, error.what()));
}

using StoredPoints = std::unordered_map<std::string, sweep::StoredPoint>;

/// The finished run of a row, or nullptr.
const ordered_json* run_of(const sweep::Sweep& sweep, const StoredPoints& points, const sweep::Row& row) {
  const auto found = points.find(sweep.points[row.point].id);
  return found == points.end() || found->second.run.is_null() ? nullptr : &found->second.run;
}

/// What the page calls each experiment of the sweep: "bfs", "bfs #2". A trace is called after its program, which only
/// its results tell.
std::map<std::pair<std::string, std::size_t>, std::string> experiment_names(const sweep::Sweep& sweep,
                                                                            const StoredPoints& points) {
  std::map<std::pair<std::string, std::size_t>, std::string> names;
  for (const sweep::Row& row : sweep.rows)
    if (const ordered_json* run = run_of(sweep, points, row))
      names.try_emplace({row.workload, row.experiment},
                        with_input((*run)["workload"].get<std::string>(), sweep.points[row.point].spec.input));
  std::map<std::string, std::size_t> used;
  std::set<std::pair<std::string, std::size_t>> seen;
  for (const sweep::Row& row : sweep.rows)
    if (seen.insert({row.workload, row.experiment}).second) {
      std::string& name = names.try_emplace({row.workload, row.experiment}, row.workload).first->second;
      if (const std::size_t number = ++used[name]; number > 1) name += fmt::format(" #{}", number);
    }
  return names;
}

/// Adds a repetition to its run: where one is missing, those after it have no place in the list.
void add_repetition(ordered_json& run, const ordered_json& repeated, unsigned repetition) {
  ordered_json& repeats = run["repeats"];
  const auto add = [&](const char* figure, const auto& of) {
    ordered_json& values = repeats[figure]["values"];
    if (values.is_null()) values = {of(run)};
    if (values.size() == repetition) values.push_back(of(repeated));
  };
  add("ipc", [](const ordered_json& r) { return r.at("ipc").get<double>(); });
  add("off_chip_requests", [](const ordered_json& r) { return r.at("off_chip_requests").at("total").get<double>(); });
  repeats["count"] = repeats["ipc"]["values"].size();
}

Results from_sweep(const sweep::Sweep& sweep, const StoredPoints& points) {
  Results out;
  out.name = sweep.name;
  out.sweep_text = sweep.text;
  out.versions.push_back(sweep.version);
  for (const sweep::Axis& axis : sweep.axes) {
    ResultAxis& a = out.axes.emplace_back();
    a.name = axis.name;
    a.unit = axis.unit;
    for (const sweep::AxisValue& v : axis.values) a.labels.push_back(v.label);
    if (axis.values.empty()) continue;
    for (const std::string& assignment : axis.values.front().set)
      a.parameters.push_back(assignment.substr(0, assignment.find('=')));
  }
  for (const sweep::Point& p : sweep.points) {
    const auto found = points.find(p.id);
    if (found == points.end()) {
      ++out.missing;
    } else if (found->second.run.is_null()) {
      out.failures.push_back({p.label(), found->second.error});
    }
    add_once(out.inputs, p.spec.input);
  }
  const auto names = experiment_names(sweep, points);
  std::set<std::pair<std::size_t, std::vector<std::size_t>>> added;  // seeds of a trace, suites that share a workload
  std::map<std::string, std::size_t> first;  // of the repetitions of a combination, its place in the runs
  for (const sweep::Row& row : sweep.rows)
    if (const ordered_json* run = run_of(sweep, points, row); run && added.insert({row.point, row.values}).second) {
      const std::string combination = fmt::format("{}\n{}\n{}\n{}\n{}", row.workload, row.scheme, row.seed,
                                                  row.experiment, fmt::join(row.values, " "));
      if (const unsigned repetition = sweep.points[row.point].spec.repetition; repetition != 0) {
        if (const auto base = first.find(combination); base != first.end())
          add_repetition(out.runs[base->second].run, *run, repetition);
        continue;
      }
      first.emplace(combination, out.runs.size());
      out.runs.push_back({*run, row.scheme, row.seed, row.values, sweep.points[row.point].id});
      ResultRun& added = out.runs.back();
      added.workload = added.run["workload"].get<std::string>();
      added.input = sweep.points[row.point].spec.input;
      added.run["workload"] = names.at({row.workload, row.experiment});
    }
  return out;
}

Results from_directory(const std::string& path) {
  const sweep::Store store(path);
  const sweep::Sweep sweep = store.load();
  StoredPoints points;
  for (const sweep::Point& p : sweep.points) {
    const sweep::State state = store.state(p);
    if (state == sweep::State::done) points[p.id] = {store.result(p), ""};
    if (state == sweep::State::failed) points[p.id] = {nullptr, store.failure(p).error};
  }
  return from_sweep(sweep, points);
}

bool is_database(std::string_view text) { return text.starts_with(std::string_view("SQLite format 3\0", 16)); }

}  // namespace

std::vector<std::size_t> simulations(const Results& results) {
  std::unordered_map<std::string, std::size_t> known;
  std::vector<std::size_t> out;
  std::size_t next = 0;
  for (const ResultRun& r : results.runs) {
    const std::size_t mine = r.point.empty() ? next : known.try_emplace(r.point, next).first->second;
    next += mine == next;
    out.push_back(mine);
  }
  return out;
}

Results read_results(const std::vector<std::string>& paths) {
  Results out;
  bool files = false;
  for (const std::string& path : paths) {
    std::error_code ignored;
    const bool directory = fs::is_directory(path, ignored);
    const std::string text = directory ? "" : run::read_text(path);  // once: it may be a pipe
    const bool database = is_database(text);
    if ((directory || database) && paths.size() > 1)
      throw ConfigError(fmt::format("{}: a sweep must come alone, {} results were given", path, paths.size()));
    if (directory) {
      out = from_directory(path);
    } else if (database) {
      const sweep::Stored stored = sweep::read_database(path);
      out = from_sweep(stored.sweep, stored.points);
    } else if (has_format(text, "warpsieve-validate-1")) {
      add_curves(out, text, path);
    } else if (has_format(text, "warpsieve-workloads-1")) {
      add_footprints(out, text, path);
    } else {
      add_runs(out, text, path);
      files = true;
    }
  }
  if (files) {
    drop_repeated(out.runs);
    name_experiments(out.runs);
    tell_schemes_apart(out.runs);
  }
  if (out.runs.empty() && out.curves.empty())
    throw ConfigError(fmt::format("{}: no finished run in it, {} failed and {} missing", paths.front(),
                                  out.failures.size(), out.missing));
  return out;
}

}  // namespace warpsieve::report
