// The DRAM channel beside other DRAM simulators: the same accesses, one channel, the same timings and queues.
//
//   references  sim_cpp/configs/validate/dram_peers.toml, compiled in
//   figures     command cycles per access; at low load also the average read latency in command cycles
//   time        about a CPU second for all rows
#pragma once

#include "validate/row.h"

namespace warpsieve::validate {

/// One row per figure, compared with the nearest of the simulators. `quick`: without patterns of more than 100,000
/// accesses. Throws ConfigError when the data file is wrong.
Rows dram_rows(bool quick);

}  // namespace warpsieve::validate
