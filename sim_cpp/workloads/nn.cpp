// nn (Rodinia): distance of 8-byte {latitude, longitude} records to one place; the host picks the
// nearest. One load and one store per record: full lines, no reuse.
#include <numeric>

#include "inputs/rodinia_files.h"
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

struct Place {
  float latitude = 0, longitude = 0;
};
constexpr Place kTarget{30.0f, 90.0f};

class NearestNeighbours final : public Program {
 public:
  explicit NearestNeighbours(const Settings& s)
      : Program("nn"), wanted_(static_cast<std::size_t>(s.count("nearest"))) {
    if (!s.input().empty()) {
      for (const inputs::Position& p : inputs::read_positions(s.input()))
        records_.push_back({p.latitude, p.longitude});
    } else {
      inputs::Random random(s.seed());
      for (int i = 0; i < s.count("records"); ++i)  // hurricane tracks: one decimal
        records_.push_back(
            {static_cast<float>(7 + 0.1 * random.below(560)), static_cast<float>(0.1 * random.below(3580))});
    }
    wanted_ = std::min(wanted_, records_.size());
  }

 private:
  void build() override {
    place_ = memory_.allocate("places", records_);
    distance_ = memory_.allocate<float>("distance", records_.size());
  }

  HostCode host() override {
    co_yield launch("nn", blocks_for(place_.count, 256), 256,
                    per_item(place_.count,
                             [place = place_, distance = distance_](Warp& w, const Vec<int>& i) {
                               const Vec<Place> at = w.load(place, i);
                               const Vec<float> dy = member(at, &Place::latitude) - kTarget.latitude,
                                                dx = member(at, &Place::longitude) - kTarget.longitude;
                               w.store(distance, i, sqrt(dy * dy + dx * dx));
                             }),
                    12);
    const std::vector<float> d = memory_.read(distance_);
    nearest_ = ranked([&](std::size_t i) { return d[i]; });
  }

  /// The `wanted_` records of smallest key, ties by number.
  template <class F>
  std::vector<std::size_t> ranked(F key) const {
    std::vector<std::size_t> order(records_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    order.resize(wanted_);
    return order;
  }

  std::string verify() override {
    std::vector<double> want;
    for (const Place& p : records_)
      want.push_back(std::hypot(p.latitude - kTarget.latitude, p.longitude - kTarget.longitude));
    const std::string wrong = mismatch("distance", memory_.read(distance_), want, 1e-5);
    if (!wrong.empty()) return wrong;
    std::vector<double> got, best;
    for (const std::size_t i : nearest_) got.push_back(want[i]);
    for (const std::size_t i : ranked([&](std::size_t k) { return want[k]; })) best.push_back(want[i]);
    return mismatch("rank", got, best, 1e-5);
  }

  std::size_t wanted_;
  std::vector<Place> records_;
  std::vector<std::size_t> nearest_;
  Buffer<Place> place_;
  Buffer<float> distance_;
};

}  // namespace

WorkloadEntry nn_entry() {
  return entry_of<NearestNeighbours>(
      {"nn",
       "Rodinia",
       "distances of 8-byte records to one place: full lines, read once",
       "records: Rodinia's .db (fixed columns), or a list of such files",
       {size_parameter("records", 1 << 20, 1 << 18, 4096, 1 << 24, "records",
                       "generated records (42,764 in the original)"),
        size_parameter("nearest", 5, 5, 5, 1000, "records", "how many the host picks")},
       "2 WMI per warp; a control: whole lines"},
      {"42,764 records (0.3 MB); 1,048,576 here", {}});
}

}  // namespace warpsieve::workloads
