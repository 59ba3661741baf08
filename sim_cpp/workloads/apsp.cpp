// apsp (Pannotia fw): all shortest paths by Floyd and Warshall, one launch per intermediate vertex,
// blocks of 16 x 16 threads with the ROW on x: lanes walk rows, so that most accesses touch a line per
// lane. Distances are small integers and one "infinity".
#include <queue>

#include "workloads/common.h"
#include "workloads/graph_input.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kInfinity = 99999999, kApspSide = 16, kMaxVertices = 4096, kApspMaxLength = 20000;

class AllPairs final : public Program {
 public:
  explicit AllPairs(const Settings& s) : Program("apsp"), graph_(make_graph(s)) {
    if (graph_.vertices > kMaxVertices)
      throw WorkloadError(fmt::format("apsp: {} vertices: at most {} are expected", graph_.vertices, kMaxVertices));
    lengths_ = arc_lengths(graph_, s, kApspMaxLength);
  }

 private:
  std::size_t cell(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(graph_.vertices) + static_cast<std::size_t>(to);
  }

  void build() override {
    const int n = graph_.vertices;
    std::vector<int> d(cell(n, 0), kInfinity), via(d.size(), -1);
    for (int v = 0; v < n; ++v) {
      for (int e = graph_.row[static_cast<std::size_t>(v)]; e < graph_.row[static_cast<std::size_t>(v) + 1]; ++e) {
        int& length = d[cell(v, graph_.col[static_cast<std::size_t>(e)])];
        length = std::min(length, lengths_[static_cast<std::size_t>(e)]);
      }
      d[cell(v, v)] = 0;
    }
    distance_ = memory_.allocate("distance", d);
    via_ = memory_.allocate("via", via);
  }

  HostCode host() override {
    for (int k = 0; k < graph_.vertices; ++k) co_yield relax(k);
  }

  std::unique_ptr<KernelLaunch> relax(int k) {
    const int grid = ceil_div(graph_.vertices, kApspSide);
    return launch(
        "apsp", static_cast<std::uint32_t>(grid * grid), kApspSide * kApspSide,
        [k, grid, n = graph_.vertices, distance = distance_, via = via_](Warp& w) {
          const GridPlace block(w, grid);
          const Vec<int> i = w.thread_x(kApspSide) + kApspSide * block.x,
                         j = w.thread_y(kApspSide) + kApspSide * block.y;
          w.exit_if((i >= n) | (j >= n));
          const Vec<int> at = i * n + j;
          const Vec<int> through = w.load(distance, i * n + k) + w.load(distance, j + k * n);
          w.if_(through < w.load(distance, at), [&] {
            w.store(distance, at, through);
            w.store(via, at, Vec<int>(k));
          });
        },
        14);
  }

  /// Dijkstra's algorithm from every vertex; the intermediate vertices must lie on shortest paths.
  std::string verify() override {
    const int n = graph_.vertices;
    std::vector<int> want(cell(n, 0), kInfinity);
    using Label = std::pair<int, int>;
    for (int s = 0; s < n; ++s) {
      std::priority_queue<Label, std::vector<Label>, std::greater<>> queue;
      want[cell(s, s)] = 0;
      queue.push({0, s});
      while (!queue.empty()) {
        const auto [length, v] = queue.top();
        queue.pop();
        if (length > want[cell(s, v)]) continue;
        for (int e = graph_.row[static_cast<std::size_t>(v)]; e < graph_.row[static_cast<std::size_t>(v) + 1]; ++e) {
          const int to = graph_.col[static_cast<std::size_t>(e)],
                    total = length + lengths_[static_cast<std::size_t>(e)];
          if (total >= want[cell(s, to)]) continue;
          want[cell(s, to)] = total;
          queue.push({total, to});
        }
      }
    }
    const std::vector<int> via = memory_.read(via_);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int k = via[cell(i, j)];
        if (k < -1 || k >= n || (k >= 0 && want[cell(i, k)] + want[cell(k, j)] != want[cell(i, j)]))
          return fmt::format("vertex {} lies on no shortest path from {} to {}", k, i, j);
      }
    return mismatch("distance of pair", memory_.read(distance_), want);
  }

  inputs::Graph graph_;
  std::vector<int> lengths_;
  Buffer<int> distance_, via_;
};

}  // namespace

WorkloadEntry apsp_entry() {
  return entry_of<AllPairs>(
      {"apsp",
       "Pannotia",
       "all shortest paths by Floyd and Warshall: lanes walk rows, small integers",
       kWeightedGraphFiles,
       {integer_parameter("vertices", 128, 96, 32, 2, kMaxVertices, "vertices", "size of the generated graph"),
        integer_parameter("arcs", 1024, 768, 128, 0, 1 << 24, "arcs", "arcs of the generated graph, both directions"),
        choice_parameter("graph", "uniform", {"uniform", "rmat", "grid"},
                         "generator used when there is no input file"),
        weights_parameter()},
       "0.26 M WMI; small integers, lane pitch n * 4"},
      {"256 vertices and 16,384 arcs, or 512 and 65,536", {{"vertices", "512"}, {"arcs", "65536"}}});
}

}  // namespace warpsieve::workloads
