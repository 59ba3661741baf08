// Schemes by name, with their parameters and blocks. Parts of a combination are joined by '+': "rata+cmd",
// in any order. A name may itself contain '+' ("cmd+siphash"); the longest name that fits is taken.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/block.h"
#include "schemes/scheme.h"

namespace warpsieve::schemes {

struct SchemeOptions {
  std::vector<std::string> set;              ///< parameters of any scheme, "cmd.fifo_entries=8"
  Backend backend = Backend::model;          ///< of every block without a rule
  std::vector<std::string> backends;         ///< rules of cosim/backend_plan.h, for any block of any scheme
  const memsys::Profile* machine = nullptr;  ///< instances named in rules must exist there; nullptr: not checked
};

/// For schemes outside the tree: call it at the start of main(), before anything else of this library. They then are
/// schemes like the others, in every command. Throws std::logic_error when the list of schemes is in use already.
void register_family(FamilyMaker make);
/// Families of the tree by name, then registered ones. Throws ConfigError when two schemes have the same name.
const std::vector<SchemeInfo>& scheme_list();
/// One scheme, no combination. Throws ConfigError with the nearest name.
const SchemeInfo& scheme_info(std::string_view name);
/// Blocks of any scheme, each once.
std::vector<std::string> block_names();
/// Instances of a block on this machine ("mc0", "mc1", ...); empty when no part of this scheme has such a block.
std::vector<std::string> block_instances(std::string_view scheme, std::string_view block,
                                         const memsys::Profile& machine);
/// The parts of a combination, SM side first. Throws ConfigError, naming the nearest scheme, for an unknown name
/// and for parts that exclude each other.
std::vector<std::string> scheme_parts(std::string_view name);
/// Throws also ConfigError for an unknown parameter and std::invalid_argument for a bad backend rule.
std::unique_ptr<Scheme> make_scheme(std::string_view name, const SchemeOptions& options);
/// One line per parameter of any scheme.
std::string scheme_parameter_help();
std::vector<std::string> scheme_parameter_names();
/// Every parameter of any scheme; their targets end with the call.
void visit_scheme_parameters(const std::function<void(const Param&)>& see);
bool is_scheme_parameter(std::string_view name);
/// Assignments of `--set`, those to parameters of schemes apart.
struct Settings {
  std::vector<std::string> scheme, machine;
};
Settings split_settings(const std::vector<std::string>& assignments);
/// Whether a part of this scheme declares the parameter: without it the parameter changes nothing.
bool takes_parameter(std::string_view scheme, std::string_view parameter);

/// Whether a part of this scheme looks at data (SchemeInfo::reads_values).
bool needs_values(std::string_view scheme);

}  // namespace warpsieve::schemes
