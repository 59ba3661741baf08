#include "sweep/point.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <filesystem>
#include <map>

#include "inputs/rodinia_files.h"
#include "schemes/registry.h"
#include "sweep/atomic_file.h"
#include "sweep/version.h"
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

std::string content_hash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string file_hash(const std::string& path) {
  namespace fs = std::filesystem;
  struct Known {
    std::uintmax_t size = 0;
    fs::file_time_type time;
    std::string hash;
  };
  static std::map<std::string, Known> known;
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  const fs::file_time_type time = error ? fs::file_time_type() : fs::last_write_time(path, error);
  const auto found = known.find(path);
  if (!error && found != known.end() && found->second.size == size && found->second.time == time)
    return found->second.hash;
  const std::string hash = content_hash(read_text(path));
  if (!error) known[path] = {size, time, hash};
  return hash;
}

std::string input_hash(const std::string& workload, const std::string& path) {
  const std::vector<std::string> files = inputs::input_files(workload, path);
  if (files.size() == 1) return file_hash(path);
  std::string all;
  for (const std::string& file : files) all += file_hash(file) + "\n";
  return content_hash(all);
}

std::string Point::label() const {
  std::string out = fmt::format("{} {} {}", spec.workload, spec.scheme, spec.profile);
  for (const std::string& s : spec.sizes) out += " " + s;
  for (const std::string& s : spec.set) out += " " + s;
  if (spec.seed != 1) out += fmt::format(" seed={}", spec.seed);
  return out;
}

bool names_file(std::string_view name) { return name.find('/') != name.npos || name.ends_with(".toml"); }

Point make_point(RunSpec spec) {
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
  all["version"] = version();
  // Contents count, not places: the same file elsewhere is the same point.
  if (trace) all["workload"] = fmt::format("{}{}", trace::kTracePrefix, file_hash(trace::trace_path(spec.workload)));
  if (!spec.input.empty()) all["input"] = input_hash(spec.workload, spec.input);
  if (names_file(spec.profile)) all["profile"] = content_hash(read_text(spec.profile));
  return {content_hash(all.dump(-1, ' ', false, ordered_json::error_handler_t::replace)), std::move(spec)};
}

ordered_json to_json(const RunSpec& s) {
  return {{"workload", s.workload}, {"scheme", s.scheme}, {"profile", s.profile}, {"scale", s.scale},
          {"input", s.input},       {"sizes", s.sizes},   {"set", s.set},         {"backend", s.backend},
          {"blocks", s.blocks},     {"seed", s.seed}};
}

RunSpec spec_from_json(const ordered_json& j) {
  RunSpec s;
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
  return s;
}

}  // namespace warpsieve::sweep
