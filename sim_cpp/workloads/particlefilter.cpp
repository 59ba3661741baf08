// particlefilter (Rodinia, naive): resampling by linear search. In every step all lanes read the same
// 8-byte element of the cumulative weights and, again, their own threshold; T = 128. The host moves the
// particles, weighs them by the distance to the object and sums the weights up.
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

using ParticleValues = std::vector<double>;

class ParticleFilter final : public Program {
 public:
  explicit ParticleFilter(const Settings& s)
      : Program("particlefilter"), n_(static_cast<std::size_t>(s.count("particles"))), frames_(s.count("frames")),
        seed_(s.seed()) {}

 private:
  void build() override {
    for (auto* b : {&x_, &y_, &cdf_, &u_, &new_x_, &new_y_}) *b = memory_.allocate<double>("particles", n_);
  }

  HostCode host() override {
    inputs::Random random(seed_);
    ParticleValues x(n_, 64.0), y(n_, 64.0);
    for (int k = 1; k <= frames_; ++k) {
      const Frame f = next_frame(random, k, x, y);
      for (const auto& [array, values] : {std::pair{x_, &f.x}, {y_, &f.y}, {cdf_, &f.cdf}, {u_, &f.u}})
        memory_.write(array, 0, std::span<const double>(*values));
      co_yield find();
      x = memory_.read(new_x_);
      y = memory_.read(new_y_);
    }
  }

  struct Frame {
    ParticleValues x, y, cdf, u;
  };
  /// The object moves by (1, -2) per frame; particles follow with some noise.
  Frame next_frame(inputs::Random& random, int k, const ParticleValues& x, const ParticleValues& y) const {
    Frame f{x, y, ParticleValues(n_), ParticleValues(n_)};
    double total = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      f.x[i] += 1 + 5 * (random.real() + random.real() - 1);
      f.y[i] += -2 + 2 * (random.real() + random.real() - 1);
      const double dx = f.x[i] - (64 + k), dy = f.y[i] - (64 - 2 * k);
      f.cdf[i] = total += std::exp(-(dx * dx + dy * dy) / 8);
    }
    const double first = random.real() / static_cast<double>(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      f.cdf[i] /= total;
      f.u[i] = first + static_cast<double>(i) / static_cast<double>(n_);
    }
    return f;
  }

  std::unique_ptr<KernelLaunch> find() {
    return launch("particlefilter", blocks_for(n_, 128), 128,
                  per_item(n_,
                           [n = static_cast<int>(n_), x = x_, y = y_, cdf = cdf_, u = u_, new_x = new_x_,
                            new_y = new_y_](Warp& w, const Vec<int>& i) {
                             Vec<int> index = n - 1, k = 0;
                             w.while_([&] { return k < n; },
                                      [&] {
                                        w.if_(w.load(cdf, k) >= w.load(u, i), [&] {
                                          index = k;
                                          w.break_if(Mask(kAllLanes));
                                        });
                                        k += 1;
                                      });
                             w.store(new_x, i, w.load(x, index));
                             w.store(new_y, i, w.load(y, index));
                           }),
                  20);
  }

  /// The same filter on the host, with a binary search.
  std::string verify() override {
    inputs::Random random(seed_);
    ParticleValues x(n_, 64.0), y(n_, 64.0);
    for (int k = 1; k <= frames_; ++k) {
      const Frame f = next_frame(random, k, x, y);
      for (std::size_t i = 0; i < n_; ++i) {
        const auto at = std::lower_bound(f.cdf.begin(), f.cdf.end(), f.u[i]) - f.cdf.begin();
        const std::size_t index = std::min(static_cast<std::size_t>(at), n_ - 1);
        x[i] = f.x[index];
        y[i] = f.y[index];
      }
    }
    const std::string wrong = mismatch("x of particle", memory_.read(new_x_), x);
    return wrong.empty() ? mismatch("y of particle", memory_.read(new_y_), y) : wrong;
  }

  std::size_t n_;
  int frames_;
  std::uint64_t seed_;
  Buffer<double> x_, y_, cdf_, u_, new_x_, new_y_;
};

}  // namespace

WorkloadEntry particlefilter_entry() {
  return entry_of<ParticleFilter>({"particlefilter",
                                   "Rodinia",
                                   "resampling of particles by linear search: broadcast and repeated 8-byte loads",
                                   "",
                                   {size_parameter("particles", 1000, 500, 200, 100000, "particles", "particles"),
                                    size_parameter("frames", 10, 10, 2, 1000, "frames", "frames, one launch each")},
                                   "at most 0.64 M WMI (less where all lanes of a warp stop early)"},
                                  {"1,000 particles, 10 frames", {}});
}

}  // namespace warpsieve::workloads
