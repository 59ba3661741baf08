// atax, bicg, mvt, gesummv (Polybench): products of an n x n matrix with vectors. A thread owns one
// element of the result and accumulates it in memory: over a row of the matrix (every lane walks its
// own row, one sector per lane) or over a column (coalesced).
#include "workloads/polybench.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

enum class Walk { row, column };

class VectorProducts : public Polybench {
 protected:
  VectorProducts(const Settings& s, const char* name)
      : Polybench(name), n_(s.count("order")),
        a_values_(formula(n_, n_, [this](int i, int j) { return static_cast<double>(i) * j / n_; })) {}

  Buffer<float> vector(const char* name, double scale) {
    return memory_.allocate(name, formula(1, n_, [=, this](int, int i) { return scale * i / n_; }));
  }
  Buffer<float> zeros(const char* name) { return memory_.allocate<float>(name, static_cast<std::uint64_t>(n_)); }
  void allocate_matrix() { a_ = memory_.allocate("a", a_values_); }

  /// out += A x or A^T x; `out` is cleared first where the benchmark's kernel does so.
  std::unique_ptr<KernelLaunch> multiply(const char* name, Walk walk, const Buffer<float>& x,
                                         const Buffer<float>& out, bool clear) {
    return line(name, n_, 256, [=, n = n_, a = a_](Warp& w, const Vec<int>& i) {
      if (clear) w.store(out, i, Vec<float>(0.0f));
      Vec<int> at = walk == Walk::row ? i * n : i;
      for (const int k : w.range(0, n)) {
        accumulate(w, out, i, w.load(a, at) * w.load(x, k));
        at += walk == Walk::row ? 1 : n;
      }
    });
  }

  /// start + A x or A^T x in double precision.
  template <class V>
  std::vector<double> product(Walk walk, const std::vector<float>& matrix, const V& x,
                              const std::vector<double>& start) const {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<double> y = start;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        if (walk == Walk::row)
          y[i] += static_cast<double>(matrix[i * n + j]) * x[j];
        else
          y[j] += static_cast<double>(matrix[i * n + j]) * x[i];
      }
    return y;
  }
  template <class V>
  std::vector<double> product(Walk walk, const V& x) const {
    return product(walk, a_values_, x, std::vector<double>(static_cast<std::size_t>(n_), 0.0));
  }
  std::string agrees(const char* what, const Buffer<float>& got, const std::vector<double>& want) const {
    return mismatch(what, memory_.read(got), want, kFloatTolerance, 1e-6 * largest(want));
  }

  int n_;
  std::vector<float> a_values_;
  Buffer<float> a_;
};

class Atax final : public VectorProducts {
 public:
  explicit Atax(const Settings& s) : VectorProducts(s, "atax") {}

 private:
  void build() override {
    allocate_matrix();
    x_ = vector("x", 3.14159);
    y_ = zeros("y");
    tmp_ = zeros("tmp");
  }
  HostCode host() override {
    co_yield multiply("atax_ax", Walk::row, x_, tmp_, false);
    co_yield multiply("atax_aty", Walk::column, tmp_, y_, false);
  }
  std::string verify() override {
    const std::vector<double> tmp = product(Walk::row, memory_.read(x_));
    const std::string wrong = agrees("tmp", tmp_, tmp);
    return wrong.empty() ? agrees("y", y_, product(Walk::column, tmp)) : wrong;
  }
  Buffer<float> x_, y_, tmp_;
};

class Bicg final : public VectorProducts {
 public:
  explicit Bicg(const Settings& s) : VectorProducts(s, "bicg") {}

 private:
  void build() override {
    allocate_matrix();
    r_ = vector("r", 3.14159);
    p_ = vector("p", 3.14159);
    s_ = zeros("s");
    q_ = zeros("q");
  }
  HostCode host() override {
    co_yield multiply("bicg_s", Walk::column, r_, s_, true);
    co_yield multiply("bicg_q", Walk::row, p_, q_, true);
  }
  std::string verify() override {
    const std::string wrong = agrees("s", s_, product(Walk::column, memory_.read(r_)));
    return wrong.empty() ? agrees("q", q_, product(Walk::row, memory_.read(p_))) : wrong;
  }
  Buffer<float> r_, p_, s_, q_;
};

class Mvt final : public VectorProducts {
 public:
  explicit Mvt(const Settings& s) : VectorProducts(s, "mvt") {}

 private:
  void build() override {
    allocate_matrix();
    x1_ = vector("x1", 1);
    x2_ = vector("x2", 2);
    y1_ = vector("y1", 3);
    y2_ = vector("y2", 4);
    start1_ = widened(x1_);
    start2_ = widened(x2_);
  }
  std::vector<double> widened(const Buffer<float>& b) const {
    const std::vector<float> v = memory_.read(b);
    return {v.begin(), v.end()};
  }
  HostCode host() override {
    co_yield multiply("mvt_x1", Walk::row, y1_, x1_, false);
    co_yield multiply("mvt_x2", Walk::column, y2_, x2_, false);
  }
  std::string verify() override {
    const std::string wrong = agrees("x1", x1_, product(Walk::row, a_values_, memory_.read(y1_), start1_));
    return wrong.empty() ? agrees("x2", x2_, product(Walk::column, a_values_, memory_.read(y2_), start2_)) : wrong;
  }
  std::vector<double> start1_, start2_;
  Buffer<float> x1_, x2_, y1_, y2_;
};

class Gesummv final : public VectorProducts {
 public:
  explicit Gesummv(const Settings& s) : VectorProducts(s, "gesummv") {}

 private:
  static constexpr float kAlpha = 43532.0f, kBeta = 12313.0f;  // the benchmark's

  void build() override {
    allocate_matrix();
    b_values_ = formula(n_, n_, [this](int i, int j) { return static_cast<double>(i + 1) * j / n_; });
    b_ = memory_.allocate("b", b_values_);
    x_ = vector("x", 1);
    y_ = zeros("y");
    tmp_ = zeros("tmp");
  }
  HostCode host() override {
    co_yield line("gesummv", n_, 256,
                  [n = n_, a = a_, b = b_, x = x_, y = y_, tmp = tmp_](Warp& w, const Vec<int>& i) {
                    Vec<int> at = i * n;
                    for (const int k : w.range(0, n)) {
                      accumulate(w, tmp, i, w.load(a, at) * w.load(x, k));
                      accumulate(w, y, i, w.load(b, at) * w.load(x, k));
                      at += 1;
                    }
                    w.store(y, i, w.load(tmp, i) * kAlpha + w.load(y, i) * kBeta);
                  });
  }
  std::string verify() override {
    const std::vector<float> x = memory_.read(x_);
    std::vector<double> want = product(Walk::row, x);
    const std::vector<double> other = product(Walk::row, b_values_, x, std::vector<double>(want.size(), 0.0));
    for (std::size_t i = 0; i < want.size(); ++i) want[i] = kAlpha * want[i] + kBeta * other[i];
    return agrees("y", y_, want);
  }
  std::vector<float> b_values_;
  Buffer<float> b_, x_, y_, tmp_;
};

template <class W>
WorkloadEntry products_entry(const char* name, const char* doc) {
  return entry_of<W>(
      {name,
       "Polybench",
       doc,
       "",
       {size_parameter("order", 1024, 512, 128, 16384, "rows", "order of the matrix (4096 in the original)")},
       "0.26 M WMI; row-per-lane walks, accumulators in memory",
       false},
      {"4096 x 4096", {{"order", "4096"}}});
}

}  // namespace

WorkloadEntry atax_entry() {
  return products_entry<Atax>("atax", "A^T (A x): one kernel walks rows per lane, one is coalesced");
}
WorkloadEntry bicg_entry() {
  return products_entry<Bicg>("bicg", "A^T r and A p: one coalesced kernel, one with a row per lane");
}
WorkloadEntry mvt_entry() {
  return products_entry<Mvt>("mvt", "x1 += A y1, x2 += A^T y2: one kernel with a row per lane, one coalesced");
}
WorkloadEntry gesummv_entry() {
  return products_entry<Gesummv>("gesummv", "alpha A x + beta B x: two matrices with a row per lane");
}

}  // namespace warpsieve::workloads
