#include "report/machine.h"

#include <algorithm>

#include "memsys/profile.h"

namespace warpsieve::report {

cost::Machine machine_of(const std::string& name) {
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
  const memsys::Profile profile = memsys::load_profile(name);
  cost::Machine machine = listed ? *listed : cost::Machine{};
  machine.name = name;
  machine.sms = profile.sms;
  machine.controllers = profile.controllers;
  machine.slices = 2 * profile.controllers;  // decision X4
  machine.l2_slice_bytes = std::uint64_t{128} * profile.l2.sets * profile.l2.ways;
  machine.l2_ways = profile.l2.ways;
  machine.core_mhz = profile.dram.core_mhz;
  return machine;
}

}  // namespace warpsieve::report
