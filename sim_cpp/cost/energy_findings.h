// The papers' energy claims beside the energies of finished runs.
#pragma once

#include <vector>

#include "cost/claims.h"
#include "cost/energy.h"

namespace warpsieve::cost {

/// One finding for each claim on the energy of a whole machine. A claim's scheme is compared with the baseline of the
/// same workload, profile and machine in `reports`: DRAM + controller + L2 saved, the mean of the workloads that have
/// both.
std::vector<Finding> energy_findings(const std::vector<EnergyReport>& reports);

}  // namespace warpsieve::cost
