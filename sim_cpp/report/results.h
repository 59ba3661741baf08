// What a report is made from: finished runs, from the JSON of `warpsieve run`, the directory of a sweep, or its
// database; the curves of `warpsieve validate --json`; footprints of `warpsieve workloads --format json`.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpsieve::report {

struct ResultRun {
  nlohmann::ordered_json run;  ///< as in the JSON of `warpsieve run`
  std::string scheme;          ///< as the sweep calls it; with parameters where runs differ in them (variants.h)
  std::uint64_t seed = 1;
  std::vector<std::size_t> at;  ///< place on each axis
  std::string point;            ///< of the sweep, which several runs can share; empty for runs
  std::string workload = {};    ///< by name; run["workload"] has its input and what else tells it apart
  std::string input = {};       ///< file
  std::vector<std::string> sizes = {};
};

struct ResultAxis {
  std::string name, unit;
  std::vector<std::string> parameters;  ///< that it sets
  std::vector<std::string> labels;
};

struct PointFailure {
  std::string point, error;
};

struct Source {
  std::string file;
  std::string made;  ///< the command; for results of versions that did not say it: sizes and parameters
};

/// A curve of `warpsieve validate` whose x are numbers, of one machine.
struct Curve {
  struct Point {
    double x = 0, y = 0;
    std::string what = {}, source = {};  ///< of a reference
  };
  std::string name, machine;
  std::vector<Point> measured, references;
};

struct Results {
  std::string name;  ///< of the sweep, empty for runs
  std::string sweep_text;
  std::vector<ResultAxis> axes;
  std::vector<ResultRun> runs;
  std::vector<PointFailure> failures;
  std::size_t missing = 0;  ///< points of the sweep without a result
  std::vector<std::string> versions, inputs;
  std::vector<Source> sources;  ///< files of runs
  std::vector<Curve> curves;
  std::map<std::string, double> footprints;  ///< MiB by workload, of `warpsieve workloads --format json`
  std::vector<std::string> warnings;         ///< files whose command did not end
};

/// Which simulation each run is, from 0: several combinations of a sweep can be one.
std::vector<std::size_t> simulations(const Results& results);

/// Several files of runs become one, of `validate` and `workloads` may be among them; a sweep must come alone. Throws
/// ConfigError.
Results read_results(const std::vector<std::string>& paths);

}  // namespace warpsieve::report
