// A sweep file (TOML) and the points that it stands for: every combination of workloads, schemes, seeds and the
// values of the axes. README.md documents the format.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/point.h"

namespace warpsieve::sweep {

struct AxisValue {
  std::string label;             ///< as charts and tables call it
  std::vector<std::string> set;  ///< "cmd.hash_sets=64", "profile=cmd", "size.bfs.vertices=1000"
};

struct Axis {
  std::string name, unit;
  std::vector<AxisValue> values;
};

/// One combination; several can be the same point (a baseline without the parameter of an axis).
struct Row {
  std::size_t point = 0;
  std::string workload, scheme;
  std::uint64_t seed = 1;
  std::vector<std::size_t> values;  ///< of each axis, which one
  std::size_t experiment = 1;       ///< other sizes or input of its workload: 2, 3, ...
};

/// A sweep, expanded. `text` is what the file holds.
struct Sweep {
  std::string file;  ///< absolute, or the name of a built-in one
  std::string name, doc, version, text;
  std::vector<Axis> axes;
  std::vector<Point> points;  ///< each id once, in order of first use
  std::vector<Row> rows;
};

/// Throws ConfigError "FILE:LINE: what is expected", or what simulate() would refuse in one of the points.
Sweep read_sweep(const std::string& path);
Sweep parse_sweep(std::string_view text, const std::string& path);

nlohmann::ordered_json to_json(const Sweep& sweep);
Sweep sweep_from_json(const nlohmann::ordered_json& json);
/// A sweep from a file: throws ConfigError "WHERE: ..." when a row is none of its points or lies on none of its axes.
void check_rows(const Sweep& sweep, const std::string& where);

}  // namespace warpsieve::sweep
