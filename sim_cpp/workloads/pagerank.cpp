// pagerank (Pannotia): one vertex per thread. Variant push (T = 256): every vertex adds its share to
// rank2 of its neighbours by float atomics, then an update kernel moves rank2 into rank1 and clears
// it. Variant spmv (T = 64): every vertex gathers the shares of its neighbours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simt/program.h"
#include "workloads/graph_input.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

class PageRank final : public Program {
 public:
  explicit PageRank(const Settings& s)
      : Program("pagerank"), graph_(make_graph(s)), iterations_(s.count("iterations")),
        push_(s.text("variant") == "push") {}

  std::vector<std::pair<Addr, std::uint64_t>> order_dependent() const override {
    if (!push_) return {};
    return {{rank1_.base, rank1_.bytes()}, {rank2_.base, rank2_.bytes()}};
  }

 private:
  std::uint32_t threads() const { return push_ ? 256 : 64; }

  void build() override {
    const auto n = static_cast<std::uint64_t>(graph_.vertices);
    row_ = memory_.allocate("row", graph_.row);
    col_ = memory_.allocate("col", graph_.col);
    if (push_) {
      // The benchmark allocates edge weights, its push kernel never reads them: those of a file may be any floats.
      const auto whole = [](float w) { return std::isfinite(w) ? static_cast<int>(std::clamp(w, -1e9f, 1e9f)) : 0; };
      std::vector<int> weight(graph_.col.size(), 1);
      std::transform(graph_.weight.begin(), graph_.weight.end(), weight.begin(), whole);
      memory_.allocate("weight", weight);
    } else {
      share_ = memory_.allocate("share", shares());
    }
    rank1_ = memory_.allocate<float>("rank1", n);
    rank2_ = memory_.allocate<float>("rank2", n);
  }

  /// For each arc v -> u, the part of u's rank that v gets when it pulls.
  std::vector<float> shares() const {
    std::vector<float> out(graph_.col.size());
    for (std::size_t e = 0; e < out.size(); ++e) {
      const int degree = graph_.degree(graph_.col[e]);
      out[e] = degree == 0 ? 0.0f : 1.0f / static_cast<float>(degree);
    }
    return out;
  }

  HostCode host() override {
    co_yield initialise();
    for (int i = 0; i < iterations_; ++i) {
      if (push_)
        co_yield push();
      else
        co_yield pull();
      co_yield update();
    }
  }

  std::unique_ptr<KernelLaunch> initialise() {
    const int n = graph_.vertices;
    return launch(
        "pagerank_init", blocks_for(rank1_.count, threads()), threads(),
        [=, rank1 = rank1_, rank2 = rank2_](Warp& w) {
          const Vec<int> v = w.global_thread();
          w.exit_if(v >= n);
          w.store(rank1, v, Vec<float>(1.0f / static_cast<float>(n)));
          w.store(rank2, v, Vec<float>(0.0f));
        },
        10);
  }

  std::unique_ptr<KernelLaunch> push() {
    const int n = graph_.vertices;
    return launch(
        "pagerank_push", blocks_for(rank1_.count, 256), 256,
        [=, row = row_, col = col_, rank1 = rank1_, rank2 = rank2_](Warp& w) {
          const Vec<int> v = w.global_thread();
          w.exit_if(v >= n);
          Vec<int> e = w.load(row, v);
          const Vec<int> end = w.load(row, v + 1);
          const Vec<float> part = w.load(rank1, v) / to<float>(end - e);
          w.while_([&] { return e < end; },
                   [&] {
                     w.atomic_add(rank2, w.load(col, e), part);
                     e += 1;
                   });
        },
        16);
  }

  std::unique_ptr<KernelLaunch> pull() {
    const int n = graph_.vertices;
    return launch(
        "pagerank_pull", blocks_for(rank1_.count, 64), 64,
        [=, row = row_, col = col_, share = share_, rank1 = rank1_, rank2 = rank2_](Warp& w) {
          const Vec<int> v = w.global_thread();
          w.exit_if(v >= n);
          Vec<int> e = w.load(row, v);
          const Vec<int> end = w.load(row, v + 1);
          Vec<float> sum = 0.0f;
          w.while_([&] { return e < end; },
                   [&] {
                     const Vec<int> u = w.load(col, e);
                     sum = mad(w.load(share, e), w.load(rank1, u), sum);
                     e += 1;
                   });
          w.store(rank2, v, sum);
        },
        18);
  }

  std::unique_ptr<KernelLaunch> update() {
    const int n = graph_.vertices;
    return launch(
        "pagerank_update", blocks_for(rank1_.count, threads()), threads(),
        [=, rank1 = rank1_, rank2 = rank2_](Warp& w) {
          const Vec<int> v = w.global_thread();
          w.exit_if(v >= n);
          w.store(rank1, v, mad(w.load(rank2, v), Vec<float>(0.85f), Vec<float>(0.15f / static_cast<float>(n))));
          w.store(rank2, v, Vec<float>(0.0f));
        },
        10);
  }

  std::string verify() override {
    const auto n = static_cast<std::size_t>(graph_.vertices);
    // A hub adds many floats up: what each sum may be off is carried along.
    constexpr double rounding = 0x1p-24;
    std::vector<double> rank(n, 1.0 / static_cast<double>(n)), sum(n), off(n), sum_off(n), addends(n);
    const auto add = [&](std::size_t to, std::size_t from) {
      const double degree = graph_.degree(static_cast<int>(from));
      if (degree == 0) return;
      sum[to] += rank[from] / degree;
      sum_off[to] += off[from] / degree;
      ++addends[to];
    };
    for (int i = 0; i < iterations_; ++i) {
      for (auto* zeroed : {&sum, &sum_off, &addends}) std::fill(zeroed->begin(), zeroed->end(), 0.0);
      for (std::size_t v = 0; v < n; ++v)
        for (int e = graph_.row[v]; e < graph_.row[v + 1]; ++e) {
          const auto u = static_cast<std::size_t>(graph_.col[static_cast<std::size_t>(e)]);
          push_ ? add(u, v) : add(v, u);
        }
      for (std::size_t v = 0; v < n; ++v) {
        rank[v] = 0.15 / static_cast<double>(n) + 0.85 * sum[v];
        off[v] = 0.85 * (sum_off[v] + addends[v] * rounding * sum[v]);
      }
    }
    const std::vector<float> got = memory_.read(rank1_);
    for (std::size_t v = 0; v < n; ++v)
      if (!(std::fabs(got[v] - rank[v]) <= 1e-4 * rank[v] + off[v]))
        return fmt::format("rank of vertex {} is {}, expected {}", v, got[v], rank[v]);
    return "";
  }

  inputs::Graph graph_;
  int iterations_;
  bool push_;
  Buffer<int> row_, col_;
  Buffer<float> share_, rank1_, rank2_;
};

}  // namespace

WorkloadEntry pagerank_entry() {
  return {{"pagerank",
           "Pannotia",
           "PageRank: read-only graph read once per iteration, float atomics, all-zero rewrites of the accumulator",
           kGraphFiles,
           joined(graph_parameters(131072, 1048576, "rmat"),
                  {integer_parameter("iterations", 4, 4, 2, 1, 1000, "iterations",
                                     "power iterations (20 in the original)"),
                   choice_parameter("variant", "push", {"push", "spmv"},
                                    "push by float atomics, or gather (sparse matrix times vector)")}),
           "1.4 M WMI (more on R-MAT hubs); read-only arrays re-read, all-zero rewrites",
           true,
           {"coAuthorsDBLP: 299,067 vertices, 1,955,352 arcs, 20 iterations",
            {{"vertices", "299067"}, {"arcs", "1955352"}, {"iterations", "20"}}}},
          [](const Settings& s) -> std::unique_ptr<simt::Workload> { return std::make_unique<PageRank>(s); }};
}

}  // namespace warpsieve::workloads
