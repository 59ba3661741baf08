#include "sweep/point.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "run/atomic_file.h"
#include "run/content_hash.h"
#include "run/version.h"
#include "schemes/registry.h"
#include "trace/replay.h"

namespace warpsieve::sweep {

namespace {

using nlohmann::ordered_json;

/// The last assignment to a name counts, as it does when they are applied; by name.
std::vector<std::string> canonical(const std::vector<std::string>& assignments) {
  std::map<std::string, std::string> last;
  for (const std::string& a : assignments) {
    const auto equals = a.find('=');
    std::string value = equals == std::string::npos ? "" : a.substr(equals + 1);
    if (value == "true") value = "1";
    if (value == "false") value = "0";
    last[a.substr(0, equals)] = std::move(value);
  }
  std::vector<std::string> out;
  for (const auto& [name, value] : last) out.push_back(name + "=" + value);
  return out;
}

}  // namespace

std::string Point::label() const {
  std::string out = fmt::format("{} {} {}", spec.workload, spec.scheme, spec.profile);
  for (const std::string& s : spec.sizes) out += " " + s;
  for (const std::string& s : spec.set) out += " " + s;
  if (spec.seed != 1) out += fmt::format(" seed={}", spec.seed);
  if (spec.repetition != 0) out += fmt::format(" repetition={}", spec.repetition);
  return out;
}

bool names_file(std::string_view name) { return name.find('/') != name.npos || name.ends_with(".toml"); }

Point make_point(run::RunSpec spec) {
  spec.scheme = fmt::format("{}", fmt::join(schemes::scheme_parts(spec.scheme), "+"));
  const bool trace = trace::names_trace(spec.workload);
  if (trace) spec.seed = 1;  // all of it is in the file
  if (spec.scale.empty() && !trace) spec.scale = spec.profile.ends_with("-quarter") ? "quarter" : "full";
  spec.sizes = canonical(spec.sizes);
  spec.set = canonical(spec.set);
  std::erase_if(spec.set, [&](const std::string& assignment) {
    const std::string name = assignment.substr(0, assignment.find('='));
    return schemes::is_scheme_parameter(name) && !schemes::takes_parameter(spec.scheme, name);
  });
  ordered_json all = to_json(spec);
  all["version"] = run::version();
  // Contents count, not places: the same file elsewhere is the same point.
  if (trace)
    all["workload"] = fmt::format("{}{}", trace::kTracePrefix, run::file_hash(trace::trace_path(spec.workload)));
  if (!spec.input.empty()) all["input"] = run::input_hash(spec.workload, spec.input);
  if (names_file(spec.profile)) all["profile"] = run::content_hash(run::read_text(spec.profile));
  return {run::content_hash(all.dump(-1, ' ', false, ordered_json::error_handler_t::replace)), std::move(spec)};
}

ordered_json to_json(const run::RunSpec& s) {
  ordered_json out = {{"workload", s.workload}, {"scheme", s.scheme}, {"profile", s.profile}, {"scale", s.scale},
                      {"input", s.input},       {"sizes", s.sizes},   {"set", s.set},         {"backend", s.backend},
                      {"blocks", s.blocks},     {"seed", s.seed}};
  if (s.repetition != 0) out["repetition"] = s.repetition;  // the first is the point of a sweep without any
  return out;
}

run::RunSpec spec_from_json(const ordered_json& j) {
  run::RunSpec s;
  j.at("workload").get_to(s.workload);
  j.at("scheme").get_to(s.scheme);
  j.at("profile").get_to(s.profile);
  j.at("scale").get_to(s.scale);
  j.at("input").get_to(s.input);
  j.at("sizes").get_to(s.sizes);
  j.at("set").get_to(s.set);
  j.at("backend").get_to(s.backend);
  j.at("blocks").get_to(s.blocks);
  j.at("seed").get_to(s.seed);
  s.repetition = j.value("repetition", 0u);
  return s;
}

}  // namespace warpsieve::sweep
