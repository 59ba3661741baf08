// color (Pannotia): greedy colouring; T = 256, one vertex per thread, one colour per round for the
// uncoloured vertices whose value is the largest among their uncoloured neighbours. Variant maxmin gives
// a second colour to those with the smallest one.
#include <limits>

#include "workloads/common.h"
#include "workloads/graph_input.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kNone = -1, kHuge = std::numeric_limits<int>::max(), kColorThreads = 256;

class Color final : public Program {
 public:
  explicit Color(const Settings& s)
      : Program("color"), graph_(undirected(make_graph(s))), values_(permutation(graph_.vertices, s.seed() + 1)),
        both_(s.text("variant") == "maxmin") {}

 private:
  void build() override {
    const auto n = static_cast<std::uint64_t>(graph_.vertices);
    row_ = memory_.allocate("row", graph_.row);
    col_ = memory_.allocate("col", graph_.col);
    value_ = memory_.allocate("value", values_);
    color_ = memory_.allocate("color", std::vector<int>(n, kNone));
    largest_ = memory_.allocate<int>("largest", n);
    if (both_) smallest_ = memory_.allocate<int>("smallest", n);
    go_on_ = memory_.allocate<int>("go_on", 1);
  }

  HostCode host() override {
    int color = 0;
    do {
      memory_.write(go_on_, 0, 0);
      co_yield look();
      co_yield assign(color);
      color += both_ ? 2 : 1;
    } while (memory_.read(go_on_, 0) != 0);
  }

  std::unique_ptr<KernelLaunch> look() {
    return launch(
        "color_look", blocks_for(color_.count, kColorThreads), kColorThreads,
        [n = graph_.vertices, both = both_, row = row_, col = col_, value = value_, color = color_,
         largest = largest_, smallest = smallest_, go_on = go_on_](Warp& w) {
          const Vec<int> v = w.global_thread();
          w.exit_if(v >= n);
          w.if_(w.load(color, v) == kNone, [&] {
            Vec<int> high = kNone, low = kHuge;
            each_arc(w, row, v, [&](const Vec<int>& e) {
              const Vec<int> nb = w.load(col, e);
              w.if_(w.load(color, nb) == kNone, [&] {
                w.store(go_on, Vec<int>(0), Vec<int>(1));
                const Vec<int> its = w.load(value, nb);
                high = max(high, its);
                if (both) low = min(low, its);
              });
            });
            w.store(largest, v, high);
            if (both) w.store(smallest, v, low);
          });
        },
        18);
  }

  std::unique_ptr<KernelLaunch> assign(int round) {
    return launch(
        "color_assign", blocks_for(color_.count, kColorThreads), kColorThreads,
        [round, n = graph_.vertices, both = both_, value = value_, color = color_, largest = largest_,
         smallest = smallest_](Warp& w) {
          const Vec<int> v = w.global_thread();
          w.exit_if(v >= n);
          w.if_(w.load(color, v) == kNone, [&] {
            const Vec<int> own = w.load(value, v);
            w.if_else_(
                own >= w.load(largest, v), [&] { w.store(color, v, Vec<int>(round)); },
                [&] {
                  if (both) w.if_(own <= w.load(smallest, v), [&] { w.store(color, v, Vec<int>(round + 1)); });
                });
          });
        },
        12);
  }

  /// max: a vertex waits for its neighbours of larger value, so its colour is the longest such chain.
  std::vector<int> chains() const {
    const auto n = static_cast<std::size_t>(graph_.vertices);
    std::vector<int> order(n), color(n, 0);
    for (std::size_t v = 0; v < n; ++v) order[static_cast<std::size_t>(values_[v])] = static_cast<int>(v);
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      const auto v = static_cast<std::size_t>(*it);
      for (int e = graph_.row[v]; e < graph_.row[v + 1]; ++e) {
        const auto u = static_cast<std::size_t>(graph_.col[static_cast<std::size_t>(e)]);
        if (values_[u] > values_[v]) color[v] = std::max(color[v], color[u] + 1);
      }
    }
    return color;
  }

  /// maxmin: the rounds themselves, on the set of vertices that are left.
  std::vector<int> rounds() const {
    const auto n = static_cast<std::size_t>(graph_.vertices);
    std::vector<int> color(n, kNone), left(n);
    for (std::size_t v = 0; v < n; ++v) left[v] = static_cast<int>(v);
    for (int round = 0; !left.empty(); round += 2) {
      std::vector<std::pair<int, int>> chosen;
      for (const int vertex : left) {
        const auto v = static_cast<std::size_t>(vertex);
        bool top = true, bottom = true;
        for (int e = graph_.row[v]; e < graph_.row[v + 1]; ++e) {
          const auto u = static_cast<std::size_t>(graph_.col[static_cast<std::size_t>(e)]);
          if (color[u] != kNone) continue;
          top &= values_[u] <= values_[v];
          bottom &= values_[u] >= values_[v];
        }
        if (top || bottom) chosen.emplace_back(vertex, top ? round : round + 1);
      }
      for (const auto& [vertex, its] : chosen) color[static_cast<std::size_t>(vertex)] = its;
      std::erase_if(left, [&](int v) { return color[static_cast<std::size_t>(v)] != kNone; });
    }
    return color;
  }

  std::string verify() override {
    const std::vector<int> got = memory_.read(color_);
    for (std::size_t v = 0; v < got.size(); ++v)
      for (int e = graph_.row[v]; e < graph_.row[v + 1]; ++e) {
        const auto u = static_cast<std::size_t>(graph_.col[static_cast<std::size_t>(e)]);
        if (got[u] == got[v]) return fmt::format("neighbours {} and {} have the same colour {}", v, u, got[v]);
      }
    return mismatch("colour of vertex", got, both_ ? rounds() : chains());
  }

  inputs::Graph graph_;
  std::vector<int> values_;
  bool both_;
  Buffer<int> row_, col_, value_, color_, largest_, smallest_, go_on_;
};

}  // namespace

WorkloadEntry color_entry() {
  return entry_of<Color>(
      {"color", "Pannotia", "greedy graph colouring: many short rounds that re-read the graph", kGraphFiles,
       joined(graph_parameters(65536, 262144, "grid"),
              {choice_parameter("variant", "max", {"max", "maxmin"}, "colours per round: one, or two")}),
       "0.4 M WMI; intra-duplicates, read-only arrays read in every round"},
      {"ecology1: a grid of 1000 x 1000", {{"vertices", "1000000"}, {"arcs", "4000000"}}});
}

}  // namespace warpsieve::workloads
