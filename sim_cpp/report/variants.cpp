#include "report/variants.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "schemes/registry.h"

namespace warpsieve::report {

namespace {

using nlohmann::ordered_json;
using Values = std::map<std::string, std::string>;

/// Parameters of a scheme's report, those of every part of a combination.
Values parameters(const ordered_json& report) {
  Values out;
  const auto add = [&out](const ordered_json& of) {
    const auto found = of.find("parameters");
    if (found == of.end()) return;
    for (const auto& [name, value] : found->items()) out[name] = value.dump();
  };
  add(report);
  for (const ordered_json& part : report)
    if (part.is_object()) add(part);
  return out;
}

/// None of a scheme that this version does not know: then nothing is the default.
Values defaults(const std::string& scheme) {
  try {
    return parameters(schemes::make_scheme(scheme, {})->report());
  } catch (const std::exception&) {
    return {};
  }
}

/// Those of the runs in which not all are equal.
std::set<std::string> differing(const std::vector<Values>& runs) {
  std::set<std::string> out;
  for (const Values& values : runs)
    for (const auto& [name, value] : values)
      for (const Values& other : runs)
        if (const auto found = other.find(name); found == other.end() || found->second != value) {
          out.insert(name);
          break;
        }
  return out;
}

}  // namespace

void drop_repeated(std::vector<ResultRun>& runs) {
  std::set<std::string> seen;
  std::erase_if(runs,
                [&](const ResultRun& r) { return !seen.insert(fmt::format("{} {}", r.seed, r.run.dump())).second; });
}

void tell_schemes_apart(std::vector<ResultRun>& runs) {
  std::map<std::string, std::vector<ResultRun*>> schemes;
  for (ResultRun& r : runs) schemes[r.scheme].push_back(&r);
  for (const auto& [scheme, mine] : schemes) {
    std::vector<Values> values;
    std::set<Values> kinds;
    for (const ResultRun* r : mine) kinds.insert(values.emplace_back(parameters(r->run["scheme_report"])));
    if (kinds.size() < 2) continue;
    const std::set<std::string> names = differing({kinds.begin(), kinds.end()});
    const Values usual = defaults(scheme);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      std::vector<std::string> unusual;
      const Values& own = values[i];
      for (const std::string& name : names) {
        const auto value = own.find(name), other = usual.find(name);
        if (value != own.end() && (other == usual.end() || other->second != value->second))
          unusual.push_back(name + "=" + value->second);
      }
      if (!unusual.empty()) mine[i]->scheme += fmt::format(" ({})", fmt::join(unusual, ", "));
    }
  }
  std::map<std::string, std::size_t> used;
  for (ResultRun& r : runs) {
    const std::string key = fmt::format("{}\n{}\n{}\n{}", r.run["workload"].get<std::string>(), r.scheme,
                                        r.run["profile"].get<std::string>(), r.seed);
    if (const std::size_t number = ++used[key]; number > 1) r.scheme += fmt::format(" #{}", number);
  }
}

}  // namespace warpsieve::report
