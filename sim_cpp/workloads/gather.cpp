// gather: each thread sums `steps` elements at random indices: coalesced index loads, 32 separate
// sectors per data load; `window` limits the indices to a working set.
#include <fmt/format.h>

#include "inputs/random.h"
#include "simt/program.h"
#include "workloads/registry.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

class Gather final : public Program {
 public:
  explicit Gather(const Settings& s)
      : Program("gather"), threads_(s.count("threads")), steps_(s.count("steps")), window_(s.count("window")),
        seed_(s.seed()) {}

 private:
  void build() override {
    inputs::Random random(seed_);
    std::vector<int> index(static_cast<std::size_t>(threads_) * static_cast<std::size_t>(steps_));
    std::vector<int> data(static_cast<std::size_t>(window_));
    for (int& v : index) v = static_cast<int>(random.below(static_cast<std::uint32_t>(window_)));
    for (int& v : data) v = static_cast<int>(random.below(1000));
    index_ = memory_.allocate("index", index);
    data_ = memory_.allocate("data", data);
    sum_ = memory_.allocate<int>("sum", static_cast<std::uint64_t>(threads_));
  }

  HostCode host() override {
    co_yield launch("gather", blocks_for(sum_.count, 256), 256,
                    [index = index_, data = data_, sum = sum_, n = threads_, steps = steps_](Warp& w) {
                      const Vec<int> i = w.global_thread();
                      w.exit_if(i >= n);
                      Vec<int> total = 0, at = i;
                      for ([[maybe_unused]] const int step : w.range(0, steps)) {
                        total += w.load(data, w.load(index, at));
                        at += n;
                      }
                      w.store(sum, i, total);
                    });
  }

  std::string verify() override {
    const std::vector<int> index = memory_.read(index_), data = memory_.read(data_), sum = memory_.read(sum_);
    const auto n = static_cast<std::size_t>(threads_);
    for (std::size_t i = 0; i < n; ++i) {
      int want = 0;
      for (std::size_t s = 0; s < static_cast<std::size_t>(steps_); ++s)
        want += data[static_cast<std::size_t>(index[s * n + i])];
      if (sum[i] != want) return fmt::format("sum[{}] is {}, expected {}", i, sum[i], want);
    }
    return "";
  }

  int threads_, steps_, window_;
  std::uint64_t seed_;
  Buffer<int> index_, data_, sum_;
};

}  // namespace

WorkloadEntry gather_entry() {
  return {
      {"gather",
       "own",
       "sums of elements at random indices: uncoalesced reads over a chosen working set",
       "",
       {integer_parameter("threads", 65536, 16384, 1024, 1, 1 << 22, "threads", "threads, one sum each"),
        integer_parameter("steps", 32, 32, 8, 1, 256, "loads", "elements summed per thread"),
        integer_parameter("window", 1 << 21, 1 << 19, 1 << 12, 1, 1 << 28, "ints", "elements in the working set")},
       "",
       true,
       {"no benchmark: four times an L2 of 4 MB", {{"threads", "262144"}, {"window", "4194304"}}}},
      [](const Settings& s) -> std::unique_ptr<simt::Workload> { return std::make_unique<Gather>(s); }};
}

}  // namespace warpsieve::workloads
