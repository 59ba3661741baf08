// pathfinder (Rodinia): cheapest path down a grid, row by row. A block of 256 threads makes up to
// `pyramid` rows per launch in shared memory; blocks overlap by a halo that grows with it.
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kPathfinderThreads = 256;

class Pathfinder final : public Program {
 public:
  explicit Pathfinder(const Settings& s)
      : Program("pathfinder"), columns_(s.count("columns")), rows_(s.count("rows")), pyramid_(s.count("pyramid")) {
    inputs::Random random(s.seed());
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(columns_) * rows_; ++i)
      cost_values_.push_back(static_cast<int>(random.below(10)));
  }

 private:
  void build() override {
    const auto n = static_cast<std::ptrdiff_t>(columns_);
    path_[0] = memory_.allocate("path", std::vector<int>(cost_values_.begin(), cost_values_.begin() + n));
    path_[1] = memory_.allocate<int>("next_path", static_cast<std::uint64_t>(columns_));
    cost_ = memory_.allocate("cost", std::vector<int>(cost_values_.begin() + n, cost_values_.end()));
  }

  HostCode host() override {
    for (int t = 0; t < rows_ - 1; t += pyramid_) {
      co_yield advance(t, std::min(pyramid_, rows_ - 1 - t), path_[now_], path_[1 - now_]);
      now_ = 1 - now_;
    }
  }

  /// Rows `first` + 1 to `first` + `count` of the grid.
  std::unique_ptr<KernelLaunch> advance(int first, int count, const Buffer<int>& from, const Buffer<int>& to) {
    const int useful = kPathfinderThreads - 2 * pyramid_;
    return launch(
        "pathfinder", static_cast<std::uint32_t>(ceil_div(columns_, useful)), kPathfinderThreads,
        [=, n = columns_, border = pyramid_, cost = cost_](Warp& w) -> Task {
          const Shared<int> best{0, kPathfinderThreads}, next{4 * kPathfinderThreads, kPathfinderThreads};
          const int left = useful * static_cast<int>(w.block()) - border;
          const int low = std::max(0, -left), high = std::min(kPathfinderThreads - 1, n - 1 - left);
          const Vec<int> t = w.thread(), column = t + left;
          const Mask inside = within(t, low, high);
          w.if_(inside, [&] { w.store(best, t, w.load(from, column)); });
          co_await w.barrier();
          const Vec<int> west = max(t - 1, Vec<int>(low)), east = min(t + 1, Vec<int>(high));
          for (int i = 0; i < count; ++i) {
            const Mask right = inside & within(t, i + 1, kPathfinderThreads - 2 - i);
            w.if_(right, [&] {
              const Vec<int> cheapest = min(min(w.load(best, west), w.load(best, t)), w.load(best, east));
              w.store(next, t, cheapest + w.load(cost, column + (first + i) * n));
            });
            co_await w.barrier();
            if (i + 1 < count) {
              w.if_(right, [&] { w.store(best, t, w.load(next, t)); });
              co_await w.barrier();
            } else {
              const Mask mine = right & within(t, border, kPathfinderThreads - 1 - border);
              w.if_(mine, [&] { w.store(to, column, w.load(next, t)); });
            }
          }
        },
        16, 8 * kPathfinderThreads);
  }

  std::string verify() override {
    const auto n = static_cast<std::size_t>(columns_);
    std::vector<int> best(cost_values_.begin(), cost_values_.begin() + columns_), next(n);
    for (std::size_t row = 1; row < static_cast<std::size_t>(rows_); ++row) {
      for (std::size_t x = 0; x < n; ++x)
        next[x] =
            cost_values_[row * n + x] + std::min({best[x], best[x == 0 ? 0 : x - 1], best[std::min(x + 1, n - 1)]});
      best.swap(next);
    }
    return mismatch("column", memory_.read(path_[now_]), best);
  }

  int columns_, rows_, pyramid_;
  std::size_t now_ = 0;
  std::vector<int> cost_values_;
  std::array<Buffer<int>, 2> path_;
  Buffer<int> cost_;
};

}  // namespace

WorkloadEntry pathfinder_entry() {
  return entry_of<Pathfinder>(
      {"pathfinder",
       "Rodinia",
       "cheapest path down a grid: coalesced rows, halo overlap, small integers",
       "",
       {integer_parameter("columns", 100000, 25000, 2000, 2, 1 << 22, "columns", "width of the grid"),
        integer_parameter("rows", 100, 100, 20, 2, 4096, "rows", "height of the grid"),
        integer_parameter("pyramid", 20, 20, 5, 1, 100, "rows", "rows per launch")},
       "0.41 M WMI; a control: all sectors used, little sharing"},
      {"100,000 x 100, pyramid 20", {}});
}

}  // namespace warpsieve::workloads
