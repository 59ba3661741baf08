// sssp (Pannotia): shortest distances from one vertex by Bellman-Ford, written as a min-plus product
// of the incoming arcs with the vector of distances; T = 64. Both vectors start as the constant
// 99,999,999 and stay so in large parts; copying one to the other duplicates whole arrays.
#include <algorithm>
#include <queue>

#include "workloads/common.h"
#include "workloads/graph_input.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kFar = 99999999, kSsspThreads = 64;

class ShortestPaths final : public Program {
 public:
  explicit ShortestPaths(const Settings& s)
      : Program("sssp"), graph_(make_graph(s)), limit_(s.count("iterations")), source_(s.count("source")) {
    if (source_ >= graph_.vertices)
      throw WorkloadError(fmt::format("sssp.source = '{}': a vertex below {} is expected", source_, graph_.vertices));
    // No path overflows, and every weight up to here is exact as a float.
    lengths_ = arc_lengths(graph_, s, std::min(2000000000 / graph_.vertices, 1 << 24));
    std::vector<inputs::Arc> arcs;
    for (int v = 0; v < graph_.vertices; ++v)
      for (int e = graph_.row[static_cast<std::size_t>(v)]; e < graph_.row[static_cast<std::size_t>(v) + 1]; ++e)
        arcs.push_back(
            {graph_.col[static_cast<std::size_t>(e)], v, static_cast<float>(lengths_[static_cast<std::size_t>(e)])});
    incoming_ = inputs::from_arcs(graph_.vertices, arcs, true);
  }

 private:
  void build() override {
    const auto n = static_cast<std::uint64_t>(graph_.vertices);
    std::vector<int> lengths;
    for (const float w : incoming_.weight) lengths.push_back(static_cast<int>(w));
    row_ = memory_.allocate("row", incoming_.row);
    col_ = memory_.allocate("col", incoming_.col);
    length_ = memory_.allocate("length", lengths);
    x_ = memory_.allocate<int>("x", n);
    y_ = memory_.allocate<int>("y", n);
    changed_ = memory_.allocate<int>("changed", 1);
  }

  template <class F>
  std::unique_ptr<KernelLaunch> each(const char* name, std::uint32_t registers, F body) {
    return launch(name, blocks_for(x_.count, kSsspThreads), kSsspThreads,
                  per_item(x_.count, [x = x_, y = y_, body](Warp& w, const Vec<int>& v) { body(w, v, x, y); }),
                  registers);
  }
  using Vector = Buffer<int>;

  HostCode host() override {
    co_yield each("sssp_init", 8, [s = source_](Warp& w, const Vec<int>& v, const Vector& x, const Vector& y) {
      const Vec<int> start = select(v == s, Vec<int>(0), Vec<int>(kFar));
      w.store(x, v, start);
      w.store(y, v, start);
    });
    bool again = true;
    for (int i = 0; i < limit_ && again; ++i) {
      co_yield each("sssp_assign", 8, [](Warp& w, const Vec<int>& v, const Vector& x, const Vector& y) {
        w.store(x, v, w.load(y, v));
      });
      co_yield each(
          "sssp_relax", 16,
          [row = row_, col = col_, length = length_](Warp& w, const Vec<int>& v, const Vector& x, const Vector& y) {
            Vec<int> best = w.load(x, v);
            each_arc(w, row, v, [&](const Vec<int>& e) {
              const Vec<int> step = w.load(length, e);
              best = min(best, step + w.load(x, w.load(col, e)));
            });
            w.store(y, v, best);
          });
      memory_.write(changed_, 0, 0);
      co_yield each("sssp_differ", 8,
                    [changed = changed_](Warp& w, const Vec<int>& v, const Vector& x, const Vector& y) {
                      w.if_(w.load(x, v) != w.load(y, v), [&] { w.store(changed, Vec<int>(0), Vec<int>(1)); });
                    });
      again = memory_.read(changed_, 0) != 0;
    }
  }

  /// Shortest paths of at most `limit` arcs: a queue of (distance, arcs) in order of distance.
  std::string verify() override {
    const auto n = static_cast<std::size_t>(graph_.vertices);
    struct Label {
      int distance, arcs, vertex;
      bool operator>(const Label& o) const { return std::tie(distance, arcs) > std::tie(o.distance, o.arcs); }
    };
    std::priority_queue<Label, std::vector<Label>, std::greater<>> queue;
    std::vector<int> want(n, kFar), fewest(n, limit_ + 1);
    queue.push({0, 0, source_});
    while (!queue.empty()) {
      const Label l = queue.top();
      queue.pop();
      const auto v = static_cast<std::size_t>(l.vertex);
      if (l.arcs >= fewest[v]) continue;  // a path no longer and of no more arcs came before
      fewest[v] = l.arcs;
      want[v] = std::min(want[v], l.distance);
      for (int e = graph_.row[v]; e < graph_.row[v + 1]; ++e)
        queue.push({l.distance + lengths_[static_cast<std::size_t>(e)], l.arcs + 1,
                    graph_.col[static_cast<std::size_t>(e)]});
    }
    return mismatch("distance of vertex", memory_.read(y_), want);
  }

  inputs::Graph graph_, incoming_;
  int limit_, source_;
  std::vector<int> lengths_;
  Buffer<int> row_, col_, length_, x_, y_, changed_;
};

}  // namespace

WorkloadEntry sssp_entry() {
  return entry_of<ShortestPaths>(
      {"sssp", "Pannotia", "shortest paths by Bellman-Ford: mostly constant vectors, a vector copy per iteration",
       kWeightedGraphFiles,
       joined(graph_parameters(65536, 180000, "road"),
              {size_parameter("iterations", 20, 20, 8, 100000, "iterations", "at most so many"),
               integer_parameter("source", 0, 0, 0, 0, 1 << 28, "vertex", "start vertex"), weights_parameter()}),
       "0.8 M WMI; intra-duplicates (99,999,999) and two identical vectors"},
      {"USA-road-d.NY: 264,346 vertices; a generated road network of 1,000,000 here: three times an L2 of 4 MB",
       {{"vertices", "1000000"}, {"arcs", "2760000"}}});
}

}  // namespace warpsieve::workloads
