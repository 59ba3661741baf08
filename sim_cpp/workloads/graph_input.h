// Shared by the graph workloads: the graph from a file, or from the generator that a parameter names.
#pragma once

#include "inputs/graph.h"
#include "simt/kernel.h"
#include "workloads/registry.h"

namespace warpsieve::workloads {

/// Parameters `vertices`, `arcs` and `graph`, with the given sizes and default generator.
std::vector<Parameter> graph_parameters(std::int64_t full_vertices, std::int64_t full_arcs,
                                        const std::string& generator);
/// Adds `more` behind `first`.
std::vector<Parameter> joined(std::vector<Parameter> first, std::vector<Parameter> more);
inputs::Graph make_graph(const Settings& s);
/// Both directions of every arc, each once, without loops: what independent sets and colourings need.
inputs::Graph undirected(const inputs::Graph& graph);

inline constexpr const char* kWeights = "weights";
/// Parameter `weights`: those of the graph, or all 1.
Parameter weights_parameter();
/// Weights of the arcs as whole numbers (rounded), or random ones from 1 to 100 where the graph has none; all 1 where
/// `weights` says so. Throws WorkloadError for a weight outside of 0 to `most`.
std::vector<int> arc_lengths(const inputs::Graph& graph, const Settings& s, int most);

/// Kernel code: every lane walks the arcs of its vertex; `body` gets their numbers.
template <class F>
void each_arc(simt::Warp& w, const simt::Buffer<int>& row, const simt::Vec<int>& vertex, F body) {
  simt::Vec<int> e = w.load(row, vertex);
  const simt::Vec<int> end = w.load(row, vertex + 1);
  w.while_([&] { return e < end; },
           [&] {
             body(e);
             e += 1;
           });
}

inline constexpr const char* kGraphFiles =
    "graph: edge list (SNAP, KONECT, .csv, .tsv), .mtx, .graph (METIS), .gr or .col (DIMACS, PACE), .egr (ECL) or "
    "Rodinia bfs text";
inline const std::string kWeightedGraphFiles =
    "weighted graph: as graph; weights are rounded to whole numbers, or all 1 (--unit-weights)";

}  // namespace warpsieve::workloads
