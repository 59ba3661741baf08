// gemm, 2mm, 3mm, syrk, syr2k (Polybench): n x n products without tiles, blocks of 32 x 8 threads, one
// element per thread, accumulated in memory. The row factor is the same word for a whole warp; the
// column factor is coalesced (gemm, 2mm, 3mm) or walks a row per lane (syrk, syr2k).
#include "workloads/polybench.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

using Values = std::vector<float>;
using Exact = std::vector<double>;

class MatrixProducts : public Polybench {
 protected:
  MatrixProducts(const Settings& s, const char* name) : Polybench(name), n_(s.count("order")) {}

  Buffer<float> matrix(const char* name, int row_step, int column_step) {
    return memory_.allocate(name, formula(n_, n_, [=, this](int i, int j) {
                              return static_cast<double>(i + row_step) * (j + column_step) / n_;
                            }));
  }
  Buffer<float> zeros(const char* name) {
    return memory_.allocate<float>(name, static_cast<std::uint64_t>(n_) * static_cast<std::uint64_t>(n_));
  }

  /// out = beta * out + alpha * A B
  std::unique_ptr<KernelLaunch> product(const char* name, const Buffer<float>& a, const Buffer<float>& b,
                                        const Buffer<float>& out, float alpha, float beta) {
    return plane(name, n_, n_, [=, n = n_](Warp& w, const Vec<int>& i, const Vec<int>& j) {
      const Vec<int> at = i * n + j;
      w.store(out, at, w.load(out, at) * beta);
      for (const int k : w.range(0, n)) accumulate(w, out, at, w.load(a, i * n + k) * alpha * w.load(b, j + k * n));
    });
  }
  /// out = beta * out + alpha * (A B^T), and with `both` B A^T on top
  std::unique_ptr<KernelLaunch> rank_update(const char* name, const Buffer<float>& a, const Buffer<float>& b,
                                            const Buffer<float>& out, float alpha, float beta, bool both) {
    return plane(name, n_, n_, [=, n = n_](Warp& w, const Vec<int>& i, const Vec<int>& j) {
      const Vec<int> at = i * n + j;
      w.store(out, at, w.load(out, at) * beta);
      for (const int k : w.range(0, n)) {
        const Vec<int> mine = i * n + k, other = j * n + k;
        Vec<float> term = w.load(a, mine) * alpha * w.load(b, other);
        if (both) term += w.load(b, mine) * alpha * w.load(a, other);
        accumulate(w, out, at, term);
      }
    });
  }

  /// start * beta + alpha * A B, or A B^T; row by row in double precision.
  template <class V>
  Exact exact(const V& a, const Values& b, bool transposed, const Exact& start, double alpha, double beta) const {
    const auto n = static_cast<std::size_t>(n_);
    Exact out(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] = beta * start[i * n + j];
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j)
          out[i * n + j] += alpha * a[i * n + k] * b[transposed ? j * n + k : k * n + j];
    }
    return out;
  }
  Exact none() const { return Exact(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_), 0.0); }
  Exact widened(const Buffer<float>& b) const {
    const Values v = memory_.read(b);
    return {v.begin(), v.end()};
  }
  std::string agrees(const char* what, const Buffer<float>& got, const Exact& want) const {
    return mismatch(what, memory_.read(got), want, kFloatTolerance, 1e-6 * largest(want));
  }

  int n_;
};

class Gemm final : public MatrixProducts {
 public:
  explicit Gemm(const Settings& s) : MatrixProducts(s, "gemm") {}

 private:
  static constexpr float kAlpha = 32412.0f, kBeta = 2123.0f;  // the benchmark's
  void build() override {
    a_ = matrix("a", 0, 0);
    b_ = matrix("b", 0, 1);
    c_ = matrix("c", 0, 2);
    start_ = widened(c_);
  }
  HostCode host() override { co_yield product("gemm", a_, b_, c_, kAlpha, kBeta); }
  std::string verify() override {
    return agrees("c", c_, exact(memory_.read(a_), memory_.read(b_), false, start_, kAlpha, kBeta));
  }
  Exact start_;
  Buffer<float> a_, b_, c_;
};

/// 2mm: (A B) C. 3mm: (A B) (C D).
class Chain : public MatrixProducts {
 public:
  Chain(const Settings& s, const char* name, bool three) : MatrixProducts(s, name), three_(three) {}

 private:
  void build() override {
    a_ = matrix("a", 0, 0);
    b_ = matrix("b", 0, 1);
    c_ = matrix("c", 0, 3);
    if (three_) d_ = matrix("d", 0, 2);
    ab_ = zeros("ab");
    if (three_) cd_ = zeros("cd");
    out_ = zeros("out");
  }
  HostCode host() override {
    co_yield product("mm_first", a_, b_, ab_, 1, 1);
    if (three_) co_yield product("mm_second", c_, d_, cd_, 1, 1);
    co_yield product("mm_last", ab_, three_ ? cd_ : c_, out_, 1, 1);
  }
  std::string verify() override {
    const Exact ab = exact(memory_.read(a_), memory_.read(b_), false, none(), 1, 0);
    Values last = memory_.read(c_);
    if (three_) {
      const Exact cd = exact(last, memory_.read(d_), false, none(), 1, 0);
      last.assign(cd.begin(), cd.end());
    }
    return agrees("out", out_, exact(ab, last, false, none(), 1, 0));
  }
  bool three_;
  Buffer<float> a_, b_, c_, d_, ab_, cd_, out_;
};
class TwoProducts final : public Chain {
 public:
  explicit TwoProducts(const Settings& s) : Chain(s, "2mm", false) {}
};
class ThreeProducts final : public Chain {
 public:
  explicit ThreeProducts(const Settings& s) : Chain(s, "3mm", true) {}
};

/// syrk: C = beta C + alpha A A^T. syr2k: C = beta C + alpha (A B^T + B A^T).
class RankUpdate : public MatrixProducts {
 public:
  RankUpdate(const Settings& s, const char* name, bool two) : MatrixProducts(s, name), two_(two) {}

 private:
  static constexpr float kAlpha = 12435.0f, kBeta = 4546.0f;  // the benchmark's
  void build() override {
    a_ = matrix("a", 0, 0);
    b_ = two_ ? matrix("b", 0, 1) : a_;
    c_ = matrix("c", 0, 2);
    start_ = widened(c_);
  }
  HostCode host() override { co_yield rank_update(two_ ? "syr2k" : "syrk", a_, b_, c_, kAlpha, kBeta, two_); }
  std::string verify() override {
    const Values a = memory_.read(a_), b = memory_.read(b_);
    Exact want = exact(a, b, true, start_, kAlpha, kBeta);
    if (two_) want = exact(b, a, true, want, kAlpha, 1);
    return agrees("c", c_, want);
  }
  bool two_;
  Exact start_;
  Buffer<float> a_, b_, c_;
};
class Syrk final : public RankUpdate {
 public:
  explicit Syrk(const Settings& s) : RankUpdate(s, "syrk", false) {}
};
class Syr2k final : public RankUpdate {
 public:
  explicit Syr2k(const Settings& s) : RankUpdate(s, "syr2k", true) {}
};

template <class W>
WorkloadEntry matrix_entry(const char* name, int order, const char* doc, const char* expected, PaperScale paper) {
  return entry_of<W>({name,
                      "Polybench",
                      doc,
                      "",
                      {size_parameter("order", order, 96, 32, 2048, "rows", "order of the matrices")},
                      expected,
                      false},
                     std::move(paper));
}
constexpr const char* kBroadcastAndStream = "broadcast row factor, coalesced column factor, accumulators in memory";
constexpr const char* kBroadcastAndWalk = "broadcast row factor, row-per-lane column factor, accumulators in memory";

}  // namespace

WorkloadEntry gemm_entry() {
  return matrix_entry<Gemm>("gemm", 160, "C = beta C + alpha A B without tiles", kBroadcastAndStream,
                            {"512 x 512", {{"order", "512"}}});
}
WorkloadEntry two_mm_entry() {
  return matrix_entry<TwoProducts>("2mm", 128, "two products in a row, (A B) C", kBroadcastAndStream,
                                   {"2048 x 2048; 1024 here for time", {{"order", "1024"}}});
}
WorkloadEntry three_mm_entry() {
  return matrix_entry<ThreeProducts>("3mm", 128, "three products, (A B) (C D)", kBroadcastAndStream,
                                     {"512 x 512", {{"order", "512"}}});
}
WorkloadEntry syrk_entry() {
  return matrix_entry<Syrk>("syrk", 160, "symmetric rank-n update, A A^T", kBroadcastAndWalk,
                            {"1024 x 1024; 576 here for time", {{"order", "576"}}});
}
WorkloadEntry syr2k_entry() {
  return matrix_entry<Syr2k>("syr2k", 128, "symmetric rank-2n update, A B^T + B A^T", kBroadcastAndWalk,
                             {"2048 x 2048; 512 here for time", {{"order", "512"}}});
}

}  // namespace warpsieve::workloads
