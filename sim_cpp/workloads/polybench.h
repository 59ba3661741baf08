// What the Polybench/GPU kernels share: their formula inputs, threads on a two-dimensional range, and
// sums that are kept in memory (a load and a store of the accumulator in every inner step, because the
// compiler cannot keep it in a register).
#pragma once

#include "workloads/common.h"

namespace warpsieve::workloads {

/// value(row, column) for a matrix of rows x columns.
template <class F>
std::vector<float> formula(int rows, int columns, F value) {
  std::vector<float> v;
  v.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) v.push_back(static_cast<float>(value(i, j)));
  return v;
}

/// sum[at] += term
inline void accumulate(simt::Warp& w, const simt::Buffer<float>& sum, const simt::Vec<int>& at,
                       const simt::Vec<float>& term) {
  w.store(sum, at, w.load(sum, at) + term);
}

class Polybench : public simt::Program {
 protected:
  using simt::Program::Program;

  /// Blocks of 32 x 8 threads over rows x columns; `body(w, row, column)`.
  template <class F>
  std::unique_ptr<simt::KernelLaunch> plane(const char* name, int rows, int columns, F body,
                                            std::uint32_t registers = 16) {
    const int grid = ceil_div(columns, 32);
    return launch(
        name, static_cast<std::uint32_t>(grid * ceil_div(rows, 8)), 256,
        [=](simt::Warp& w) {
          const GridPlace block(w, grid);
          const simt::Vec<int> column = w.thread_x(32) + 32 * block.x, row = w.thread_y(32) + 8 * block.y;
          w.exit_if((column >= columns) | (row >= rows));
          body(w, row, column);
        },
        registers);
  }
  /// One thread per item; `body(w, item)`.
  template <class F>
  std::unique_ptr<simt::KernelLaunch> line(const char* name, int items, std::uint32_t threads, F body,
                                           std::uint32_t registers = 16) {
    const auto n = static_cast<std::uint64_t>(items);
    return launch(name, simt::blocks_for(n, threads), threads, per_item(n, body), registers);
  }
};

}  // namespace warpsieve::workloads
