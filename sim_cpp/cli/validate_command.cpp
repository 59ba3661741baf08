#include "cli/validate_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/table.h"
#include "core/closed_list.h"
#include "core/output_file.h"
#include "core/params.h"
#include "inputs/text_reader.h"
#include "run/atomic_file.h"
#include "run/run_json.h"
#include "run/version.h"
#include "validate/validate.h"

namespace warpsieve::cli {

namespace {

using nlohmann::ordered_json;
using validate::Row;
using validate::Verdict;

constexpr std::size_t kWidth = 100;

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "pass";
    case Verdict::known: return "known";
    case Verdict::fail: return "fail";
    case Verdict::no_value: break;
  }
  return "no value";
}

std::string number(double value) {
  if (std::isnan(value)) return "-";
  return std::abs(value) >= 1000 || value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                               : fmt::format("{:.4g}", value);
}

std::string difference(const Row& row) {
  if (std::isnan(row.ours) || std::isnan(row.reference) || (!row.absolute && row.reference == 0)) return "-";
  const double by = row.ours - row.reference;
  return row.absolute ? fmt::format("{:+.1f}", by) : fmt::format("{:+.1f} %", 100.0 * by / row.reference);
}

std::string tolerance(const Row& row) { return fmt::format("{:g}{}", row.tolerance, row.absolute ? "" : " %"); }

/// `text` in lines of at most kWidth characters, all but the first indented.
std::string indented_lines(const std::string& text) {
  std::string out, line;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string next = text.substr(at, end - at);
    if (!line.empty() && line.size() + 1 + next.size() > kWidth) {
      out += line + "\n";
      line = "    " + next;
    } else {
      line += (line.empty() ? "" : " ") + next;
    }
    at = end + 1;
  }
  return out + line + "\n";
}

/// Sources are numbered and stand below the table.
std::string text_of(const validate::GroupResult& group) {
  Table table({{"what", Table::Align::left},
               {"ours"},
               {"reference"},
               {"unit", Table::Align::left},
               {"off by"},
               {"tolerance"},
               {"source"},
               {"verdict", Table::Align::left}});
  std::vector<std::string> sources;
  std::string reasons;
  for (const Row& row : group.rows) {
    auto source = std::find(sources.begin(), sources.end(), row.source);
    if (source == sources.end()) source = sources.insert(source, row.source);
    table.add({row.what, number(row.ours), number(row.reference), row.unit, difference(row), tolerance(row),
               fmt::format("[{}]", source - sources.begin() + 1), word(row.verdict())});
    if (row.verdict() == Verdict::known) reasons += indented_lines(fmt::format("{}: {}", row.what, row.reason));
  }
  std::string out = fmt::format("== {}\n{}\n", group.name, table.text());
  for (std::size_t i = 0; i < sources.size(); ++i) out += indented_lines(fmt::format("[{}] {}", i + 1, sources[i]));
  return out + reasons;
}

ordered_json finite(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

ordered_json json_of(const Row& row) {
  ordered_json out = {{"group", row.group},
                      {"what", row.what},
                      {"unit", row.unit},
                      {"ours", finite(row.ours)},
                      {"reference", finite(row.reference)},
                      {"tolerance", row.tolerance},
                      {"tolerance_unit", row.absolute ? row.unit : "% of reference"},
                      {"source", row.source},
                      {"reason", row.reason},
                      {"verdict", word(row.verdict())}};
  if (!row.curve.empty()) out.update({{"curve", row.curve}, {"at", row.at}});
  return out;
}

ordered_json json_of(const std::string& group, const validate::Curve& curve) {
  ordered_json points = ordered_json::array();
  for (const validate::Point& p : curve.points) points.push_back({{"x", p.label}, {"y", finite(p.y)}});
  return {
      {"group", group}, {"name", curve.name}, {"x_unit", curve.x_unit}, {"y_unit", curve.y_unit}, {"points", points}};
}

/// Of experiments and groups, each once.
std::vector<std::string> names_of(const std::vector<validate::Group>& groups) {
  std::vector<std::string> names;
  for (const validate::Group& group : groups)
    for (const std::string& name : {group.experiment, group.name})
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::vector<validate::Group> chosen_groups(const ValidateOptions& o) {
  std::vector<validate::Reference> references;
  for (const std::string& file : o.files)
    references.push_back(validate::parse_reference(inputs::read_file(file), file));
  std::vector<validate::Group> all = o.files.empty() ? validate::builtin_groups() : validate::groups(references);
  const std::vector<std::string> known = names_of(all);
  for (const std::string& name : o.only)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ConfigError(fmt::format("validate: --only {}", expected_one_of(name, known)));
  if (o.only.empty()) return all;
  std::erase_if(all, [&](const validate::Group& group) {
    return std::none_of(o.only.begin(), o.only.end(),
                        [&](const std::string& name) { return name == group.name || name == group.experiment; });
  });
  return all;
}

}  // namespace

std::vector<std::string> validation_groups() { return names_of(validate::builtin_groups()); }

void declare_validate(CLI::App& command, ValidateOptions& o) {
  command.add_flag("--quick", o.quick, "Short form: some traces, few points of the latency curve, under 20 seconds");
  command.add_option("--only", o.only, "These groups or experiments alone, separated by commas")->delimiter(',');
  command.add_option("--references", o.files, "Files of reference figures (TOML) instead of the built-in ones")
      ->delimiter(',');
  command.add_option("--json", o.json, "Write rows and curves as JSON to this file");
  command.footer("Exit code 1 when a row is outside of its tolerance and no reason is stated for it.");
}

ExitCode validate_command(const ValidateOptions& o) {
  if (!o.json.empty()) {
    check_not_input(o.json, o.files);
    run::check_writable(o.json);
  }
  const std::vector<validate::Group> groups = chosen_groups(o);
  std::FILE* const to = beside(o.json);
  validate::TraceFolder traces;
  ordered_json rows = ordered_json::array(), curves = ordered_json::array();
  std::map<Verdict, std::size_t> count;
  for (const validate::Group& group : groups) {
    const validate::GroupResult result = group.measure(o.quick, traces);
    if (!result.rows.empty()) fmt::print(to, "{}\n", text_of(result));
    std::fflush(to);
    for (const Row& row : result.rows) {
      rows.push_back(json_of(row));
      ++count[row.verdict()];
    }
    for (const validate::Curve& curve : result.curves) curves.push_back(json_of(result.name, curve));
  }
  fmt::print(to, "{} rows: {} pass, {} known (outside, with a reason), {} fail, {} without a value\n", rows.size(),
             count[Verdict::pass], count[Verdict::known], count[Verdict::fail], count[Verdict::no_value]);
  const bool wrong = count[Verdict::fail] > 0;
  if (!o.json.empty()) {
    ordered_json json = {{"format", "warpsieve-validate-1"},
                         {"version", run::version()},
                         {"quick", o.quick},
                         {"clean", !wrong},
                         {"rows", rows},
                         {"curves", curves}};
    run::add_digest(json);
    run::write_atomically(o.json, json.dump(1) + "\n");
  }
  return wrong ? kWrong : kOk;
}

}  // namespace warpsieve::cli
