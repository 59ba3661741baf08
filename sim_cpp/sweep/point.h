// A point of a sweep: one simulation, named by what it depends on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "run/simulate.h"

namespace warpsieve::sweep {

struct Point {
  /// 32 hex digits: XXH3-128 of everything that can change the result: the program's version (version.h), workload,
  /// sizes, seed, the bytes of an input file or a trace, the profile (a file by its bytes), parameters, scheme,
  /// backends.
  std::string id;
  run::RunSpec spec;
  /// "bfs cmd cmd.hash_sets=64", for people.
  std::string label() const;
};

/// Puts the parts of `spec` that are maps in order, drops what cannot change the result (parameters that the scheme
/// does not have), and names it. Throws ConfigError for a file that cannot be read.
Point make_point(run::RunSpec spec);

/// A profile or suite of one's own, by its path; else the name of a built-in one.
bool names_file(std::string_view name);

nlohmann::ordered_json to_json(const run::RunSpec& spec);
run::RunSpec spec_from_json(const nlohmann::ordered_json& json);

}  // namespace warpsieve::sweep
