// fdtd3d (CUDA SDK): a three-dimensional stencil of radius 4. Blocks of 32 x 16 threads march along z
// with a sliding window of 9 planes in registers per thread; the plane in the middle lies in shared
// memory with its halo. The window is plain floating-point data: nothing to compress.
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kRadius = 4, kWide = 32, kHigh = 16, kTileWide = kWide + 2 * kRadius, kTileHigh = kHigh + 2 * kRadius;
constexpr int kPadding = 32 - kRadius;  ///< words before the volume, so that its first inner row is aligned
constexpr float kCoefficient[kRadius + 1] = {0.1f, 0.09f, 0.08f, 0.07f, 0.06f};

class Fdtd3d final : public Program {
 public:
  explicit Fdtd3d(const Settings& s)
      : Program("fdtd3d"), x_(s.count("width")), y_(s.count("height")), z_(s.count("depth")),
        steps_(s.count("steps")), seed_(s.seed()) {
    for (const auto& [name, value, unit] : {std::tuple{"width", x_, kWide}, std::tuple{"height", y_, kHigh}})
      if (value % unit != 0)
        throw WorkloadError(fmt::format("fdtd3d.{} = '{}': a multiple of {} is expected", name, value, unit));
    row_ = x_ + 2 * kRadius;
    plane_ = row_ * (y_ + 2 * kRadius);
  }

 private:
  void build() override {
    const std::vector<float> first = start();
    for (auto& v : volume_) v = memory_.allocate("volume", first);
  }

  HostCode host() override {
    for (std::size_t t = 0; t < static_cast<std::size_t>(steps_); ++t)
      co_yield step(volume_[t % 2], volume_[(t + 1) % 2]);
  }

  std::unique_ptr<KernelLaunch> step(const Buffer<float>& in, const Buffer<float>& out) {
    const int grid = x_ / kWide;
    return launch(
        "fdtd3d", static_cast<std::uint32_t>(grid * (y_ / kHigh)), kWide * kHigh,
        [=, row = row_, plane = plane_, depth = z_](Warp& w) -> Task {
          const Shared<float> tile{0, kTileWide * kTileHigh};
          const GridPlace block(w, grid);
          const Vec<int> x = w.thread_x(kWide), y = w.thread_y(kWide);
          Vec<int> ahead = (y + (block.y * kHigh + kRadius)) * row + x + (block.x * kWide + kRadius + kPadding);
          // Planes behind the current one (nearest first), the current one, planes in front of it.
          Vec<float> behind[kRadius], current, front[kRadius];
          for (int i = kRadius - 2; i >= 0; --i, ahead += plane) behind[i] = w.load(in, ahead);
          current = w.load(in, ahead);
          Vec<int> here = ahead;
          ahead += plane;
          for (int i = 0; i < kRadius; ++i, ahead += plane) front[i] = w.load(in, ahead);
          const Vec<int> cell = (y + kRadius) * kTileWide + x + kRadius;
          for ([[maybe_unused]] const int z : w.range(0, depth)) {
            for (int i = kRadius - 1; i > 0; --i) behind[i] = behind[i - 1];
            behind[0] = current;
            current = front[0];
            for (int i = 0; i + 1 < kRadius; ++i) front[i] = front[i + 1];
            front[kRadius - 1] = w.load(in, ahead);
            ahead += plane;
            here += plane;
            co_await w.barrier();
            w.if_(y < kRadius, [&] {
              w.store(tile, cell - kRadius * kTileWide, w.load(in, here - kRadius * row));
              w.store(tile, cell + kHigh * kTileWide, w.load(in, here + kHigh * row));
            });
            w.if_(x < kRadius, [&] {
              w.store(tile, cell - kRadius, w.load(in, here - kRadius));
              w.store(tile, cell + kWide, w.load(in, here + kWide));
            });
            w.store(tile, cell, current);
            co_await w.barrier();
            Vec<float> sum = current * kCoefficient[0];
            for (int i = 1; i <= kRadius; ++i) {
              const Vec<float> ring = front[i - 1] + behind[i - 1] + w.load(tile, cell - i * kTileWide) +
                                      w.load(tile, cell + i * kTileWide) + w.load(tile, cell - i) +
                                      w.load(tile, cell + i);
              sum = mad(ring, Vec<float>(kCoefficient[i]), sum);
            }
            w.store(out, here, sum);
          }
        },
        22, 4 * kTileWide * kTileHigh);
  }

  /// Planes of the field in double precision, from the first to the last. Of each step only those are kept that a
  /// plane of the next one reads, because two whole fields in double precision are twice the device memory.
  class Reference {
   public:
    explicit Reference(const Fdtd3d& of)
        : of_(of), start_(of.start()), steps_(static_cast<std::size_t>(of.steps_) + 1) {}

    float padding(std::size_t word) const { return start_[word]; }
    /// Each plane once, in order.
    const std::vector<double>& plane(int z) { return plane_of(steps_.size() - 1, z); }

   private:
    static constexpr int kKept = 2 * kRadius + 1;
    struct Step {
      std::array<std::vector<double>, kKept> kept;
      int next = 0;
    };

    std::vector<double>& plane_of(std::size_t step, int z) {
      Step& s = steps_[step];
      for (; s.next <= z; ++s.next) make(step, s.next);
      return s.kept[static_cast<std::size_t>(z % kKept)];
    }

    void make(std::size_t step, int z) {
      std::vector<double>& out = steps_[step].kept[static_cast<std::size_t>(z % kKept)];
      if (step == 0 || z < kRadius || z >= of_.z_ + kRadius) {
        const auto first = start_.begin() + kPadding + static_cast<std::ptrdiff_t>(z) * of_.plane_;
        out.assign(first, first + of_.plane_);
        return;
      }
      plane_of(step - 1, z + kRadius);        // makes those below as well
      std::array<const double*, kKept> in{};  // planes z - kRadius to z + kRadius of the step before
      for (int d = -kRadius; d <= kRadius; ++d)
        in[static_cast<std::size_t>(kRadius + d)] = plane_of(step - 1, z + d).data();
      const double* here = in[kRadius];
      out.assign(here, here + of_.plane_);
      for (int y = kRadius; y < of_.y_ + kRadius; ++y)
        for (int x = kRadius; x < of_.x_ + kRadius; ++x) {
          const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(y) * of_.row_ + x;
          double sum = kCoefficient[0] * here[at];
          for (int i = 1; i <= kRadius; ++i) {
            for (const std::ptrdiff_t d : {std::ptrdiff_t{i}, static_cast<std::ptrdiff_t>(i) * of_.row_})
              sum += kCoefficient[i] * (here[at + d] + here[at - d]);
            sum += kCoefficient[i] *
                   (in[static_cast<std::size_t>(kRadius + i)][at] + in[static_cast<std::size_t>(kRadius - i)][at]);
          }
          out[static_cast<std::size_t>(at)] = sum;
        }
    }

    const Fdtd3d& of_;
    std::vector<float> start_;
    std::vector<Step> steps_;
  };

  std::string verify() override {
    Reference reference(*this);
    const Buffer<float>& result = volume_[static_cast<std::size_t>(steps_ % 2)];
    std::vector<float> got(kPadding), want;
    for (std::size_t i = 0; i < kPadding; ++i) {
      got[i] = memory_.read(result, i);
      want.push_back(reference.padding(i));
    }
    if (std::string wrong = mismatch("padding", got, want); !wrong.empty()) return wrong;
    got.resize(static_cast<std::size_t>(plane_));
    std::uint64_t word = kPadding;
    for (int z = 0; z < z_ + 2 * kRadius; ++z) {
      for (float& cell : got) cell = memory_.read(result, word++);
      std::string wrong = mismatch(fmt::format("plane {}, cell", z), got, reference.plane(z), kFloatTolerance, 1e-6);
      if (!wrong.empty()) return wrong;
    }
    return "";
  }

  /// The field before the first step, half of the device memory: made again where it is read, not kept.
  std::vector<float> start() const {
    return uniform_floats(static_cast<std::size_t>(kPadding + plane_ * (z_ + 2 * kRadius)), seed_);
  }

  int x_, y_, z_, steps_, row_ = 0, plane_ = 0;
  std::uint64_t seed_;
  std::array<Buffer<float>, 2> volume_;
};

}  // namespace

WorkloadEntry fdtd3d_entry() {
  return entry_of<Fdtd3d>(
      {"fdtd3d",
       "CUDA SDK",
       "three-dimensional stencil with a sliding window of registers: generic private data",
       "",
       {size_parameter("width", 128, 64, 32, 1024, "cells", "a multiple of 32"),
        size_parameter("height", 128, 64, 16, 1024, "cells", "a multiple of 16"),
        size_parameter("depth", 64, 32, 8, 1024, "cells", "planes"),
        size_parameter("steps", 2, 2, 2, 160, "steps", "time steps; the field grows beyond a float after 170")},
       "0.30 M WMI; spills of generic data: an affine cache must not help much"},
      {"376 x 376 x 376, 5 steps; 384 x 384 x 376, 2 steps here, all are alike",
       {{"depth", "376"}, {"height", "384"}, {"width", "384"}}});
}

}  // namespace warpsieve::workloads
