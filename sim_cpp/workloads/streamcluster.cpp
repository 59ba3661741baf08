// streamcluster (Rodinia): is it worth opening a new centre? One point per thread, T = 512: distances by
// coordinate-major data (coalesced) and one broadcast coordinate per step, a 32-byte record per lane,
// and one line of savings per centre and lane. The host decides and moves the points.
// Coordinates are multiples of 1/256, so that every distance and sum is exact.
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kStreamThreads = 512,
              kStreamRecord = 8;  ///< words of a point's record: weight, -, assigned to, cost, ...

class StreamCluster final : public Program {
 public:
  explicit StreamCluster(const Settings& s)
      : Program("streamcluster"), n_(s.count("points")), dims_(s.count("dimensions")), calls_(s.count("candidates")),
        first_centres_(s.count("centres")),
        coordinates_(static_cast<std::size_t>(n_) * static_cast<std::size_t>(dims_)) {
    if (first_centres_ > n_)
      throw WorkloadError(fmt::format("streamcluster.centres = '{}': at most the number of points, {}, is expected",
                                      first_centres_, n_));
    inputs::Random random(s.seed());
    for (int& c : coordinates_) c = static_cast<int>(random.below(256));
    for (int i = 0; i < calls_; ++i)
      candidates_.push_back(static_cast<int>(random.below(static_cast<std::uint32_t>(n_))));
  }

 private:
  /// The clustering on the host: where each point is assigned and what that costs, in units of 2^-16.
  struct State {
    std::vector<int> assigned;
    std::vector<std::int64_t> cost;
    std::vector<int> centres;
    int rank(int centre) const {
      return static_cast<int>(std::find(centres.begin(), centres.end(), centre) - centres.begin());
    }
  };

  std::int64_t distance(int a, int b) const {
    std::int64_t sum = 0;
    for (int d = 0; d < dims_; ++d) {
      const auto plane = static_cast<std::size_t>(d) * static_cast<std::size_t>(n_);
      const std::int64_t gap =
          coordinates_[plane + static_cast<std::size_t>(a)] - coordinates_[plane + static_cast<std::size_t>(b)];
      sum += gap * gap;
    }
    return sum;
  }

  State start() const {
    State s;
    for (int c = 0; c < first_centres_; ++c) s.centres.push_back(c);
    for (int i = 0; i < n_; ++i) {
      int best = 0;
      for (const int c : s.centres)
        if (distance(i, c) < distance(i, best)) best = c;
      s.assigned.push_back(best);
      s.cost.push_back(distance(i, best));
    }
    return s;
  }

  /// What the kernel computes for candidate x: per point, savings of its centre, or its gain at place K.
  std::vector<std::int64_t> savings(const State& s, int x) const {
    const std::size_t pitch = s.centres.size() + 1;
    std::vector<std::int64_t> out(static_cast<std::size_t>(n_) * pitch, 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) {
      const std::int64_t gain = distance(static_cast<int>(i), x) - s.cost[i];
      if (gain < 0)
        out[i * pitch + pitch - 1] = gain;
      else
        out[i * pitch + static_cast<std::size_t>(s.rank(s.assigned[i]))] = gain;
    }
    return out;
  }

  /// Opens x, and closes centres that are not worth their price any more, if all in all that pays.
  void decide(State& s, int x, const std::vector<std::int64_t>& saved) const {
    const std::size_t pitch = s.centres.size() + 1;
    std::vector<std::int64_t> sum(pitch, 0);
    for (std::size_t i = 0; i < saved.size(); ++i) sum[i % pitch] += saved[i];
    const std::int64_t price = std::int64_t{dims_} << 16;
    std::int64_t total = price + sum.back();
    std::vector<int> kept;
    for (std::size_t c = 0; c + 1 < pitch; ++c) {
      const bool close = price - sum[c] > 0 && s.centres[c] != x;
      if (close)
        total -= price - sum[c];
      else
        kept.push_back(s.centres[c]);
    }
    if (total >= 0 || s.rank(x) < static_cast<int>(s.centres.size())) return;
    kept.push_back(x);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) {
      const bool closed = std::find(kept.begin(), kept.end(), s.assigned[i]) == kept.end();
      const std::int64_t d = distance(static_cast<int>(i), x);
      if (!closed && d >= s.cost[i]) continue;
      s.assigned[i] = x;
      s.cost[i] = d;
    }
    s.centres = kept;
  }

  void build() override {
    const auto n = static_cast<std::uint64_t>(n_);
    std::vector<float> planes;
    for (const int c : coordinates_) planes.push_back(static_cast<float>(c) / 256.0f);
    coordinate_ = memory_.allocate("coordinates", planes);
    record_ = memory_.allocate<float>("points", kStreamRecord * n);
    place_ = memory_.allocate<int>("center_table", n);
    switched_ = memory_.allocate<std::uint8_t>("switch_membership", n);
    work_ = memory_.allocate<float>("work", n * static_cast<std::uint64_t>(first_centres_ + calls_ + 1));
    state_ = start();
  }

  HostCode host() override {
    for (const int x : candidates_) {
      std::vector<float> records(kStreamRecord * static_cast<std::size_t>(n_), 0.0f);
      std::vector<int> places(static_cast<std::size_t>(n_));
      for (std::size_t i = 0; i < places.size(); ++i) {
        records[kStreamRecord * i] = 1.0f;
        records[kStreamRecord * i + 2] = static_cast<float>(state_.assigned[i]);
        records[kStreamRecord * i + 3] = static_cast<float>(state_.cost[i]) / 65536.0f;
      }
      for (std::size_t c = 0; c < state_.centres.size(); ++c)
        places[static_cast<std::size_t>(state_.centres[c])] = static_cast<int>(c);
      memory_.write(record_, 0, std::span<const float>(records));
      memory_.write(place_, 0, std::span<const int>(places));
      const Buffer<float> used{work_.base, static_cast<std::uint64_t>(n_) * (state_.centres.size() + 1), work_.name};
      co_yield make_fill(memory_, used, 0.0f);
      co_yield make_fill(memory_, switched_, std::uint8_t{0});
      co_yield compute_cost(x, static_cast<int>(state_.centres.size()));
      std::vector<std::int64_t> saved;
      for (const float v : memory_.read(used)) saved.push_back(static_cast<std::int64_t>(v * 65536.0f));
      decide(state_, x, saved);
    }
  }

  std::unique_ptr<KernelLaunch> compute_cost(int x, int centres) {
    return launch("streamcluster", blocks_for(switched_.count, kStreamThreads), kStreamThreads,
                  per_item(switched_.count,
                           [x, centres, n = n_, dims = dims_, coordinate = coordinate_, record = record_,
                            place = place_, switched = switched_, work = work_](Warp& w, const Vec<int>& i) {
                             Vec<float> sum = 0.0f;
                             Vec<int> at = i;
                             for (const int d : w.range(0, dims)) {
                               const Vec<float> gap = w.load(coordinate, at) - w.load(coordinate, x + d * n);
                               sum = mad(gap, gap, sum);
                               at += n;
                             }
                             const Vec<int> own = i * kStreamRecord, line = i * (centres + 1);
                             const Vec<float> gain = sum * w.load(record, own) - w.load(record, own + 3);
                             w.if_else_(
                                 gain < 0.0f,
                                 [&] {
                                   w.store(switched, i, Vec<std::uint8_t>(std::uint8_t{1}));
                                   const Vec<int> to = line + centres;
                                   w.store(work, to, w.load(work, to) + gain);
                                 },
                                 [&] {
                                   const Vec<int> to = line + w.load(place, simt::to<int>(w.load(record, own + 2)));
                                   w.store(work, to, w.load(work, to) + gain);
                                 });
                           }),
                  20);
  }

  /// The whole search in whole numbers.
  std::string verify() override {
    State s = start();
    std::vector<double> want;
    for (const int x : candidates_) {
      const std::vector<std::int64_t> saved = savings(s, x);
      want.assign(saved.begin(), saved.end());
      decide(s, x, saved);
    }
    for (double& v : want) v /= 65536;
    if (std::string wrong = mismatch("assignment of point", state_.assigned, s.assigned); !wrong.empty())
      return wrong;
    const std::vector<float> work = memory_.read(work_);
    return mismatch("saving",
                    std::vector<float>(work.begin(), work.begin() + static_cast<std::ptrdiff_t>(want.size())), want);
  }

  int n_, dims_, calls_, first_centres_;
  std::vector<int> coordinates_, candidates_;
  State state_;
  Buffer<float> coordinate_, record_, work_;
  Buffer<int> place_;
  Buffer<std::uint8_t> switched_;
};

}  // namespace

WorkloadEntry streamcluster_entry() {
  return entry_of<StreamCluster>(
      {"streamcluster",
       "Rodinia",
       "gain of opening a centre: coalesced coordinates, records and savings a line per lane",
       "",
       {size_parameter("points", 65536, 16384, 2048, 1 << 20, "points", "points to be clustered"),
        size_parameter("dimensions", 32, 32, 16, 256, "dimensions", "coordinates of a point (256 in the original)"),
        size_parameter("candidates", 3, 3, 3, 1000, "launches", "candidates that are tried"),
        size_parameter("centres", 10, 10, 4, 100, "centres", "centres at the start")},
       "2 x dimensions loads per warp and candidate; work memory at a lane pitch of 4 x (centres + 1)"},
      {"65,536 points of 256 dimensions", {{"dimensions", "256"}}});
}

}  // namespace warpsieve::workloads
