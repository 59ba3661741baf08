// mars_mm (Mars matrix multiply): one record {row, column} per thread; the map step is the product of a
// row of A and a row of the transposed B with 16 bytes per lane and load. Count pass, prefix sums, map.
#include "workloads/common.h"
#include "workloads/mars.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

class MatrixMultiply final : public Mars {
 public:
  explicit MatrixMultiply(const Settings& s) : Mars("mars_mm"), n_(s.count("order")) {
    if (n_ % 4 != 0) throw WorkloadError(fmt::format("mars_mm.order = '{}': a multiple of 4 is expected", n_));
    const auto cells = static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_);
    inputs::Random random(s.seed());
    for (auto* m : {&a_values_, &b_values_})
      for (std::size_t i = 0; i < cells; ++i) m->push_back(static_cast<float>(random.below(16)));
  }

 private:
  void build() override {
    std::vector<Int2> records;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) records.push_back({i, j});
    const auto quads = [](const Buffer<float>& x) { return Buffer<Float4>{x.base, x.count / 4, x.name}; };
    a_ = quads(memory_.allocate("a", a_values_));
    b_ = quads(memory_.allocate("b_transposed", b_values_));
    records_ = memory_.allocate("records", records);
    counts_ = make_scan("counts", records.size());
    product_ = memory_.allocate<float>("product", records.size());
    index_ = memory_.allocate<Int4>("index", records.size());
  }

  HostCode host() override {
    const std::uint32_t blocks = blocks_for(records_.count, 256);
    co_yield launch("mars_mm_count", blocks, 256,
                    per_item(records_.count,
                             [counts = counts_.in](Warp& w, const Vec<int>& i) { w.store(counts, i, Vec<int>(1)); }));
    for (int step = 0; step < kScanSteps; ++step) co_yield scan(counts_, step);
    co_yield launch("mars_mm_map", blocks, 256,
                    per_item(records_.count,
                             [n = n_, a = a_, b = b_, records = records_, before = counts_.out, product = product_,
                              index = index_](Warp& w, const Vec<int>& i) {
                               const Vec<Int2> its = w.load(records, i);
                               const Vec<int> row = member(its, &Int2::x), column = member(its, &Int2::y);
                               Vec<int> at = row * (n / 4), bt = column * (n / 4);
                               Vec<float> sum = 0.0f;
                               for ([[maybe_unused]] const int k : w.range(0, n / 4)) {
                                 const Vec<Float4> x = w.load(a, at), y = w.load(b, bt);
                                 for (const auto m : {&Float4::x, &Float4::y, &Float4::z, &Float4::w})
                                   sum = mad(member(x, m), member(y, m), sum);
                                 at += 1;
                                 bt += 1;
                               }
                               const Vec<int> to = w.load(before, i);
                               w.store(product, to, sum);
                               w.store(index, to, quad(row, column, to, Vec<int>(4)));
                             }),
                    24);
  }

  std::string verify() override {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<double> want(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k)
          want[i * n + j] += static_cast<double>(a_values_[i * n + k]) * b_values_[j * n + k];
    const std::vector<Int4> index = memory_.read(index_);
    for (int i = 0; i < n_ * n_; ++i)
      if (index[static_cast<std::size_t>(i)] != Int4{i / n_, i % n_, i, 4})
        return fmt::format("record {} has a wrong index entry", i);
    return mismatch("cell", memory_.read(product_), want);
  }

  int n_;
  std::vector<float> a_values_, b_values_;
  Buffer<Float4> a_, b_;
  Buffer<Int2> records_;
  Buffer<float> product_;
  Buffer<Int4> index_;
  Scan counts_;
};

}  // namespace

WorkloadEntry mars_mm_entry() {
  return entry_of<MatrixMultiply>(
      {"mars_mm",
       "Mars",
       "matrix product by records: rows read with 16 bytes per lane",
       "",
       {integer_parameter("order", 256, 128, 32, 4, 512, "rows",
                          "order of the matrices, a multiple of 4 (1024 in the original)")},
       "0.34 M WMI"},
      {"1024 x 1024; 512 here for time", {{"order", "512"}}});
}

}  // namespace warpsieve::workloads
