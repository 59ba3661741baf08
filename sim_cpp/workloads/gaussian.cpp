// gaussian (Rodinia): elimination of an n x n system. Per column, Fan1 computes the multipliers (lanes
// walk down a column) and Fan2 subtracts the pivot row in blocks of 4 x 4 threads with the row on x, so
// that each access touches four rows of 16 bytes.
#include "inputs/matrix.h"
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kGaussianSide = 4;

/// The benchmark's generator: 10 * exp(-0.01 * |i - j|), right-hand side 1.
inputs::Matrix toeplitz(int n) {
  const auto size = static_cast<std::size_t>(n);
  inputs::Matrix m{n, std::vector<float>(size * size), std::vector<float>(size, 1.0f)};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m.at(i, j) = 10.0f * std::exp(-0.01f * static_cast<float>(std::abs(i - j)));
  return m;
}

class Gaussian final : public Program {
 public:
  explicit Gaussian(const Settings& s)
      : Program("gaussian"), input_(s.input().empty() ? toeplitz(s.count("order")) : inputs::read_matrix(s.input())),
        n_(input_.order) {
    if (input_.right_side.empty()) input_.right_side.assign(static_cast<std::size_t>(n_), 1.0f);
    if (s.input().empty()) return;
    expected_ = eliminated<float>();
    std::string wrong = not_finite("cell", expected_.upper);
    if (wrong.empty()) wrong = not_finite("unknown", expected_.solution());
    if (!wrong.empty())
      throw WorkloadError("gaussian: a system that floats solve without an exchange of rows is expected: in floats " +
                          wrong);
  }

 private:
  void build() override {
    multipliers_ = memory_.allocate<float>("multipliers", input_.values.size());
    matrix_ = memory_.allocate("matrix", input_.values);
    right_ = memory_.allocate("right_side", input_.right_side);
  }

  HostCode host() override {
    for (int t = 0; t + 1 < n_; ++t) {
      co_yield fan1(t);
      co_yield fan2(t);
    }
  }

  std::unique_ptr<KernelLaunch> fan1(int t) {
    return launch(
        "gaussian_fan1", blocks_for(static_cast<std::uint64_t>(n_), 512), 512,
        [t, n = n_, m = multipliers_, a = matrix_](Warp& w) {
          const Vec<int> i = w.global_thread();
          w.exit_if(i >= n - 1 - t);
          const Vec<int> at = (i + (t + 1)) * n + t;
          w.store(m, at, w.load(a, at) / w.load(a, n * t + t));
        },
        10);
  }

  std::unique_ptr<KernelLaunch> fan2(int t) {
    const int grid = ceil_div(n_, kGaussianSide);
    return launch(
        "gaussian_fan2", static_cast<std::uint32_t>(grid * grid), kGaussianSide * kGaussianSide,
        [t, grid, n = n_, m = multipliers_, a = matrix_, b = right_](Warp& w) {
          const GridPlace block(w, grid);
          const Vec<int> row = w.thread_x(kGaussianSide) + kGaussianSide * block.x,
                         column = w.thread_y(kGaussianSide) + kGaussianSide * block.y;
          w.exit_if((row >= n - 1 - t) | (column >= n - t));
          const Vec<int> line = (row + (t + 1)) * n;
          const Vec<int> at = line + column + t;
          const Vec<float> factor = w.load(m, line + t);
          w.store(a, at, w.load(a, at) - factor * w.load(a, column + (n * t + t)));
          w.if_(column == 0, [&] {
            const Vec<int> y = row + (t + 1);
            w.store(b, y, w.load(b, y) - w.load(m, line + t) * w.load(b, t));
          });
        },
        12);
  }

  template <class Real>
  struct System {
    std::vector<Real> upper, right;

    std::vector<double> solution() const {
      const std::size_t n = right.size();
      std::vector<double> x(n);
      for (std::size_t i = n; i-- > 0;) {
        x[i] = right[i];
        for (std::size_t j = i + 1; j < n; ++j) x[i] -= upper[i * n + j] * x[j];
        x[i] /= upper[i * n + i];
      }
      return x;
    }
  };

  template <class Real>
  System<Real> eliminated() const {
    const auto n = static_cast<std::size_t>(n_);
    System<Real> s{{input_.values.begin(), input_.values.end()},
                   {input_.right_side.begin(), input_.right_side.end()}};
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t i = t + 1; i < n; ++i) {
        const Real factor = s.upper[i * n + t] / s.upper[t * n + t];
        for (std::size_t j = t; j < n; ++j) s.upper[i * n + j] -= factor * s.upper[t * n + j];
        s.right[i] -= factor * s.right[t];
      }
    return s;
  }

  /// Both triangular systems must be equal and have the same solution. The reference of an input file is in floats,
  /// in the kernels' order of operations, for floats may solve it badly; that of the generator has double precision.
  std::string verify() override {
    const System<float> got{memory_.read(matrix_), memory_.read(right_)};
    return expected_.upper.empty() ? compared(got, eliminated<double>()) : compared(got, expected_);
  }

  template <class Real>
  std::string compared(const System<float>& got, const System<Real>& want) const {
    if (std::string wrong = mismatch("cell", got.upper, want.upper, 1e-3, 1e-4 * largest(input_.values));
        !wrong.empty())
      return wrong;
    const std::vector<double> x = want.solution();
    return mismatch("unknown", got.solution(), x, 1e-2, 1e-2 * largest(x));
  }

  inputs::Matrix input_;
  int n_;
  System<float> expected_;  ///< of an input file
  Buffer<float> multipliers_, matrix_, right_;
};

}  // namespace

WorkloadEntry gaussian_entry() {
  return entry_of<Gaussian>({"gaussian",
                             "Rodinia",
                             "Gaussian elimination with rows on x: accesses of one 16-byte piece per row",
                             inputs::kMatrixFiles,
                             {integer_parameter("order", 128, 64, 32, 2, 4096, "rows", "unknowns")},
                             "0.24 M WMI; consistent single-sector accesses",
                             false},
                            {"orders 208 and 256", {{"order", "256"}}});
}

}  // namespace warpsieve::workloads
