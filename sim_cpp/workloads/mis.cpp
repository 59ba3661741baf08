// mis (Pannotia): a maximal independent set by Luby's rounds; T = 128, one vertex per thread. In each
// round the open vertices with the smallest value among their open neighbours join the set (status -2)
// and close their neighbours. Arrays start as constants: whole lines of -1 and 0.
#include <limits>

#include "workloads/common.h"
#include "workloads/graph_input.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kOpen = -1, kClosed = -2, kMember = 2, kMisThreads = 128;

class IndependentSet final : public Program {
 public:
  explicit IndependentSet(const Settings& s)
      : Program("mis"), graph_(undirected(make_graph(s))), values_(permutation(graph_.vertices, s.seed() + 1)) {}

 private:
  void build() override {
    const auto n = static_cast<std::uint64_t>(graph_.vertices);
    row_ = memory_.allocate("row", graph_.row);
    col_ = memory_.allocate("col", graph_.col);
    value_ = memory_.allocate("value", values_);
    status_ = memory_.allocate<int>("status", n);
    update_ = memory_.allocate<int>("update", n);
    member_ = memory_.allocate<int>("member", n);
    smallest_ = memory_.allocate<int>("smallest", n);
    go_on_ = memory_.allocate<int>("go_on", 1);
  }

  template <class F>
  std::unique_ptr<KernelLaunch> each(const char* name, std::uint32_t registers, F body) {
    return launch(name, blocks_for(status_.count, kMisThreads), kMisThreads, per_item(status_.count, body),
                  registers);
  }

  HostCode host() override {
    co_yield each("mis_init", 8, [status = status_, update = update_, member = member_](Warp& w, const Vec<int>& v) {
      w.store(status, v, Vec<int>(kOpen));
      w.store(update, v, Vec<int>(kOpen));
      w.store(member, v, Vec<int>(0));
    });
    do {
      memory_.write(go_on_, 0, 0);
      co_yield find_smallest();
      co_yield join();
      co_yield each("mis_close", 8, [status = status_, update = update_](Warp& w, const Vec<int>& v) {
        w.if_(w.load(update, v) == kClosed, [&] { w.store(status, v, Vec<int>(kClosed)); });
      });
    } while (memory_.read(go_on_, 0) != 0);
  }

  std::unique_ptr<KernelLaunch> find_smallest() {
    return each("mis_smallest", 16,
                [row = row_, col = col_, value = value_, status = status_, smallest = smallest_, go_on = go_on_](
                    Warp& w, const Vec<int>& v) {
                  w.if_(w.load(status, v) == kOpen, [&] {
                    w.store(go_on, Vec<int>(0), Vec<int>(1));
                    Vec<int> least = std::numeric_limits<int>::max();
                    each_arc(w, row, v, [&](const Vec<int>& e) {
                      const Vec<int> nb = w.load(col, e);
                      w.if_(w.load(status, nb) == kOpen, [&] { least = min(least, w.load(value, nb)); });
                    });
                    w.store(smallest, v, least);
                  });
                });
  }

  std::unique_ptr<KernelLaunch> join() {
    return each("mis_join", 16,
                [row = row_, col = col_, value = value_, status = status_, update = update_, member = member_,
                 smallest = smallest_](Warp& w, const Vec<int>& v) {
                  const Mask least = w.load(value, v) < w.load(smallest, v);
                  w.if_(least & (w.load(status, v) == kOpen), [&] {
                    w.store(member, v, Vec<int>(kMember));
                    w.store(status, v, Vec<int>(kClosed));
                    each_arc(w, row, v, [&](const Vec<int>& e) {
                      const Vec<int> nb = w.load(col, e);
                      w.if_(w.load(status, nb) == kOpen, [&] { w.store(update, nb, Vec<int>(kClosed)); });
                    });
                  });
                });
  }

  /// With distinct values the rounds find the set that taking vertices by ascending value finds.
  std::string verify() override {
    const auto n = static_cast<std::size_t>(graph_.vertices);
    std::vector<int> order(n), want(n, 0);
    for (std::size_t v = 0; v < n; ++v) order[static_cast<std::size_t>(values_[v])] = static_cast<int>(v);
    for (const int vertex : order) {
      const auto v = static_cast<std::size_t>(vertex);
      bool free = true;
      for (int e = graph_.row[v]; e < graph_.row[v + 1]; ++e)
        free &= want[static_cast<std::size_t>(graph_.col[static_cast<std::size_t>(e)])] == 0;
      if (free) want[v] = kMember;
    }
    return mismatch("membership of vertex", memory_.read(member_), want);
  }

  inputs::Graph graph_;
  std::vector<int> values_;
  Buffer<int> row_, col_, value_, status_, update_, member_, smallest_, go_on_;
};

}  // namespace

WorkloadEntry mis_entry() {
  return entry_of<IndependentSet>(
      {"mis", "Pannotia", "maximal independent set: constant fills, partial-line status stores, graph re-read",
       kGraphFiles, graph_parameters(65536, 262144, "grid"), "0.25 M WMI; intra-duplicates from constant fills"},
      {"ecology1: a grid of 1000 x 1000", {{"vertices", "1000000"}, {"arcs", "4000000"}}});
}

}  // namespace warpsieve::workloads
