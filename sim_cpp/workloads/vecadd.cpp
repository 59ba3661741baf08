// vecadd: c = a + b, two coalesced loads and one coalesced store per element; the smallest workload.
#include <fmt/format.h>

#include "inputs/random.h"
#include "simt/program.h"
#include "workloads/registry.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

class VecAdd final : public Program {
 public:
  explicit VecAdd(const Settings& s)
      : Program("vecadd"), n_(s.count("elements")), repeats_(s.count("repeats")), seed_(s.seed()) {}

 private:
  void build() override {
    inputs::Random random(seed_);
    std::vector<float> x(static_cast<std::size_t>(n_)), y(x.size());
    for (float& v : x) v = static_cast<float>(random.real());
    for (float& v : y) v = static_cast<float>(random.real());
    a_ = memory_.allocate("a", x);
    b_ = memory_.allocate("b", y);
    c_ = memory_.allocate<float>("c", x.size());
  }

  HostCode host() override {
    for (int r = 0; r < repeats_; ++r)
      co_yield launch("vecadd", blocks_for(a_.count, 256), 256, [a = a_, b = b_, c = c_, n = n_](Warp& w) {
        const Vec<int> i = w.global_thread();
        w.exit_if(i >= n);
        w.store(c, i, w.load(a, i) + w.load(b, i));
      });
  }

  std::string verify() override {
    for (std::uint64_t i = 0; i < c_.count; ++i) {
      const float want = memory_.read(a_, i) + memory_.read(b_, i), got = memory_.read(c_, i);
      if (got != want) return fmt::format("c[{}] is {}, expected {}", i, got, want);
    }
    return "";
  }

  int n_, repeats_;
  std::uint64_t seed_;
  Buffer<float> a_, b_, c_;
};

}  // namespace

WorkloadEntry vecadd_entry() {
  return {{"vecadd",
           "own",
           "c = a + b: streaming, coalesced, no reuse",
           "",
           {integer_parameter("elements", 1 << 20, 1 << 18, 1 << 12, 1, 1 << 28, "floats", "vector length"),
            integer_parameter("repeats", 4, 4, 1, 1, 1000, "launches", "how often the kernel runs")},
           "",
           true,
           {"no benchmark: 16 M elements", {{"elements", "16777216"}, {"repeats", "1"}}}},
          [](const Settings& s) -> std::unique_ptr<simt::Workload> { return std::make_unique<VecAdd>(s); }};
}

}  // namespace warpsieve::workloads
