// Where a sweep stands.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweep/store.h"

namespace warpsieve::sweep {

struct PointNote {
  std::string label, text;
};

struct Status {
  std::string name, version;
  std::size_t total = 0, done = 0, failed = 0, running = 0, missing = 0;
  std::vector<PointNote> failures;     ///< with the error line
  std::vector<PointNote> runners;      ///< with host and process
  std::optional<Peak> peak;            ///< of the points that this directory's logs know
  std::optional<double> left_seconds;  ///< of the machines at work now, or of one when none is; nothing: no times yet
};

Status status_of(const Store& store);
/// Of these points, whatever sweep.json says.
Status status_of(const Store& store, const Sweep& sweep);

}  // namespace warpsieve::sweep
