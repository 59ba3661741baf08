#include "report/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

#include "core/params.h"
#include "report/variants.h"
#include "sweep/atomic_file.h"
#include "sweep/database.h"
#include "sweep/run_json.h"
#include "sweep/store.h"

namespace warpsieve::report {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

void add_once(std::vector<std::string>& list, const std::string& value) {
  if (!value.empty() && std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

void add_runs(Results& out, const std::string& path) {
  const ordered_json json = sweep::read_runs(path, ", a sweep's directory or its database");
  add_once(out.versions, sweep::text_field(json, path, "version"));
  add_once(out.inputs, sweep::text_field(json, path, "input"));
  const std::uint64_t seed = sweep::whole_field(json, path, "seed", 1);
  for (const ordered_json& run : json["runs"])
    out.runs.push_back({run, run["scheme"].get<std::string>(), seed, {}, ""});
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
      names.try_emplace({row.workload, row.experiment}, (*run)["workload"].get<std::string>());
  std::map<std::string, std::size_t> used;
  std::set<std::pair<std::string, std::size_t>> seen;
  for (const sweep::Row& row : sweep.rows)
    if (seen.insert({row.workload, row.experiment}).second) {
      std::string& name = names.try_emplace({row.workload, row.experiment}, row.workload).first->second;
      if (const std::size_t number = ++used[name]; number > 1) name += fmt::format(" #{}", number);
    }
  return names;
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
  for (const sweep::Row& row : sweep.rows)
    if (const ordered_json* run = run_of(sweep, points, row); run && added.insert({row.point, row.values}).second) {
      out.runs.push_back({*run, row.scheme, row.seed, row.values, sweep.points[row.point].id});
      out.runs.back().run["workload"] = names.at({row.workload, row.experiment});
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

bool is_database(const std::string& path) {
  return sweep::read_text(path).starts_with(std::string_view("SQLite format 3\0", 16));
}

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
    const bool directory = fs::is_directory(path, ignored), database = !directory && is_database(path);
    if ((directory || database) && paths.size() > 1)
      throw ConfigError(fmt::format("{}: a sweep must come alone, {} results were given", path, paths.size()));
    if (directory) {
      out = from_directory(path);
    } else if (database) {
      const sweep::Stored stored = sweep::read_database(path);
      out = from_sweep(stored.sweep, stored.points);
    } else {
      add_runs(out, path);
      files = true;
    }
  }
  if (files) {
    std::vector<ordered_json*> runs;
    drop_repeated(out.runs);
    for (ResultRun& r : out.runs) runs.push_back(&r.run);
    sweep::tell_apart(runs);
    tell_schemes_apart(out.runs);
  }
  if (out.runs.empty())
    throw ConfigError(fmt::format("{}: no finished run in it, {} failed and {} missing", paths.front(),
                                  out.failures.size(), out.missing));
  return out;
}

}  // namespace warpsieve::report
