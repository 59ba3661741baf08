// Schemes by name, with their parameters and blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/block.h"
#include "schemes/scheme.h"

namespace warpsieve::schemes {

struct SchemeInfo {
  std::string name, doc;
  std::vector<std::string> blocks;  ///< instances of these can be model, rtl or shadow
};

struct SchemeOptions {
  std::vector<std::string> set;       ///< parameters, "cmd.fifo_entries=8"
  Backend backend = Backend::model;   ///< of every block without a rule
  std::vector<std::string> backends;  ///< rules of cosim/backend_plan.h, for any block of any scheme
  std::uint32_t controllers = 0;      ///< instances named in rules must exist; 0: not checked
};

const std::vector<SchemeInfo>& scheme_list();
/// Throws ConfigError for an unknown name or parameter, std::invalid_argument for a bad backend rule.
const SchemeInfo& scheme_info(std::string_view name);
std::unique_ptr<Scheme> make_scheme(std::string_view name, const SchemeOptions& options);
/// One line per parameter of any scheme.
std::string scheme_parameter_help();
bool is_scheme_parameter(std::string_view name);

}  // namespace warpsieve::schemes
