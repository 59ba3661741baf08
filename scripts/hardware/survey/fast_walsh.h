// fast_walsh (CUDA SDK): dyadic convolution by Walsh transforms; sim_cpp/workloads/fast_walsh.cpp.
#pragma once

#include <algorithm>

#include "program.h"

namespace warpsieve::hardware {

inline constexpr int kWalshShared = 11;  ///< binary logarithm of the largest part that shared memory holds

/// Radix 4, on four places `stride` apart.
__device__ void butterfly(float* v, int thread, int stride) {
  const int low = thread & (stride - 1), i0 = ((thread - low) << 2) + low;
  const int i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
  const float d0 = v[i0], d1 = v[i1], d2 = v[i2], d3 = v[i3];
  const float a = d0 + d2, b = d1 + d3, c = d0 - d2, d = d1 - d3;
  v[i0] = a + b;
  v[i1] = a - b;
  v[i2] = c + d;
  v[i3] = c - d;
}

__global__ void walsh_pass(float* array, int stride) { butterfly(array, grid_index(), stride); }

/// All remaining passes of a part of 2^log2 elements.
__global__ void walsh_finish(float* array, int log2) {
  __shared__ float part[1 << kWalshShared];
  const int n = 1 << log2, threads = n / 4, t = static_cast<int>(threadIdx.x);
  const int first = (static_cast<int>(blockIdx.x) << log2) + t;
  for (int k = 0; k < n; k += threads) part[t + k] = array[first + k];
  for (int stride = n / 4; stride > 0; stride /= 4) {
    __syncthreads();
    butterfly(part, t, stride);
  }
  __syncthreads();
  if (log2 % 2 == 1) {  // what radix 4 leaves over
    for (int k = 0; k < n / 2; k += threads) {
      const int i = 2 * (t + k);
      const float a = part[i], b = part[i + 1];
      part[i] = a + b;
      part[i + 1] = a - b;
    }
    __syncthreads();
  }
  for (int k = 0; k < n; k += threads) array[first + k] = part[t + k];
}

__global__ void walsh_multiply(float* data, const float* filter, float scale) {
  const int i = grid_index();
  data[i] = data[i] * filter[i] * scale;
}

class FastWalsh final : public Program {
 public:
  explicit FastWalsh(const Setup& s)
      : log2_(s.pick(18, 16, 12)), data_values_(uniform_floats(std::size_t{1} << log2_, s.seed)),
        filter_values_(uniform_floats(std::size_t{1} << s.pick(7, 7, 5), s.seed + 1)) {}

 private:
  void build() override {
    filter_values_.resize(data_values_.size(), 0.0f);
    filter_ = memory_.allocate("filter", filter_values_);
    data_ = memory_.allocate("data", data_values_);
  }
  void host() override {
    transform(data_);
    transform(filter_);
    launch("fwt_multiply", blocks_for(data_.count, 256), 256, walsh_multiply, memory_.pointer(data_),
           memory_.pointer(filter_), 1.0f / static_cast<float>(data_.count));
    transform(data_);
  }
  void transform(const Array<float>& array) {
    int part = log2_;
    for (; part > kWalshShared; part -= 2)
      launch("fwt_global", blocks_for(array.count / 4, 256), 256, walsh_pass, memory_.pointer(array),
             1 << (part - 2));
    launch("fwt_shared", array.count >> part, 1 << (part - 2), walsh_finish, memory_.pointer(array), part);
  }

  int log2_;
  std::vector<float> data_values_, filter_values_;
  Array<float> filter_, data_;
};

}  // namespace warpsieve::hardware
