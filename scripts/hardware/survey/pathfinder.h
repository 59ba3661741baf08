// pathfinder (Rodinia): cheapest path down a grid, several rows per launch; sim_cpp/workloads/pathfinder.cpp.
#pragma once

#include <algorithm>

#include "program.h"

namespace warpsieve::hardware {

inline constexpr int kPathThreads = 256;

/// Rows first + 1 to first + count.
__global__ void advance_path(const int* from, int* to, const int* cost, int n, int first, int count, int border) {
  __shared__ int best[kPathThreads];
  __shared__ int next[kPathThreads];
  const int t = static_cast<int>(threadIdx.x);
  const int left = (kPathThreads - 2 * border) * static_cast<int>(blockIdx.x) - border, column = t + left;
  const int low = left < 0 ? -left : 0, high = n - 1 - left < kPathThreads - 1 ? n - 1 - left : kPathThreads - 1;
  const bool inside = t >= low && t <= high;
  if (inside) best[t] = from[column];
  __syncthreads();
  const int west = t > low ? t - 1 : low, east = t < high ? t + 1 : high;
  for (int i = 0; i < count; ++i) {
    const bool right = inside && t >= i + 1 && t <= kPathThreads - 2 - i;
    if (right) {
      int cheapest = best[west] < best[t] ? best[west] : best[t];
      cheapest = best[east] < cheapest ? best[east] : cheapest;
      next[t] = cheapest + cost[column + (first + i) * n];
    }
    __syncthreads();
    if (right && i + 1 < count) best[t] = next[t];
    if (right && i + 1 == count && t >= border && t <= kPathThreads - 1 - border) to[column] = next[t];
    __syncthreads();
  }
}

class Pathfinder final : public Program {
 public:
  explicit Pathfinder(const Setup& s)
      : columns_(s.pick(100000, 25000, 2000)), rows_(s.pick(100, 100, 20)), pyramid_(s.pick(20, 20, 5)) {
    inputs::Random random(s.seed);
    for (int i = 0; i < columns_ * rows_; ++i) values_.push_back(static_cast<int>(random.below(10)));
  }

 private:
  void build() override {
    const auto first_row_end = values_.begin() + columns_;
    path_[0] = memory_.allocate("path", std::vector<int>(values_.begin(), first_row_end));
    path_[1] = memory_.allocate<int>("next_path", static_cast<std::size_t>(columns_));
    cost_ = memory_.allocate("cost", std::vector<int>(first_row_end, values_.end()));
  }
  void host() override {
    const auto useful = static_cast<std::size_t>(kPathThreads - 2 * pyramid_);
    for (int row = 0, now = 0; row < rows_ - 1; row += pyramid_, now = 1 - now)
      launch("pathfinder", blocks_for(static_cast<std::size_t>(columns_), useful), kPathThreads, advance_path,
             memory_.pointer(path_[now]), memory_.pointer(path_[1 - now]), memory_.pointer(cost_), columns_, row,
             std::min(pyramid_, rows_ - 1 - row), pyramid_);
  }

  int columns_, rows_, pyramid_;
  std::vector<int> values_;
  Array<int> path_[2], cost_;
};

}  // namespace warpsieve::hardware
