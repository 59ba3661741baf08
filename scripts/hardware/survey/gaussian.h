// gaussian (Rodinia): Gaussian elimination, two launches per column; sim_cpp/workloads/gaussian.cpp.
#pragma once

#include <cmath>
#include <cstdlib>

#include "inputs/matrix.h"
#include "program.h"

namespace warpsieve::hardware {

inline constexpr int kFanSide = 4;

/// Multipliers of column t.
__global__ void fan1(float* multipliers, const float* a, int n, int t) {
  const int i = grid_index();
  if (i >= n - 1 - t) return;
  const int at = (i + t + 1) * n + t;
  multipliers[at] = a[at] / a[n * t + t];
}

/// Subtracts the pivot row from those below it; rows lie on x.
__global__ void fan2(const float* multipliers, float* a, float* right, int n, int grid, int t) {
  const int thread = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
  const int row = thread % kFanSide + kFanSide * (block % grid),
            column = thread / kFanSide + kFanSide * (block / grid);
  if (row >= n - 1 - t || column >= n - t) return;
  const int line = (row + t + 1) * n, at = line + column + t;
  a[at] = a[at] - multipliers[line + t] * a[column + n * t + t];
  if (column == 0) right[row + t + 1] = right[row + t + 1] - multipliers[line + t] * right[t];
}

class Gaussian final : public Program {
 public:
  explicit Gaussian(const Setup& s)
      : input_(s.input.empty() ? toeplitz(s.pick(128, 64, 32)) : inputs::read_matrix(s.input)) {
    if (input_.right_side.empty()) input_.right_side.assign(static_cast<std::size_t>(input_.order), 1.0f);
  }

 private:
  static inputs::Matrix toeplitz(int n) {
    const auto size = static_cast<std::size_t>(n);
    inputs::Matrix m{n, std::vector<float>(size * size), {}};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) m.at(i, j) = 10.0f * std::exp(-0.01f * static_cast<float>(std::abs(i - j)));
    return m;
  }
  void build() override {
    multipliers_ = memory_.allocate<float>("multipliers", input_.values.size());
    matrix_ = memory_.allocate("matrix", input_.values);
    right_ = memory_.allocate("right_side", input_.right_side);
  }
  void host() override {
    const int n = input_.order, grid = (n + kFanSide - 1) / kFanSide;
    for (int t = 0; t + 1 < n; ++t) {
      launch("gaussian_fan1", blocks_for(static_cast<std::size_t>(n), 512), 512, fan1, memory_.pointer(multipliers_),
             memory_.pointer(matrix_), n, t);
      launch("gaussian_fan2", static_cast<std::size_t>(grid * grid), kFanSide * kFanSide, fan2,
             memory_.pointer(multipliers_), memory_.pointer(matrix_), memory_.pointer(right_), n, grid, t);
    }
  }

  inputs::Matrix input_;
  Array<float> multipliers_, matrix_, right_;
};

}  // namespace warpsieve::hardware
