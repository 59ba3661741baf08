// ccl: connected components by hooking and pointer jumping on an edge list (stand-in for the component
// labelling of the DPC thesis's graph suite). Per edge: two gathers of parents and an atomic minimum at
// the larger one; per vertex: a chain of dependent gathers up to the root.
#include <numeric>

#include "workloads/common.h"
#include "workloads/graph_input.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;
using Label = std::uint32_t;

constexpr std::uint32_t kCclThreads = 256;

class Components final : public Program {
 public:
  explicit Components(const Settings& s) : Program("ccl"), graph_(undirected(make_graph(s))) {
    for (int v = 0; v < graph_.vertices; ++v)
      for (int e = graph_.row[static_cast<std::size_t>(v)]; e < graph_.row[static_cast<std::size_t>(v) + 1]; ++e)
        if (const int u = graph_.col[static_cast<std::size_t>(e)]; v < u) edges_.push_back({v, u});
    if (edges_.empty()) throw WorkloadError("ccl: a graph with at least one edge is expected");
  }

 private:
  void build() override {
    edge_ = memory_.allocate("edges", edges_);
    parent_ = memory_.allocate<Label>("parent", static_cast<std::uint64_t>(graph_.vertices));
    changed_ = memory_.allocate<int>("changed", 1);
  }

  HostCode host() override {
    co_yield launch(
        "ccl_init", blocks_for(parent_.count, kCclThreads), kCclThreads,
        [n = graph_.vertices, parent = parent_](Warp& w) {
          const Vec<int> v = w.global_thread();
          w.exit_if(v >= n);
          w.store(parent, v, to<Label>(v));
        },
        8);
    do {
      memory_.write(changed_, 0, 0);
      co_yield hook();
      co_yield jump();
    } while (memory_.read(changed_, 0) != 0);
  }

  std::unique_ptr<KernelLaunch> hook() {
    return launch(
        "ccl_hook", blocks_for(edge_.count, kCclThreads), kCclThreads,
        [n = static_cast<int>(edge_.count), edge = edge_, parent = parent_, changed = changed_](Warp& w) {
          const Vec<int> e = w.global_thread();
          w.exit_if(e >= n);
          const Vec<Int2> ends = w.load(edge, e);
          const Vec<Label> a = w.load(parent, member(ends, &Int2::x)), b = w.load(parent, member(ends, &Int2::y));
          w.if_(a != b, [&] {
            w.atomic_min(parent, to<int>(max(a, b)), min(a, b));
            w.store(changed, Vec<int>(0), Vec<int>(1));
          });
        },
        12);
  }

  std::unique_ptr<KernelLaunch> jump() {
    return launch(
        "ccl_jump", blocks_for(parent_.count, kCclThreads), kCclThreads,
        [n = graph_.vertices, parent = parent_](Warp& w) {
          const Vec<int> v = w.global_thread();
          w.exit_if(v >= n);
          Vec<Label> root = w.load(parent, v);
          w.loop_([&] {
            const Vec<Label> above = w.load(parent, to<int>(root));
            w.break_if(above == root);
            root = above;
          });
          w.store(parent, v, root);
        },
        10);
  }

  /// Union and find; the label of a component is its smallest vertex.
  std::string verify() override {
    std::vector<int> parent(static_cast<std::size_t>(graph_.vertices));
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int v) {
      while (parent[static_cast<std::size_t>(v)] != v)
        v = parent[static_cast<std::size_t>(v)] =
            parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(v)])];
      return v;
    };
    for (const Int2& e : edges_) {
      const int a = root(e.x), b = root(e.y);
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
    std::vector<Label> want;
    for (int v = 0; v < graph_.vertices; ++v) want.push_back(static_cast<Label>(root(v)));
    return mismatch("label of vertex", memory_.read(parent_), want);
  }

  inputs::Graph graph_;
  std::vector<Int2> edges_;
  Buffer<Int2> edge_;
  Buffer<Label> parent_;
  Buffer<int> changed_;
};

}  // namespace

WorkloadEntry ccl_entry() {
  return entry_of<Components>(
      {"ccl", "graphs", "connected components: gathers of parents, atomic minima, pointer chains", kGraphFiles,
       graph_parameters(65536, 131072, "uniform"), ""},
      {"not known: three times an L2 of 4 MB", {{"vertices", "1000000"}, {"arcs", "2000000"}}});
}

}  // namespace warpsieve::workloads
