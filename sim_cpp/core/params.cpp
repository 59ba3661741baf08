#include "core/params.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/name_lookup.h"
#include "core/number.h"
#include "core/toml.h"

namespace warpsieve {
namespace {

void walk(ParamSet& set, const toml::table& table, const std::string& prefix, const std::string& file) {
  // toml++ orders keys by name; report the first bad line of the file, whatever its name.
  std::vector<std::pair<std::string, const toml::node*>> nodes;
  for (const auto& [key, node] : table) nodes.emplace_back(std::string(key.str()), &node);
  std::stable_sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) {
    return a.second->source().begin.line < b.second->source().begin.line;
  });
  for (const auto& [key, node] : nodes) {
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    const std::string where = fmt::format("{}:{}: ", file, node->source().begin.line);
    if (const auto* inner = node->as_table()) {
      walk(set, *inner, name, file);
    } else if (const auto* integer = node->as_integer()) {
      if (integer->get() < 0) throw ConfigError(fmt::format("{}{} must not be negative", where, name));
      set.set(name, static_cast<std::uint64_t>(integer->get()), where);
    } else if (const auto* flag = node->as_boolean()) {
      set.set(name, flag->get() ? 1 : 0, where);
    } else {
      throw ConfigError(fmt::format("{}{} must be a whole number, true or false", where, name));
    }
  }
}

}  // namespace

void ParamSet::declare(std::uint32_t& target, std::string name, std::string unit, std::uint32_t def,
                       std::uint32_t min, std::uint32_t max, std::string doc, std::string source) {
  if (find(name)) throw std::logic_error("parameter " + name + " declared twice");
  if (def < min || def > max) throw std::logic_error("parameter " + name + ": default out of range");
  target = def;
  params_.push_back({&target, std::move(name), std::move(unit), def, min, max, std::move(doc), std::move(source)});
}

void ParamSet::load(std::string_view text, const std::string& file, const OnBase& on_base) {
  try {
    toml::table table = toml::parse(text, file);
    if (const toml::node* base = on_base ? table.get("base") : nullptr) {
      const std::string where = fmt::format("{}:{}: ", file, base->source().begin.line);
      if (!base->is_string()) throw ConfigError(where + "base must be the name of a profile in quotes");
      on_base(base->as_string()->get(), where);
      table.erase("base");
    }
    walk(*this, table, "", file);
  } catch (const toml::parse_error& e) {
    throw ConfigError(fmt::format("{}:{}: {}", file, e.source().begin.line, e.description()));
  }
}

void ParamSet::set(const std::string& assignment) {
  const auto eq = assignment.find('=');
  if (eq == std::string::npos || eq == 0) throw ConfigError(fmt::format("'{}': expected name=value", assignment));
  const std::string name = assignment.substr(0, eq), text = assignment.substr(eq + 1);
  std::uint64_t value = 0;
  if (text == "true" || text == "false") {
    value = text == "true";
  } else {
    const auto number = to_number<std::uint64_t>(text);
    if (!number) throw ConfigError(fmt::format("{}: '{}' is not a whole number", name, text));
    value = *number;
  }
  set(name, value, "");
}

void ParamSet::set(const std::string& name, std::uint64_t value, const std::string& where) {
  const Param* p = find(name);
  if (!p) throw ConfigError(where + unknown_name("parameter", name, names()));
  if (value < p->min || value > p->max)
    throw ConfigError(fmt::format("{}{} = {}: expected {} to {}{}{}", where, name, value, p->min, p->max,
                                  p->unit.empty() ? "" : " ", p->unit));
  *p->target = static_cast<std::uint32_t>(value);
}

std::string ParamSet::help() const {
  std::string out;
  for (const Param& p : params_)
    out += fmt::format("{:<26} {:>8} {:<14} {}..{}  {} [{}]\n", p.name, p.def, p.unit, p.min, p.max, p.doc, p.source);
  return out;
}

nlohmann::ordered_json ParamSet::values() const {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const Param& p : params_) out[p.name] = *p.target;
  return out;
}

std::vector<std::string> ParamSet::names() const {
  std::vector<std::string> out;
  for (const Param& p : params_) out.push_back(p.name);
  return out;
}

const Param* ParamSet::find(std::string_view name) const {
  for (const Param& p : params_)
    if (p.name == name) return &p;
  return nullptr;
}

}  // namespace warpsieve
