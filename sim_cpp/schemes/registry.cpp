#include "schemes/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schemes/cmd.h"

namespace warpsieve::schemes {

const std::vector<SchemeInfo>& scheme_list() {
  static const std::vector<SchemeInfo> list = [] {
    std::vector<std::string> without_fifo = cmd_blocks();
    without_fifo.pop_back();
    return std::vector<SchemeInfo>{
        {"baseline", "L2 and DRAM directly connected", {}},
        {"dedup", "CMD paper: duplicate writes removed", without_fifo},
        {"dedup+car", "... and reads of duplicates answered by the L2 copy of the reference", without_fifo},
        {"cmd", "... and a read-only FIFO of clean victims in each L2 slice", cmd_blocks()},
    };
  }();
  return list;
}

const SchemeInfo& scheme_info(std::string_view name) {
  std::vector<std::string> names;
  for (const SchemeInfo& info : scheme_list()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  throw ConfigError(fmt::format("unknown scheme '{}': expected one of {}", name, fmt::join(names, ", ")));
}

std::unique_ptr<Scheme> make_scheme(std::string_view name, const SchemeOptions& options) {
  const SchemeInfo& info = scheme_info(name);
  CmdParams params;
  ParamSet set;
  params.declare(set);
  for (const std::string& assignment : options.set) set.set(assignment);
  BackendPlan plan(options.backend);
  for (const std::string& rule : options.backends) {
    if (!info.blocks.empty()) plan.add(rule, info.blocks);
  }
  if (name == "baseline") return make_baseline();
  const CmdVariant variant = name == "dedup"       ? CmdVariant::dedup
                             : name == "dedup+car" ? CmdVariant::dedup_car
                                                   : CmdVariant::cmd;
  return make_cmd(variant, params, plan);
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
