// Shared by the graph workloads: the graph from a file, or from the generator that a parameter names.
#pragma once

#include "inputs/graph.h"
#include "workloads/registry.h"

namespace warpsieve::workloads {

/// Parameters `vertices`, `arcs` and `graph`, with the given sizes and default generator.
std::vector<Parameter> graph_parameters(std::int64_t full_vertices, std::int64_t full_arcs,
                                        const std::string& generator);
/// Adds `more` behind `first`.
std::vector<Parameter> joined(std::vector<Parameter> first, std::vector<Parameter> more);
inputs::Graph make_graph(const Settings& s);

inline constexpr const char* kGraphFiles = "graph: .mtx, .graph (METIS), .gr (DIMACS) or Rodinia bfs text";

}  // namespace warpsieve::workloads
