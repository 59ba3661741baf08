// fdtd2d (Polybench): two-dimensional finite-difference time domain, three kernels per time step on
// blocks of 32 x 8 threads. All accesses are coalesced; rows of ex are one word longer than the others,
// so that array is misaligned.
#include "workloads/polybench.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

class Fdtd2d final : public Polybench {
 public:
  explicit Fdtd2d(const Settings& s) : Polybench("fdtd2d"), n_(s.count("side")), steps_(s.count("steps")) {
    const auto size = static_cast<double>(n_);
    source_ = formula(1, steps_, [](int, int t) { return t; });
    start_ex_ = formula(n_, n_ + 1, [=](int i, int j) { return (i * (j + 1.0) + 1) / size; });
    start_ey_ = formula(n_ + 1, n_, [=](int i, int j) { return ((i - 1.0) * (j + 2.0) + 2) / size; });
    start_hz_ = formula(n_, n_, [=](int i, int j) { return ((i - 9.0) * (j + 4.0) + 3) / size; });
  }

 private:
  void build() override {
    fict_ = memory_.allocate("source", source_);
    ex_ = memory_.allocate("ex", start_ex_);
    ey_ = memory_.allocate("ey", start_ey_);
    hz_ = memory_.allocate("hz", start_hz_);
  }

  HostCode host() override {
    for (int t = 0; t < steps_; ++t) {
      co_yield plane("fdtd2d_ey", n_, n_,
                     [t, n = n_, fict = fict_, ey = ey_, hz = hz_](Warp& w, const Vec<int>& i, const Vec<int>& j) {
                       const Vec<int> at = i * n + j;
                       w.if_else_(
                           i == 0, [&] { w.store(ey, at, w.load(fict, t)); },
                           [&] { w.store(ey, at, w.load(ey, at) - (w.load(hz, at) - w.load(hz, at - n)) * 0.5f); });
                     });
      co_yield plane("fdtd2d_ex", n_, n_,
                     [n = n_, ex = ex_, hz = hz_](Warp& w, const Vec<int>& i, const Vec<int>& j) {
                       w.if_(j > 0, [&] {
                         const Vec<int> at = i * (n + 1) + j, cell = i * n + j;
                         w.store(ex, at, w.load(ex, at) - (w.load(hz, cell) - w.load(hz, cell - 1)) * 0.5f);
                       });
                     });
      co_yield plane(
          "fdtd2d_hz", n_, n_, [n = n_, ex = ex_, ey = ey_, hz = hz_](Warp& w, const Vec<int>& i, const Vec<int>& j) {
            const Vec<int> at = i * n + j, edge = i * (n + 1) + j;
            const Vec<float> curl = w.load(ex, edge + 1) - w.load(ex, edge) + w.load(ey, at + n) - w.load(ey, at);
            w.store(hz, at, w.load(hz, at) - curl * 0.7f);
          });
    }
  }

  std::string verify() override {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<double> ex(start_ex_.begin(), start_ex_.end()), ey(start_ey_.begin(), start_ey_.end()),
        hz(start_hz_.begin(), start_hz_.end());
    for (int t = 0; t < steps_; ++t) {
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          ey[i * n + j] = i == 0 ? t : ey[i * n + j] - 0.5 * (hz[i * n + j] - hz[(i - 1) * n + j]);
          if (j > 0) ex[i * (n + 1) + j] -= 0.5 * (hz[i * n + j] - hz[i * n + j - 1]);
        }
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          hz[i * n + j] -=
              0.7 * (ex[i * (n + 1) + j + 1] - ex[i * (n + 1) + j] + ey[(i + 1) * n + j] - ey[i * n + j]);
    }
    std::string wrong = mismatch("ex", memory_.read(ex_), ex, 1e-3, 1e-5 * largest(ex));
    if (wrong.empty()) wrong = mismatch("ey", memory_.read(ey_), ey, 1e-3, 1e-5 * largest(ey));
    return wrong.empty() ? mismatch("hz", memory_.read(hz_), hz, 1e-3, 1e-5 * largest(hz)) : wrong;
  }

  int n_, steps_;
  std::vector<float> source_, start_ex_, start_ey_, start_hz_;
  Buffer<float> fict_, ex_, ey_, hz_;
};

}  // namespace

WorkloadEntry fdtd2d_entry() {
  return entry_of<Fdtd2d>(
      {"fdtd2d",
       "Polybench",
       "finite differences in time: streams that use all sectors of their lines",
       "",
       {integer_parameter("side", 256, 128, 48, 2, 8192, "cells", "width and height (2048 in the original)"),
        size_parameter("steps", 20, 20, 4, 500, "steps", "time steps (500 in the original)")},
       "0.57 M WMI; all 4 sectors always used",
       false},
      {"2048 x 2048, 500 steps; 4 steps here, all are alike", {{"side", "2048"}, {"steps", "4"}}});
}

}  // namespace warpsieve::workloads
