// srad v1 (Rodinia): speckle-reducing diffusion of an ultrasound image. The image is a column-major
// vector with index arrays for the neighbours of a row and a column; T = 512. Per iteration: squares,
// a tree reduction (mean and variance, read by the host), the diffusion coefficient, the update.
#include <algorithm>
#include <limits>

#include "inputs/image.h"
#include "workloads/block_shape.h"
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kSradThreads = 512;
constexpr int kSradTile = 32;  // side of a block with `block` = 32
constexpr double kLeastVariation = 1e-4;

class Srad final : public Program {
 public:
  explicit Srad(const Settings& s)
      : Program("srad"), iterations_(s.count("iterations")), tiled_(s.text(kBlock) == "32") {
    inputs::Image image;
    if (s.input().empty()) {
      image = inputs::made_up_image(s.count("columns"), s.count("rows"), 1, s.seed());
    } else {
      const inputs::Image file = inputs::read_image(s.input());
      image = inputs::converted(file, file.width, file.height, 1);
    }
    rows_ = image.height;
    columns_ = image.width;
    lambda_ = static_cast<float>(s.integer("lambda")) / 100.0f;
    for (int x = 0; x < columns_; ++x)
      for (int y = 0; y < rows_; ++y) start_.push_back(static_cast<float>(image.at(x, y)));
    // Floats take the variance as a small difference of large sums, and everything is divided by it.
    if (s.input().empty()) return;
    if (const double q = diffused().variation; !(q >= kLeastVariation))
      throw WorkloadError(fmt::format(
          "srad: a picture of several greys is expected: its variance falls to {:.2g} of the squared mean, "
          "{} is what floats can tell from rounding",
          q, kLeastVariation));
  }

 private:
  void build() override {
    const auto n = start_.size();
    image_ = memory_.allocate("image", start_);
    north_ = neighbours("north", rows_, -1);
    south_ = neighbours("south", rows_, 1);
    west_ = neighbours("west", columns_, -1);
    east_ = neighbours("east", columns_, 1);
    sums_ = memory_.allocate<float>("sums", n);
    squares_ = memory_.allocate<float>("squares", n);
    for (std::size_t d = 0; d < 4; ++d) slope_[d] = memory_.allocate<float>(kSlopes[d], n);
    coefficient_ = memory_.allocate<float>("coefficient", n);
  }
  Buffer<int> neighbours(const char* name, int count, int step) {
    std::vector<int> v;
    for (int i = 0; i < count; ++i) v.push_back(std::clamp(i + step, 0, count - 1));
    return memory_.allocate(name, v);
  }

  HostCode host() override {
    co_yield each("srad_extract", 6, [image = image_](Warp& w, const Vec<int>& i) {
      w.store(image, i, exp(w.load(image, i) / 255.0f));
    });
    for (int k = 0; k < iterations_; ++k) {
      co_yield each("srad_prepare", 8,
                    [image = image_, sums = sums_, squares = squares_](Warp& w, const Vec<int>& i) {
                      const Vec<float> v = w.load(image, i);
                      w.store(sums, i, v);
                      w.store(squares, i, v * v);
                    });
      int left = static_cast<int>(start_.size());
      for (int stride = 1; left > 1; stride *= kSradThreads) {
        co_yield reduce(left, stride);
        left = ceil_div(left, kSradThreads);
      }
      const auto n = static_cast<float>(start_.size());
      const float mean = memory_.read(sums_, 0) / n, variance = memory_.read(squares_, 0) / n - mean * mean;
      co_yield diffusion(variance / (mean * mean));
      co_yield update();
    }
    co_yield each("srad_compress", 6, [image = image_](Warp& w, const Vec<int>& i) {
      w.store(image, i, log(w.load(image, i)) * 255.0f);
    });
  }

  /// A kernel with one thread per pixel.
  template <class F>
  std::unique_ptr<KernelLaunch> each(const char* name, std::uint32_t registers, F body) {
    return launch(name, blocks_for(start_.size(), kSradThreads), kSradThreads, per_item(start_.size(), body),
                  registers);
  }

  /// A kernel with one thread per pixel that works on its place in the picture: `body(w, pixel, column, row)`.
  template <class F>
  std::unique_ptr<KernelLaunch> each_place(const char* name, std::uint32_t registers, F body) {
    if (!tiled_)
      return each(name, registers, [rows = rows_, body](Warp& w, const Vec<int>& i) {
        const Vec<int> column = i / rows, row = i - column * rows;
        body(w, i, column, row);
      });
    const int down = ceil_div(rows_, kSradTile), across = ceil_div(columns_, kSradTile);
    return launch(
        name, static_cast<std::uint32_t>(down * across), kSradTile * kSradTile,
        [down, rows = rows_, columns = columns_, body](Warp& w) {
          const GridPlace tile(w, down);  // a warp is 32 pixels of one column, which lie side by side
          const Vec<int> row = w.thread_x(kSradTile) + kSradTile * tile.x,
                         column = w.thread_y(kSradTile) + kSradTile * tile.y;
          w.exit_if(row >= rows | column >= columns);
          body(w, column * rows + row, column, row);
        },
        registers);
  }

  /// Adds groups of 512 elements that lie `stride` apart, in place at the first of each group.
  std::unique_ptr<KernelLaunch> reduce(int count, int stride) {
    return launch(
        "srad_reduce", blocks_for(static_cast<std::uint64_t>(count), kSradThreads), kSradThreads,
        [count, stride, arrays = std::array{sums_, squares_}](Warp& w) -> Task {
          const Shared<float> part[2] = {{0, kSradThreads}, {4 * kSradThreads, kSradThreads}};
          const Vec<int> t = w.thread(), i = w.global_thread();
          w.if_(i < count, [&] {
            for (std::size_t k = 0; k < 2; ++k) w.store(part[k], t, w.load(arrays[k], i * stride));
          });
          co_await w.barrier();
          for (int group = 2; group <= kSradThreads; group *= 2) {
            w.if_(t % group == 0, [&] {
              for (const auto& p : part) w.store(p, t, w.load(p, t) + w.load(p, t + group / 2));
            });
            co_await w.barrier();
          }
          w.if_(t == 0, [&] {
            for (std::size_t k = 0; k < 2; ++k) w.store(arrays[k], i * stride, w.load(part[k], t));
          });
        },
        12, 8 * kSradThreads);
  }

  std::unique_ptr<KernelLaunch> diffusion(float q0) {
    return each_place(
        "srad_coefficient", 10,
        [q0, rows = rows_, image = image_, north = north_, south = south_, west = west_, east = east_, slope = slope_,
         coefficient = coefficient_](Warp& w, const Vec<int>& i, const Vec<int>& column, const Vec<int>& row) {
          const Vec<int> first = column * rows;
          const Vec<float> here = w.load(image, i);
          const Vec<float> n = w.load(image, first + w.load(north, row)) - here,
                           s = w.load(image, first + w.load(south, row)) - here,
                           e = w.load(image, w.load(west, column) * rows + row) - here,
                           f = w.load(image, w.load(east, column) * rows + row) - here;
          const Vec<float> gradient = (n * n + s * s + e * e + f * f) / (here * here),
                           laplace = (n + s + e + f) / here;
          const Vec<float> top = gradient * 0.5f - laplace * laplace * (1.0f / 16.0f),
                           bottom = mad(laplace, Vec<float>(0.25f), Vec<float>(1.0f));
          const Vec<float> q = top / (bottom * bottom);
          const Vec<float> c = Vec<float>(1.0f) / ((q - q0) / Vec<float>(q0 * (1.0f + q0)) + Vec<float>(1.0f));
          const Vec<float> limited = min(max(c, Vec<float>(0.0f)), Vec<float>(1.0f));
          w.store(slope[0], i, n);
          w.store(slope[1], i, s);
          w.store(slope[2], i, e);
          w.store(slope[3], i, f);
          w.store(coefficient, i, limited);
        });
  }

  std::unique_ptr<KernelLaunch> update() {
    return each_place(
        "srad_update", 12,
        [rows = rows_, lambda = lambda_, image = image_, south = south_, east = east_, slope = slope_,
         coefficient = coefficient_](Warp& w, const Vec<int>& i, const Vec<int>& column, const Vec<int>& row) {
          const Vec<float> here = w.load(coefficient, i),
                           below = w.load(coefficient, column * rows + w.load(south, row)),
                           beside = w.load(coefficient, w.load(east, column) * rows + row);
          const Vec<float> divergence = here * w.load(slope[0], i) + below * w.load(slope[1], i) +
                                        here * w.load(slope[2], i) + beside * w.load(slope[3], i);
          w.store(image, i, mad(divergence, Vec<float>(0.25f * lambda), w.load(image, i)));
        });
  }

  struct Diffused {
    std::vector<double> pixels;
    double variation;  ///< the least variance of an iteration, by the square of the mean
  };
  /// The published equations on a two-dimensional grid in double precision.
  Diffused diffused() const {
    const int nr = rows_, nc = columns_;
    const auto at = [&](int y, int x) {
      return static_cast<std::size_t>(std::clamp(x, 0, nc - 1)) * static_cast<std::size_t>(nr) +
             static_cast<std::size_t>(std::clamp(y, 0, nr - 1));
    };
    std::vector<double> u, c(start_.size()), next(start_.size());
    double least = std::numeric_limits<double>::infinity();
    for (const float v : start_) u.push_back(std::exp(v / 255.0));
    for (int k = 0; k < iterations_; ++k) {
      double sum = 0, squares = 0;
      for (const double v : u) sum += v, squares += v * v;
      const double mean = sum / static_cast<double>(u.size());
      const double q0 = (squares / static_cast<double>(u.size()) - mean * mean) / (mean * mean);
      least = std::min(least, q0);
      for (int x = 0; x < nc; ++x)
        for (int y = 0; y < nr; ++y) {
          const double v = u[at(y, x)];
          double gradient = 0, laplace = 0;
          for (const double d :
               {u[at(y - 1, x)] - v, u[at(y + 1, x)] - v, u[at(y, x - 1)] - v, u[at(y, x + 1)] - v}) {
            gradient += d * d;
            laplace += d;
          }
          gradient /= v * v;
          laplace /= v;
          const double q = (gradient / 2 - laplace * laplace / 16) / std::pow(1 + laplace / 4, 2);
          c[at(y, x)] = std::clamp(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0, 1.0);
        }
      for (int x = 0; x < nc; ++x)
        for (int y = 0; y < nr; ++y) {
          const double v = u[at(y, x)], own = c[at(y, x)];
          next[at(y, x)] = v + 0.25 * lambda_ *
                                   (own * (u[at(y - 1, x)] - v) + c[at(y + 1, x)] * (u[at(y + 1, x)] - v) +
                                    own * (u[at(y, x - 1)] - v) + c[at(y, x + 1)] * (u[at(y, x + 1)] - v));
        }
      u.swap(next);
    }
    for (double& v : u) v = std::log(v) * 255;
    return {std::move(u), least};
  }

  std::string verify() override { return mismatch("pixel", memory_.read(image_), diffused().pixels, 1e-3, 0.05); }

  static constexpr const char* kSlopes[] = {"north_slope", "south_slope", "west_slope", "east_slope"};
  int iterations_, rows_ = 0, columns_ = 0;
  bool tiled_;
  float lambda_ = 0;
  std::vector<float> start_;
  Buffer<float> image_, sums_, squares_, coefficient_;
  std::array<Buffer<float>, 4> slope_;
  Buffer<int> north_, south_, west_, east_;
};

}  // namespace

WorkloadEntry srad_entry() {
  return entry_of<Srad>(
      {"srad",
       "Rodinia",
       "speckle-reducing diffusion (v1): index arrays, column-major stencil, tree reduction",
       inputs::kImageFiles,
       {integer_parameter("rows", 502, 251, 64, 2, 8192, "pixels", "height of the generated image"),
        integer_parameter("columns", 458, 229, 48, 2, 8192, "pixels", "width of the generated image"),
        size_parameter("iterations", 4, 4, 2, 10000, "iterations", "diffusion steps (100 in the original)"),
        integer_parameter("lambda", 50, 50, 50, 1, 100, "percent", "update rate"),
        block_parameter("512", {"512", "32"},
                        "threads of the coefficient and update kernels: 512 along the picture's vector, or 32 x 32 "
                        "of its pixels; 32: no warp is in two columns")},
       "0.80 M WMI (201 k per iteration); lines fully used"},
      {"502 x 458, 100 iterations", {{"iterations", "100"}}});
}

}  // namespace warpsieve::workloads
