// mars_km (Mars k-means): points and centres of three ints. The map step reads all centres (the same
// words for all lanes) and emits {point, cluster}; the reduce step adds the points of a cluster. Mars
// groups by sorting; here each point adds itself to its cluster by integer atomics, as its later
// versions do, and the host divides.
#include <limits>

#include "workloads/common.h"
#include "workloads/mars.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;
using Word = std::uint32_t;

constexpr int kDims = 3, kRange = 1000;

class MarsKMeans final : public Mars {
 public:
  explicit MarsKMeans(const Settings& s)
      : Mars("mars_km"), points_(s.count("points")), k_(s.count("centres")), passes_(s.count("passes")) {
    if (points_ < k_)
      throw WorkloadError(
          fmt::format("mars_km.centres = '{}': at most the number of points, {}, is expected", k_, points_));
    inputs::Random random(s.seed());
    for (int i = 0; i < kDims * points_; ++i) values_.push_back(static_cast<int>(random.below(kRange)));
  }

 private:
  std::vector<int> first_centres() const { return {values_.begin(), values_.begin() + kDims * k_}; }

  void build() override {
    point_ = memory_.allocate("points", values_);
    centre_ = memory_.allocate("centres", first_centres());
    member_ = memory_.allocate<int>("member", static_cast<std::uint64_t>(points_));
    emitted_ = memory_.allocate<Int2>("emitted", static_cast<std::uint64_t>(points_));
    sums_ = memory_.allocate<Word>("sums", static_cast<std::uint64_t>((kDims + 1) * k_));
  }

  HostCode host() override {
    for (int pass = 0; pass < passes_; ++pass) {
      if (pass > 0) {
        const std::vector<Word> sums = memory_.read(sums_);
        const std::vector<int> moved = means({sums.begin(), sums.end()}, memory_.read(centre_));
        memory_.write(centre_, 0, std::span<const int>(moved));
      }
      co_yield make_fill(memory_, sums_, Word{0});
      co_yield map();
      co_yield reduce();
    }
  }

  /// Sums of each cluster, then its size; an empty cluster stays.
  std::vector<int> means(const std::vector<std::int64_t>& sums, std::vector<int> centres) const {
    for (std::size_t c = 0; c < static_cast<std::size_t>(k_); ++c)
      for (std::size_t d = 0; d < kDims; ++d)
        if (const std::int64_t size = sums[c * (kDims + 1) + kDims]; size > 0)
          centres[c * kDims + d] = static_cast<int>(sums[c * (kDims + 1) + d] / size);
    return centres;
  }

  std::unique_ptr<KernelLaunch> map() {
    return launch("mars_km_map", blocks_for(member_.count, 256), 256,
                  per_item(member_.count,
                           [k = k_, point = point_, centre = centre_, member = member_, emitted = emitted_](
                               Warp& w, const Vec<int>& i) {
                             Vec<int> p[kDims], nearest = std::numeric_limits<int>::max(), best = 0;
                             for (int d = 0; d < kDims; ++d) p[d] = w.load(point, i * kDims + d);
                             for (const int c : w.range(0, k)) {
                               Vec<int> distance = 0;
                               for (int d = 0; d < kDims; ++d) {
                                 const Vec<int> gap = p[d] - w.load(centre, c * kDims + d);
                                 distance = mad(gap, gap, distance);
                               }
                               const Mask nearer = distance < nearest;
                               nearest = select(nearer, distance, nearest);
                               best = select(nearer, Vec<int>(c), best);
                             }
                             w.store(member, i, best);
                             std::array<Int2, kLanes> pair;
                             for (unsigned l = 0; l < kLanes; ++l) pair[l] = {i[l], best[l]};
                             w.store(emitted, i, Vec<Int2>(pair, best.producer()));
                           }),
                  24);
  }

  std::unique_ptr<KernelLaunch> reduce() {
    return launch("mars_km_reduce", blocks_for(member_.count, 256), 256,
                  per_item(member_.count,
                           [point = point_, emitted = emitted_, sums = sums_](Warp& w, const Vec<int>& i) {
                             const Vec<Int2> its = w.load(emitted, i);
                             const Vec<int> from = simt::member(its, &Int2::x) * kDims,
                                            to = simt::member(its, &Int2::y) * (kDims + 1);
                             for (int d = 0; d < kDims; ++d)
                               w.atomic_add(sums, to + d, simt::to<Word>(w.load(point, from + d)));
                             w.atomic_add(sums, to + kDims, Vec<Word>(Word{1}));
                           }),
                  16);
  }

  std::string verify() override {
    std::vector<int> centres = first_centres(), member(static_cast<std::size_t>(points_));
    std::vector<std::int64_t> sums;
    for (int pass = 0; pass < passes_; ++pass) {
      if (pass > 0) centres = means(sums, centres);
      sums.assign(static_cast<std::size_t>((kDims + 1) * k_), 0);
      for (std::size_t i = 0; i < member.size(); ++i) {
        std::int64_t nearest = std::numeric_limits<std::int64_t>::max();
        for (int c = 0; c < k_; ++c) {
          std::int64_t distance = 0;
          for (std::size_t d = 0; d < kDims; ++d) {
            const std::int64_t gap = values_[i * kDims + d] - centres[static_cast<std::size_t>(c) * kDims + d];
            distance += gap * gap;
          }
          if (distance < nearest) nearest = distance, member[i] = c;
        }
        const auto own = static_cast<std::size_t>(member[i]) * (kDims + 1);
        for (std::size_t d = 0; d < kDims; ++d) sums[own + d] += values_[i * kDims + d];
        ++sums[own + kDims];
      }
    }
    const std::string wrong = mismatch("cluster of point", memory_.read(member_), member);
    return wrong.empty() ? mismatch("sum", memory_.read(sums_), sums) : wrong;
  }

  int points_, k_, passes_;
  std::vector<int> values_;
  Buffer<int> point_, centre_, member_;
  Buffer<Int2> emitted_;
  Buffer<Word> sums_;
};

}  // namespace

WorkloadEntry mars_km_entry() {
  return entry_of<MarsKMeans>({"mars_km",
                               "Mars",
                               "k-means on points of three ints: broadcast centres, small integers",
                               "",
                               {size_parameter("points", 30000, 7500, 1000, 1 << 22, "points", "generated points"),
                                size_parameter("centres", 24, 24, 8, 1000, "centres", "clusters"),
                                size_parameter("passes", 1, 1, 2, 1000, "passes", "assignments of all points")},
                               "0.19 M WMI with Mars's sort (here 0.08 M: grouped by atomics)"},
                              {"30,000 points, 24 centres", {}});
}

}  // namespace warpsieve::workloads
