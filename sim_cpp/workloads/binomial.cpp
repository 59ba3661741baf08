// binomial (CUDA SDK of 2010): walk back through a binomial tree, one option per block
// of 256 threads. Each slab of 32 time steps passes windows of 256 values from global through shared
// memory and writes back the 224 that are right.
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kBinomialWindow = 256, kSlab = 32, kUseful = kBinomialWindow - kSlab;
constexpr double kBinomialRiskless = 0.06, kBinomialVolatility = 0.10;

/// Of one option: price, strike, and the factors of one time step.
struct Terms {
  float price, strike, spread, up, down;
};

class Binomial final : public Program {
 public:
  explicit Binomial(const Settings& s) : Program("binomial"), steps_(s.count("steps")) {
    if (steps_ % kSlab != 0)
      throw WorkloadError(fmt::format("binomial.steps = '{}': a multiple of {} is expected", steps_, kSlab));
    inputs::Random random(s.seed());
    for (int i = 0; i < s.count("options"); ++i) {
      const double price = 5 + 25 * random.real(), strike = 1 + 99 * random.real(),
                   years = 0.25 + 9.75 * random.real();
      const double dt = years / steps_, spread = kBinomialVolatility * std::sqrt(dt),
                   growth = std::exp(kBinomialRiskless * dt);
      const double chance = (growth - std::exp(-spread)) / (std::exp(spread) - std::exp(-spread));
      options_.push_back({static_cast<float>(price), static_cast<float>(strike), static_cast<float>(spread),
                          static_cast<float>(chance / growth), static_cast<float>((1 - chance) / growth)});
    }
    for (const Terms& t : options_) table_.insert(table_.end(), {t.price, t.strike, t.spread, t.up, t.down});
  }

 private:
  void build() override {
    values_ = memory_.allocate<float>("values", options_.size() * static_cast<std::uint64_t>(steps_ + 16));
    result_ = memory_.allocate<float>("result", options_.size());
  }

  HostCode host() override {
    co_yield launch(
        "binomial", static_cast<std::uint32_t>(options_.size()), kBinomialWindow,
        [steps = steps_, values = values_, result = result_,
         terms = Constant<float>{table_, "terms"}](Warp& w) -> Task {
          const Shared<float> now{0, kBinomialWindow + 1}, next{4 * (kBinomialWindow + 1), kBinomialWindow + 1};
          const std::size_t own = 5 * static_cast<std::size_t>(w.block());
          const Vec<float> price = w.load(terms, own), strike = w.load(terms, own + 1),
                           spread = w.load(terms, own + 2), up = w.load(terms, own + 3),
                           down = w.load(terms, own + 4);
          const int line = static_cast<int>(w.block()) * (steps + 16);
          const Vec<int> t = w.thread();
          for (const int first : w.range(0, steps + 1, kBinomialWindow)) {
            const Vec<int> i = t + first;
            w.if_(i <= steps, [&] {
              const Vec<float> gain = price * exp(spread * to<float>(i * 2 - steps)) - strike;
              w.store(values, i + line, max(gain, Vec<float>(0.0f)));
            });
          }
          const auto backwards = [&](const Shared<float>& from, const Shared<float>& into) {
            w.store(into, t, up * w.load(from, t + 1) + down * w.load(from, t));
          };
          for (const int i : w.range(steps, 0, -kSlab)) {
            for (int base = 0; base < i; base += kUseful) {
              const int start = std::min(kBinomialWindow - 1, i - base), end = start - kSlab;
              co_await w.barrier();
              w.if_(t <= start, [&] { w.store(now, t, w.load(values, t + (line + base))); });
              for ([[maybe_unused]] const int k : w.range(0, kSlab, 2)) {
                co_await w.barrier();
                backwards(now, next);
                co_await w.barrier();
                backwards(next, now);
              }
              co_await w.barrier();
              w.if_(t <= end, [&] { w.store(values, t + (line + base), w.load(now, t)); });
            }
          }
          w.if_(t == 0, [&] { w.store(result, static_cast<int>(w.block()), w.load(now, 0)); });
        },
        14, 8 * (kBinomialWindow + 1));
  }

  /// The whole tree in double precision, one time step after the other. The line of an option keeps, at
  /// place k, the value of the last slab that wrote it: time step k rounded up to a multiple of 32.
  std::string verify() override {
    std::vector<double> results, lines;
    for (const Terms& o : options_) {
      std::vector<double> v, kept(static_cast<std::size_t>(steps_ + 16), 0.0);
      for (int i = 0; i <= steps_; ++i)
        v.push_back(std::max(o.price * std::exp(static_cast<double>(o.spread) * (2 * i - steps_)) - o.strike, 0.0));
      for (int step = steps_; step > 0; --step) {
        if (step % kSlab == 0)
          for (int k = step - kSlab + 1; k <= step; ++k)
            kept[static_cast<std::size_t>(k)] = v[static_cast<std::size_t>(k)];
        for (std::size_t i = 0; i < static_cast<std::size_t>(step); ++i)
          v[i] = static_cast<double>(o.up) * v[i + 1] + static_cast<double>(o.down) * v[i];
      }
      kept[0] = v[0];
      lines.insert(lines.end(), kept.begin(), kept.end());
      results.push_back(v[0]);
    }
    const std::string wrong = mismatch("value of option", memory_.read(result_), results, 1e-3, 1e-3);
    return wrong.empty() ? mismatch("place", memory_.read(values_), lines, 1e-3, 1e-3) : wrong;
  }

  int steps_;
  std::vector<Terms> options_;
  std::vector<float> table_;
  Buffer<float> values_, result_;
};

}  // namespace

WorkloadEntry binomial_entry() {
  return entry_of<Binomial>(
      {"binomial",
       "CUDA SDK",
       "option prices by a binomial tree: windows through shared memory, two barriers per step",
       "",
       {size_parameter("options", 128, 16, 2, 4096, "options", "priced options, one block each"),
        integer_parameter("steps", 2048, 2048, 256, 32, 8192, "steps", "time steps, a multiple of 32")},
       "0.58 M WMI (4,557 per option)"},
      {"1,024 options, 2,048 steps; 512 options here for time", {{"options", "512"}}});
}

}  // namespace warpsieve::workloads
