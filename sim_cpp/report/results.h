// What a report is made from: finished runs, from the JSON of `warpsieve run`, the directory of a sweep, or its
// database.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpsieve::report {

struct ResultRun {
  nlohmann::ordered_json run;  ///< as in the JSON of `warpsieve run`
  std::string scheme;          ///< as the sweep calls it
  std::uint64_t seed = 1;
  std::vector<std::size_t> at;  ///< place on each axis
};

struct ResultAxis {
  std::string name, unit;
  std::vector<std::string> labels;
};

struct PointFailure {
  std::string point, error;
};

struct Source {
  std::string file;
  std::string made;  ///< the command; for results of versions that did not say it: sizes and parameters
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
};

/// Several files of runs become one; a sweep must come alone. Throws ConfigError.
Results read_results(const std::vector<std::string>& paths);

}  // namespace warpsieve::report
