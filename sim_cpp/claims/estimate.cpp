#include "claims/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "claims/rules.h"
#include "core/builtin_text.h"
#include "core/number.h"
#include "core/toml_reader.h"
#include "run/progress.h"
#include "workloads/registry.h"

namespace warpsieve::claims {

// Defined by the generated source, see CMakeLists.txt.
std::span<const BuiltinText> builtin_claim_seconds();

namespace {

/// CPU seconds of one run on each machine, by scale, then workload and sizes.
using ByMachine = std::map<std::string, double>;
using Seconds = std::map<std::string, std::map<std::string, ByMachine>>;

Seconds read_seconds() {
  Seconds out;
  for (const BuiltinText& file : builtin_claim_seconds()) {
    const TomlReader in(file.file, file.text);
    for (const auto& [machine, runs] : in.root())
      for (const auto& [name, node] : *runs.as_table())
        if (const auto seconds = node.value<double>())
          out[file.name][std::string(name.str())][std::string(machine.str())] = *seconds;
  }
  return out;
}

/// On the machine of the profile, else the mean over those that are known.
double on_machine(const ByMachine& seconds, const std::string& profile) {
  const auto own = seconds.find(whole_machine(profile));
  if (own != seconds.end()) return own->second;
  double sum = 0;
  for (const auto& [machine, value] : seconds) sum += value;
  return sum / static_cast<double>(seconds.size());
}

/// The digits of gpu.launch_sample, empty without.
std::string sample_of(const run::RunSpec& spec) {
  constexpr std::string_view kSample = "gpu.launch_sample=";
  for (const std::string& setting : spec.set)
    if (setting.starts_with(kSample)) return setting.substr(kSample.size());
  return "";
}

auto size_values(const run::RunSpec& spec, const std::string& scale) {
  const workloads::WorkloadOptions options{.set = run::size_settings(spec.sizes),
                                           .scale = workloads::parse_scale(scale)};
  return workloads::Settings(workloads::workload_info(spec.workload), options).values();
}

}  // namespace

std::optional<double> known_seconds(const run::RunSpec& spec) {
  static const Seconds known = read_seconds();
  const auto seconds = [&](const std::string& scale, const std::string& name) -> std::optional<double> {
    const auto of = known.find(scale);
    if (of == known.end()) return std::nullopt;
    const auto at = of->second.find(name);
    return at == of->second.end() ? std::nullopt : std::optional(on_machine(at->second, spec.profile));
  };
  std::vector<std::string> sizes = spec.sizes;
  std::sort(sizes.begin(), sizes.end());
  const std::string name = fmt::format("{}{}{}", spec.workload, sizes.empty() ? "" : " ", fmt::join(sizes, " "));
  double share = 1;
  if (const std::string sample = sample_of(spec); !sample.empty()) {
    if (const auto sampled = seconds(spec.scale, name + " sample=" + sample)) return sampled;
    if (const auto launches = to_number<std::uint32_t>(sample)) share = 1.0 / std::max(1u, *launches);
  }
  if (const auto same = seconds(spec.scale, name)) return *same * share;
  if (!known.contains(spec.scale)) return std::nullopt;
  std::optional<double> alike;
  const auto whole = seconds(spec.scale, spec.workload);
  for (const auto& [scale, others] : known) {
    const auto sized = seconds(scale, name);
    if (!sized) continue;
    if (size_values(spec, scale) == size_values(spec, spec.scale)) return *sized * share;
    const auto other_whole = seconds(scale, spec.workload);
    if (whole && other_whole) alike = *whole * std::min(1.0, *sized / *other_whole);
  }
  if (alike) return *alike * share;
  if (whole) return *whole * share;
  return std::nullopt;
}

Estimate estimate(const sweep::Store& store, const sweep::Sweep& points) {
  const sweep::Times times = store.times();
  Estimate out;
  std::vector<std::size_t> unknown;
  for (const sweep::Point& point : points.points) {
    const sweep::State state = store.state(point);
    if (sweep::ended(state)) continue;
    const auto measured = times.of_group(sweep::group_of(point));
    const auto seconds = measured ? measured : known_seconds(point.spec);
    if (!seconds) unknown.push_back(out.seconds.size());
    out.seconds.push_back(seconds.value_or(0));
    out.total += out.seconds.back();
  }
  out.unknown = unknown.size();
  const std::size_t others = out.seconds.size() - unknown.size();
  const double mean = others ? out.total / static_cast<double>(others) : 0;
  for (const std::size_t place : unknown) {
    out.seconds[place] = mean;
    out.total += mean;
  }
  return out;
}

std::string describe(const Estimate& e, unsigned jobs) {
  if (e.seconds.empty()) return "nothing to simulate";
  if (e.unknown == e.seconds.size()) return "no time known: the estimate follows with the first points";
  std::string text = fmt::format("about {} of CPU time", run::duration_text(e.total));
  if (jobs) text += fmt::format(", {} with {} at a time", run::duration_text(e.total / jobs), jobs);
  if (e.unknown) text += fmt::format("; {} points without a time count as the mean of the others", e.unknown);
  return text;
}

}  // namespace warpsieve::claims
