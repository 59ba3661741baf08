// Kernel code that several steps of heartwall share.
#pragma once

#include "simt/kernel.h"

namespace warpsieve::workloads::heartwall {

using namespace simt;

inline constexpr int kThreads = 256;

/// The threads of a block go through `count` elements of a column-major array: element, row, column.
template <class F>
void strided(Warp& w, int count, int rows, F body) {
  for (const int first : w.range(0, count, kThreads)) {
    const Vec<int> i = w.thread() + first;
    w.if_(i < count, [&] {
      const Vec<int> column = i / rows;
      body(i, i - column * rows, column);
    });
  }
}

/// Running sums in place: thread t of `lines` starts at t * `pitch` and makes `count` steps of `step`.
inline void running_sums(Warp& w, const Buffer<float>& b, int first, int pitch, int step, int count, int lines) {
  w.if_(w.thread() < lines, [&] {
    Vec<int> at = w.thread() * pitch + first;
    Vec<float> sum = 0.0f;
    for ([[maybe_unused]] const int k : w.range(0, count)) {
      sum += w.load(b, at);
      w.store(b, at, sum);
      at += step;
    }
  });
}

}  // namespace warpsieve::workloads::heartwall
