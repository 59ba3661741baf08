// rata: loads that miss are answered by the L1 of a peer in the same cluster (RATA paper).
//
//   rata         a remote access tag array per cluster, block `rata` as model, rtl or shadow (instances cluster0, ...)
//   rata_ideal   perfect tags and no latency: knows in every cycle which L1 of the cluster holds the line (III, first
//                experiment)
//
// Needs a machine with clusters (noc.cluster, profile rata). The cluster port (memsys/cluster) does the rest: probes,
// credits, response buffer. DRAM as in the baseline.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/params.h"
#include "cosim/backend_plan.h"
#include "schemes/scheme.h"

namespace warpsieve::schemes {

/// RTL exists for 64 sets of 6, 16 and 48 ways; other sizes run as models.
struct RataSchemeParams {
  std::uint32_t sets, ways, lookup_cycles, redirect_cycles, drop_failed, fill_on_remote;
  RataSchemeParams();
  void declare(ParamSet& set);
};

std::vector<std::string> rata_blocks();
std::unique_ptr<Scheme> make_rata(bool ideal, const RataSchemeParams& params, const BackendPlan& backends);

}  // namespace warpsieve::schemes
