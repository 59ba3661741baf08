// Whether this program has workloads from outside the tree.
#pragma once

namespace warpsieve::workloads {

/// Whether register_workload() was called.
bool any_registered();

}  // namespace warpsieve::workloads
