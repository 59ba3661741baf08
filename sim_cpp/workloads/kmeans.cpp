// kmeans (Rodinia): T = 256, one point per thread. The points are transposed once (reads with a lane
// pitch of features * 4 bytes), then each pass assigns every point to its nearest centre; centres lie
// in constant memory and are recomputed by the host between passes.
#include <fmt/format.h>

#include <limits>

#include "inputs/mesh.h"
#include "inputs/natural.h"
#include "simt/program.h"
#include "workloads/registry.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

/// Records as those of kdd_cup; features beyond its 34 repeat them.
inputs::Points make_points(int count, int features, std::uint64_t seed) {
  const inputs::Points table = inputs::connection_table(count, seed);
  if (features == table.features) return table;
  inputs::Points p{count, features, {}};
  p.values.reserve(static_cast<std::size_t>(count) * static_cast<std::size_t>(features));
  for (int i = 0; i < count; ++i)
    for (int f = 0; f < features; ++f)
      p.values.push_back(table.values[static_cast<std::size_t>(i * table.features + f % table.features)]);
  return p;
}

class KMeans final : public Program {
 public:
  explicit KMeans(const Settings& s)
      : Program("kmeans"), points_(s.input().empty() ? make_points(s.count("points"), s.count("features"), s.seed())
                                                     : inputs::read_points(s.input())),
        k_(s.count("centres")), passes_(s.count("passes")), transposed_(s.text("layout") == "transposed") {
    if (points_.count < k_)
      throw WorkloadError(
          fmt::format("kmeans.centres = '{}': at most the number of points, {}, is expected", k_, points_.count));
    if (static_cast<std::int64_t>(points_.count) * points_.features > std::numeric_limits<int>::max())
      throw WorkloadError(
          fmt::format("kmeans: {} points of {} features exceed 2^31 values", points_.count, points_.features));
  }

 private:
  void build() override {
    input_ = memory_.allocate("points", points_.values);
    planes_ = memory_.allocate<float>("planes", points_.values.size());
    membership_ = memory_.allocate("membership", std::vector<int>(static_cast<std::size_t>(points_.count), -1));
    centres_ = first_points();
  }

  std::vector<float> first_points() const {
    return {points_.values.begin(), points_.values.begin() + static_cast<std::ptrdiff_t>(k_) * points_.features};
  }

  HostCode host() override {
    if (transposed_) co_yield transpose();
    for (int p = 0; p < passes_; ++p) {
      co_yield assign();
      if (p + 1 < passes_) centres_ = mean_centres(memory_.read(membership_), centres_);
    }
  }

  /// New centres as the host code computes them: sums in point order; an empty cluster stays.
  std::vector<float> mean_centres(const std::vector<int>& member, const std::vector<float>& old) const {
    const auto nf = static_cast<std::size_t>(points_.features);
    std::vector<float> sum(old.size(), 0.0f);
    std::vector<int> size(static_cast<std::size_t>(k_), 0);
    for (std::size_t i = 0; i < member.size(); ++i) {
      const auto c = static_cast<std::size_t>(member[i]);
      ++size[c];
      for (std::size_t f = 0; f < nf; ++f) sum[c * nf + f] += points_.values[i * nf + f];
    }
    for (std::size_t c = 0; c < size.size(); ++c)
      for (std::size_t f = 0; f < nf; ++f)
        sum[c * nf + f] = size[c] ? sum[c * nf + f] / static_cast<float>(size[c]) : old[c * nf + f];
    return sum;
  }

  std::unique_ptr<KernelLaunch> transpose() {
    const int n = points_.count, nf = points_.features;
    return launch(
        "kmeans_transpose", blocks_for(membership_.count, 256), 256,
        [=, in = input_, out = planes_](Warp& w) {
          const Vec<int> p = w.global_thread();
          w.exit_if(p >= n);
          Vec<int> from = p * nf, to = p;
          for ([[maybe_unused]] const int f : w.range(0, nf)) {
            w.store(out, to, w.load(in, from));
            from += 1;
            to += n;
          }
        },
        12);
  }

  std::unique_ptr<KernelLaunch> assign() {
    const int n = points_.count, nf = points_.features, k = k_;
    const bool planes = transposed_;
    const Constant<float> centres{centres_, "centres"};
    return launch(
        "kmeans_assign", blocks_for(membership_.count, 256), 256,
        [=, data = planes ? planes_ : input_, membership = membership_](Warp& w) {
          const Vec<int> p = w.global_thread();
          w.exit_if(p >= n);
          const Vec<int> first = planes ? p : p * nf;
          Vec<float> nearest = std::numeric_limits<float>::max();
          Vec<int> best = -1;
          for (const int c : w.range(0, k)) {
            Vec<float> distance = 0.0f;
            Vec<int> at = first;
            for (const int f : w.range(0, nf)) {
              const Vec<float> d = w.load(data, at) - w.load(centres, static_cast<std::size_t>(c * nf + f));
              distance = mad(d, d, distance);
              at += planes ? n : 1;
            }
            const Mask nearer = distance < nearest;
            nearest = select(nearer, distance, nearest);
            best = select(nearer, Vec<int>(c), best);
          }
          w.store(membership, p, best);
        },
        20);
  }

  std::string verify() override {
    const auto nf = static_cast<std::size_t>(points_.features);
    std::vector<float> centres = first_points();
    std::vector<int> member(static_cast<std::size_t>(points_.count));
    for (int pass = 0; pass < passes_; ++pass) {
      if (pass > 0) centres = mean_centres(member, centres);
      for (std::size_t i = 0; i < member.size(); ++i) {
        float nearest = std::numeric_limits<float>::max();
        for (int c = 0; c < k_; ++c) {
          float distance = 0;
          for (std::size_t f = 0; f < nf; ++f) {
            const float d = points_.values[i * nf + f] - centres[static_cast<std::size_t>(c) * nf + f];
            distance += d * d;
          }
          if (distance < nearest) {
            nearest = distance;
            member[i] = c;
          }
        }
      }
    }
    const std::vector<int> got = memory_.read(membership_);
    for (std::size_t i = 0; i < member.size(); ++i)
      if (got[i] != member[i]) return fmt::format("point {} is in cluster {}, expected {}", i, got[i], member[i]);
    return "";
  }

  inputs::Points points_;
  int k_, passes_;
  bool transposed_;
  std::vector<float> centres_;
  Buffer<float> input_, planes_;
  Buffer<int> membership_;
};

}  // namespace

WorkloadEntry kmeans_entry() {
  return {
      {"kmeans",
       "Rodinia",
       "k-means: transposition with a wide lane pitch, then coalesced distance sums",
       "points: text, one per line, an id and the features",
       {integer_parameter("points", 65536, 16384, 1024, 1, 1 << 24, "points",
                          "points generated when there is no input file"),
        integer_parameter("features", 34, 34, 34, 1, 1024, "floats", "features per point"),
        integer_parameter("centres", 5, 5, 5, 1, 256, "clusters", "clusters; the first points are the first centres"),
        integer_parameter("passes", 1, 1, 2, 1, 1000, "passes", "assignment passes"),
        choice_parameter("layout", "transposed", {"transposed", "point-major"},
                         "point-major: no transposition, every lane walks its own row")},
       "0.49 M WMI; a kernel of 32 one-sector requests per load beside a coalesced one",
       true,
       {"kdd_cup: 494,020 points of 34 features, 5 centres", {{"points", "494020"}}}},
      [](const Settings& s) -> std::unique_ptr<simt::Workload> { return std::make_unique<KMeans>(s); }};
}

}  // namespace warpsieve::workloads
