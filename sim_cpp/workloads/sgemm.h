// A tiled single-precision matrix product as the libraries do it: C[M][N] += A[M][K] * B[K][N], blocks of T x T
// results, 16 steps of K at a time through shared memory, 4 x 4 results per thread. T is 64, or 32 where 64 would
// leave most SMs without a block. Tiles and results move with 16 bytes per lane, with 4 where the rows of B and C
// do not start at multiples of 16 bytes.
#pragma once

#include "workloads/common.h"
#include "workloads/records.h"

namespace warpsieve::workloads {

struct SgemmShape {
  int m, n, k;
  int pitch;  ///< of a row of A: k rounded up to a multiple of 4, the rest zeros
};

inline constexpr int kSgemmStep = 16;
/// As many as the libraries' kernels: half of the warps of an SM are resident at most.
inline constexpr std::uint32_t kSgemmRegisters = 128;

/// Columns and rows of a block's tile: the larger one where it makes at least a block for each of 80 SMs.
inline int sgemm_tile(const SgemmShape& s) { return ceil_div(s.m, 64) * ceil_div(s.n, 64) >= 80 ? 64 : 32; }

template <int kTile>
auto sgemm_kernel(const SgemmShape& shape, const simt::Buffer<float>& a, const simt::Buffer<float>& b,
                  const simt::Buffer<float>& c) {
  using namespace simt;
  const auto quads = [](const Buffer<float>& x) { return Buffer<Float4>{x.base, x.count / 4, x.name}; };
  return [s = shape, a = quads(a), b = quads(b), b_words = b, c, c_quads = quads(c)](Warp& w) -> Task {
    constexpr int kSide = kTile / 4, kThreads = kSide * kSide, kQuads = kTile * kSgemmStep / 4;
    const Shared<Float4> a_quads{0, kQuads}, b_quads{16 * kQuads, kQuads};
    const Shared<float> b_tile{16 * kQuads, 4 * kQuads};
    constexpr float Float4::*kMember[4] = {&Float4::x, &Float4::y, &Float4::z, &Float4::w};
    const GridPlace block(w, ceil_div(s.n, kTile));
    const int top = block.y * kTile, left = block.x * kTile;
    const Vec<int> t = w.thread(), x = w.thread_x(kSide), y = w.thread_y(kSide);
    const Vec<int> a_row = w.thread_y(4), a_quad = w.thread_x(4);
    const Vec<int> b_row = w.thread_y(kTile), b_column = w.thread_x(kTile), first_row = y * 4 + top;
    const Mask useful = first_row < s.m;
    Vec<float> sum[4][4];
    for (int k0 = 0; k0 < s.k; k0 += kSgemmStep) {
      for (int i = 0; i < kQuads; i += kThreads) {
        const Vec<int> row = a_row + (i / 4 + top), column = a_quad + k0 / 4;
        Vec<Float4> part;
        w.if_((row < s.m) & (column * 4 < s.pitch), [&] { part = w.load(a, row * (s.pitch / 4) + column); });
        w.store(a_quads, t + i, part);
      }
      if (s.n % 4 == 0)
        for (int i = 0; i < kQuads; i += kThreads) {
          const Vec<int> row = y + (i / kSide + k0), column = x + left / 4;
          Vec<Float4> part;
          w.if_((row < s.k) & (column * 4 < s.n), [&] { part = w.load(b, row * (s.n / 4) + column); });
          w.store(b_quads, t + i, part);
        }
      else
        for (int i = 0; i < 4 * kQuads; i += kThreads) {
          const Vec<int> row = b_row + (i / kTile + k0), column = b_column + left;
          Vec<float> part = 0.0f;
          w.if_((row < s.k) & (column < s.n), [&] { part = w.load(b_words, row * s.n + column); });
          w.store(b_tile, t + i, part);
        }
      co_await w.barrier();
      w.if_(useful, [&] {
        for (const int quad : w.range(0, kSgemmStep / 4)) {
          Vec<Float4> row[4], column[4];
          for (int i = 0; i < 4; ++i) row[i] = w.load(a_quads, y * kSgemmStep + (i * 4 + quad));
          for (int i = 0; i < 4; ++i) column[i] = w.load(b_quads, x + (4 * quad + i) * kSide);
          for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 4; ++i)
              for (int j = 0; j < 4; ++j)
                sum[i][j] = mad(member(row[i], kMember[k]), member(column[k], kMember[j]), sum[i][j]);
        }
      });
      co_await w.barrier();
    }
    const Vec<int> first_column = x * 4 + left;
    for (int i = 0; i < 4; ++i) {
      const Vec<int> row = first_row + i;
      if (s.n % 4 == 0)
        w.if_((row < s.m) & (first_column < s.n), [&] {
          const Vec<int> at = row * (s.n / 4) + (x + left / 4);
          const Vec<Float4> old = w.load(c_quads, at);
          w.store(c_quads, at,
                  packed<Float4>(member(old, &Float4::x) + sum[i][0], member(old, &Float4::y) + sum[i][1],
                                 member(old, &Float4::z) + sum[i][2], member(old, &Float4::w) + sum[i][3]));
        });
      else
        for (int j = 0; j < 4; ++j)
          w.if_((row < s.m) & (first_column + j < s.n), [&] {
            const Vec<int> at = row * s.n + (first_column + j);
            w.store(c, at, w.load(c, at) + sum[i][j]);
          });
    }
  };
}

/// The launch, by `launch(blocks, threads, kernel, registers, shared bytes)`.
template <class Launch>
auto launch_sgemm(const SgemmShape& s, const simt::Buffer<float>& a, const simt::Buffer<float>& b,
                  const simt::Buffer<float>& c, Launch launch) {
  const auto with = [&](auto kernel) {
    const int tile = sgemm_tile(s);
    return launch(static_cast<std::uint32_t>(ceil_div(s.m, tile) * ceil_div(s.n, tile)),
                  static_cast<std::uint32_t>(tile * tile / 16), std::move(kernel), kSgemmRegisters,
                  static_cast<std::uint32_t>(2 * 4 * tile * kSgemmStep));
  };
  return sgemm_tile(s) == 64 ? with(sgemm_kernel<64>(s, a, b, c)) : with(sgemm_kernel<32>(s, a, b, c));
}

}  // namespace warpsieve::workloads
