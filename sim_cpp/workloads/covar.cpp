// covar and correlation (Polybench): mean (and deviation) of each column, centred data, then one thread
// per column accumulates its row of the result in memory: neighbouring lanes are a row and a column
// apart, so every access of the accumulator touches 32 separate sectors. Indices start at 1.
#include "workloads/polybench.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr float kTooSmall = 0.005f;  ///< the benchmark's limit: such a deviation counts as 1

class Covariance : public Polybench {
 public:
  explicit Covariance(const Settings& s) : Covariance(s, "covar", false) {}

 protected:
  Covariance(const Settings& s, const char* name, bool correlation)
      : Polybench(name), correlation_(correlation), columns_(s.count("columns")), rows_(s.count("rows")),
        threads_(static_cast<std::uint32_t>(s.count("threads"))), pitch_(columns_ + 1),
        start_(formula(rows_ + 1, pitch_, [this](int i, int j) {
          return static_cast<float>(i) * static_cast<float>(j) / static_cast<float>(columns_);
        })) {}

 private:
  void build() override {
    const auto square = static_cast<std::uint64_t>(pitch_) * static_cast<std::uint64_t>(pitch_);
    data_ = memory_.allocate("data", start_);
    mean_ = memory_.allocate<float>("mean", static_cast<std::uint64_t>(pitch_));
    if (correlation_) deviation_ = memory_.allocate<float>("deviation", static_cast<std::uint64_t>(pitch_));
    result_ = memory_.allocate<float>("result", square);
  }

  HostCode host() override {
    co_yield mean();
    if (correlation_) co_yield deviation();
    co_yield centre();
    co_yield products();
  }

  std::unique_ptr<KernelLaunch> mean() {
    return line("covar_mean", columns_, 256,
                [n = rows_, pitch = pitch_, data = data_, mean = mean_](Warp& w, const Vec<int>& t) {
                  const Vec<int> j = t + 1;
                  w.store(mean, j, Vec<float>(0.0f));
                  for (const int i : w.range(1, n + 1)) accumulate(w, mean, j, w.load(data, j + i * pitch));
                  w.store(mean, j, w.load(mean, j) / static_cast<float>(n));
                });
  }

  std::unique_ptr<KernelLaunch> deviation() {
    return line(
        "covar_deviation", columns_, 256,
        [n = rows_, pitch = pitch_, data = data_, mean = mean_, deviation = deviation_](Warp& w, const Vec<int>& t) {
          const Vec<int> j = t + 1;
          w.store(deviation, j, Vec<float>(0.0f));
          for (const int i : w.range(1, n + 1)) {
            const Vec<float> d = w.load(data, j + i * pitch) - w.load(mean, j);
            accumulate(w, deviation, j, d * d);
          }
          const Vec<float> root = sqrt(w.load(deviation, j) / static_cast<float>(n));
          w.store(deviation, j, select(root <= kTooSmall, Vec<float>(1.0f), root));
        });
  }

  std::unique_ptr<KernelLaunch> centre() {
    return plane(
        "covar_centre", rows_, columns_,
        [correlation = correlation_, root = std::sqrt(static_cast<float>(rows_)), pitch = pitch_, data = data_,
         mean = mean_, deviation = deviation_](Warp& w, const Vec<int>& row, const Vec<int>& column) {
          const Vec<int> j = column + 1, at = (row + 1) * pitch + j;
          Vec<float> v = w.load(data, at) - w.load(mean, j);
          if (correlation) v /= w.load(deviation, j) * root;
          w.store(data, at, v);
        });
  }

  std::unique_ptr<KernelLaunch> products() {
    return line("covar_products", columns_, threads_,
                [correlation = correlation_, m = columns_, n = rows_, pitch = pitch_, data = data_, result = result_](
                    Warp& w, const Vec<int>& t) {
                  const Vec<int> j1 = t + 1, row = j1 * pitch;
                  Vec<int> j2 = j1;
                  if (correlation) {
                    w.store(result, row + j1, Vec<float>(1.0f));
                    j2 += 1;
                  }
                  w.while_([&] { return j2 <= m; },
                           [&] {
                             const Vec<int> at = row + j2;
                             w.store(result, at, Vec<float>(0.0f));
                             for (const int i : w.range(1, n + 1))
                               accumulate(w, result, at, w.load(data, j1 + i * pitch) * w.load(data, j2 + i * pitch));
                             w.store(result, j2 * pitch + j1, w.load(result, at));
                             j2 += 1;
                           });
                });
  }

  /// Two passes over whole columns in double precision.
  std::string verify() override {
    const auto m = static_cast<std::size_t>(columns_), n = static_cast<std::size_t>(rows_), pitch = m + 1;
    std::vector<std::vector<double>> column(m + 1, std::vector<double>(n));
    for (std::size_t j = 1; j <= m; ++j) {
      double sum = 0, squares = 0;
      for (std::size_t i = 0; i < n; ++i) sum += column[j][i] = start_[(i + 1) * pitch + j];
      for (double& v : column[j]) {
        v -= sum / static_cast<double>(n);
        squares += v * v;
      }
      if (!correlation_) continue;
      const double deviation = std::sqrt(squares / static_cast<double>(n));
      for (double& v : column[j]) v /= (deviation <= kTooSmall ? 1.0 : deviation) * std::sqrt(static_cast<double>(n));
    }
    std::vector<double> want(pitch * pitch, 0.0);
    for (std::size_t a = 1; a <= m; ++a)
      for (std::size_t b = a; b <= m; ++b) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += column[a][i] * column[b][i];
        if (correlation_ && a == b) sum = 1;
        want[a * pitch + b] = want[b * pitch + a] = sum;
      }
    return mismatch("cell", memory_.read(result_), want, 1e-3, 1e-5 * largest(want));
  }

  bool correlation_;
  int columns_, rows_;
  std::uint32_t threads_;
  int pitch_;
  std::vector<float> start_;
  Buffer<float> data_, mean_, deviation_, result_;
};

class Correlation final : public Covariance {
 public:
  explicit Correlation(const Settings& s) : Covariance(s, "correlation", true) {}
};

std::vector<Parameter> parameters() {
  return {integer_parameter("columns", 1024, 512, 64, 2, 8192, "columns", "variables (2048 in the original)"),
          integer_parameter("rows", 16, 16, 16, 2, 8192, "rows", "observations (2048 in the original)"),
          integer_parameter("threads", 32, 32, 32, 32, 1024, "threads", "per block of the last kernel")};
}

}  // namespace

WorkloadEntry covar_entry() {
  return entry_of<Covariance>({"covar", "Polybench", "covariance: 32 one-sector read-modify-writes per inner step",
                               "", parameters(), "1.1 M WMI; over 90 % of the lines under-used", false},
                              {"2048 x 2048; 32 rows here for time", {{"columns", "2048"}, {"rows", "32"}}});
}

WorkloadEntry correlation_entry() {
  return entry_of<Correlation>({"correlation", "Polybench", "correlation: as covar, and the deviation of each column",
                                "", parameters(), "as covar", false},
                               {"2048 x 2048; 32 rows here for time", {{"columns", "2048"}, {"rows", "32"}}});
}

}  // namespace warpsieve::workloads
