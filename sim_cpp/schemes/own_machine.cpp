#include "schemes/own_machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "schemes/registry.h"

namespace warpsieve::schemes {

namespace {

/// The machine of schemes that name none: the baseline's.
const std::string& usual_profile() { return scheme_info("baseline").profile; }

bool plugs_into(std::string_view scheme, const char* port) {
  const std::vector<std::string> parts = scheme_parts(scheme);
  return std::any_of(parts.begin(), parts.end(), [port](const std::string& part) {
    const std::vector<std::string>& ports = scheme_info(part).ports;
    return std::find(ports.begin(), ports.end(), port) != ports.end();
  });
}

}  // namespace

std::string own_profile(std::string_view scheme) {
  for (const std::string& part : scheme_parts(scheme))
    if (const std::string& profile = scheme_info(part).profile; !profile.empty() && profile != usual_profile())
      return profile;
  return usual_profile();
}

std::string quarter_profile(const std::string& profile) {
  const std::vector<std::string> known = memsys::profile_names();
  const std::string quarter = profile + "-quarter";
  return std::find(known.begin(), known.end(), quarter) == known.end() ? profile : quarter;
}

void check_machine(std::string_view scheme, const memsys::Profile& machine) {
  if (machine.noc.cluster == 1 && plugs_into(scheme, kClusterPath))
    throw ConfigError(
        fmt::format("scheme {} on {}: noc.cluster = 1: expected at least 2 SMs per cluster, as --profile {} has",
                    scheme, machine.name, quarter_profile(own_profile(scheme))));
}

std::string idle_reason(std::string_view scheme, const memsys::Profile& machine) {
  if (machine.spill.on() || !plugs_into(scheme, kPrivateMemory)) return "";
  const std::string own = quarter_profile(own_profile(scheme));
  return fmt::format(
      "scheme {} on {}: nothing is spilled (spill.percent = 0), so that it has nothing to do: expected "
      "{}--set spill.percent=75 or the like",
      scheme, machine.name, machine.local.slots ? "" : "--profile " + own + " ");
}

}  // namespace warpsieve::schemes
