// vecadd: c = a + b; sim_cpp/workloads/vecadd.cpp.
#pragma once

#include "program.h"

namespace warpsieve::hardware {

__global__ void add_vectors(const float* a, const float* b, float* c, int n) {
  const int i = grid_index();
  if (i < n) c[i] = a[i] + b[i];
}

class VecAdd final : public Program {
 public:
  explicit VecAdd(const Setup& s) : setup_(s), n_(s.pick(1 << 20, 1 << 18, 1 << 12)), repeats_(s.pick(4, 4, 1)) {}

 private:
  void build() override {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<float> both = uniform_floats(2 * n, setup_.seed);  // b goes on where a ends
    const auto middle = both.begin() + n_;
    a_ = memory_.allocate("a", std::vector<float>(both.begin(), middle));
    b_ = memory_.allocate("b", std::vector<float>(middle, both.end()));
    c_ = memory_.allocate<float>("c", n);
  }
  void host() override {
    for (int r = 0; r < repeats_; ++r)
      launch("vecadd", blocks_for(a_.count, 256), 256, add_vectors, memory_.pointer(a_), memory_.pointer(b_),
             memory_.pointer(c_), n_);
  }

  Setup setup_;
  int n_, repeats_;
  Array<float> a_, b_, c_;
};

}  // namespace warpsieve::hardware
