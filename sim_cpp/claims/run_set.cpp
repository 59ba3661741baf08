#include "claims/run_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/number.h"
#include "core/params.h"
#include "schemes/registry.h"

namespace warpsieve::claims {

using nlohmann::ordered_json;

namespace {

constexpr std::string_view kSample = "gpu.launch_sample=";

std::vector<std::string> plain(std::vector<std::string> set, const std::string& scheme) {
  static std::map<std::string, std::map<std::string, std::string>> known;
  const auto [place, fresh] = known.try_emplace(scheme);
  if (fresh) place->second = default_parameters(scheme);
  std::erase_if(set, [&](const std::string& assignment) {
    const auto equals = assignment.find('=');
    const auto usual = place->second.find(assignment.substr(0, equals));
    return assignment.starts_with("cmd.potential=") || assignment.starts_with(kSample) ||
           (usual != place->second.end() && equals != std::string::npos &&
            usual->second == assignment.substr(equals + 1));
  });
  std::sort(set.begin(), set.end());
  return set;
}

/// Figures of two programs are not mixed where they differ.
void check_same(const RunEntry& a, const RunEntry& b) {
  for (const auto& [repetition, statistics] : b.repetitions) {
    const auto there = a.repetitions.find(repetition);
    if (there == a.repetitions.end()) continue;
    for (const char* name : {"cycles", "ipc", "off_chip.total"}) {
      const auto x = there->second.find(name), y = statistics.find(name);
      if (x != there->second.end() && y != statistics.end() && x->second != y->second)
        throw ConfigError(
            fmt::format("{} under {}, repetition {}: {} is {} in one and {} in another: expected one figure",
                        a.workload, a.scheme, repetition, name, x->second, y->second));
    }
  }
}

}  // namespace

std::map<std::string, std::string> reported_parameters(const ordered_json& report) {
  std::map<std::string, std::string> out;
  const auto add = [&out](const ordered_json& of) {
    const auto found = of.find("parameters");
    if (found == of.end()) return;
    for (const auto& [name, value] : found->items()) out[name] = value.dump();
  };
  add(report);
  for (const ordered_json& part : report)
    if (part.is_object()) add(part);
  return out;
}

std::map<std::string, std::string> default_parameters(const std::string& scheme) {
  std::map<std::string, std::string> out;
  try {
    schemes::visit_scheme_parameters([&](const Param& p) {
      if (schemes::takes_parameter(scheme, p.name)) out[p.name] = fmt::format("{}", p.def);
    });
  } catch (const ConfigError&) {
    return {};
  }
  return out;
}

Given given_by(const run::RunSpec& spec, const RuleSet& rules) {
  Given given;
  given.set = spec.set;
  given.input = fmt::format("{} {} {} {}", spec.scale, fmt::join(spec.sizes, ","), spec.input, spec.seed);
  // Of sampled launches, runs of the same sample compare.
  for (const std::string& assignment : spec.set)
    if (assignment.starts_with(kSample)) given.input += " " + assignment;
  given.sizes = named_sizes(rules, spec.workload, spec.sizes);
  given.repetition = spec.repetition;
  given.spec = spec;
  given.spec.repetition = 0;
  return given;
}

bool RunSet::add(const ordered_json& run, Given given) {
  std::vector<std::string> names = names_;
  const bool counts_registers = std::any_of(given.set.begin(), given.set.end(), [](const std::string& assignment) {
    return assignment.starts_with("spill.registers=");
  });
  if (counts_registers)  // one of many runs, which no other kind of rule reads
    std::erase_if(names,
                  [](const std::string& n) { return n != "kernels" && n != "cycles" && n != "warp_instructions"; });
  else
    std::erase(names, "kernels");
  RunEntry entry{run.at("workload"), run.at("scheme"), std::move(given), {}};
  entry.repetitions[entry.given.repetition] = statistics_of(run, names, cacti_);
  return add(run.at("profile"), std::move(entry), true);
}

bool RunSet::add(const std::string& profile, RunEntry entry, bool same) {
  if (profile_.empty()) profile_ = profile;
  if (profile != profile_)
    throw ConfigError(fmt::format("runs of profile {} among those of {}: the figures of a paper need one machine",
                                  profile, profile_));
  Given& given = entry.given;
  given.set = plain(std::move(given.set), entry.scheme);
  bool alone = true;
  for (RunEntry& there : entries_) {
    if (there.workload != entry.workload || there.scheme != entry.scheme || there.given.set != given.set ||
        there.given.sizes != given.sizes)
      continue;
    if (there.given.input == given.input) {
      if (same) check_same(there, entry);
      there.repetitions.insert(entry.repetitions.begin(), entry.repetitions.end());
      return true;
    }
    alone = false;
  }
  entries_.push_back(std::move(entry));
  return alone;
}

void RunSet::is_scale(const std::string& scale) {
  if (!scale_.empty() && scale != scale_)
    throw ConfigError(
        fmt::format("runs of scale {} among those of {}: the figures of a paper need one", scale, scale_));
  scale_ = scale;
}

const RunEntry* RunSet::find(const std::string& workload, const std::string& input, const std::string& scheme,
                             std::vector<std::string> set, const std::vector<std::string>& sizes) const {
  set = plain(std::move(set), scheme);
  for (const RunEntry& e : entries_)
    if (e.workload == workload && e.scheme == scheme && e.given.input == input && e.given.set == set &&
        e.given.sizes == sizes)
      return &e;
  return nullptr;
}

std::map<std::uint32_t, const RunEntry*> RunSet::series(const std::string& workload, const std::string& input,
                                                        const std::string& scheme,
                                                        const std::vector<std::string>& set,
                                                        const std::string& parameter) const {
  std::map<std::uint32_t, const RunEntry*> found;
  for (const RunEntry& e : entries_) {
    if (e.workload != workload || e.given.input != input || e.scheme != scheme || !e.given.sizes.empty()) continue;
    std::vector<std::string> others = e.given.set;
    std::string value;
    std::erase_if(others, [&](const std::string& assignment) {
      const bool varied = assignment.starts_with(parameter + "=");
      if (varied) value = assignment.substr(parameter.size() + 1);
      return varied;
    });
    if (value.empty() || others != set) continue;
    const auto at = to_number<std::uint32_t>(value);
    if (!at)
      throw ConfigError(fmt::format("results of {} with {}: {} = '{}', expected a whole number from 0 to 2^32 - 1",
                                    workload, scheme, parameter, value));
    found[*at] = &e;
  }
  return found;
}

std::vector<std::string> RunSet::workloads() const {
  std::vector<std::string> names;
  for (const RunEntry& e : entries_)
    if (std::find(names.begin(), names.end(), e.workload) == names.end()) names.push_back(e.workload);
  return names;
}

std::vector<std::string> RunSet::inputs_of(const std::string& workload) const {
  std::vector<std::string> inputs;
  for (const RunEntry& e : entries_)
    if (e.workload == workload && std::find(inputs.begin(), inputs.end(), e.given.input) == inputs.end())
      inputs.push_back(e.given.input);
  return inputs;
}

unsigned RunSet::least_repetitions() const {
  std::size_t least = entries_.empty() ? 0 : entries_.front().repetitions.size();
  for (const RunEntry& e : entries_) least = std::min(least, e.repetitions.size());
  return static_cast<unsigned>(least);
}

unsigned RunSet::most_repetitions() const {
  std::size_t most = 0;
  for (const RunEntry& e : entries_) most = std::max(most, e.repetitions.size());
  return static_cast<unsigned>(most);
}

}  // namespace warpsieve::claims
