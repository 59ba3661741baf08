#include "claims/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "core/builtin_text.h"
#include "core/toml_reader.h"
#include "run/progress.h"
#include "workloads/registry.h"

namespace warpsieve::claims {

// Defined by the generated source, see CMakeLists.txt.
std::span<const BuiltinText> builtin_claim_seconds();

namespace {

/// CPU seconds of one run, by scale, then workload and sizes.
using Seconds = std::map<std::string, std::map<std::string, double>>;

Seconds read_seconds() {
  Seconds out;
  for (const BuiltinText& file : builtin_claim_seconds()) {
    const TomlReader in(file.file, file.text);
    for (const auto& [workload, node] : in.root())
      if (const auto seconds = node.value<double>()) out[file.name][std::string(workload.str())] = *seconds;
  }
  return out;
}

auto size_values(const run::RunSpec& spec, const std::string& scale) {
  const workloads::WorkloadOptions options{.set = run::size_settings(spec.sizes),
                                           .scale = workloads::parse_scale(scale)};
  return workloads::Settings(workloads::workload_info(spec.workload), options).values();
}

}  // namespace

std::optional<double> known_seconds(const run::RunSpec& spec) {
  static const Seconds known = read_seconds();
  std::vector<std::string> sizes = spec.sizes;
  std::sort(sizes.begin(), sizes.end());
  const std::string name = fmt::format("{}{}{}", spec.workload, sizes.empty() ? "" : " ", fmt::join(sizes, " "));
  const auto of = known.find(spec.scale);
  if (of == known.end()) return std::nullopt;
  if (const auto it = of->second.find(name); it != of->second.end()) return it->second;
  std::optional<double> alike;
  const auto whole = of->second.find(spec.workload);
  for (const auto& [scale, others] : known) {
    const auto it = others.find(name);
    if (it == others.end()) continue;
    if (size_values(spec, scale) == size_values(spec, spec.scale)) return it->second;
    const auto other_whole = others.find(spec.workload);
    if (whole != of->second.end() && other_whole != others.end())
      alike = whole->second * std::min(1.0, it->second / other_whole->second);
  }
  if (alike) return alike;
  if (whole != of->second.end()) return whole->second;
  return std::nullopt;
}

Estimate estimate(const sweep::Store& store, const sweep::Sweep& points) {
  const sweep::Times times = store.times();
  Estimate out;
  std::vector<std::size_t> unknown;
  for (const sweep::Point& point : points.points) {
    const sweep::State state = store.state(point);
    if (state == sweep::State::done || state == sweep::State::failed) continue;
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
