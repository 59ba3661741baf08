#include "core/toml_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/name_lookup.h"
#include "core/params.h"

namespace warpsieve {

TomlReader::TomlReader(std::string path, std::string_view text) : path_(std::move(path)) {
  try {
    root_ = toml::parse(text, path_);
  } catch (const toml::parse_error& e) {
    throw ConfigError(fmt::format("{}:{}: {}", path_, e.source().begin.line, e.description()));
  }
}

void TomlReader::fail(const toml::node& node, const std::string& what) const {
  throw ConfigError(fmt::format("{}:{}: {}", path_, node.source().begin.line, what));
}

void TomlReader::only(const toml::table& table, const std::vector<std::string>& known) const {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(node,
           fmt::format("unknown key '{}'{} (known: {})", name, did_you_mean(name, known), fmt::join(known, ", ")));
  }
}

std::string TomlReader::text(const toml::table& table, const char* key, const std::string& fallback) const {
  const toml::node* node = table.get(key);
  if (!node) return fallback;
  if (!node->is_string()) fail(*node, fmt::format("{}: expected a text", key));
  return **node->as_string();
}

std::optional<double> TomlReader::number(const toml::table& table, const char* key) const {
  const toml::node* node = table.get(key);
  if (!node) return {};
  const auto value = node->value<double>();
  if (!value) fail(*node, fmt::format("{}: expected a number", key));
  return value;
}

bool TomlReader::flag(const toml::table& table, const char* key) const {
  const toml::node* node = table.get(key);
  if (!node) return false;
  if (!node->is_boolean()) fail(*node, fmt::format("{}: expected true or false", key));
  return *node->value<bool>();
}

std::string TomlReader::scalar(const toml::node& node, const std::string& what) const {
  if (const auto* s = node.as_string()) return **s;
  if (const auto* b = node.as_boolean()) return **b ? "1" : "0";
  if (const auto* i = node.as_integer(); i && **i >= 0) return fmt::format("{}", **i);
  fail(node, fmt::format("{}: expected a text, a whole number, true or false", what));
}

const toml::array& TomlReader::array(const toml::node& node, const std::string& what) const {
  const toml::array* list = node.as_array();
  if (!list || list->empty()) fail(node, fmt::format("{}: expected a list of at least one value", what));
  return *list;
}

std::vector<std::string> TomlReader::texts(const toml::table& table, const char* key) const {
  std::vector<std::string> out;
  const toml::node* node = table.get(key);
  if (!node) return out;
  for (const toml::node& item : array(*node, key)) {
    if (!item.is_string()) fail(item, fmt::format("{}: expected texts", key));
    out.push_back(**item.as_string());
  }
  return out;
}

std::string TomlReader::located(const std::string& name) const {
  namespace fs = std::filesystem;
  std::string out = fs::weakly_canonical(fs::absolute(path_).parent_path() / name).string();
  try {
    nlohmann::json(out).dump();
  } catch (const nlohmann::json::type_error&) {  // results name it in JSON
    throw ConfigError(fmt::format("{}: '{}': expected a path in UTF-8", path_, out));
  }
  return out;
}

}  // namespace warpsieve
