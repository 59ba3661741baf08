// bfs (Rodinia): breadth-first search by levels with byte flags; sim_cpp/workloads/bfs.cpp.
#pragma once

#include "inputs/graph.h"
#include "program.h"

namespace warpsieve::hardware {

struct ArcRange {
  int first = 0, count = 0;
};
using Flag = std::uint8_t;

/// Frontier vertices clear their flag and mark the neighbours that no level has reached.
__global__ void expand_frontier(const ArcRange* nodes, const int* edges, Flag* mask, Flag* updating,
                                const Flag* visited, int* cost, int n) {
  const int v = grid_index();
  if (v >= n || mask[v] == 0) return;
  mask[v] = 0;
  const int end = nodes[v].first + nodes[v].count;
  for (int e = nodes[v].first; e < end; ++e) {
    const int neighbour = edges[e];
    if (visited[neighbour] != 0) continue;
    cost[neighbour] = cost[v] + 1;
    updating[neighbour] = 1;
  }
}

/// Marked vertices become the next frontier.
__global__ void advance_frontier(Flag* mask, Flag* updating, Flag* visited, Flag* go_on, int n) {
  const int v = grid_index();
  if (v >= n || updating[v] == 0) return;
  mask[v] = 1;
  visited[v] = 1;
  *go_on = 1;
  updating[v] = 0;
}

class Bfs final : public Program {
 public:
  explicit Bfs(const Setup& s)
      : graph_(s.input.empty()
                   ? inputs::uniform_graph(s.pick(65536, 16384, 1024), s.pick(393216, 98304, 6144), s.seed)
                   : inputs::read_graph(s.input)) {}

 private:
  void build() override {
    const auto n = static_cast<std::size_t>(graph_.vertices);
    std::vector<ArcRange> nodes(n);
    for (std::size_t v = 0; v < n; ++v) nodes[v] = {graph_.row[v], graph_.degree(static_cast<int>(v))};
    std::vector<Flag> start(n, 0);
    const auto source = static_cast<std::size_t>(graph_.start_vertex());
    start[source] = 1;
    std::vector<int> cost(n, -1);
    cost[source] = 0;
    nodes_ = memory_.allocate("nodes", nodes);
    edges_ = memory_.allocate("edges", graph_.col);
    mask_ = memory_.allocate("mask", start);
    updating_ = memory_.allocate<Flag>("updating", n);
    visited_ = memory_.allocate("visited", start);
    cost_ = memory_.allocate("cost", cost);
    go_on_ = memory_.allocate<Flag>("go_on", 1);
  }
  void host() override {
    const int n = graph_.vertices;
    const std::size_t blocks = blocks_for(nodes_.count, 256);
    do {
      memory_.write(go_on_, {0});
      launch("bfs_expand", blocks, 256, expand_frontier, memory_.pointer(nodes_), memory_.pointer(edges_),
             memory_.pointer(mask_), memory_.pointer(updating_), memory_.pointer(visited_), memory_.pointer(cost_),
             n);
      launch("bfs_advance", blocks, 256, advance_frontier, memory_.pointer(mask_), memory_.pointer(updating_),
             memory_.pointer(visited_), memory_.pointer(go_on_), n);
    } while (memory_.read(go_on_)[0] != 0);
  }

  inputs::Graph graph_;
  Array<ArcRange> nodes_;
  Array<int> edges_, cost_;
  Array<Flag> mask_, updating_, visited_, go_on_;
};

}  // namespace warpsieve::hardware
