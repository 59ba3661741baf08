#include "sweep/point.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <map>

#include "schemes/registry.h"
#include "sweep/atomic_file.h"
#include "sweep/version.h"

namespace warpsieve::sweep {

namespace {

using nlohmann::ordered_json;

bool is_file(const std::string& profile) {
  return profile.find('/') != std::string::npos || profile.ends_with(".toml");
}

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

std::string Point::label() const {
  std::string out = fmt::format("{} {} {}", spec.workload, spec.scheme, spec.profile);
  for (const std::string& s : spec.sizes) out += " " + s;
  for (const std::string& s : spec.set) out += " " + s;
  if (spec.seed != 1) out += fmt::format(" seed={}", spec.seed);
  return out;
}

Point make_point(RunSpec spec) {
  spec.scheme = fmt::format("{}", fmt::join(schemes::scheme_parts(spec.scheme), "+"));
  if (spec.scale.empty()) spec.scale = spec.profile.ends_with("-quarter") ? "quarter" : "full";
  spec.sizes = canonical(spec.sizes);
  spec.set = canonical(spec.set);
  std::erase_if(spec.set, [&](const std::string& assignment) {
    const std::string name = assignment.substr(0, assignment.find('='));
    return schemes::is_scheme_parameter(name) && !schemes::takes_parameter(spec.scheme, name);
  });
  ordered_json all = to_json(spec);
  all["version"] = version();
  // Contents count, not places: the same file elsewhere is the same point.
  if (!spec.input.empty()) all["input"] = content_hash(read_text(spec.input));
  if (is_file(spec.profile)) all["profile"] = content_hash(read_text(spec.profile));
  return {content_hash(all.dump()), std::move(spec)};
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
