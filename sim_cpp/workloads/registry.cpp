#include "workloads/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/name_lookup.h"
#include "core/number.h"
#include "inputs/file_error.h"
#include "workloads/input_kinds.h"
#include "workloads/registered.h"

namespace warpsieve::workloads {
namespace {

[[noreturn]] void unknown(std::string_view what, std::string_view given, const std::vector<std::string>& known) {
  throw WorkloadError(unknown_name(what, given, known));
}

/// Of register_workload().
struct Registered {
  std::vector<WorkloadEntry> list;
  bool in_use = false;  ///< the list of workloads was asked for
};
Registered& registered() {
  static Registered all;
  return all;
}

/// The sizes of scale `paper` go to the parameters they belong to.
void take_paper_sizes(WorkloadInfo& info) {
  for (const auto& [name, value] : info.paper.sizes) {
    const auto p = std::find_if(info.parameters.begin(), info.parameters.end(),
                                [&](const Parameter& of) { return of.name == name; });
    if (p == info.parameters.end())
      throw std::logic_error(fmt::format("workload {}: scale paper sets '{}', no parameter of it", info.name, name));
    p->paper = value;
  }
}

const std::vector<WorkloadEntry>& entries() {
  static const std::vector<WorkloadEntry> all = [] {
    registered().in_use = true;
    std::vector<WorkloadEntry> found = all_entries();
    found.insert(found.end(), registered().list.begin(), registered().list.end());
    for (WorkloadEntry& e : found) take_paper_sizes(e.info);
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.info.name < b.info.name; });
    const auto twice = std::adjacent_find(found.begin(), found.end(),
                                          [](const auto& a, const auto& b) { return a.info.name == b.info.name; });
    if (twice != found.end())
      throw WorkloadError(
          fmt::format("workload '{}' is registered twice: expected a name of its own", twice->info.name));
    return found;
  }();
  return all;
}

const WorkloadEntry& entry(std::string_view name) {
  std::vector<std::string> names;
  for (const WorkloadEntry& e : entries()) {
    if (e.info.name == name) return e;
    names.push_back(e.info.name);
  }
  unknown("workload", name, names);
}

}  // namespace

void register_workload(WorkloadEntry entry) {
  if (registered().in_use)
    throw std::logic_error("register_workload: the workloads are in use already, call it first");
  registered().list.push_back(std::move(entry));
}

bool any_registered() { return !registered().list.empty(); }

const char* const kScales = "paper, full, quarter or small";

Scale parse_scale(std::string_view text) {
  if (text == "full") return Scale::full;
  if (text == "quarter") return Scale::quarter;
  if (text == "small") return Scale::small;
  if (text == "paper") return Scale::paper;
  unknown("scale", text, {"paper", "full", "quarter", "small"});
}

Settings::Settings(const WorkloadInfo& info, const WorkloadOptions& options) : options_(options) {
  std::vector<std::string> names;
  for (const Parameter& p : info.parameters) names.push_back(p.name);
  for (const auto& [name, value] : options.set)
    if (std::find(names.begin(), names.end(), name) == names.end())
      unknown(fmt::format("parameter of {}", info.name), name, names);
  if (!options.input.empty() && info.input.empty())
    throw WorkloadError(fmt::format("workload {} takes no input file, '{}' was given", info.name, options.input));
  for (const Parameter& p : info.parameters) {
    const auto given = options.set.find(p.name);
    const std::string& text = given != options.set.end() ? given->second : p.default_for(options.scale);
    if (!p.choices.empty()) {
      if (std::find(p.choices.begin(), p.choices.end(), text) == p.choices.end())
        unknown(fmt::format("value of {}.{}", info.name, p.name), text, p.choices);
      texts_[p.name] = text;
      continue;
    }
    const auto v = to_number<std::int64_t>(text);
    if (!v || *v < p.min || *v > p.max)
      throw WorkloadError(fmt::format("{}.{} = '{}': an integer from {} to {} is expected ({})", info.name, p.name,
                                      text, p.min, p.max, p.doc));
    integers_[p.name] = *v;
  }
}

std::int64_t Settings::integer(const std::string& name) const {
  read_.insert(name);
  return integers_.at(name);
}
const std::string& Settings::text(const std::string& name) const {
  read_.insert(name);
  return texts_.at(name);
}

void Settings::check_all_read() const {
  for (const auto& [name, value] : options_.set)
    if (!options_.input.empty() && !read_.contains(name))
      throw WorkloadError(fmt::format("{} = '{}' has no effect: the input file decides", name, value));
}

std::map<std::string, std::string> Settings::values() const {
  std::map<std::string, std::string> out = texts_;
  for (const auto& [name, value] : integers_) out[name] = std::to_string(value);
  return out;
}

const std::vector<WorkloadInfo>& workload_list() {
  static const std::vector<WorkloadInfo> list = [] {
    std::vector<WorkloadInfo> l;
    for (const WorkloadEntry& e : entries()) l.push_back(e.info);
    return l;
  }();
  return list;
}

const WorkloadInfo& workload_info(std::string_view name) { return entry(name).info; }

std::unique_ptr<simt::Workload> make_workload(std::string_view name, const WorkloadOptions& options) {
  const WorkloadEntry& e = entry(name);
  const Settings settings(e.info, options);
  try {
    std::unique_ptr<simt::Workload> workload = e.make(settings);
    settings.check_all_read();
    return workload;
  } catch (const inputs::FileError&) {
    throw;  // no format would help
  } catch (const inputs::InputError& error) {
    throw inputs::InputError(fmt::format("{}; {} reads {}", error.what(), e.info.name, formats_of(e.info)));
  } catch (const WorkloadError& error) {
    if (options.input.empty() || std::string_view(error.what()).starts_with(options.input)) throw;
    throw WorkloadError(fmt::format("{}: {}", options.input, error.what()));
  }
}

Parameter integer_parameter(std::string name, std::int64_t full, std::int64_t quarter, std::int64_t small,
                            std::int64_t min, std::int64_t max, std::string unit, std::string doc) {
  return {std::move(name),
          std::to_string(full),
          std::to_string(quarter),
          std::to_string(small),
          std::move(unit),
          std::move(doc),
          min,
          max,
          {}};
}

Parameter choice_parameter(std::string name, std::string value, std::vector<std::string> choices, std::string doc) {
  return {std::move(name), value, value, value, "", std::move(doc), 0, 0, std::move(choices)};
}

}  // namespace warpsieve::workloads
