// hybridsort (Rodinia): bucket sort, then merge sort inside of the buckets. A histogram gives pivots that fill the
// buckets evenly; one warp per block finds the bucket of each element by binary search and its place by counting in
// shared memory; a scatter follows; then each thread merges two runs of its bucket with 16 bytes per step, and a
// last kernel packs the buckets. Counters in shared memory are incremented by lanes that write their tag and look
// whether it stayed, as the benchmark does it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "inputs/text_reader.h"
#include "workloads/common.h"
#include "workloads/records.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kBins = 1024;                                     ///< of the histogram
constexpr std::uint32_t kBand = 128;                            ///< elements per thread of the bucket kernels
constexpr std::uint32_t kWarpsPerHistogram = 3;                 ///< each with its own bins
constexpr float kSortLast = std::numeric_limits<float>::max();  ///< fills the last quad of a bucket up

/// Four elements in registers.
struct Quad {
  explicit Quad(const Vec<Float4>& v)
      : x(member(v, &Float4::x)), y(member(v, &Float4::y)), z(member(v, &Float4::z)), w(member(v, &Float4::w)) {}
  Quad() = default;
  Vec<float> x, y, z, w;

  static void order(Vec<float>& a, Vec<float>& b) {
    const Vec<float> low = min(a, b);
    b = max(a, b);
    a = low;
  }
  void sort() {
    order(x, y);
    order(z, w);
    order(x, z);
    order(y, w);
    order(y, z);
  }
  Vec<Float4> record() const { return packed<Float4>(x, y, z, w); }
};

std::vector<float> read_floats(const std::string& path) {
  const std::string text = inputs::read_file(path);
  inputs::TextReader reader(path, text);
  std::vector<float> values;
  while (!reader.at_end()) values.push_back(static_cast<float>(reader.real("the next element")));
  return values;
}

class HybridSort final : public Program {
 public:
  explicit HybridSort(const Settings& s)
      : Program("hybridsort"), buckets_(s.count("buckets")),
        values_(s.input().empty() ? uniform_floats(static_cast<std::size_t>(s.count("elements")), s.seed())
                                  : read_floats(s.input())) {
    if ((buckets_ & (buckets_ - 1)) != 0)
      throw WorkloadError(fmt::format("hybridsort.buckets = '{}': a power of 2 is expected", buckets_));
    if (values_.size() < 4 * static_cast<std::size_t>(buckets_))
      throw WorkloadError(fmt::format("hybridsort: {} elements: at least 4 per bucket are expected, {}",
                                      values_.size(), 4 * buckets_));
    const auto [low, high] = std::minmax_element(values_.begin(), values_.end());
    low_ = *low;
    high_ = *high;
    if (high_ > low_ && !(std::isfinite(high_ - low_) && std::isfinite(kBins / (high_ - low_))))
      throw WorkloadError(
          fmt::format("hybridsort: elements from {} to {}: expected a range that a float holds and {} bins divide",
                      low_, high_, kBins));
    while (1 << log_buckets_ < buckets_) ++log_buckets_;
  }

 private:
  std::uint32_t bands() const { return blocks_for(values_.size(), kLanes * kBand); }

  void build() override {
    const auto n = values_.size(), buckets = static_cast<std::size_t>(buckets_);
    input_ = memory_.allocate("elements", values_);
    bins_ = memory_.allocate<int>("bins", kBins);
    pivots_ = memory_.allocate<float>("pivots", buckets - 1);
    place_ = memory_.allocate<int>("place", n);
    before_ = memory_.allocate<int>("before", bands() * buckets);
    sizes_ = memory_.allocate<int>("sizes", buckets);
    starts_ = memory_.allocate<int>("starts", buckets + 1);
    packed_ = memory_.allocate<int>("packed_starts", buckets + 1);
    // Buckets are whole quads; what their elements do not fill stays as it is here and is sorted to their ends.
    const std::vector<Float4> padding(n / 4 + buckets, Float4{kSortLast, kSortLast, kSortLast, kSortLast});
    for (auto& q : quads_) q = memory_.allocate("quads", padding);
    output_ = memory_.allocate<float>("sorted", n);
  }

  HostCode host() override {
    co_yield histogram();
    choose_pivots();
    co_yield count();
    co_yield add_up();
    place_buckets();
    co_yield scatter();
    co_yield sort_quads();
    for (int run = 1; run < longest_; run *= 2) {
      co_yield merge(run);
      std::swap(quads_[0], quads_[1]);
    }
    co_yield pack();
  }

  /// Adds one to a counter of shared memory in every active lane; returns what it was, lane by lane.
  static Vec<int> increment(Warp& w, const Shared<int>& counters, const Vec<int>& which) {
    const Vec<int> tag = (w.thread_x(kLanes) + 1) << 26u;  // the counter itself stays below 2^26
    Vec<int> old = 0;
    w.loop_([&] {
      old = w.load(counters, which) & ((1 << 26) - 1);
      const Vec<int> mine = (old + 1) | tag;
      w.store(counters, which, mine);
      w.break_if(w.load(counters, which) == mine);
    });
    return old;
  }
  static void clear(Warp& w, const Shared<int>& counters, const Vec<int>& thread, std::uint32_t threads) {
    for (const int i : w.range(0, static_cast<int>(counters.count), static_cast<int>(threads)))
      w.if_(thread + i < static_cast<int>(counters.count), [&] { w.store(counters, thread + i, Vec<int>(0)); });
  }

  std::unique_ptr<KernelLaunch> histogram() {
    constexpr std::uint32_t threads = kWarpsPerHistogram * kLanes, grid = 64;
    return launch(
        "hybridsort_histogram", grid, threads,
        [=, this](Warp& w) -> Task {
          const Shared<int> own{w.index() * kBins * 4, kBins};
          const Vec<int> lane = w.thread_x(kLanes);
          clear(w, own, lane, kLanes);
          const int n = static_cast<int>(values_.size());
          const float scale = high_ > low_ ? kBins / (high_ - low_) : 0;
          Vec<int> i = w.global_thread();
          w.while_([&] { return i < n; },
                   [&] {
                     const Vec<int> bin = to<int>((w.load(input_, i) - low_) * scale);
                     increment(w, own, min(bin, Vec<int>(kBins - 1)));
                     i += static_cast<int>(grid * threads);
                   });
          co_await w.barrier();
          Vec<int> bin = w.thread();
          w.while_([&] { return bin < kBins; },
                   [&] {
                     Vec<int> sum = 0;
                     for (std::uint32_t k = 0; k < kWarpsPerHistogram; ++k)
                       sum += w.load(Shared<int>{k * kBins * 4, kBins}, bin) & ((1 << 26) - 1);
                     w.if_(sum > 0, [&] { w.atomic_add(bins_, bin, sum); });
                     bin += static_cast<int>(threads);
                   });
        },
        20, kWarpsPerHistogram* kBins * 4);
  }

  /// Values between which equally many elements lie, as far as the histogram can tell.
  void choose_pivots() {
    const std::vector<int> bins = memory_.read(bins_);
    std::vector<float> pivots;
    double seen = 0;
    const double share = static_cast<double>(values_.size()) / buckets_;
    for (int b = 0; b < kBins; ++b) {
      const double here = bins[static_cast<std::size_t>(b)];
      while (static_cast<int>(pivots.size()) < buckets_ - 1 &&
             seen + here >= share * static_cast<double>(pivots.size() + 1)) {
        const double inside = (share * static_cast<double>(pivots.size() + 1) - seen) / here;
        pivots.push_back(static_cast<float>(low_ + (high_ - low_) * (b + inside) / kBins));
      }
      seen += here;
    }
    memory_.write(pivots_, 0, std::span<const float>(pivots));
  }

  /// Bucket of each element, and its number among those of this band in the bucket.
  std::unique_ptr<KernelLaunch> count() {
    return launch(
        "hybridsort_count", bands(), kLanes,
        [=, this](Warp& w) {
          const Shared<int> counters{0, static_cast<std::uint32_t>(buckets_)};
          const Vec<int> lane = w.thread();
          clear(w, counters, lane, kLanes);
          each_of_band(w, [&](const Vec<int>& i) {
            const Vec<float> element = w.load(input_, i);
            Vec<int> at = buckets_ / 2 - 1;  // binary search over the pivots
            for (int jump = buckets_ / 4; jump >= 1; jump /= 2)
              at = select(element < w.load(pivots_, at), at - jump, at + jump);
            const Vec<int> bucket = select(element < w.load(pivots_, at), at, at + 1);
            w.store(place_, i, (increment(w, counters, bucket) << log_buckets_) + bucket);
          });
          const int first = static_cast<int>(w.block()) * buckets_;
          for (const int b : w.range(0, buckets_, kLanes))
            w.if_(lane + b < buckets_,
                  [&] { w.store(before_, lane + (first + b), w.load(counters, lane + b) & ((1 << 26) - 1)); });
        },
        20, static_cast<std::uint32_t>(buckets_) * 4);
  }

  /// The elements of the block's band, a warp's width at a time.
  template <class F>
  void each_of_band(Warp& w, F body) const {
    const int n = static_cast<int>(values_.size()), first = static_cast<int>(w.block() * kLanes * kBand);
    for (const int k : w.range(0, static_cast<int>(kLanes * kBand), kLanes)) {
      const Vec<int> i = w.thread() + (first + k);
      w.if_(i < n, [&] { body(i); });
    }
  }

  /// Prefix sums over the bands, a thread per bucket.
  std::unique_ptr<KernelLaunch> add_up() {
    return launch("hybridsort_add_up", blocks_for(static_cast<std::uint64_t>(buckets_), 128), 128,
                  per_item(static_cast<std::uint64_t>(buckets_),
                           [=, this](Warp& w, const Vec<int>& bucket) {
                             Vec<int> sum = 0;
                             for (const int band : w.range(0, static_cast<int>(bands()))) {
                               const Vec<int> at = bucket + band * buckets_, own = w.load(before_, at);
                               w.store(before_, at, sum);
                               sum += own;
                             }
                             w.store(sizes_, bucket, sum);
                           }),
                  12);
  }

  void place_buckets() {
    std::vector<int> starts{0}, packed{0};
    longest_ = 1;
    for (const int size : memory_.read(sizes_)) {
      const int quads = ceil_div(size, 4);
      longest_ = std::max(longest_, quads);
      starts.push_back(starts.back() + quads);
      packed.push_back(packed.back() + size);
    }
    memory_.write(starts_, 0, std::span<const int>(starts));
    memory_.write(packed_, 0, std::span<const int>(packed));
  }
  static Buffer<float> flat(const Buffer<Float4>& b) { return {b.base, 4 * b.count, b.name}; }

  std::unique_ptr<KernelLaunch> scatter() {
    return launch(
        "hybridsort_scatter", bands(), kLanes,
        [=, this, to = flat(quads_[0])](Warp& w) {
          const int first = static_cast<int>(w.block()) * buckets_;
          each_of_band(w, [&](const Vec<int>& i) {
            const Vec<int> place = w.load(place_, i), bucket = place & (buckets_ - 1);
            const Vec<int> base = w.load(starts_, bucket) * 4 + w.load(before_, bucket + first);
            w.store(to, base + (place >> log_buckets_), w.load(input_, i));
          });
        },
        16);
  }

  std::unique_ptr<KernelLaunch> sort_quads() {
    const auto n = static_cast<std::uint64_t>(memory_.read(starts_, static_cast<std::uint64_t>(buckets_)));
    return launch("hybridsort_quads", blocks_for(n, 256), 256,
                  per_item(n,
                           [quads = quads_[0]](Warp& w, const Vec<int>& i) {
                             Quad q(w.load(quads, i));
                             q.sort();
                             w.store(quads, i, q.record());
                           }),
                  12);
  }

  /// A thread merges two neighbouring runs of `run` quads of its bucket; what is left of each pair of quads is
  /// carried to the next, which comes from the run whose head is smaller.
  std::unique_ptr<KernelLaunch> merge(int run) {
    const int threads = ceil_div(longest_, 2 * run);
    const auto items = static_cast<std::uint64_t>(threads) * static_cast<std::uint64_t>(buckets_);
    return launch("hybridsort_merge", blocks_for(items, 256), 256,
                  per_item(items,
                           [=, from = quads_[0], to = quads_[1], starts = starts_](Warp& w, const Vec<int>& i) {
                             const Vec<int> bucket = i / threads;
                             const Vec<int> first = w.load(starts, bucket) + (i - bucket * threads) * (2 * run),
                                            bucket_end = w.load(starts, bucket + 1);
                             w.exit_if(first >= bucket_end);
                             const Vec<int> middle = min(first + run, bucket_end),
                                            end = min(first + 2 * run, bucket_end);
                             Vec<int> a = first + 1, b = middle, out = first;
                             Vec<Float4> next_a, next_b;
                             w.if_(a < middle, [&] { next_a = w.load(from, a); });
                             w.if_(b < end, [&] { next_b = w.load(from, b); });
                             Quad carried(w.load(from, first));
                             w.while_([&] { return (a < middle) | (b < end); },
                                      [&] {
                                        const Mask take_a =
                                            (a < middle) &
                                            ((b >= end) | (member(next_a, &Float4::x) < member(next_b, &Float4::x)));
                                        Quad other;
                                        w.if_else_(
                                            take_a,
                                            [&] {
                                              other = Quad(next_a);
                                              a += 1;
                                              w.if_(a < middle, [&] { next_a = w.load(from, a); });
                                            },
                                            [&] {
                                              other = Quad(next_b);
                                              b += 1;
                                              w.if_(b < end, [&] { next_b = w.load(from, b); });
                                            });
                                        Quad low = carried;
                                        Vec<float>* const mine[] = {&low.x, &low.y, &low.z, &low.w};
                                        Vec<float>* const theirs[] = {&other.w, &other.z, &other.y, &other.x};
                                        for (unsigned k = 0; k < 4; ++k) Quad::order(*mine[k], *theirs[k]);
                                        low.sort();
                                        other.sort();
                                        w.store(to, out, low.record());
                                        out += 1;
                                        carried = other;
                                      });
                             w.store(to, out, carried.record());
                           }),
                  32);
  }

  /// A block per bucket.
  std::unique_ptr<KernelLaunch> pack() {
    return launch(
        "hybridsort_pack", static_cast<std::uint32_t>(buckets_), 128,
        [=, this, from = flat(quads_[0])](Warp& w) {
          const Vec<int> bucket = static_cast<int>(w.block());
          const Vec<int> first = w.load(packed_, bucket), end = w.load(packed_, bucket + 1),
                         source = w.load(starts_, bucket) * 4;
          Vec<int> i = w.thread();
          w.while_([&] { return i < end - first; },
                   [&] {
                     w.store(output_, first + i, w.load(from, source + i));
                     i += 128;
                   });
        },
        12);
  }

  std::string verify() override {
    std::vector<float> want = values_;
    std::sort(want.begin(), want.end());
    return mismatch("element", memory_.read(output_), want);
  }

  int buckets_, log_buckets_ = 0, longest_ = 1;  ///< longest bucket in quads
  std::vector<float> values_;
  float low_ = 0, high_ = 0;
  Buffer<float> input_, pivots_, output_;
  Buffer<int> bins_, place_, before_, sizes_, starts_, packed_;
  std::array<Buffer<Float4>, 2> quads_;  ///< this pass's runs, the next one's
};

}  // namespace

WorkloadEntry hybridsort_entry() {
  return entry_of<HybridSort>(
      {"hybridsort",
       "Rodinia",
       "bucket sort, then merge sort: a scatter, and 16-byte streams of one lane each",
       "numbers: text",
       {size_parameter("elements", 500000, 131072, 4096, 1 << 23, "elements", "how many to sort"),
        integer_parameter("buckets", 1024, 1024, 64, 4, 4096, "buckets", "a power of 2")},
       "a control: whole lines; bucket search, scatter, lane-private streams"},
      {"500,000 numbers", {}});
}

}  // namespace warpsieve::workloads
