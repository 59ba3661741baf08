#include "report/machine.h"

#include <algorithm>

#include "cost/energy.h"
#include "memsys/profile.h"
#include "schemes/registry.h"

namespace warpsieve::report {

using nlohmann::ordered_json;

namespace {

struct Sizes {
  std::uint32_t sms, cluster, controllers, l2_sets, l2_ways, l2_added_ways, core_mhz;
};

cost::Machine simulated_machine(const std::string& name, const Sizes& s) {
  const cost::Machine* listed = cost::find_machine(name);
  cost::Machine machine = listed ? *listed : cost::Machine{};
  machine.name = name;
  machine.sms = s.sms;
  machine.clusters = s.cluster > 1 ? (s.sms + s.cluster - 1) / s.cluster : 0;
  machine.controllers = s.controllers;
  machine.slices = 2 * s.controllers;  // decision X4
  machine.l2_slice_bytes = std::uint64_t{128} * s.l2_sets * s.l2_ways;
  machine.l2_ways = s.l2_ways;
  machine.l2_added_ways = s.l2_added_ways;
  machine.core_mhz = s.core_mhz;
  return machine;
}

}  // namespace

cost::Machine machine_of(const std::string& name, const std::string& scheme, const std::vector<std::string>& set) {
  const cost::Machine* listed = cost::find_machine(name);
  const auto built_in = memsys::profile_names();
  const bool simulated = std::find(built_in.begin(), built_in.end(), name) != built_in.end();
  const bool file = name.find('/') != std::string::npos || name.ends_with(".toml");
  if (!simulated && !file) {
    if (listed) return *listed;
    std::vector<std::string> known = built_in;
    for (const cost::Machine& m : cost::all_machines()) {
      if (std::find(known.begin(), known.end(), m.name) == known.end()) known.push_back(m.name);
    }
    throw cost::CostError(cost::unknown_name("profile", name, known));
  }
  const schemes::Settings settings = schemes::split_settings(set);
  const memsys::Profile p = memsys::load_profile(name, settings.machine);
  memsys::Profile amended = p;
  schemes::SchemeOptions options;
  options.set = settings.scheme;
  schemes::make_scheme(scheme, options)->amend(amended);
  return simulated_machine(name, {p.sms, p.noc.cluster, p.controllers, p.l2.sets, p.l2.ways,
                                  amended.l2.ways - p.l2.ways, p.dram.core_mhz});
}

cost::Machine machine_of_run(const ordered_json& run) {
  const cost::RunFigures figures = cost::RunFigures::from_json(run);
  const auto p = [&](const char* parameter) { return static_cast<std::uint32_t>(figures.size(parameter)); };
  // The run has the ways of both, its scheme says how many quarters it added (schemes/l2_size.cpp).
  const std::uint32_t ways = p("l2.ways");
  const auto quarters = static_cast<std::uint32_t>(figures.parameter("l2_5mb.quarters", 0));
  const std::uint32_t added = ways - ways * 4 / (4 + quarters);
  return simulated_machine(figures.profile, {p("gpu.sms"), p("noc.cluster"), p("gpu.controllers"), p("l2.sets"),
                                             ways - added, added, p("dram.core_mhz")});
}

}  // namespace warpsieve::report
