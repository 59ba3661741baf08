#include "workloads/graph_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inputs/natural.h"
#include "inputs/random.h"

namespace warpsieve::workloads {

std::vector<Parameter> graph_parameters(std::int64_t vertices, std::int64_t arcs, const std::string& generator) {
  return {
      integer_parameter("vertices", vertices, vertices / 4, vertices / 64, 2, 1 << 24, "vertices",
                        "size of the generated graph"),
      integer_parameter("arcs", arcs, arcs / 4, arcs / 64, 0, 1 << 27, "arcs",
                        "arcs of the generated graph, both directions counted (grid, road: given by the vertices)"),
      choice_parameter("graph", generator, {"uniform", "rmat", "grid", "road"},
                       "generator used when there is no input file")};
}

std::vector<Parameter> joined(std::vector<Parameter> first, std::vector<Parameter> more) {
  for (Parameter& p : more) first.push_back(std::move(p));
  return first;
}

inputs::Graph make_graph(const Settings& s) {
  if (!s.input().empty()) return inputs::read_graph(s.input());
  const int n = s.count("vertices"), m = s.count("arcs");
  const std::string& kind = s.text("graph");
  if (kind == "rmat") return inputs::rmat_graph(n, m, s.seed());
  if (kind == "road") return inputs::road_graph(n, s.seed());
  if (kind == "uniform") return inputs::uniform_graph(n, m, s.seed());
  const int side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(n))));
  return inputs::grid_graph(side, side, s.seed());
}

inputs::Graph undirected(const inputs::Graph& graph) {
  std::vector<std::pair<int, int>> ends;
  for (int v = 0; v < graph.vertices; ++v)
    for (int e = graph.row[static_cast<std::size_t>(v)]; e < graph.row[static_cast<std::size_t>(v) + 1]; ++e) {
      const int u = graph.col[static_cast<std::size_t>(e)];
      if (u == v) continue;
      ends.emplace_back(v, u);
      ends.emplace_back(u, v);
    }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<inputs::Arc> arcs;
  for (const auto& [from, to] : ends) arcs.push_back({from, to, 0});
  return inputs::from_arcs(graph.vertices, arcs, false);
}

Parameter weights_parameter() {
  return choice_parameter(kWeights, "graph", {"graph", "unit"},
                          "weights of the arcs: the graph's (random ones where it has none), or 1 for all");
}

std::vector<int> arc_lengths(const inputs::Graph& graph, const Settings& s, int most) {
  if (s.text(kWeights) == "unit") return std::vector<int>(graph.col.size(), 1);
  inputs::Random random(s.seed() + 1);
  std::vector<int> lengths;
  lengths.reserve(graph.col.size());
  for (std::size_t e = 0; e < graph.col.size(); ++e) {
    if (graph.weight.empty()) {
      lengths.push_back(1 + static_cast<int>(random.below(100)));
      continue;
    }
    const float w = graph.weight[e];
    if (!(w >= 0 && w <= static_cast<float>(most))) {
      const auto tail =
          std::upper_bound(graph.row.begin(), graph.row.end(), static_cast<int>(e)) - graph.row.begin() - 1;
      throw WorkloadError(
          fmt::format("weight {} of the arc from vertex {} to {} (the first is 0): 0 to {} is expected, or "
                      "--unit-weights",
                      w, tail, graph.col[e], most));
    }
    lengths.push_back(static_cast<int>(std::lround(w)));
  }
  return lengths;
}

}  // namespace warpsieve::workloads
