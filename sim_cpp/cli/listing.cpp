#include "cli/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <vector>

#include "cli/bench_command.h"
#include "cli/input_option.h"
#include "cli/json_output.h"
#include "cli/run_command.h"
#include "cli/table.h"
#include "cli/validate_command.h"
#include "core/name_lookup.h"
#include "memsys/profile.h"
#include "run/atomic_file.h"
#include "run/version.h"
#include "schemes/registry.h"
#include "workloads/input_kinds.h"
#include "workloads/suites.h"

namespace warpsieve::cli {

namespace {

using nlohmann::ordered_json;
using workloads::WorkloadInfo;

/// One workload, or all where no name is given.
std::vector<const WorkloadInfo*> chosen(const std::string& workload) {
  if (!workload.empty()) return {&workloads::workload_info(workload)};
  std::vector<const WorkloadInfo*> all;
  for (const WorkloadInfo& info : workloads::workload_list()) all.push_back(&info);
  return all;
}

/// Those of the first scheme that has the block, in the default profile.
std::vector<std::string> instances_of(const std::string& block, const memsys::Profile& machine) {
  for (const auto& info : schemes::scheme_list())
    if (auto found = schemes::block_instances(info.name, block, machine); !found.empty()) return found;
  return {};
}

/// `text` with each code of the decision list replaced by the title of its entry.
std::string with_decision_titles(const std::string& text) {
  static const std::map<std::string, std::string> titles{
#include "decision_titles.inc"
  };
  static const std::regex code("(?:decisions? )?\\b([XCRJDA]\\d{1,2}[a-z]?)\\b");
  std::string out;
  auto from = text.cbegin();
  for (std::sregex_iterator found(text.begin(), text.end(), code), end; found != end; ++found) {
    const auto title = titles.find((*found)[1]);
    out.append(from, (*found)[0].first);
    out += title == titles.end() ? found->str() : fmt::format("decision \"{}\"", title->second);
    from = (*found)[0].second;
  }
  return out.append(from, text.cend());
}

std::string blocks_table() {
  const std::string profile = kUsualProfile;
  const memsys::Profile machine = memsys::load_profile(profile, {});
  Table blocks({{"block", Table::Align::left}, {fmt::format("instances in {}", profile), Table::Align::left}});
  for (const std::string& name : schemes::block_names())
    if (const auto instances = instances_of(name, machine); !instances.empty())
      blocks.add({name, fmt::format("{}@{} to {}@{}", name, instances.front(), name, instances.back())});
  return blocks.text();
}

std::string sizes_table(const std::vector<const WorkloadInfo*>& infos) {
  Table sizes({{"workload", Table::Align::left},
               {"parameter", Table::Align::left},
               {"paper"},
               {"full"},
               {"quarter"},
               {"small"},
               {"unit", Table::Align::left},
               {"what", Table::Align::left}});
  for (const WorkloadInfo* info : infos)
    for (const auto& p : info->parameters)
      sizes.add(
          {info->name, p.name, p.default_for(workloads::Scale::paper), p.full, p.quarter, p.small, p.unit, p.doc});
  return sizes.text();
}

void print_workload(const WorkloadInfo& info) {
  fmt::print("{} ({}): {}\ninput file: {}\n\n", info.name, info.suite, info.doc,
             info.input.empty() ? "none, data are generated" : info.input);
  if (!info.parameters.empty()) fmt::print("{}", sizes_table({&info}));
}

/// The scheme of that name; nullptr: it is a workload's, or nothing's, which is said.
const schemes::SchemeInfo* scheme_named(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& info : workloads::workload_list()) known.push_back(info.name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return nullptr;
  for (const auto& info : schemes::scheme_list()) {
    if (info.name == name) return &info;
    known.push_back(info.name);
  }
  throw ConfigError(unknown_name("workload or scheme", name, known));
}

void print_scheme(const schemes::SchemeInfo& info) {
  std::vector<std::string> blocks;
  for (const auto& block : info.blocks) blocks.push_back(block.name);
  fmt::print("{}: {}\npaper: {}\nmachine: {}\nblocks: {}\n", info.name, info.doc,
             info.paper.empty() ? "none" : info.paper, info.profile.empty() ? kUsualProfile : info.profile,
             blocks.empty() ? "none" : fmt::format("{}", fmt::join(blocks, ", ")));
}

ordered_json json_of(const workloads::Parameter& p) {
  ordered_json out = {
      {"name", p.name}, {"unit", p.unit},       {"doc", p.doc},    {"paper", p.default_for(workloads::Scale::paper)},
      {"full", p.full}, {"quarter", p.quarter}, {"small", p.small}};
  if (p.choices.empty()) {
    out["min"] = p.min;
    out["max"] = p.max;
  } else {
    out["choices"] = p.choices;
  }
  return out;
}

ordered_json json_of(const WorkloadInfo& info) {
  ordered_json parameters = ordered_json::array();
  for (const auto& p : info.parameters) parameters.push_back(json_of(p));
  const std::string kind = workloads::input_kind(info.input);
  std::string formats;
  for (const auto& known : workloads::input_kinds())
    if (known.what == kind) formats = known.formats;
  return {{"name", info.name},  {"suite", info.suite},         {"doc", info.doc},         {"input", kind},
          {"formats", formats}, {"uses_seed", info.uses_seed}, {"parameters", parameters}};
}

ordered_json json_of(const Param& p) {
  return {{"name", p.name},
          {"unit", p.unit},
          {"default", p.def},
          {"min", p.min},
          {"max", p.max},
          {"doc", with_decision_titles(p.doc)},
          {"source", with_decision_titles(p.source)}};
}

/// The words between the braces of a type's name, "{paper,measured}"; none for an open value.
ordered_json choices_of(const CLI::Option& option) {
  static const std::regex braces("\\{([^}]*)\\}"), comma(",");
  std::smatch found;
  const std::string type = option.get_type_name();
  ordered_json out = ordered_json::array();
  if (!std::regex_search(type, found, braces)) return out;
  const std::string words = found[1];
  for (std::sregex_token_iterator it(words.begin(), words.end(), comma, -1), end; it != end; ++it)
    out.push_back(it->str());
  return out;
}

ordered_json json_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  std::string value = CLI::Formatter().make_option_opts(&option);
  value.erase(0, value.find_first_not_of(' '));
  return {{"names", names},
          {"value", value},
          {"takes_value", option.get_items_expected_max() > 0},
          {"choices", choices_of(option)},
          {"doc", option.get_description()}};
}

/// Hidden options and commands are left out: they are old names.
ordered_json json_of(const CLI::App& command) {
  ordered_json positionals = ordered_json::array(), options = ordered_json::array(), below = ordered_json::array();
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    if (option->nonpositional())
      options.push_back(json_of(*option));
    else
      positionals.push_back({{"name", option->get_name(true)}, {"doc", option->get_description()}});
  }
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); }))
    below.push_back(json_of(*sub));
  return {{"name", command.get_name()},
          {"doc", command.get_description()},
          {"footer", command.get_footer()},
          {"positionals", positionals},
          {"options", options},
          {"subcommands", below}};
}

ordered_json json_of(const schemes::SchemeInfo& info) {
  ordered_json blocks = ordered_json::array();
  for (const auto& block : info.blocks) blocks.push_back(block.name);
  return {{"name", info.name},
          {"doc", info.doc},
          {"paper", info.paper},
          {"profile", info.profile},
          {"reads_values", info.reads_values},
          {"blocks", blocks}};
}

ordered_json listing(const CLI::App& program, const std::string& name) {
  ordered_json out = {{"format", "warpsieve-list-1"}, {"version", run::version()}};
  if (const schemes::SchemeInfo* scheme = name.empty() ? nullptr : scheme_named(name)) {
    out["schemes"].push_back(json_of(*scheme));
    return out;
  }
  for (const WorkloadInfo* info : chosen(name)) out["workloads"].push_back(json_of(*info));
  if (!name.empty()) return out;
  for (const auto& info : schemes::scheme_list()) out["schemes"].push_back(json_of(info));
  const memsys::Profile machine = memsys::load_profile(kUsualProfile, {});
  for (const std::string& block : schemes::block_names()) {
    ordered_json users = ordered_json::array();
    for (const auto& info : schemes::scheme_list())
      if (std::any_of(info.blocks.begin(), info.blocks.end(), [&](const auto& b) { return b.name == block; }))
        users.push_back(info.name);
    out["blocks"].push_back({{"name", block}, {"schemes", users}, {"instances", instances_of(block, machine)}});
  }
  for (const std::string& name : workloads::suite_names()) {
    const workloads::Suite suite = workloads::load_suite(name);
    ordered_json runs = ordered_json::array();
    for (const auto& run : suite.runs) runs.push_back({{"workload", run.workload}, {"set", run.set}});
    out["suites"].push_back({{"name", name}, {"doc", suite.doc}, {"runs", runs}});
  }
  for (const std::string& name : memsys::profile_names())
    out["profiles"].push_back({{"name", name}, {"parameters", memsys::load_profile(name, {}).parameters()}});
  schemes::visit_scheme_parameters([&](const Param& p) { out["scheme_parameters"].push_back(json_of(p)); });
  memsys::Profile profile;
  ParamSet set;
  profile.declare(set);
  for (const Param& p : set.list()) out["machine_parameters"].push_back(json_of(p));
  out["measurements"] = bench_measurements();
  out["groups"] = validation_groups();
  out["command"] = json_of(program);
  out["command"]["name"] = "warpsieve";  // else as it was called
  return out;
}

}  // namespace

void print_listing(const std::string& name) {
  if (!name.empty()) {
    if (const schemes::SchemeInfo* scheme = scheme_named(name))
      print_scheme(*scheme);
    else
      print_workload(workloads::workload_info(name));
    return;
  }
  Table workloads({{"workload", Table::Align::left},
                   {"suite", Table::Align::left},
                   {"what", Table::Align::left},
                   {"input file", Table::Align::left}});
  for (const auto& info : workloads::workload_list())
    workloads.add({info.name, info.suite, info.doc, workloads::input_kind(info.input)});
  Table inputs(
      {{"input file", Table::Align::left}, {"formats", Table::Align::left}, {"workloads", Table::Align::left}});
  for (const auto& kind : workloads::input_kinds())
    inputs.add({kind.what, kind.formats, fmt::format("{}", fmt::join(kind.workloads, " "))});
  fmt::print("{}\n{}\n{}\n{}\n", workloads.text(), inputs.text(), kInputRules, sizes_table(chosen("")));
  Table schemes({{"scheme", Table::Align::left}, {"what", Table::Align::left}, {"blocks", Table::Align::left}});
  for (const auto& info : schemes::scheme_list()) {
    std::vector<std::string> blocks;
    for (const auto& block : info.blocks) blocks.push_back(block.name);
    schemes.add({info.name, info.doc, fmt::format("{}", fmt::join(blocks, " "))});
  }
  fmt::print("{}\n\n{}\n\nprofiles: {}\nsuites: {}\n\nscheme parameters (--set):\n{}\n", schemes.text(),
             blocks_table(), fmt::join(memsys::profile_names(), ", "), fmt::join(workloads::suite_names(), ", "),
             with_decision_titles(schemes::scheme_parameter_help()));
  memsys::Profile profile;
  ParamSet set;
  profile.declare(set);
  fmt::print("machine parameters (--set):\n{}", with_decision_titles(set.help()));
  fmt::print(
      "\nThe source of each default is in brackets. The decision list explains the decisions: "
      "sim_cpp/schemes/DECISIONS.md\n");
}

void write_listing(const CLI::App& program, const std::string& name, const std::string& file) {
  const ordered_json json = listing(program, name);
  if (file.empty()) {
    print_json(json);
    return;
  }
  run::check_writable(file);
  run::GrowingOutput out(file);
  out.update(json.dump(1) + "\n");
  out.finish();
}

}  // namespace warpsieve::cli
