#include "schemes/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/edit_distance.h"
#include "schemes/cmd.h"

namespace warpsieve::schemes {

const std::vector<SchemeInfo>& scheme_list() {
  static const std::vector<SchemeInfo> list = [] {
    std::vector<std::string> without_fifo = cmd_blocks();
    without_fifo.pop_back();
    std::vector<SchemeInfo> all{{"baseline", "L2 and DRAM directly connected", {}}};
    for (const CmdVariant& variant : cmd_variants())
      all.push_back({variant.name, variant.doc, variant.fifo ? cmd_blocks() : without_fifo});
    return all;
  }();
  return list;
}

const SchemeInfo& scheme_info(std::string_view name) {
  std::vector<std::string> names;
  for (const SchemeInfo& info : scheme_list()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  throw ConfigError(fmt::format("unknown scheme '{}'{}: expected one of {}", name, did_you_mean(name, names),
                                fmt::join(names, ", ")));
}

namespace {
/// The part of a rule behind '@' must name an instance of the machine.
void check_instance(std::string_view rule, std::uint32_t controllers) {
  const auto at = rule.find('@');
  if (at == std::string_view::npos) return;
  const std::string_view block = rule.substr(0, at);
  const std::string_view instance = rule.substr(at + 1, rule.find('=') - at - 1);
  const bool per_slice = block == "victim_fifo";
  for (std::uint32_t c = 0; c < controllers; ++c) {
    if (!per_slice && instance == fmt::format("mc{}", c)) return;
    for (unsigned s = 0; per_slice && s < memsys::kSlicesPerController; ++s)
      if (instance == fmt::format("mc{}.slice{}", c, s)) return;
  }
  throw ConfigError(fmt::format("'{}': no instance '{}' of {}; there are mc0{} to mc{}{}", rule, instance, block,
                                per_slice ? ".slice0" : "", controllers - 1, per_slice ? ".slice1" : ""));
}
}  // namespace

std::unique_ptr<Scheme> make_scheme(std::string_view name, const SchemeOptions& options) {
  scheme_info(name);
  CmdParams params;
  ParamSet set;
  params.declare(set);
  for (const std::string& assignment : options.set) set.set(assignment);
  BackendPlan plan(options.backend);
  for (const std::string& rule : options.backends) {
    plan.add(rule, cmd_blocks());
    if (options.controllers) check_instance(rule, options.controllers);
  }
  if (name == "baseline") return make_baseline();
  const auto variant =
      std::find_if(cmd_variants().begin(), cmd_variants().end(), [&](const CmdVariant& v) { return v.name == name; });
  return make_cmd(*variant, params, plan);
}

std::string scheme_parameter_help() {
  CmdParams params;
  ParamSet set;
  params.declare(set);
  return set.help();
}

bool is_scheme_parameter(std::string_view name) {
  CmdParams params;
  ParamSet set;
  params.declare(set);
  return std::any_of(set.list().begin(), set.list().end(), [&](const Param& p) { return p.name == name; });
}

}  // namespace warpsieve::schemes
