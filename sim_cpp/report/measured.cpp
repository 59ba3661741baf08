#include "report/measured.h"

#include <algorithm>

#include "claims/evaluate.h"
#include "claims/finished_run.h"

namespace warpsieve::report {

namespace {

using nlohmann::ordered_json;

claims::RunSet run_set(const Results& results, const claims::RuleSet& rules, cost::Source& cacti) {
  claims::RunSet out(cacti);
  std::vector<std::string> names = claims::statistic_names(rules);
  if (results.runs.size() > kMostEnergies)
    std::erase_if(names, [](const std::string& name) { return name.starts_with("energy."); });
  const std::string profile = results.runs.empty() ? "" : results.runs.front().run["profile"].get<std::string>();
  std::vector<claims::FinishedRun> finished;
  for (const ResultRun& r : results.runs) {
    if (r.run["profile"] != profile) continue;
    run::RunSpec spec;
    spec.workload = r.workload;
    spec.sizes = r.sizes;
    spec.input = r.input;
    spec.seed = r.seed;
    finished.push_back({&r.run, spec});
  }
  for (claims::RunEntry& entry : claims::entries_of(finished, rules, names, cacti))
    out.add(profile, std::move(entry));
  out.is_scale(out.profile().ends_with("-quarter") ? "quarter" : "full");
  return out;
}

}  // namespace

ordered_json claim_data(const Results& results, const std::set<std::string>& papers, cost::Source& cacti) {
  ordered_json out = ordered_json::array();
  for (const claims::RuleSet& rules : claims::rules())
    if (papers.contains(rules.paper))
      for (const claims::Row& row : claims::every_row(rules, run_set(results, rules, cacti)))
        out.push_back(to_json(row));
  return out;
}

}  // namespace warpsieve::report
