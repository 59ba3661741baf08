// lavaMD (Rodinia): forces between the particles of a box and of its neighbours (up to 27 boxes with
// itself), in double precision. One block of 128 threads per box of 100 particles; records of 32 bytes
// are staged in shared memory; much arithmetic per byte.
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kLavamdThreads = 128, kParticles = 100;
constexpr double kTwiceAlphaSquared = 0.5;

struct alignas(16) Double2 {
  double x = 0, y = 0;
};
/// Charge-weighted potential or position: v, x, y, z.
using Record = std::array<double, 4>;

Vec<double> exponential(const Vec<double>& a) {
  return Vec<double>::map(Op::sfu, 1, a, a, [](double x, double) { return std::exp(x); });
}

class LavaMd final : public Program {
 public:
  explicit LavaMd(const Settings& s) : Program("lavamd"), side_(s.count("side")), boxes_(side_ * side_ * side_) {
    inputs::Random random(s.seed());
    const auto one = [&] { return 0.1 * (1 + random.below(10)); };  // the benchmark's: tenths
    for (int i = 0; i < boxes_ * kParticles; ++i) {
      particles_.push_back({one(), one(), one(), one()});
      charges_.push_back(one());
    }
    for (int b = 0; b < boxes_; ++b) {
      neighbours_.push_back(b);
      const int x = b % side_, y = b / side_ % side_, z = b / (side_ * side_);
      for (int k = 0; k < 27; ++k) {
        const int nx = x + k % 3 - 1, ny = y + k / 3 % 3 - 1, nz = z + k / 9 - 1;
        const bool inside = std::min({nx, ny, nz}) >= 0 && std::max({nx, ny, nz}) < side_;
        if (inside && k != 13) neighbours_.push_back((nz * side_ + ny) * side_ + nx);
      }
      first_.push_back(static_cast<int>(neighbours_.size()));
    }
  }

 private:
  void build() override {
    std::vector<Double2> halves;
    for (const Record& p : particles_) halves.insert(halves.end(), {{p[0], p[1]}, {p[2], p[3]}});
    neighbour_ = memory_.allocate("boxes", neighbours_);
    particle_ = memory_.allocate("particles", halves);
    charge_ = memory_.allocate("charges", charges_);
    force_ = memory_.allocate<Double2>("forces", halves.size());
  }

  HostCode host() override {
    co_yield launch(
        "lavamd", static_cast<std::uint32_t>(boxes_), kLavamdThreads,
        [this](Warp& w) -> Task {
          constexpr std::uint32_t kHalves = 2 * kParticles, kBytes = 16 * kHalves;
          const Shared<Double2> own{0, kHalves}, other{kBytes, kHalves};
          const Shared<double> charge{2 * kBytes, kParticles};
          const int box = static_cast<int>(w.block());
          const Vec<int> t = w.thread();
          const Mask mine = t < kParticles;
          const auto fetch = [&](const Shared<Double2>& to, const Vec<int>& from) {
            for (const int half : {0, 1})
              w.store(to, t * 2 + half, w.load(particle_, (from * kParticles + t) * 2 + half));
          };
          w.if_(mine, [&] { fetch(own, Vec<int>(box)); });
          Vec<double> force[4];
          const int begin = box == 0 ? 0 : first_[static_cast<std::size_t>(box) - 1];
          for (const int k : w.range(begin, first_[static_cast<std::size_t>(box)])) {
            w.if_(mine, [&] {
              const Vec<int> from = w.load(neighbour_, k);
              fetch(other, from);
              w.store(charge, t, w.load(charge_, from * kParticles + t));
            });
            co_await w.barrier();
            w.if_(mine, [&] { interact(w, own, other, charge, force); });
            co_await w.barrier();
          }
          w.if_(mine, [&] {
            for (const int half : {0, 1}) {
              std::array<Double2, kLanes> pair;
              for (unsigned l = 0; l < kLanes; ++l) pair[l] = {force[2 * half][l], force[2 * half + 1][l]};
              w.store(force_, (t + box * kParticles) * 2 + half, Vec<Double2>(pair, force[2 * half + 1].producer()));
            }
          });
        },
        40, 2 * 16 * 2 * kParticles + 8 * kParticles);
  }

  /// A lane's own particle with all particles of the other box.
  static void interact(Warp& w, const Shared<Double2>& own, const Shared<Double2>& other,
                       const Shared<double>& charge, Vec<double>* force) {
    Vec<double> a[4];
    const auto apart = [&](const Shared<Double2>& from, const Vec<int>& i, Vec<double>* to) {
      for (const int half : {0, 1}) {
        const Vec<Double2> v = w.load(from, i * 2 + half);
        to[2 * half] = member(v, &Double2::x);
        to[2 * half + 1] = member(v, &Double2::y);
      }
    };
    apart(own, w.thread(), a);
    for (const int j : w.range(0, kParticles)) {
      Vec<double> b[4];
      apart(other, Vec<int>(j), b);
      const Vec<double> q = w.load(charge, j);
      const Vec<double> r2 = a[0] + b[0] - (a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
      const Vec<double> v = exponential(r2 * -kTwiceAlphaSquared), slope = v * 2.0;
      force[0] = mad(q, v, force[0]);
      for (int d = 1; d < 4; ++d) force[d] = mad(q, slope * (a[d] - b[d]), force[d]);
    }
  }

  /// All pairs of boxes that touch, in whatever order.
  std::string verify() override {
    const std::vector<Double2> got = memory_.read(force_);
    std::vector<double> force, want(4 * particles_.size(), 0.0);
    for (const Double2& f : got) force.insert(force.end(), {f.x, f.y});
    const auto near = [this](int a, int b) {
      for (int k = 0; k < 3; ++k, a /= side_, b /= side_)
        if (std::abs(a % side_ - b % side_) > 1) return false;
      return true;
    };
    for (int a = 0; a < boxes_; ++a)
      for (int b = boxes_; b-- > 0;) {
        if (!near(a, b)) continue;
        for (std::size_t i = 0; i < kParticles; ++i)
          for (std::size_t j = 0; j < kParticles; ++j) {
            const std::size_t pi = static_cast<std::size_t>(a) * kParticles + i,
                              pj = static_cast<std::size_t>(b) * kParticles + j;
            const Record &p = particles_[pi], &o = particles_[pj];
            const double u = std::exp(-kTwiceAlphaSquared * (p[0] + o[0] - p[1] * o[1] - p[2] * o[2] - p[3] * o[3]));
            want[4 * pi] += charges_[pj] * u;
            for (std::size_t d = 1; d < 4; ++d) want[4 * pi + d] += charges_[pj] * 2 * u * (p[d] - o[d]);
          }
      }
    return mismatch("component", force, want, 1e-9, 1e-9 * largest(want));
  }

  int side_, boxes_;
  std::vector<Record> particles_;
  std::vector<double> charges_;
  std::vector<int> neighbours_, first_;  ///< of box b: neighbours_[first_[b - 1]] to first_[b] - 1
  Buffer<int> neighbour_;
  Buffer<Double2> particle_, force_;
  Buffer<double> charge_;
};

}  // namespace

WorkloadEntry lavamd_entry() {
  return entry_of<LavaMd>(
      {"lavamd",
       "Rodinia",
       "forces between particles of neighbouring boxes: 32-byte records, heavy arithmetic",
       "",
       {integer_parameter("side", 6, 4, 2, 1, 16, "boxes", "boxes along each edge (10 in the original)")},
       "about 6 loads per warp and neighbour box; arithmetic-bound"},
      {"10 boxes a side", {{"side", "10"}}});
}

}  // namespace warpsieve::workloads
