// Parameters: declared once with name, unit, default, range, one line of documentation and the source
// of the default; the TOML reader, key=value overrides, --help and error messages come from the
// declaration. Every parameter is an unsigned integer (switches are 0 or 1, also written false/true).
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/errors.h"

namespace warpsieve {

struct Param {
  std::uint32_t* target;
  std::string name, unit;
  std::uint32_t def, min, max;
  std::string doc, source;
};

class ParamSet {
 public:
  /// Sets `target` to the default and keeps its address: it must outlive the set.
  void declare(std::uint32_t& target, std::string name, std::string unit, std::uint32_t def, std::uint32_t min,
               std::uint32_t max, std::string doc, std::string source);
  /// Reads a TOML text; tables become dotted names. Unknown keys, wrong types and values out of range
  /// throw ConfigError "file:line: ...". With `on_base`, the text may name what it starts from in a first
  /// `base = "NAME"`: called with the name and "file:line: " before anything is set.
  using OnBase = std::function<void(const std::string& name, const std::string& where)>;
  void load(std::string_view toml, const std::string& file, const OnBase& on_base = {});
  /// "name=value"
  void set(const std::string& assignment);
  void set(const std::string& name, std::uint64_t value, const std::string& where);

  const std::vector<Param>& list() const { return params_; }
  /// One line per parameter.
  std::string help() const;
  nlohmann::ordered_json values() const;
  std::vector<std::string> names() const;

 private:
  const Param* find(std::string_view name) const;
  std::vector<Param> params_;
};

}  // namespace warpsieve
