// A tiled single-precision matrix product as the libraries do it: C[M][N] = A[M][K] * B[K][N], blocks
// of 16 x 16 threads, 64 x 64 results, 16 steps of K at a time through shared memory, 4 x 4 results per
// thread. Tiles are loaded with 16 bytes per lane: 16 warp memory instructions per step and block.
#pragma once

#include "workloads/common.h"

namespace warpsieve::workloads {

struct SgemmShape {
  int m, n, k;  ///< n: a multiple of 4
  int pitch;    ///< of a row of A: k rounded up to a multiple of 4, the rest zeros
};

inline constexpr int kSgemmTile = 64, kSgemmStep = 16;
inline constexpr std::uint32_t kSgemmThreads = 256, kSgemmShared = 2 * 4 * kSgemmTile * kSgemmStep;

inline std::uint32_t sgemm_blocks(const SgemmShape& s) {
  return static_cast<std::uint32_t>(ceil_div(s.m, kSgemmTile) * ceil_div(s.n, kSgemmTile));
}

inline auto sgemm_kernel(const SgemmShape& shape, const simt::Buffer<float>& a, const simt::Buffer<float>& b,
                         const simt::Buffer<float>& c) {
  using namespace simt;
  const auto quads = [](const Buffer<float>& x) { return Buffer<Float4>{x.base, x.count / 4, x.name}; };
  return [s = shape, a = quads(a), b = quads(b), c](Warp& w) -> Task {
    constexpr int kQuads = kSgemmTile * kSgemmStep / 4;
    const Shared<Float4> a_quads{0, kQuads}, b_quads{16 * kQuads, kQuads};
    const Shared<float> a_tile{0, 4 * kQuads}, b_tile{16 * kQuads, 4 * kQuads};
    const GridPlace block(w, ceil_div(s.n, kSgemmTile));
    const int top = block.y * kSgemmTile, left = block.x * kSgemmTile;
    const Vec<int> x = w.thread_x(16), y = w.thread_y(16), t = w.thread();
    const Vec<int> a_row = w.thread_y(4), a_quad = w.thread_x(4);
    const Vec<int> first_row = y * 4 + top;
    const Mask useful = first_row < s.m;
    Vec<float> sum[4][4];
    for (int k0 = 0; k0 < s.k; k0 += kSgemmStep) {
      Vec<Float4> a_part, b_part;
      w.if_((a_row + top < s.m) & (a_quad * 4 + k0 < s.pitch),
            [&] { a_part = w.load(a, (a_row + top) * (s.pitch / 4) + (a_quad + k0 / 4)); });
      w.if_((y + k0 < s.k) & (x * 4 + left < s.n),
            [&] { b_part = w.load(b, (y + k0) * (s.n / 4) + (x + left / 4)); });
      w.store(a_quads, t, a_part);
      w.store(b_quads, t, b_part);
      co_await w.barrier();
      w.if_(useful, [&] {
        for (const int k : w.range(0, kSgemmStep)) {
          Vec<float> row[4], column[4];
          for (int i = 0; i < 4; ++i) row[i] = w.load(a_tile, y * (4 * kSgemmStep) + (i * kSgemmStep + k));
          for (int j = 0; j < 4; ++j) column[j] = w.load(b_tile, x + (k * kSgemmTile + 16 * j));
          for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) sum[i][j] = mad(row[i], column[j], sum[i][j]);
        }
      });
      co_await w.barrier();
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        const Vec<int> at_row = first_row + i, at_column = x + (left + 16 * j);
        w.if_((at_row < s.m) & (at_column < s.n), [&] { w.store(c, at_row * s.n + at_column, sum[i][j]); });
      }
  };
}

}  // namespace warpsieve::workloads
