#include "report/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "core/params.h"
#include "memsys/profile.h"
#include "schemes/registry.h"
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
  if (const std::string scale = sweep::text_field(json, path, "scale"); !scale.empty())
    out.push_back("scale " + scale);
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
  const std::string command = sweep::text_field(json, path, "command");
  return command.empty() ? "(command not recorded) " + settings(json, path) : command;
}

void add_runs(Results& out, const std::string& text, const std::string& path) {
  const ordered_json json = sweep::parse_runs(text, path, ", a sweep's directory or its database");
  add_once(out.versions, sweep::text_field(json, path, "version"));
  add_once(out.inputs, sweep::text_field(json, path, "input"));
  out.sources.push_back({path, how_made(json, path)});
  const std::uint64_t seed = sweep::whole_field(json, path, "seed", 1);
  for (const ordered_json& run : json["runs"]) out.runs.push_back({run, run["scheme"].get<std::string>(), seed, {}});
}

Results from_sweep(const sweep::Sweep& sweep, const std::unordered_map<std::string, sweep::StoredPoint>& points) {
  Results out;
  out.name = sweep.name;
  out.sweep_text = sweep.text;
  out.versions.push_back(sweep.version);
  for (const sweep::Axis& axis : sweep.axes) {
    ResultAxis& a = out.axes.emplace_back();
    a.name = axis.name;
    a.unit = axis.unit;
    for (const sweep::AxisValue& v : axis.values) a.labels.push_back(v.label);
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
  for (const sweep::Row& row : sweep.rows) {
    const auto found = points.find(sweep.points[row.point].id);
    if (found != points.end() && !found->second.run.is_null())
      out.runs.push_back({found->second.run, row.scheme, row.seed, row.values});
  }
  return out;
}

Results from_directory(const std::string& path) {
  const sweep::Store store(path);
  const sweep::Sweep sweep = store.load();
  std::unordered_map<std::string, sweep::StoredPoint> points;
  for (const sweep::Point& p : sweep.points) {
    const sweep::State state = store.state(p);
    if (state == sweep::State::done) points[p.id] = {store.result(p), ""};
    if (state == sweep::State::failed) points[p.id] = {nullptr, store.failure(p).error};
  }
  return from_sweep(sweep, points);
}

bool is_database(std::string_view text) { return text.starts_with(std::string_view("SQLite format 3\0", 16)); }

}  // namespace

Results read_results(const std::vector<std::string>& paths) {
  Results out;
  for (const std::string& path : paths) {
    std::error_code ignored;
    const bool directory = fs::is_directory(path, ignored);
    const std::string text = directory ? "" : sweep::read_text(path);  // once: it may be a pipe
    const bool database = is_database(text);
    if ((directory || database) && paths.size() > 1)
      throw ConfigError(fmt::format("{}: a sweep must come alone, {} results were given", path, paths.size()));
    if (directory) {
      out = from_directory(path);
    } else if (database) {
      const sweep::Stored stored = sweep::read_database(path);
      out = from_sweep(stored.sweep, stored.points);
    } else {
      add_runs(out, text, path);
    }
  }
  std::vector<sweep::RunOfMany> runs;
  for (ResultRun& r : out.runs) runs.push_back({&r.run, fmt::format("{} {}", r.seed, fmt::join(r.at, " "))});
  sweep::tell_apart(runs);
  if (out.runs.empty())
    throw ConfigError(fmt::format("{}: no finished run in it, {} failed and {} missing", paths.front(),
                                  out.failures.size(), out.missing));
  return out;
}

}  // namespace warpsieve::report
