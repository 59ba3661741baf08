// fast_walsh (CUDA SDK): dyadic convolution by three Walsh transforms. Passes of radix 4 over global
// memory with shrinking strides while a part has more than 2,048 elements, then one pass per part in
// shared memory; between the transforms, one product element by element.
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kSharedLog2 = 11;  ///< largest part that is finished in shared memory
constexpr std::uint32_t kWalshThreads = 256;

/// The radix-4 butterfly on `load(i)` and `store(i, value)` at four places `stride` apart.
template <class L, class S>
void butterfly(const Vec<int>& thread, int stride, L load, S store) {
  const Vec<int> low = thread & (stride - 1), i0 = ((thread - low) << 2) + low;
  const Vec<int> i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
  const Vec<float> d0 = load(i0), d1 = load(i1), d2 = load(i2), d3 = load(i3);
  const Vec<float> a = d0 + d2, b = d1 + d3, c = d0 - d2, d = d1 - d3;
  store(i0, a + b);
  store(i1, a - b);
  store(i2, c + d);
  store(i3, c - d);
}

class FastWalsh final : public Program {
 public:
  explicit FastWalsh(const Settings& s)
      : Program("fast_walsh"), log2_(s.count("log2")), filter_log2_(s.count("filter")) {
    if (filter_log2_ > log2_)
      throw WorkloadError(
          fmt::format("fast_walsh.filter = '{}': at most log2 = {} is expected", filter_log2_, log2_));
    data_values_ = uniform_floats(std::size_t{1} << log2_, s.seed());
    filter_values_ = uniform_floats(std::size_t{1} << filter_log2_, s.seed() + 1);
  }

 private:
  void build() override {
    std::vector<float> padded = filter_values_;
    padded.resize(data_values_.size(), 0.0f);
    filter_ = memory_.allocate("filter", padded);
    data_ = memory_.allocate("data", data_values_);
  }

  HostCode host() override {
    for (const Buffer<float>& array : {data_, filter_})
      for (int step = 0; step < steps(); ++step) co_yield transform(array, step);
    co_yield multiply();
    for (int step = 0; step < steps(); ++step) co_yield transform(data_, step);
  }

  /// Passes over global memory, and the one in shared memory.
  int steps() const { return (std::max(log2_ - kSharedLog2, 0) + 1) / 2 + 1; }

  std::unique_ptr<KernelLaunch> transform(const Buffer<float>& array, int step) {
    const int part = log2_ - 2 * step;
    return step + 1 < steps() ? global_pass(array, 1 << (part - 2)) : shared_pass(array, part);
  }

  std::unique_ptr<KernelLaunch> global_pass(const Buffer<float>& array, int stride) {
    return launch(
        "fwt_global", blocks_for(array.count / 4, kWalshThreads), kWalshThreads,
        [=](Warp& w) {
          butterfly(
              w.global_thread(), stride, [&](const Vec<int>& i) { return w.load(array, i); },
              [&](const Vec<int>& i, const Vec<float>& v) { w.store(array, i, v); });
        },
        11);
  }

  std::unique_ptr<KernelLaunch> shared_pass(const Buffer<float>& array, int part) {
    const int n = 1 << part, threads = n / 4;
    return launch(
        "fwt_shared", static_cast<std::uint32_t>(array.count >> part), static_cast<std::uint32_t>(threads),
        [=](Warp& w) -> Task {
          const Shared<float> s{0, static_cast<std::uint32_t>(n)};
          const Vec<int> t = w.thread();
          const Vec<int> first = t + (static_cast<int>(w.block()) << part);
          for (const int k : w.range(0, n, threads)) w.store(s, t + k, w.load(array, first + k));
          for (int stride = n / 4; stride > 0; stride /= 4) {
            co_await w.barrier();
            butterfly(
                t, stride, [&](const Vec<int>& i) { return w.load(s, i); },
                [&](const Vec<int>& i, const Vec<float>& v) { w.store(s, i, v); });
          }
          co_await w.barrier();
          if (part % 2 == 1) {  // what radix 4 leaves over
            for (const int k : w.range(0, n / 2, threads)) {
              const Vec<int> i = (t + k) << 1;
              const Vec<float> a = w.load(s, i), b = w.load(s, i + 1);
              w.store(s, i, a + b);
              w.store(s, i + 1, a - b);
            }
            co_await w.barrier();
          }
          for (const int k : w.range(0, n, threads)) w.store(array, first + k, w.load(s, t + k));
        },
        8, static_cast<std::uint32_t>(4 * n));
  }

  std::unique_ptr<KernelLaunch> multiply() {
    const float scale = 1.0f / static_cast<float>(data_.count);
    return launch(
        "fwt_multiply", blocks_for(data_.count, kWalshThreads), kWalshThreads,
        [=, data = data_, filter = filter_](Warp& w) {
          const Vec<int> i = w.global_thread();
          w.store(data, i, w.load(data, i) * w.load(filter, i) * scale);
        },
        8);
  }

  /// The convolution by its definition: no transform.
  std::string verify() override {
    std::vector<double> want(data_values_.size(), 0.0);
    for (std::size_t i = 0; i < want.size(); ++i)
      for (std::size_t j = 0; j < filter_values_.size(); ++j)
        want[i] += static_cast<double>(filter_values_[j]) * data_values_[i ^ j];
    return mismatch("element", memory_.read(data_), want, 1e-3, 1e-3 * largest(want));
  }

  int log2_, filter_log2_;
  std::vector<float> data_values_, filter_values_;
  Buffer<float> data_, filter_;
};

}  // namespace

WorkloadEntry fast_walsh_entry() {
  return entry_of<FastWalsh>(
      {"fast_walsh",
       "CUDA SDK",
       "dyadic convolution by Walsh transforms: coalesced passes with strides of powers of 4",
       "",
       {integer_parameter("log2", 18, 16, 12, 8, 24, "bits", "binary logarithm of the number of elements"),
        integer_parameter("filter", 7, 7, 5, 0, 12, "bits", "binary logarithm of the length of the filter")},
       "0.27 M WMI; all accesses coalesced"},
      {"2^23 elements", {{"log2", "23"}}});
}

}  // namespace warpsieve::workloads
