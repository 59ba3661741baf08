// How long a sweep of claims takes, before it starts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/simulate.h"
#include "sweep/store.h"

namespace warpsieve::claims {

struct Estimate {
  std::vector<double> seconds;  ///< CPU seconds of each point that is not finished, in their order
  double total = 0;
  std::size_t unknown = 0;  ///< of these points, those without any time to go by: the mean of the others
};
/// CPU seconds by configs/claim_seconds, of the same machine if it has run the workload, else the mean of the others:
/// of this workload and these sizes at this scale; at another scale, where the sizes leave nothing to it; of the
/// workload with its own sizes, times what these sizes make of it at another scale. Of a sample of the launches
/// (gpu.launch_sample) that has not run, the same share of them all.
std::optional<double> known_seconds(const run::RunSpec& spec);
/// By what the points of the same workload and scheme took in this directory, else by configs/claim_seconds: what
/// the committed runs took, on another machine.
Estimate estimate(const sweep::Store& store, const sweep::Sweep& points);
/// "about 12:30 of CPU time, 6:15 with 2 at a time", or that nothing is known. `jobs` 0: as many as a cluster gives.
std::string describe(const Estimate& estimate, unsigned jobs);

}  // namespace warpsieve::claims
