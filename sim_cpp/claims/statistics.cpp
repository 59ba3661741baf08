#include "claims/statistics.h"

#include <algorithm>
#include <set>

#include "cost/energy.h"

namespace warpsieve::claims {

using nlohmann::ordered_json;

namespace {

constexpr std::uint32_t kNodeNm = 16;  // CMD's energies; only ratios of energies are ever compared
constexpr const char* kKernels = "kernels";

std::optional<double> number(const ordered_json& of, const std::string& key) {
  const auto found = of.find(key);
  return found == of.end() || !found->is_number() ? std::nullopt : std::optional(found->get<double>());
}

const ordered_json& part(const ordered_json& run, const char* name) {
  static const ordered_json kNone = ordered_json::object();
  const auto found = run.find(name);
  return found == run.end() ? kNone : *found;
}

/// Sum over launches of cycles x a field.
std::optional<double> over_launches(const ordered_json& run, const char* field) {
  double sum = 0;
  for (const ordered_json& launch : part(run, kKernels)) {
    const auto value = number(launch, field);
    if (!value) return {};
    sum += launch.at("cycles").get<double>() * *value;
  }
  return sum;
}

std::optional<double> all_shared_memory(const ordered_json& run) {
  double cycles = 0;
  for (const ordered_json& launch : part(run, kKernels)) cycles += launch.at("cycles").get<double>();
  const auto bytes = number(part(run, "parameters"), "sm.shared_bytes");
  return bytes ? std::optional(cycles * *bytes) : std::nullopt;
}

std::optional<double> instructions(const ordered_json& run) {
  double sum = 0;
  for (const ordered_json& launch : part(run, kKernels)) {
    const auto value = number(launch, "warp_instructions");
    if (!value) return {};
    sum += *value;
  }
  return sum;
}

/// Command cycles of all channels while kernels ran.
std::optional<double> command_cycles(const ordered_json& run) {
  const ordered_json& parameters = part(run, "parameters");
  const auto cycles = number(run, "cycles"), command = number(parameters, "dram.command_mhz"),
             core = number(parameters, "dram.core_mhz"), channels = number(parameters, "gpu.controllers");
  if (!cycles || !command || !core || !channels || *core == 0) return {};
  const double all = *cycles * *command / *core * *channels;
  return all > 0 ? std::optional(all) : std::nullopt;
}

std::optional<double> bus_share(const ordered_json& run) {
  const auto all = command_cycles(run), busy = number(part(run, "counters"), "dram.data_bus_cycles");
  return all && busy ? std::optional(100 * *busy / *all) : std::nullopt;
}

std::optional<double> activate_share(const ordered_json& run) {
  const ordered_json& parameters = part(run, "parameters");
  const auto all = command_cycles(run), activates = number(part(run, "counters"), "dram.activates"),
             one = number(parameters, "dram.tRRD"), four = number(parameters, "dram.tFAW");
  if (!all || !activates || !one || !four) return {};
  return 100 * *activates * std::max(*one, *four / 4) / *all;
}

std::optional<double> statistic(const ordered_json& run, const std::string& name, cost::Source& cacti) {
  if (name == "ipc" || name == "cycles") return number(run, name);
  if (name == "warp_instructions") return instructions(run);
  if (name == "energy.off_chip" || name == "energy.off_chip_gated") {
    const auto clock = name == "energy.off_chip" ? cost::Clock::always : cost::Clock::gated;
    return cost::energy_of(cost::RunFigures::from_json(run), cacti, kNodeNm, clock).off_chip_nj();
  }
  if (name == "energy.dram") return cost::dram_nj(cost::RunFigures::from_json(run));
  if (name == "shared.spare") return over_launches(run, "spare_shared_bytes");  // byte cycles of one SM
  if (name == "shared.all") return all_shared_memory(run);
  if (name == kBusShare) return bus_share(run);
  if (name == kActivateShare) return activate_share(run);
  for (const auto& [prefix, field] : {std::pair{"report.", "scheme_report"}, {"off_chip.", "off_chip_requests"}})
    if (name.starts_with(prefix)) return number(part(run, field), name.substr(std::string_view(prefix).size()));
  return number(part(run, "counters"), name);
}

void add_kernels(Statistics& out, const ordered_json& run) {
  const ordered_json& memory = part(run, "private_memory");
  if (!memory.contains(kKernels)) return;
  for (const ordered_json& kernel : memory[kKernels])
    out[kKernelPrefix + kernel.at("kernel").get<std::string>() + kNeeded] = kernel.at("r_base").get<double>();
  for (const ordered_json& launch : part(run, kKernels)) {
    const std::string name = kKernelPrefix + launch.at("kernel").get<std::string>();
    if (!out.contains(name + kNeeded)) continue;
    out[name + kPrivate] += launch.at("private_transactions").get<double>();
    out[name + kInstructions] += launch.at("warp_instructions").get<double>();
  }
}

}  // namespace

std::vector<std::string> statistic_names(const RuleSet& rules) {
  std::set<std::string> names = {"ipc", "cycles", "warp_instructions", kBusShare, kActivateShare};
  const auto add = [&](const std::vector<std::string>& list) {
    for (const std::string& name : list) names.insert(name.starts_with('-') ? name.substr(1) : name);
  };
  for (const Rule& rule : rules.rules) {
    add(rule.ratio.over);
    add(rule.ratio.under);
    add(rule.potential);
    if (rule.kind == Kind::registers) names.insert(kKernels);
  }
  for (const auto& [name, group] : rules.groups) {
    add(group.ratio.over);
    add(group.ratio.under);
  }
  return {names.begin(), names.end()};
}

Statistics statistics_of(const ordered_json& run, const std::vector<std::string>& names, cost::Source& cacti) {
  Statistics out;
  for (const std::string& name : names) {
    if (name == kKernels)
      add_kernels(out, run);
    else if (const auto value = statistic(run, name, cacti))
      out[name] = *value;
  }
  return out;
}

std::optional<double> ratio_of(const Statistics& statistics, const Ratio& ratio) {
  const auto sum = [&](const std::vector<std::string>& names) -> std::optional<double> {
    double total = 0;
    for (const std::string& name : names) {
      const bool minus = name.starts_with('-');
      const auto value = statistics.find(minus ? name.substr(1) : name);
      if (value == statistics.end()) return {};
      total += minus ? -value->second : value->second;
    }
    return total;
  };
  const auto over = sum(ratio.over);
  const auto under = ratio.under.empty() ? std::optional(1.0) : sum(ratio.under);
  if (!over || !under || *under == 0) return {};
  return *over / *under;
}

}  // namespace warpsieve::claims
