// Graphs in compressed sparse rows, their readers and generators.
//
// Formats, found by content and, where that leaves a choice, by extension:
//   Matrix Market (.mtx)  coordinate or array; pattern, real, integer or complex (its magnitude); general, symmetric,
//                         skew-symmetric or hermitian (both halves become arcs); square
//   METIS (.graph)        with or without weights
//   DIMACS (.gr, .col)    sp, max, min (arcs), edge and col (edges)
//   PACE (.gr)            p tw, td, ds, vc, cep: edges
//   ECL (.egr)            binary compressed sparse rows (edge_list.h)
//   edge lists            SNAP, KONECT, csv, tsv (edge_list.h)
//   Rodinia bfs text      starts with the number of vertices alone
// Vertices are numbered from 0 whatever the file's base is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/text_reader.h"

namespace warpsieve::inputs {

inline constexpr std::int64_t kMaxVertices = 1 << 28;
inline constexpr std::int64_t kMaxArcs = std::int64_t{1} << 30;

struct Graph {
  int vertices = 0;
  std::vector<int> row;       ///< vertices + 1: arcs of v are [row[v], row[v + 1])
  std::vector<int> col;       ///< head of each arc
  std::vector<float> weight;  ///< one per arc, or empty: the source has none
  int source = -1;            ///< start vertex, where the file names one (Rodinia bfs); else -1

  int arcs() const { return static_cast<int>(col.size()); }
  int degree(int v) const { return row[static_cast<std::size_t>(v) + 1] - row[static_cast<std::size_t>(v)]; }
  /// `source`, else the first vertex that has an arc, else 0.
  int start_vertex() const {
    if (source >= 0) return source;
    for (int v = 0; v < vertices; ++v)
      if (degree(v) > 0) return v;
    return 0;
  }
};

struct Arc {
  int from = 0, to = 0;
  float weight = 0;
};

/// Sorts arcs by tail, keeping the given order among the arcs of one vertex.
Graph from_arcs(int vertices, const std::vector<Arc>& arcs, bool weighted);

/// Edges as arcs in both directions, each once (the first one counts); a loop is one arc.
Graph both_ways(int vertices, std::vector<Arc> edges, bool weighted);

Graph read_graph(const std::string& path);
/// The same from memory; `name` is used for messages and for its extension.
Graph parse_graph(const std::string& name, std::string_view text);

/// R-MAT (a = 0.45, b = c = 0.22), symmetrised, without loops or duplicates, degree at most
/// `max_degree`, vertex numbers permuted. `arcs` counts both directions.
Graph rmat_graph(int vertices, int arcs, std::uint64_t seed, int max_degree = 256);
/// Uniform random undirected graph without loops or duplicates.
Graph uniform_graph(int vertices, int arcs, std::uint64_t seed);
/// width x height grid, 4 neighbours, symmetric integer weights 1 to 100.
Graph grid_graph(int width, int height, std::uint64_t seed);

}  // namespace warpsieve::inputs
