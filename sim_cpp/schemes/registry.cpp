#include "schemes/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/name_lookup.h"
#include "schemes/combined.h"
#include "schemes/registered.h"

namespace warpsieve::schemes {

namespace {

/// Those in the tree, then those of register_family().
struct Makers {
  std::vector<FamilyMaker> list = families_in_tree();
  bool in_use = false;  ///< the list of schemes was asked for
};
Makers& makers() {
  static Makers all;
  return all;
}

/// A set of parameter values for every family.
struct Families {
  std::vector<std::unique_ptr<SchemeFamily>> list;
  ParamSet params;
  Families() {
    for (const FamilyMaker make : makers().list) {
      list.push_back(make());
      list.back()->declare(params);
    }
  }
};

bool has_port(const SchemeInfo& info, const std::string& port) {
  return std::find(info.ports.begin(), info.ports.end(), port) != info.ports.end();
}

/// `name` as names of schemes, the longest first; nullopt when it is no such sum. `bad` gets the place of the
/// first word that no scheme starts with (the furthest one of all attempts).
std::optional<std::vector<const SchemeInfo*>> split(std::string_view name, std::size_t from, std::size_t& bad) {
  std::vector<const SchemeInfo*> fits;
  for (const SchemeInfo& info : scheme_list()) {
    const std::size_t end = from + info.name.size();
    if (name.substr(from).starts_with(info.name) && (end == name.size() || name[end] == '+')) fits.push_back(&info);
  }
  std::sort(fits.begin(), fits.end(), [](const auto* a, const auto* b) { return a->name.size() > b->name.size(); });
  bad = std::max(bad, from);
  for (const SchemeInfo* info : fits) {
    const std::size_t end = from + info->name.size();
    if (end == name.size()) return std::vector{info};
    if (auto rest = split(name, end + 1, bad)) {
      rest->insert(rest->begin(), info);
      return rest;
    }
  }
  return std::nullopt;
}

std::unique_ptr<Scheme> make_part(const Families& families, const SchemeInfo& info, const BackendPlan& backends) {
  for (const auto& family : families.list)
    for (const SchemeInfo& own : family->schemes())
      if (own.name == info.name) return family->make(own.name, backends);
  return nullptr;
}

/// Two parts may amend the same parameter as long as their order makes no difference (each adds something). Where it
/// does, each wants a value of its own, and one of them would not be what its name says.
std::string contradiction(const SchemeInfo& a, const SchemeInfo& b) {
  const Families families;
  const BackendPlan backends(Backend::model);
  const auto amended = [&](const SchemeInfo& first, const SchemeInfo& last) {
    memsys::Profile profile;
    for (const SchemeInfo* part : {&first, &last}) make_part(families, *part, backends)->amend(profile);
    return profile;
  };
  const auto of_a = amended(b, a).parameters(), of_b = amended(a, b).parameters();
  memsys::Profile any;
  ParamSet params;
  any.declare(params);
  for (const Param& p : params.list())
    if (of_a[p.name] != of_b[p.name])
      return fmt::format("'{}' and '{}' cannot be combined, '{}' sets {} = {} and '{}' sets {} ({})", a.name, b.name,
                         a.name, p.name, of_a[p.name].dump(), b.name, of_b[p.name].dump(), p.doc);
  return "";
}

/// Why these parts cannot be one machine; empty when they can.
std::string conflict(const std::vector<const SchemeInfo*>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t k = i + 1; k < parts.size(); ++k) {
      if (parts[i] == parts[k]) return fmt::format("'{}' is named twice", parts[i]->name);
      for (const std::string& port : parts[i]->ports)
        if (has_port(*parts[k], port))
          return fmt::format("'{}' and '{}' cannot be combined, both plug into {}", parts[i]->name, parts[k]->name,
                             port);
    }
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t k = i + 1; k < parts.size(); ++k)
      if (std::string why = contradiction(*parts[i], *parts[k]); !why.empty()) return why;
  return "";
}

/// The nearest valid name that differs in neighbouring words only.
std::string nearest(std::string_view name) {
  std::vector<std::size_t> starts{0}, ends;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '+') continue;
    starts.push_back(i + 1);
    ends.push_back(i);
  }
  ends.push_back(name.size());
  std::string best;
  std::size_t distance = std::string_view::npos;
  for (const std::size_t start : starts)
    for (const std::size_t end : ends)
      for (const SchemeInfo& info : scheme_list()) {
        if (end < start) continue;
        const std::size_t d = edit_distance(name.substr(start, end - start), info.name);  // the rest is the same
        std::size_t ignored = 0;
        if (d >= distance) continue;
        const std::string candidate = std::string(name.substr(0, start)) + info.name + std::string(name.substr(end));
        if (const auto parts = split(candidate, 0, ignored); parts && conflict(*parts).empty())
          distance = d, best = candidate;
      }
  return best;
}

/// No machine is called so: the schemes joined by '+', each of them once, are shorter. Looking for the nearest valid
/// name would take long.
bool too_long(std::string_view name) {
  std::string all;
  for (const SchemeInfo& info : scheme_list()) all += (all.empty() ? "" : "+") + info.name;
  return name.size() > all.size() || std::ranges::count(name, '+') > std::ranges::count(all, '+');
}

[[noreturn]] void unknown(std::string_view name, std::size_t bad) {
  std::vector<std::string> names;
  for (const SchemeInfo& info : scheme_list()) names.push_back(info.name);
  constexpr std::string_view kJoined = ", or several joined by +";
  if (too_long(name))
    throw ConfigError(fmt::format("unknown scheme '{}...' of {} characters{}{}", name.substr(0, 40), name.size(),
                                  known_names(false, names), kJoined));
  const std::string word(name.substr(bad, name.find('+', bad) - bad));
  // A word of a joined name, else a name as a whole.
  std::string near = did_you_mean(name, {nearest(name)});
  if (near.empty()) near = did_you_mean(name, names);
  throw ConfigError(fmt::format("unknown scheme '{}'{}{}{}{}", name, word == name ? "" : fmt::format(" ('{}')", word),
                                near, known_names(!near.empty(), names), kJoined));
}

std::vector<const SchemeInfo*> infos(std::string_view name) {
  std::size_t bad = 0;
  auto parts = too_long(name) ? std::nullopt : split(name, 0, bad);
  if (!parts) unknown(name, bad);
  if (const std::string why = conflict(*parts); !why.empty())
    throw ConfigError(fmt::format("scheme '{}': {}", name, why));
  // One order for one machine, so that a combination has one name in all statistics.
  std::sort(parts->begin(), parts->end(), [](const auto* a, const auto* b) {
    return std::pair(has_port(*a, kMemoryPath), std::string_view(a->name)) <
           std::pair(has_port(*b, kMemoryPath), std::string_view(b->name));
  });
  return std::move(*parts);
}

std::vector<std::string> instances(Place place, const memsys::Profile& machine) {
  std::vector<std::string> out;
  switch (place) {
    case Place::controller:
      for (std::uint32_t c = 0; c < machine.controllers; ++c) out.push_back(fmt::format("mc{}", c));
      break;
    case Place::slice:
      for (std::uint32_t c = 0; c < machine.controllers; ++c)
        for (unsigned s = 0; s < memsys::kSlicesPerController; ++s) out.push_back(fmt::format("mc{}.slice{}", c, s));
      break;
    case Place::sm:
      for (std::uint32_t sm = 0; sm < machine.sms; ++sm) out.push_back(fmt::format("sm{}", sm));
      break;
    case Place::cluster:
      for (std::uint32_t c = 0; c < machine.sm_links(); ++c) out.push_back(fmt::format("cluster{}", c));
      break;
  }
  return out;
}

std::vector<SchemeBlock> all_blocks() {
  std::vector<SchemeBlock> out;
  for (const SchemeInfo& info : scheme_list())
    for (const SchemeBlock& block : info.blocks)
      if (std::none_of(out.begin(), out.end(), [&](const SchemeBlock& b) { return b.name == block.name; }))
        out.push_back(block);
  return out;
}

/// The part of a rule behind '@' must name an instance of the machine.
void check_instance(std::string_view rule, const std::vector<SchemeBlock>& blocks, const memsys::Profile& machine) {
  const auto at = rule.find('@');
  if (at == std::string_view::npos) return;
  const std::string_view block = rule.substr(0, at);
  const std::string_view instance = rule.substr(at + 1, rule.find('=') - at - 1);
  const auto known =
      std::find_if(blocks.begin(), blocks.end(), [&](const SchemeBlock& b) { return b.name == block; });
  const std::vector<std::string> names = instances(known->place, machine);
  if (std::find(names.begin(), names.end(), instance) == names.end())
    throw ConfigError(fmt::format("'{}': no instance '{}' of {}; there are {} to {}", rule, instance, block,
                                  names.front(), names.back()));
}

bool declares(const ParamSet& set, std::string_view name) {
  return std::any_of(set.list().begin(), set.list().end(), [&](const Param& p) { return p.name == name; });
}

}  // namespace

void register_family(FamilyMaker make) {
  if (makers().in_use) throw std::logic_error("register_family: the schemes are in use already, call it first");
  makers().list.push_back(make);
}

bool any_registered() { return makers().list.size() > families_in_tree().size(); }

const std::vector<SchemeInfo>& scheme_list() {
  static const std::vector<SchemeInfo> list = [] {
    makers().in_use = true;
    std::vector<SchemeInfo> all;
    for (const FamilyMaker make : makers().list)
      for (SchemeInfo& info : make()->schemes()) {
        const auto same = [&](const SchemeInfo& other) { return other.name == info.name; };
        if (std::any_of(all.begin(), all.end(), same))
          throw ConfigError(fmt::format("scheme '{}' is registered twice: expected a name of its own", info.name));
        all.push_back(std::move(info));
      }
    return all;
  }();
  return list;
}

std::vector<std::string> block_names() {
  std::vector<std::string> out;
  for (const SchemeBlock& block : all_blocks()) out.push_back(block.name);
  return out;
}

std::vector<std::string> block_instances(std::string_view scheme, std::string_view block,
                                         const memsys::Profile& machine) {
  for (const SchemeInfo* part : infos(scheme))
    for (const SchemeBlock& own : part->blocks)
      if (own.name == block) return instances(own.place, machine);
  return {};
}

std::vector<std::string> scheme_parts(std::string_view name) {
  std::vector<std::string> out;
  for (const SchemeInfo* info : infos(name)) out.push_back(info->name);
  return out;
}

std::unique_ptr<Scheme> make_scheme(std::string_view name, const SchemeOptions& options) {
  const std::vector<const SchemeInfo*> wanted = infos(name);
  Families families;
  for (const std::string& assignment : options.set) families.params.set(assignment);
  const std::vector<SchemeBlock> blocks = all_blocks();
  BackendPlan plan(options.backend);
  for (const std::string& rule : options.backends) {
    plan.add(rule, block_names());
    if (options.machine) check_instance(rule, blocks, *options.machine);
  }
  std::vector<std::unique_ptr<Scheme>> parts;
  for (const SchemeInfo* info : wanted) parts.push_back(make_part(families, *info, plan));
  if (parts.size() == 1 && has_port(*wanted.front(), kMemoryPath)) return std::move(parts.front());
  return make_combined(std::move(parts));
}

std::string scheme_parameter_help() { return Families().params.help(); }

std::vector<std::string> scheme_parameter_names() {
  const Families families;
  std::vector<std::string> out;
  for (const Param& p : families.params.list()) out.push_back(p.name);
  return out;
}

void visit_scheme_parameters(const std::function<void(const Param&)>& see) {
  const Families families;
  for (const Param& p : families.params.list()) see(p);
}

bool is_scheme_parameter(std::string_view name) { return declares(Families().params, name); }

Settings split_settings(const std::vector<std::string>& assignments) {
  Settings out;
  for (const std::string& a : assignments)
    (is_scheme_parameter(a.substr(0, a.find('='))) ? out.scheme : out.machine).push_back(a);
  return out;
}

bool takes_parameter(std::string_view scheme, std::string_view parameter) {
  const std::vector<const SchemeInfo*> parts = infos(scheme);
  for (const FamilyMaker make : makers().list) {
    const std::unique_ptr<SchemeFamily> family = make();
    ParamSet params;
    family->declare(params);
    if (!declares(params, parameter)) continue;
    for (const SchemeInfo& own : family->schemes())
      if (std::any_of(parts.begin(), parts.end(), [&](const SchemeInfo* part) { return part->name == own.name; }))
        return true;
  }
  return false;
}

const SchemeInfo& scheme_info(std::string_view name) {
  for (const SchemeInfo& info : scheme_list())
    if (info.name == name) return info;
  std::size_t bad = 0;
  split(name, 0, bad);
  unknown(name, bad);
}

bool needs_values(std::string_view scheme) {
  const std::vector<const SchemeInfo*> parts = infos(scheme);
  return std::any_of(parts.begin(), parts.end(), [](const SchemeInfo* part) { return part->reads_values; });
}

}  // namespace warpsieve::schemes
