#include "cost/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cost/area.h"
#include "cost/embedded.h"

namespace warpsieve::cost {

double period_fo4(double mhz, double node_nm) { return 1000 / mhz / (Library::kFo4 * Library::time_factor(node_nm)); }

unsigned path_cycles(double path_fo4, double mhz, double node_nm) {
  return std::max(1u, static_cast<unsigned>(std::ceil(path_fo4 / period_fo4(mhz, node_nm))));
}

double paced_fo4(const Synthesis& netlist, double mhz, double node_nm) {
  const double period = period_fo4(mhz, node_nm);
  const bool fast = netlist.fo4 > period && netlist.fast_fo4 > 0 && netlist.fast_fo4 <= period;
  return fast ? netlist.fast_fo4 : netlist.fo4;
}

std::vector<MeasuredLatency> measured_latencies(const std::string& scheme, double mhz) {
  static const auto rules = nlohmann::json::parse(embedded("sim_cpp/cost/data/latency.json"));
  std::vector<MeasuredLatency> found;
  for (const BlockUse& use : scheme_blocks(scheme).blocks) {
    for (const auto& rule : rules) {
      if (rule.at("module") != use.module) continue;
      if (rule.value("only", scheme) != scheme || rule.value("not", "") == scheme) continue;
      const auto s = synthesis(use.block, use.module, use.point);
      if (!s) continue;
      const std::string parameter = rule.at("parameter");
      const double path = paced_fo4(*s, mhz);
      const unsigned clocks = rule.at("clocks"), cycles = path_cycles(path, mhz);
      MeasuredLatency here{
          parameter, clocks * cycles,
          fmt::format("{}@{}: {} clocks ({}) x ceil({:.1f} / {:.1f} FO4) = {} cycles", use.module, use.point, clocks,
                      rule.at("what").get<std::string>(), path, period_fo4(mhz), clocks * cycles)};
      const auto same = std::find_if(found.begin(), found.end(),
                                     [&](const MeasuredLatency& m) { return m.parameter == parameter; });
      if (same == found.end()) {
        found.push_back(std::move(here));
      } else if (here.value > same->value) {  // the slowest of several decides
        *same = std::move(here);
      }
    }
  }
  return found;
}

}  // namespace warpsieve::cost
