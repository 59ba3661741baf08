#include "claims/finished_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.h"
#include "memsys/profile.h"
#include "schemes/registry.h"

namespace warpsieve::claims {

using nlohmann::ordered_json;

namespace {

std::vector<std::string> given_to(const ordered_json& run) {
  std::vector<std::string> out;
  const auto profile = run.at("profile").get<std::string>(), scheme = run.at("scheme").get<std::string>();
  for (const auto& [name, value] : reported_parameters(run.at("scheme_report"))) out.push_back(name + "=" + value);
  const std::vector<std::string> known = memsys::profile_names();
  if (std::find(known.begin(), known.end(), profile) == known.end()) return out;  // a machine of one's own
  memsys::Profile usual = memsys::load_profile(profile);
  try {
    schemes::make_scheme(scheme, {})->amend(usual);
  } catch (const std::exception&) {  // a scheme that this version does not know amends nothing
  }
  const ordered_json parameters = usual.parameters();
  for (const auto& [name, value] : run.at("parameters").items())
    if (!parameters.contains(name) || parameters[name] != value)
      out.push_back(fmt::format("{}={}", name, value.dump()));
  return out;
}

void add_repetitions(const ordered_json& run, RunEntry& entry) {
  const auto repeats = run.find("repeats");
  if (repeats == run.end()) return;
  const auto values = [&](const char* figure) { return repeats->at(figure).at("values").get<std::vector<double>>(); };
  const std::vector<double> ipc = values("ipc"), requests = values("off_chip_requests");
  for (std::size_t r = 1; r < std::min(ipc.size(), requests.size()); ++r)
    entry.repetitions[static_cast<unsigned>(r)] = {{"ipc", ipc[r]}, {"off_chip.total", requests[r]}};
}

/// Whether some rule asks for runs with a value of this parameter.
bool asked_for(const RuleSet& rules, const std::string& assignment) {
  const std::string parameter = assignment.substr(0, assignment.find('=') + 1);
  const auto names_it = [&](const std::vector<std::string>& set) {
    return std::any_of(set.begin(), set.end(), [&](const std::string& a) { return a.starts_with(parameter); });
  };
  return std::any_of(rules.rules.begin(), rules.rules.end(),
                     [&](const Rule& rule) { return names_it(rule.set) || names_it(rule.against_set); });
}

/// Takes out what all runs were given.
void drop_common(const RuleSet& rules, std::vector<RunEntry>& entries) {
  if (entries.empty()) return;
  std::vector<std::string> common;
  for (const std::string& assignment : entries.front().given.set)
    if (!asked_for(rules, assignment) && !schemes::is_scheme_parameter(assignment.substr(0, assignment.find('='))) &&
        std::all_of(entries.begin(), entries.end(), [&](const RunEntry& e) {
          return std::find(e.given.set.begin(), e.given.set.end(), assignment) != e.given.set.end();
        }))
      common.push_back(assignment);
  for (RunEntry& entry : entries)
    std::erase_if(entry.given.set, [&](const std::string& assignment) {
      return std::find(common.begin(), common.end(), assignment) != common.end();
    });
}

RunEntry entry_of(const ordered_json& run, const run::RunSpec& spec, const RuleSet& rules,
                  const std::vector<std::string>& names, cost::Source& cacti) {
  RunEntry entry{
      run.at("workload").get<std::string>(), run.at("scheme").get<std::string>(), given_by(spec, rules), {}};
  entry.given.set = given_to(run);
  if (const auto experiment = run.find("experiment"); experiment != run.end() && experiment->is_string())
    entry.given.input += " " + experiment->get<std::string>();  // of another machine, where that is not known by name
  try {
    entry.repetitions[0] = statistics_of(run, names, cacti);
  } catch (const BadInput&) {  // a parameter without meaning, or a cache that CACTI has no figure for: no energy
    std::vector<std::string> others = names;
    std::erase_if(others, [](const std::string& name) { return name.starts_with("energy."); });
    entry.repetitions[0] = statistics_of(run, others, cacti);
  }
  add_repetitions(run, entry);
  return entry;
}

}  // namespace

std::vector<RunEntry> entries_of(const std::vector<FinishedRun>& runs, const RuleSet& rules,
                                 const std::vector<std::string>& names, cost::Source& cacti) {
  std::vector<RunEntry> out;
  for (const FinishedRun& finished : runs) out.push_back(entry_of(*finished.run, finished.spec, rules, names, cacti));
  drop_common(rules, out);
  return out;
}

}  // namespace warpsieve::claims
