// blackscholes (CUDA SDK): prices of European options by the closed formula, T = 128, a fixed grid that
// strides over the options: three coalesced loads and two stores per about 70 floating-point operations.
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr float kScholesRiskless = 0.02f, kScholesVolatility = 0.30f;
constexpr std::uint32_t kBlocks = 480, kScholesThreads = 128;

/// Cumulative normal distribution by the polynomial of Abramowitz and Stegun (26.2.17).
Vec<float> normal_cdf(const Vec<float>& d) {
  const Vec<float> size = max(d, -d);
  const Vec<float> k = Vec<float>(1.0f) / mad(size, Vec<float>(0.2316419f), Vec<float>(1.0f));
  Vec<float> sum = 1.330274429f;
  for (const float a : {-1.821255978f, 1.781477937f, -0.356563782f, 0.31938153f}) sum = mad(sum, k, Vec<float>(a));
  const Vec<float> tail = exp(d * d * -0.5f) * 0.39894228040143267794f * (k * sum);
  return select(d > 0.0f, Vec<float>(1.0f) - tail, tail);
}

class BlackScholes final : public Program {
 public:
  explicit BlackScholes(const Settings& s)
      : Program("blackscholes"), repeats_(s.count("repeats")), options_(static_cast<std::size_t>(s.count("options"))),
        price_values_(uniform_floats(options_, s.seed(), 5, 30)),
        strike_values_(uniform_floats(options_, s.seed() + 1, 1, 100)),
        year_values_(uniform_floats(options_, s.seed() + 2, 0.25, 10)) {}

 private:
  void build() override {
    call_ = memory_.allocate<float>("call", options_);
    put_ = memory_.allocate<float>("put", options_);
    price_ = memory_.allocate("price", price_values_);
    strike_ = memory_.allocate("strike", strike_values_);
    years_ = memory_.allocate("years", year_values_);
  }

  HostCode host() override {
    for (int i = 0; i < repeats_; ++i) co_yield evaluate();
  }

  std::unique_ptr<KernelLaunch> evaluate() {
    return launch(
        "blackscholes", kBlocks, kScholesThreads,
        [n = static_cast<int>(options_), call = call_, put = put_, price = price_, strike = strike_,
         years = years_](Warp& w) {
          Vec<int> i = w.global_thread();
          w.while_([&] { return i < n; },
                   [&] {
                     const Vec<float> s = w.load(price, i), x = w.load(strike, i), t = w.load(years, i);
                     const Vec<float> spread = sqrt(t) * kScholesVolatility;
                     const Vec<float> d1 =
                         (log(s / x) + t * (kScholesRiskless + 0.5f * kScholesVolatility * kScholesVolatility)) /
                         spread;
                     const Vec<float> in = normal_cdf(d1), out = normal_cdf(d1 - spread);
                     const Vec<float> present = x * exp(t * -kScholesRiskless);
                     w.store(call, i, s * in - present * out);
                     w.store(put, i, present * (Vec<float>(1.0f) - out) - s * (Vec<float>(1.0f) - in));
                     i += static_cast<int>(kBlocks * kScholesThreads);
                   });
        },
        17);
  }

  std::string verify() override {
    std::vector<double> call, put;
    const auto cdf = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
    for (std::size_t i = 0; i < options_; ++i) {
      const double s = price_values_[i], x = strike_values_[i], t = year_values_[i], v = kScholesVolatility,
                   r = kScholesRiskless;
      const double d1 = (std::log(s / x) + (r + v * v / 2) * t) / (v * std::sqrt(t)), d2 = d1 - v * std::sqrt(t);
      call.push_back(s * cdf(d1) - x * std::exp(-r * t) * cdf(d2));
      put.push_back(x * std::exp(-r * t) * cdf(-d2) - s * cdf(-d1));
    }
    const std::string wrong = mismatch("call", memory_.read(call_), call, kFloatTolerance, 1e-4);
    return wrong.empty() ? mismatch("put", memory_.read(put_), put, kFloatTolerance, 1e-4) : wrong;
  }

  int repeats_;
  std::size_t options_;
  std::vector<float> price_values_, strike_values_, year_values_;
  Buffer<float> call_, put_, price_, strike_, years_;
};

}  // namespace

WorkloadEntry blackscholes_entry() {
  return entry_of<BlackScholes>(
      {"blackscholes",
       "CUDA SDK",
       "option prices by a closed formula: streams with much arithmetic",
       "",
       {size_parameter("options", 65536, 16384, 2048, 1 << 24, "options",
                       "priced options (4,000,000 in the original)"),
        size_parameter("repeats", 8, 8, 2, 10000, "launches", "times the kernel is launched")},
       "0.08 M WMI; a control: coalesced streams"},
      {"4,000,000 options, 512 repeats; 1 repeat here, all are equal", {{"options", "4000000"}, {"repeats", "1"}}});
}

}  // namespace warpsieve::workloads
