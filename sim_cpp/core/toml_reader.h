// A TOML file under way: typed values, and errors that say where something is wrong.
//
//   const TomlReader in("suite.toml", text);         // ConfigError "suite.toml:3: ..." where TOML does not parse
//   in.only(in.root(), {"name", "values"});          // unknown keys are refused, with the nearest known one
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/toml.h"

namespace warpsieve {

class TomlReader {
 public:
  TomlReader(std::string path, std::string_view text);
  const toml::table& root() const { return root_; }
  const std::string& path() const { return path_; }

  /// Throws ConfigError "PATH:LINE: what".
  [[noreturn]] void fail(const toml::node& node, const std::string& what) const;
  /// Refuses keys that are not among `known`.
  void only(const toml::table& table, const std::vector<std::string>& known) const;
  /// `fallback` where the key is missing.
  std::string text(const toml::table& table, const char* key, const std::string& fallback = {}) const;
  std::optional<double> number(const toml::table& table, const char* key) const;
  /// False where the key is missing.
  bool flag(const toml::table& table, const char* key) const;
  /// A text, a whole number or a truth value, as --set takes it.
  std::string scalar(const toml::node& node, const std::string& what) const;
  /// A list that is not empty.
  const toml::array& array(const toml::node& node, const std::string& what) const;
  /// Nothing where the key is missing.
  std::vector<std::string> texts(const toml::table& table, const char* key) const;
  /// A relative path of the file is relative to it.
  std::string located(const std::string& name) const;

 private:
  std::string path_;
  toml::table root_;
};

}  // namespace warpsieve
