// bfs (Rodinia): level-synchronous search, one vertex per thread, T = 256, one-byte flags.
//
// Kernel 1: frontier vertices clear their flag and mark the unvisited neighbours. Kernel 2: marked
// vertices become the next frontier and raise the "go on" flag. The host clears it before each level.
#include <fmt/format.h>

#include <deque>

#include "simt/program.h"
#include "workloads/graph_input.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;
using Byte = std::uint8_t;

class Bfs final : public Program {
 public:
  explicit Bfs(const Settings& s) : Program("bfs"), graph_(make_graph(s)) {
    const std::int64_t source = s.integer("source");
    source_ = source >= 0 ? static_cast<int>(source) : graph_.start_vertex();
    if (source_ >= graph_.vertices)
      throw WorkloadError(fmt::format("bfs.source = '{}': a vertex below {} is expected", source_, graph_.vertices));
  }

 private:
  void build() override {
    const auto n = static_cast<std::uint64_t>(graph_.vertices);
    std::vector<Int2> nodes(n);
    for (std::size_t v = 0; v < n; ++v) nodes[v] = {graph_.row[v], graph_.degree(static_cast<int>(v))};
    std::vector<Byte> start(n, 0);
    start[static_cast<std::size_t>(source_)] = 1;
    std::vector<int> cost(n, -1);
    cost[static_cast<std::size_t>(source_)] = 0;
    nodes_ = memory_.allocate("nodes", nodes);
    edges_ = memory_.allocate("edges", graph_.col);
    mask_ = memory_.allocate("mask", start);
    updating_ = memory_.allocate<Byte>("updating", n);
    visited_ = memory_.allocate("visited", start);
    cost_ = memory_.allocate("cost", cost);
    go_on_ = memory_.allocate<Byte>("go_on", 1);
  }

  HostCode host() override {
    do {
      memory_.write(go_on_, 0, Byte{0});
      co_yield expand();
      co_yield advance();
    } while (memory_.read(go_on_, 0) != 0);
  }

  std::unique_ptr<KernelLaunch> expand() {
    const int n = graph_.vertices;
    return launch(
        "bfs_expand", blocks_for(nodes_.count, 256), 256,
        [=, nodes = nodes_, edges = edges_, mask = mask_, updating = updating_, visited = visited_,
         cost = cost_](Warp& w) {
          const Vec<int> v = w.global_thread();
          w.exit_if(v >= n);
          w.if_(w.load(mask, v) != Byte{0}, [&] {
            w.store(mask, v, Vec<Byte>(Byte{0}));
            const Vec<Int2> node = w.load(nodes, v);
            Vec<int> e = member(node, &Int2::x);
            const Vec<int> end = e + member(node, &Int2::y);
            w.while_([&] { return e < end; },
                     [&] {
                       const Vec<int> nb = w.load(edges, e);
                       w.if_(w.load(visited, nb) == Byte{0}, [&] {
                         w.store(cost, nb, w.load(cost, v) + 1);
                         w.store(updating, nb, Vec<Byte>(Byte{1}));
                       });
                       e += 1;
                     });
          });
        },
        20);
  }

  std::unique_ptr<KernelLaunch> advance() {
    const int n = graph_.vertices;
    return launch(
        "bfs_advance", blocks_for(nodes_.count, 256), 256,
        [=, mask = mask_, updating = updating_, visited = visited_, go_on = go_on_](Warp& w) {
          const Vec<int> v = w.global_thread();
          w.exit_if(v >= n);
          w.if_(w.load(updating, v) != Byte{0}, [&] {
            w.store(mask, v, Vec<Byte>(Byte{1}));
            w.store(visited, v, Vec<Byte>(Byte{1}));
            w.store(go_on, Vec<int>(0), Vec<Byte>(Byte{1}));
            w.store(updating, v, Vec<Byte>(Byte{0}));
          });
        },
        10);
  }

  std::string verify() override {
    std::vector<int> level(static_cast<std::size_t>(graph_.vertices), -1);
    std::deque<int> queue{source_};
    level[static_cast<std::size_t>(source_)] = 0;
    while (!queue.empty()) {
      const auto v = static_cast<std::size_t>(queue.front());
      queue.pop_front();
      for (int e = graph_.row[v]; e < graph_.row[v + 1]; ++e) {
        const int nb = graph_.col[static_cast<std::size_t>(e)];
        if (level[static_cast<std::size_t>(nb)] >= 0) continue;
        level[static_cast<std::size_t>(nb)] = level[v] + 1;
        queue.push_back(nb);
      }
    }
    const std::vector<int> got = memory_.read(cost_);
    for (std::size_t v = 0; v < level.size(); ++v)
      if (got[v] != level[v]) return fmt::format("level of vertex {} is {}, expected {}", v, got[v], level[v]);
    return "";
  }

  inputs::Graph graph_;
  int source_ = 0;
  Buffer<Int2> nodes_;
  Buffer<int> edges_, cost_;
  Buffer<Byte> mask_, updating_, visited_, go_on_;
};

}  // namespace

WorkloadEntry bfs_entry() {
  return {{"bfs",
           "Rodinia",
           "breadth-first search by levels: byte flags, gathers, read-only arrays read once per level",
           kGraphFiles,
           joined(graph_parameters(65536, 393216, "uniform"),
                  {integer_parameter("source", -1, -1, -1, -1, 1 << 28, "vertex",
                                     "start vertex; -1: the file's, else the first that has an arc")}),
           "0.3-0.6 M WMI; byte flags (32 lanes in one sector), gathers",
           true,
           {"graph1MW_6: 1,000,000 vertices, 6,000,000 arcs", {{"vertices", "1000000"}, {"arcs", "6000000"}}}},
          [](const Settings& s) -> std::unique_ptr<simt::Workload> { return std::make_unique<Bfs>(s); }};
}

}  // namespace warpsieve::workloads
