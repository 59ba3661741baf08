#include "sweep/sweep_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "core/name_lookup.h"
#include "core/params.h"
#include "core/toml_reader.h"
#include "run/atomic_file.h"
#include "run/version.h"
#include "schemes/registry.h"
#include "trace/replay.h"
#include "workloads/registry.h"
#include "workloads/suites.h"

namespace warpsieve::sweep {

namespace {

namespace fs = std::filesystem;

/// Assigns "name=value" of an axis, of [set], [size] or [sample] to the right member.
void assign(run::RunSpec& spec, const std::string& assignment) {
  const auto equals = assignment.find('=');
  const std::string name = assignment.substr(0, equals), value = assignment.substr(equals + 1);
  if (name == "profile") {
    spec.profile = value;
  } else if (name.starts_with("size.")) {
    const std::string prefix = "size." + spec.workload + ".";
    if (name.starts_with(prefix)) spec.sizes.push_back(name.substr(prefix.size()) + "=" + value);
  } else if (name.starts_with("sample.")) {
    if (name == "sample." + spec.workload) spec.set.push_back("gpu.launch_sample=" + value);
  } else {
    spec.set.push_back(assignment);
  }
}

/// What `look` refuses is said with the place in the file.
template <class F>
void refuse_at(const TomlReader& in, const toml::node& node, F&& look) {
  try {
    look();
  } catch (const BadInput& error) {
    in.fail(node, error.what());
  }
}

/// Every text of a list, and where it stands.
template <class F>
void each_text(const TomlReader& in, const char* key, F&& look) {
  const std::vector<std::string> texts = in.texts(in.root(), key);
  for (std::size_t i = 0; i < texts.size(); ++i)
    refuse_at(in, *in.root().get_as<toml::array>(key)->get(i), [&] { look(texts[i]); });
}

/// "size.WORKLOAD.NAME" must name a parameter of a workload: assign() leaves those of other workloads out, and a
/// misspelled one would have no effect.
void check_size(const std::string& name) {
  const std::string rest = name.substr(std::string_view("size.").size());
  const auto dot = rest.find('.');
  if (dot == std::string::npos) throw ConfigError(fmt::format("'{}': expected size.WORKLOAD.NAME", name));
  const workloads::WorkloadInfo& info = workloads::workload_info(rest.substr(0, dot));
  std::vector<std::string> known;
  for (const workloads::Parameter& p : info.parameters) known.push_back(p.name);
  if (const std::string parameter = rest.substr(dot + 1);
      std::find(known.begin(), known.end(), parameter) == known.end())
    throw ConfigError(unknown_name(fmt::format("parameter of {}", info.name), parameter, known));
}

/// An axis and where it stands in the file.
struct PlacedAxis {
  Axis axis;
  const toml::node* place = nullptr;
  std::vector<const toml::node*> values;
  bool used = false;  ///< some point has a parameter of it
};

/// "name=value" and where it stands.
struct PlacedAssignment {
  std::string text;
  const toml::node* place = nullptr;
};

/// What the axes before one have already.
struct Taken {
  std::set<std::string> names, parameters;
};

PlacedAxis read_axis(const TomlReader& in, const toml::table& table, std::size_t number, Taken& taken) {
  in.only(table, {"name", "unit", "parameter", "parameters", "values", "labels"});
  PlacedAxis placed;
  placed.place = &table;
  Axis& axis = placed.axis;
  axis.unit = in.text(table, "unit", "");
  std::vector<std::string> parameters = in.texts(table, "parameters");
  if (const std::string one = in.text(table, "parameter", ""); !one.empty()) parameters.push_back(one);
  const std::string what = fmt::format("axis {}", number);
  if (parameters.empty()) in.fail(table, what + ": expected `parameter` or `parameters`");
  for (const std::string& parameter : parameters) {
    if (!taken.parameters.insert(parameter).second)
      in.fail(table, fmt::format("{}: an axis has '{}' already", what, parameter));
    if (parameter.starts_with("size.")) refuse_at(in, table, [&] { check_size(parameter); });
  }
  axis.name = in.text(table, "name", parameters.front());
  if (!taken.names.insert(axis.name).second) {
    const toml::node* name = table.get("name");
    in.fail(name ? *name : table, fmt::format("{}: another axis is called '{}' already", what, axis.name));
  }
  const toml::node* values = table.get("values");
  if (!values) in.fail(table, what + ": expected `values`");
  for (const toml::node& value : in.array(*values, what + ": values")) {
    AxisValue& v = axis.values.emplace_back();
    placed.values.push_back(&value);
    if (parameters.size() == 1 && !value.is_array()) {
      v.label = in.scalar(value, what);
      v.set.push_back(parameters.front() + "=" + v.label);
      continue;
    }
    const toml::array& tuple = in.array(value, what + ": values");
    if (tuple.size() != parameters.size())
      in.fail(value, fmt::format("{}: expected {} values, one for each of {}", what, parameters.size(),
                                 fmt::join(parameters, ", ")));
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      const std::string text = in.scalar(*tuple.get(i), what);
      v.label += (i ? " " : "") + text;
      v.set.push_back(parameters[i] + "=" + text);
    }
  }
  if (const toml::node* labels = table.get("labels")) {
    const toml::array& list = in.array(*labels, what + ": labels");
    if (list.size() != axis.values.size())
      in.fail(*labels, fmt::format("{}: expected {} labels, one for each value", what, axis.values.size()));
    for (std::size_t i = 0; i < list.size(); ++i) axis.values[i].label = in.scalar(*list.get(i), what + ": labels");
  }
  std::set<std::string> seen;
  for (const AxisValue& v : axis.values)
    if (!seen.insert(v.label).second) in.fail(*values, fmt::format("{}: '{}' is there twice", what, v.label));
  return placed;
}

std::vector<std::uint64_t> read_seeds(const TomlReader& in) {
  const toml::node* node = in.root().get("seeds");
  if (!node) return {1};
  std::vector<std::uint64_t> out;
  for (const toml::node& item : in.array(*node, "seeds")) {
    const auto value = item.value<std::int64_t>();
    if (!item.is_integer() || !value || *value < 0) in.fail(item, "seeds: expected whole numbers");
    out.push_back(static_cast<std::uint64_t>(*value));
  }
  return out;
}

unsigned read_count(const TomlReader& in, const toml::node& node, const std::string& what) {
  const auto value = node.value<std::int64_t>();
  if (!node.is_integer() || !value || *value < 1 || *value > run::kRepetitions)
    in.fail(node, fmt::format("{}: expected a whole number from 1 to {}", what, run::kRepetitions));
  return static_cast<unsigned>(*value);
}

/// Calls entry("KEY.WORKLOAD", value, whether it is of this scale) for all of the tables [KEY.SCALE].
template <class F>
void each_by_scale(const TomlReader& in, const char* key, const std::string& scale, F&& entry) {
  const toml::node* node = in.root().get(key);
  if (!node) return;
  if (!node->is_table()) in.fail(*node, fmt::format("{}: expected a table for each scale", key));
  for (const auto& [of, table] : *node->as_table()) {
    refuse_at(in, table, [&, &of = of] { workloads::parse_scale(std::string(of.str())); });
    if (!table.is_table()) in.fail(table, fmt::format("{0}: expected [{0}.SCALE]", key));
    for (const auto& [workload, value] : *table.as_table()) {
      refuse_at(in, value, [&, &workload = workload] { workloads::workload_info(workload.str()); });
      entry(fmt::format("{}.{}", key, workload.str()), value, of.str() == scale);
    }
  }
}

/// How often each workload runs, by name; "" is every other one: `repeat`, and [repeat_at_least.SCALE].
std::map<std::string, unsigned> read_repeats(const TomlReader& in, const std::string& scale) {
  const toml::node* usual = in.root().get("repeat");
  std::map<std::string, unsigned> out = {{"", usual ? read_count(in, *usual, "repeat") : 1}};
  each_by_scale(in, "repeat_at_least", scale, [&](const std::string& name, const toml::node& value, bool here) {
    const unsigned count = read_count(in, value, name);
    if (here) out[name.substr(name.find('.') + 1)] = std::max(count, out[""]);
  });
  return out;
}

/// [set], [size.WORKLOAD] and [sample.SCALE] of this scale, as assignments.
std::vector<PlacedAssignment> read_fixed(const TomlReader& in, const std::string& scale) {
  std::vector<PlacedAssignment> out;
  if (const toml::node* node = in.root().get("set")) {
    if (!node->is_table()) in.fail(*node, "set: expected a table");
    // Both spellings of TOML: "l2.ways" = 16, and a table of its own.
    const std::function<void(const toml::table&, const std::string&)> walk = [&](const toml::table& table,
                                                                                 const std::string& prefix) {
      for (const auto& [key, value] : table) {
        const std::string name = prefix + std::string(key.str());
        if (const toml::table* inner = value.as_table()) {
          walk(*inner, name + ".");
        } else {
          if (name.starts_with("size.")) refuse_at(in, value, [&] { check_size(name); });
          out.push_back({name + "=" + in.scalar(value, name), &value});
        }
      }
    };
    walk(*node->as_table(), "");
  }
  if (const toml::node* node = in.root().get("size")) {
    if (!node->is_table()) in.fail(*node, "size: expected a table for each workload");
    for (const auto& [workload, table] : *node->as_table()) {
      if (!table.is_table()) in.fail(table, "size: expected [size.WORKLOAD]");
      refuse_at(in, table, [&, &workload = workload] { workloads::workload_info(workload.str()); });
      for (const auto& [key, value] : *table.as_table()) {
        const std::string name = fmt::format("size.{}.{}", workload.str(), key.str());
        refuse_at(in, value, [&] { check_size(name); });
        out.push_back({name + "=" + in.scalar(value, name), &value});
      }
    }
  }
  each_by_scale(in, "sample", scale, [&](const std::string& name, const toml::node& value, bool here) {
    if (here) out.push_back({name + "=" + in.scalar(value, name), &value});
  });
  return out;
}

/// Whether the point has a parameter of the value: none that its scheme lacks, or of another workload.
bool has_any(const run::RunSpec& spec, const AxisValue& value) {
  return std::any_of(value.set.begin(), value.set.end(), [&](const std::string& assignment) {
    const std::string name = assignment.substr(0, assignment.find('=') + 1);
    if (name.starts_with("size.")) return name.starts_with("size." + spec.workload + ".");
    return name == "profile=" || std::any_of(spec.set.begin(), spec.set.end(),
                                             [&](const std::string& set) { return set.starts_with(name); });
  });
}

/// In the order of the file, whatever is finished, so that one number stands for one program at every place.
void number_experiments(Sweep& sweep) {
  std::map<std::pair<std::string, std::vector<std::size_t>>, std::vector<std::string>> known;
  for (Row& row : sweep.rows) {
    if (row.point >= sweep.points.size()) continue;  // check_rows() refuses it
    const run::RunSpec& spec = sweep.points[row.point].spec;
    const std::string mine = fmt::format("{} {}", spec.input, fmt::join(spec.sizes, " "));
    std::vector<std::string>& experiments = known[{row.workload, row.values}];
    const auto found = std::find(experiments.begin(), experiments.end(), mine);
    row.experiment = static_cast<std::size_t>(found - experiments.begin()) + 1;
    if (found == experiments.end()) experiments.push_back(mine);
  }
}

}  // namespace

Sweep parse_sweep(std::string_view text, const std::string& path) {
  const TomlReader in(path, text);
  const toml::table& root = in.root();
  in.only(root, {"name", "doc", "profile", "scale", "input", "backend", "schemes", "workloads", "suites", "seeds",
                 "repeat", "repeat_at_least", "set", "size", "sample", "axis"});
  Sweep sweep;
  std::error_code ignored;
  sweep.file = fs::is_regular_file(path, ignored) ? fs::weakly_canonical(fs::absolute(path)).string() : path;
  sweep.name = in.text(root, "name", fs::path(path).stem().string());
  sweep.doc = in.text(root, "doc", "");
  sweep.version = run::version();
  sweep.text = text;
  run::RunSpec base;
  base.profile = in.text(root, "profile", base.profile);
  base.scale = in.text(root, "scale", "");
  base.backend = in.text(root, "backend", base.backend);
  if (const toml::node* input = root.get("input")) {
    base.input = in.text(root, "input", "");
    if (base.input.empty()) in.fail(*input, "input: expected the name of a file, found an empty one");
    base.input = in.located(base.input);
  }
  const std::vector<std::string> schemes = in.texts(root, "schemes"), workloads = in.texts(root, "workloads");
  if (schemes.empty()) in.fail(root, "expected schemes = [\"...\"]");
  const std::vector<std::string> suites = in.texts(root, "suites");
  if (workloads.empty() && suites.empty()) in.fail(root, "expected workloads = [\"...\"] or suites = [\"...\"]");
  each_text(in, "schemes", [](const std::string& name) { schemes::scheme_parts(name); });
  std::vector<workloads::SuiteRun> programs;
  each_text(in, "workloads", [&](const std::string& name) {
    if (!trace::names_trace(name)) workloads::workload_info(name);
    programs.push_back({name, {}});
  });
  each_text(in, "suites", [&](const std::string& name) {
    for (workloads::SuiteRun& run : workloads::load_suite(names_file(name) ? in.located(name) : name).runs)
      programs.push_back(std::move(run));
  });
  const std::vector<std::uint64_t> seeds = read_seeds(in);
  const std::map<std::string, unsigned> repeats = read_repeats(in, base.scale);
  const std::vector<PlacedAssignment> fixed = read_fixed(in, base.scale);
  std::vector<PlacedAxis> axes;
  if (const toml::node* node = root.get("axis")) {
    if (!node->is_array_of_tables()) in.fail(*node, "axis: expected [[axis]]");
    Taken taken;
    for (const toml::node& axis : *node->as_array()) {
      axes.push_back(read_axis(in, *axis.as_table(), axes.size() + 1, taken));
      sweep.axes.push_back(axes.back().axis);
    }
  }

  std::unordered_map<std::string, std::size_t> known;
  std::vector<std::size_t> at(sweep.axes.size(), 0);
  unsigned repetition = 0;
  // The spec where the axes stand now, without what is said at `left_out`.
  const auto spec_of = [&](const workloads::SuiteRun& program, const std::string& scheme, std::uint64_t seed,
                           const toml::node* left_out) {
    const std::string& workload = program.workload;
    run::RunSpec spec = base;
    spec.workload = workload;
    if (trace::names_trace(workload)) {
      spec.workload = fmt::format("{}{}", trace::kTracePrefix, in.located(trace::trace_path(workload)));
      spec.scale = spec.input = "";  // these are of the other workloads
    }
    for (const auto& [name, value] : program.set) spec.sizes.push_back(name + "=" + value);
    spec.scheme = scheme;
    spec.seed = seed;
    spec.repetition = repetition;
    for (const PlacedAssignment& assignment : fixed)
      if (assignment.place != left_out) assign(spec, assignment.text);
    for (std::size_t a = 0; a < at.size(); ++a)
      if (axes[a].values[at[a]] != left_out)
        for (const std::string& assignment : axes[a].axis.values[at[a]].set) assign(spec, assignment);
    if (names_file(spec.profile)) spec.profile = in.located(spec.profile);
    return spec;
  };
  const auto add_row = [&](const workloads::SuiteRun& program, const std::string& scheme, std::uint64_t seed) {
    const std::string& workload = program.workload;
    const run::RunSpec spec = spec_of(program, scheme, seed, nullptr);
    try {
      check(spec);  // before parameters are dropped: a misspelled one must be found
    } catch (const std::exception& error) {
      const std::string what = fmt::format("{} {}: {}", workload, scheme, error.what());
      // What a single value spoils is said with its place.
      std::vector<const toml::node*> suspects;
      for (std::size_t a = 0; a < at.size(); ++a) suspects.push_back(axes[a].values[at[a]]);
      for (const PlacedAssignment& assignment : fixed) suspects.push_back(assignment.place);
      for (const toml::node* suspect : suspects) {
        try {
          check(spec_of(program, scheme, seed, suspect));
        } catch (const std::exception&) {
          continue;
        }
        in.fail(*suspect, what);
      }
      throw ConfigError(fmt::format("{}: {}", path, what));
    }
    Point point = make_point(spec);
    for (std::size_t a = 0; a < at.size(); ++a)
      axes[a].used = axes[a].used || has_any(point.spec, axes[a].axis.values[at[a]]);
    const auto [place, fresh] = known.emplace(point.id, sweep.points.size());
    sweep.rows.push_back({place->second, workload, point.spec.scheme, seed, at});
    if (fresh) sweep.points.push_back(std::move(point));
  };
  const auto repeats_of = [&](const std::string& workload) {
    const auto own = repeats.find(workload);
    return own == repeats.end() ? repeats.at("") : own->second;
  };
  // The last axis is the fastest. Repetitions come last, so that a sweep that was stopped has all combinations first.
  const auto add_combinations = [&] {
    for (bool more = true; more;) {
      for (const workloads::SuiteRun& program : programs) {
        if (repetition >= repeats_of(program.workload)) continue;
        for (const std::string& scheme : schemes)
          for (const std::uint64_t seed : seeds) add_row(program, scheme, seed);
      }
      more = false;
      for (std::size_t a = at.size(); a-- > 0 && !more;) {
        more = ++at[a] < sweep.axes[a].values.size();
        if (!more) at[a] = 0;
      }
    }
  };
  unsigned most = 0;
  for (const auto& [workload, count] : repeats) most = std::max(most, count);
  for (; repetition < most; ++repetition) add_combinations();
  for (const PlacedAxis& axis : axes)
    if (!axis.used)
      in.fail(*axis.place, fmt::format("axis '{}' changes nothing: no scheme or workload of this sweep has its "
                                       "parameter",
                                       axis.axis.name));
  number_experiments(sweep);
  return sweep;
}

Sweep read_sweep(const std::string& path) { return parse_sweep(run::read_text(path), path); }

nlohmann::ordered_json to_json(const Sweep& s) {
  nlohmann::ordered_json out = {{"format", "warpsieve-sweep-1"},
                                {"file", s.file},
                                {"name", s.name},
                                {"doc", s.doc},
                                {"version", s.version},
                                {"text", s.text},
                                {"axes", nullptr},
                                {"points", nullptr},
                                {"rows", nullptr}};
  auto axes = nlohmann::ordered_json::array(), points = axes, rows = axes;
  for (const Axis& axis : s.axes) {
    auto values = nlohmann::ordered_json::array();
    for (const AxisValue& v : axis.values) values.push_back({{"label", v.label}, {"set", v.set}});
    axes.push_back({{"name", axis.name}, {"unit", axis.unit}, {"values", std::move(values)}});
  }
  for (const Point& p : s.points) points.push_back({{"id", p.id}, {"spec", to_json(p.spec)}});
  for (const Row& r : s.rows)
    rows.push_back(
        {{"point", r.point}, {"workload", r.workload}, {"scheme", r.scheme}, {"seed", r.seed}, {"values", r.values}});
  out["axes"] = std::move(axes);
  out["points"] = std::move(points);
  out["rows"] = std::move(rows);
  return out;
}

Sweep sweep_from_json(const nlohmann::ordered_json& j) {
  Sweep s;
  s.file = j.value("file", "");
  j.at("name").get_to(s.name);
  j.at("doc").get_to(s.doc);
  j.at("version").get_to(s.version);
  j.at("text").get_to(s.text);
  for (const auto& axis : j.at("axes")) {
    Axis& a = s.axes.emplace_back();
    axis.at("name").get_to(a.name);
    axis.at("unit").get_to(a.unit);
    for (const auto& value : axis.at("values"))
      a.values.push_back({value.at("label").get<std::string>(), value.at("set").get<std::vector<std::string>>()});
  }
  for (const auto& p : j.at("points"))
    s.points.push_back({p.at("id").get<std::string>(), spec_from_json(p.at("spec"))});
  for (const auto& r : j.at("rows"))
    s.rows.push_back({r.at("point").get<std::size_t>(), r.at("workload").get<std::string>(),
                      r.at("scheme").get<std::string>(), r.at("seed").get<std::uint64_t>(),
                      r.at("values").get<std::vector<std::size_t>>()});
  number_experiments(s);
  return s;
}

void check_rows(const Sweep& sweep, const std::string& where) {
  std::size_t number = 0;
  for (const Row& row : sweep.rows) {
    ++number;
    if (row.point >= sweep.points.size())
      throw ConfigError(fmt::format("{}: row {}: there is no point {}, there are {}", where, number, row.point,
                                    sweep.points.size()));
    if (row.values.size() != sweep.axes.size())
      throw ConfigError(fmt::format("{}: row {}: expected a value for each of {} axes, found {}", where, number,
                                    sweep.axes.size(), row.values.size()));
    for (std::size_t a = 0; a < sweep.axes.size(); ++a)
      if (row.values[a] >= sweep.axes[a].values.size())
        throw ConfigError(
            fmt::format("{}: row {}: axis {} has no value {}", where, number, sweep.axes[a].name, row.values[a]));
  }
}

}  // namespace warpsieve::sweep
