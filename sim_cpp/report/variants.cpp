#include "report/variants.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "claims/run_set.h"

namespace warpsieve::report {

namespace {

using nlohmann::ordered_json;
using Values = std::map<std::string, std::string>;

constexpr std::size_t kMostDetails = 3;

/// What sets each of these runs apart from the others; the same sizes come from the command, so their order counts.
std::vector<std::vector<std::string>> details(const std::vector<const ResultRun*>& runs) {
  std::vector<Values> values;
  for (const ResultRun* r : runs) {
    values.push_back(numbers_of(*r));
    for (const auto& [name, value] : claims::reported_parameters(r->run["scheme_report"])) values.back().erase(name);
    // The machine has what the scheme made of it.
    if (r->scheme != runs.front()->scheme) return std::vector<std::vector<std::string>>(runs.size());
  }
  std::vector<std::vector<std::string>> out(runs.size());
  const std::set<std::string> names = differing_names(values);
  if (names.size() > kMostDetails) return out;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const std::string& name : names)
      if (const auto found = values[i].find(name); found != values[i].end())
        out[i].push_back(name + "=" + found->second);
  return out;
}

}  // namespace

void drop_repeated(std::vector<ResultRun>& runs) {
  std::set<std::string> seen;
  std::erase_if(runs,
                [&](const ResultRun& r) { return !seen.insert(fmt::format("{} {}", r.seed, r.run.dump())).second; });
}

std::map<std::string, std::string> numbers_of(const ResultRun& run) {
  Values out = claims::reported_parameters(run.run["scheme_report"]);
  for (const auto& [name, value] : run.run["parameters"].items()) out[name] = value.dump();
  for (const std::string& size : run.sizes)
    if (const std::size_t equals = size.find('='); equals != std::string::npos)
      out[size.substr(0, equals)] = size.substr(equals + 1);
  return out;
}

std::set<std::string> differing_names(const std::vector<std::map<std::string, std::string>>& runs) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> count;
  for (const Values& of : runs)
    for (const auto& [name, value] : of) {
      values[name].insert(value);
      ++count[name];
    }
  std::set<std::string> out;
  for (const auto& [name, some] : values)
    if (some.size() > 1 || count[name] < runs.size()) out.insert(name);
  return out;
}

std::string with_input(const std::string& workload, const std::string& input) {
  if (input.empty()) return workload;
  const std::string file = std::filesystem::path(input).filename().string();
  return fmt::format("{} ({})", workload, file.empty() ? input : file);
}

void name_experiments(std::vector<ResultRun>& runs) {
  std::map<std::string, std::vector<std::pair<std::string, const ResultRun*>>> all;  // the first run of each
  const auto key = [](const ResultRun& r) { return r.workload + "\n" + r.run["profile"].get<std::string>(); };
  const auto experiment = [](const ResultRun& r) { return r.run.value("experiment", ""); };  // old versions: none
  for (const ResultRun& r : runs) {
    auto& mine = all[key(r)];
    if (std::none_of(mine.begin(), mine.end(), [&](const auto& e) { return e.first == experiment(r); }))
      mine.emplace_back(experiment(r), &r);
  }
  std::map<std::pair<std::string, std::string>, std::string> names;
  for (const auto& [which, experiments] : all) {
    std::vector<const ResultRun*> first;
    for (const auto& e : experiments) first.push_back(e.second);
    const auto differences = details(first);
    std::map<std::string, std::size_t> used;
    for (std::size_t i = 0; i < first.size(); ++i) {
      std::vector<std::string> said = differences[i];
      if (!first[i]->input.empty())
        said.insert(said.begin(), std::filesystem::path(first[i]->input).filename().string());
      std::string name = first[i]->workload;
      if (!said.empty()) name += fmt::format(" ({})", fmt::join(said, ", "));
      if (const std::size_t number = ++used[name]; number > 1) name += fmt::format(" #{}", number);
      names[{which, experiments[i].first}] = name;
    }
  }
  for (ResultRun& r : runs) r.run["workload"] = names.at({key(r), experiment(r)});
}

void tell_schemes_apart(std::vector<ResultRun>& runs) {
  std::map<std::string, std::vector<ResultRun*>> schemes;
  for (ResultRun& r : runs) schemes[r.scheme].push_back(&r);
  for (const auto& [scheme, mine] : schemes) {
    std::vector<Values> values;
    std::set<Values> kinds;
    for (const ResultRun* r : mine)
      kinds.insert(values.emplace_back(claims::reported_parameters(r->run["scheme_report"])));
    if (kinds.size() < 2) continue;
    const std::set<std::string> names = differing_names({kinds.begin(), kinds.end()});
    const Values usual = claims::default_parameters(scheme);
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
