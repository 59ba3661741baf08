#include "validate/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "core/builtin_text.h"
#include "core/name_lookup.h"
#include "core/params.h"
#include "core/toml_reader.h"
#include "validate/curves.h"
#include "validate/gpu_curves.h"

namespace warpsieve::validate {

// Defined by the generated sources, see CMakeLists.txt.
std::span<const BuiltinText> builtin_references();
std::span<const BuiltinText> builtin_measurements();

namespace {

constexpr std::array kFigures = {"cycles", "l1_hit", "l2_accesses", "l2_hit", "dram_reads"};

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : in_(file, text) {}

  Reference read() {
    const toml::table& root = in_.root();
    const std::string kind = in_.text(root, "experiment");
    if (kind == "traces")
      read_traces(root);
    else if (kind == "curves")
      read_curves(root);
    else if (kind == "hardware")
      read_gpus(root);
    else
      in_.fail(root, "experiment: expected traces, curves or hardware");
    return std::move(out_);
  }

 private:
  /// Calls `each` for every table of the list `key`; there is at least `least`.
  template <class F>
  void each_table(const toml::table& table, const char* key, std::size_t least, F&& each) {
    const toml::node* list = table.get(key);
    if (!list && least == 0) return;
    if (!list || !list->is_array_of_tables()) in_.fail(list ? *list : table, fmt::format("expected [[{}]]", key));
    for (const toml::node& node : *list->as_array()) each(*node.as_table());
  }
  std::string needed(const toml::table& table, const char* key) {
    const std::string text = in_.text(table, key);
    if (text.empty()) in_.fail(table, fmt::format("{}: expected a text", key));
    return text;
  }
  double needed_number(const toml::table& table, const char* key) {
    const auto number = in_.number(table, key);
    if (!number || *number < 0) in_.fail(table, fmt::format("{}: expected a number that is not negative", key));
    return *number;
  }
  std::string one_of(const toml::table& table, const char* key, const std::vector<std::string>& known) {
    std::string word = in_.text(table, key);
    if (std::find(known.begin(), known.end(), word) == known.end())
      in_.fail(table, fmt::format("{}: {}", key, expected_one_of(word, known)));
    return word;
  }
  /// Name, profile and set of a machine; the profile is known and takes the settings.
  MachineSpec machine(const toml::table& table) {
    MachineSpec spec{needed(table, "profile"), in_.texts(table, "set")};
    try {
      memsys::load_profile(spec.profile, spec.set);
    } catch (const ConfigError& error) {
      in_.fail(table, error.what());
    }
    return spec;
  }

  void read_traces(const toml::table& root) {
    in_.only(root, {"experiment", "cycles_limit", "cycles_goal", "counts", "trace", "machine"});
    out_.cycles_limit = needed_number(root, "cycles_limit");
    out_.cycles_goal = needed_number(root, "cycles_goal");
    out_.counts = needed_number(root, "counts");
    const toml::node* traces = root.get("trace");
    if (!traces || !traces->is_table()) in_.fail(root, "expected [trace.NAME]");
    for (const auto& [name, node] : *traces->as_table()) {
      if (!node.is_table()) in_.fail(node, "expected [trace.NAME]");
      const toml::table& table = *node.as_table();
      in_.only(table, {"arguments", "quick"});
      const NamedTrace trace{needed(table, "arguments"), in_.flag(table, "quick")};
      try {
        parse_trace(trace.arguments);
      } catch (const ConfigError& error) {
        in_.fail(table, error.what());
      }
      out_.traces[std::string(name.str())] = trace;
    }
    each_table(root, "machine", 1, [&](const toml::table& table) { read_trace_machine(table); });
  }

  void read_trace_machine(const toml::table& table) {
    in_.only(table, {"name", "profile", "set", "source", "l2_hits", "row"});
    TraceMachine out;
    out.name = needed(table, "name");
    out.machine = machine(table);
    out.source = needed(table, "source");
    out.read_hits = one_of(table, "l2_hits", {"reads", "all"}) == "reads";
    each_table(table, "row", 1, [&](const toml::table& row) { out.rows.push_back(trace_row(row)); });
    out_.trace_machines.push_back(std::move(out));
  }

  TraceRow trace_row(const toml::table& table) {
    std::vector<std::string> known = {"trace", "reason"}, names;
    known.insert(known.end(), kFigures.begin(), kFigures.end());
    in_.only(table, known);
    TraceRow row;
    for (const auto& [name, trace] : out_.traces) names.push_back(name);
    row.trace = one_of(table, "trace", names);
    for (const char* figure : kFigures)
      if (table.get(figure)) row.figures[figure] = needed_number(table, figure);
    if (row.figures.empty()) in_.fail(table, "expected cycles or another figure");
    const toml::node* reasons = table.get("reason");
    if (!reasons) return row;
    if (!reasons->is_table()) in_.fail(*reasons, "reason: expected reason.cycles = \"...\"");
    const toml::table& list = *reasons->as_table();
    in_.only(list, {kFigures.begin(), kFigures.end()});
    for (const char* figure : kFigures)
      if (list.get(figure)) row.reasons[figure] = needed(list, figure);
    return row;
  }

  void read_curves(const toml::table& root) {
    in_.only(root, {"experiment", "machine"});
    each_table(root, "machine", 1, [&](const toml::table& table) { read_curve_machine(table); });
  }

  void read_curve_machine(const toml::table& table) {
    in_.only(table, {"name", "profile", "set", "curves", "row", "check"});
    CurveMachine out;
    out.name = needed(table, "name");
    out.machine = machine(table);
    out.curves = in_.texts(table, "curves");
    const std::vector<std::string> known = curve_names();
    for (const std::string& curve : out.curves)
      if (std::find(known.begin(), known.end(), curve) == known.end())
        in_.fail(table, fmt::format("curves: {}", expected_one_of(curve, known)));
    const std::vector<std::string> measured = out.curves.empty() ? known : out.curves;
    each_table(table, "row", 0, [&](const toml::table& t) {
      in_.only(t, {"what", "curve", "at", "reference", "limit", "tolerance", "within", "source", "reason"});
      CurveRow row;
      row.what = needed(t, "what");
      row.curve = one_of(t, "curve", measured);
      row.at = needed(t, "at");
      row.limit = in_.text(t, "limit");
      row.reference = in_.number(t, "reference");
      if (row.reference.has_value() == !row.limit.empty()) in_.fail(t, "expected reference or limit, not both");
      if (!row.limit.empty()) one_of(t, "limit", limit_names());
      row.absolute = t.get("within") != nullptr;
      if (row.absolute && t.get("tolerance")) in_.fail(t, "expected tolerance or within, not both");
      row.tolerance = needed_number(t, row.absolute ? "within" : "tolerance");
      row.source = needed(t, "source");
      row.reason = in_.text(t, "reason");
      out.rows.push_back(std::move(row));
    });
    each_table(table, "check", 0, [&](const toml::table& t) {
      in_.only(t, {"curve", "shape", "tolerance", "reason"});
      CurveCheck check;
      check.curve = one_of(t, "curve", measured);
      const std::string shape = one_of(t, "shape", {"rising", "falling", "to_peak"});
      check.shape = shape == "rising" ? Shape::rising : shape == "falling" ? Shape::falling : Shape::to_peak;
      check.tolerance = needed_number(t, "tolerance");
      check.reason = in_.text(t, "reason");
      out.checks.push_back(std::move(check));
    });
    out_.curve_machines.push_back(std::move(out));
  }

  void read_gpus(const toml::table& root) {
    in_.only(root, {"experiment", "machine", "row"});
    each_table(root, "machine", 1,
               [&](const toml::table& table) { read_gpu(root, table, out_.gpu_machines.empty()); });
  }

  void read_gpu(const toml::table& root, const toml::table& table, bool first) {
    in_.only(table, {"name", "profile", "set", "result"});
    GpuMachine out;
    out.name = needed(table, "name");
    out.machine = machine(table);
    std::vector<std::string> known;
    for (const BuiltinText& file : builtin_measurements()) known.emplace_back(file.name);
    const std::string result = one_of(table, "result", known);
    const auto& file = *std::ranges::find(builtin_measurements(), result, &BuiltinText::name);
    const auto measured = nlohmann::json::parse(file.text);
    const auto& programs = measured.at("programs");
    out.source = fmt::format("{}, {}: mean of {} runs", file.file,
                             measured.at("device").at("name").get<std::string>(), measured.at("runs").get<int>());
    each_table(root, "row", 1, [&](const toml::table& row) { read_gpu_row(row, programs, first, out); });
    out_.gpu_machines.push_back(std::move(out));
  }

  /// One row for each point.
  void read_gpu_row(const toml::table& table, const nlohmann::json& programs, bool first, GpuMachine& out) {
    in_.only(table, {"curve", "at", "fitted", "tolerance", "quick", "reason"});
    GpuRow row;
    row.curve = one_of(table, "curve", gpu_curve_names());
    row.fitted = in_.flag(table, "fitted") && first;
    row.tolerance = needed_number(table, "tolerance");
    row.quick = in_.flag(table, "quick");
    row.reason = in_.text(table, "reason");
    const toml::node* list = table.get("at");
    if (!list || !list->is_array() || list->as_array()->empty()) in_.fail(table, "at: expected a list of numbers");
    const std::size_t dot = row.curve.find('.');
    const std::string program = row.curve.substr(0, dot), name = row.curve.substr(dot + 1);
    const auto curves = programs.value(program, nlohmann::json::object()).value("curves", nlohmann::json::array());
    const auto curve = std::ranges::find_if(curves, [&](const auto& c) { return c.at("name") == name; });
    if (curve == curves.end()) in_.fail(table, fmt::format("curve: {} was not measured on {}", row.curve, out.name));
    row.x_unit = curve->at("x_unit");
    row.y_unit = curve->at("y_unit");
    const auto& points = curve->at("points");
    for (const toml::node& node : *list->as_array()) {
      const auto x = node.value<double>();
      // The results have nine digits.
      const auto point = std::ranges::find_if(
          points, [&](const auto& p) { return x && std::abs(p.at("x").template get<double>() - *x) <= *x * 1e-8; });
      if (point == points.end()) in_.fail(node, fmt::format("at: expected a point of {}", row.curve));
      row.at = *x;
      row.reference = point->at("mean");
      out.rows.push_back(row);
    }
  }

  const TomlReader in_;
  Reference out_;
};

}  // namespace

Reference parse_reference(std::string_view text, const std::string& file) { return Parser(text, file).read(); }

std::vector<Reference> read_builtin_references() {
  std::vector<Reference> out;
  for (const BuiltinText& file : builtin_references())
    if (!std::string_view(file.name).starts_with("dram"))  // of another format
      out.push_back(parse_reference(file.text, file.file));
  return out;
}

}  // namespace warpsieve::validate
