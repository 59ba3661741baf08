// 2dconv (Polybench): a 3 x 3 convolution of a random image, blocks of 32 x 8 threads: nine coalesced
// loads (some across a line border) and one store per inner pixel.
#include "workloads/polybench.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr float kFilter[3][3] = {{0.2f, 0.5f, -0.8f}, {-0.3f, 0.6f, -0.9f}, {0.4f, 0.7f, 0.10f}};

class Convolution final : public Polybench {
 public:
  explicit Convolution(const Settings& s)
      : Polybench("2dconv"), n_(s.count("side")),
        start_(uniform_floats(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_), s.seed())) {}

 private:
  void build() override {
    in_ = memory_.allocate("in", start_);
    out_ = memory_.allocate<float>("out", start_.size());
  }

  HostCode host() override {
    co_yield plane("2dconv", n_, n_, [n = n_, in = in_, out = out_](Warp& w, const Vec<int>& i, const Vec<int>& j) {
      w.if_(within(i, 1, n - 2) & within(j, 1, n - 2), [&] {
        const Vec<int> at = i * n + j;
        Vec<float> sum = 0.0f;
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            sum = mad(w.load(in, at + (dy * n + dx)), Vec<float>(kFilter[dy + 1][dx + 1]), sum);
        w.store(out, at, sum);
      });
    });
  }

  /// By input pixel: each adds its share to the nine pixels around it.
  std::string verify() override {
    const int n = n_;
    std::vector<double> want(start_.size(), 0.0);
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        for (int oy = std::max(1, y - 1); oy <= std::min(n - 2, y + 1); ++oy)
          for (int ox = std::max(1, x - 1); ox <= std::min(n - 2, x + 1); ++ox)
            want[static_cast<std::size_t>(oy * n + ox)] +=
                static_cast<double>(kFilter[y - oy + 1][x - ox + 1]) * start_[static_cast<std::size_t>(y * n + x)];
    return mismatch("pixel", memory_.read(out_), want, kFloatTolerance, 1e-5);
  }

  int n_;
  std::vector<float> start_;
  Buffer<float> in_, out_;
};

}  // namespace

WorkloadEntry conv2d_entry() {
  return entry_of<Convolution>(
      {"2dconv",
       "Polybench",
       "3 x 3 convolution: coalesced stencil",
       "",
       {integer_parameter("side", 512, 256, 64, 3, 8192, "pixels", "width and height (4096 in the original)")},
       "0.08 M WMI; a control: all sectors used"},
      {"4096 x 4096", {{"side", "4096"}}});
}

}  // namespace warpsieve::workloads
