// darknet_conv (Darknet): four 3 x 3 convolution layers with batch normalisation, leaky rectifier and
// 2 x 2 pooling, 3 -> 16 -> 32 -> 64 -> 128 channels. A convolution is: zero fill of the output, im2col
// (nine shifted copies of every channel), one tiled matrix product, then one pass over the output each
// for normalisation, scale, bias and activation.
#include "inputs/image.h"
#include "workloads/common.h"
#include "workloads/sgemm.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kFilters[] = {16, 32, 64, 128};
constexpr std::uint32_t kConvThreads = 512;

class Darknet final : public Program {
 public:
  explicit Darknet(const Settings& s) : Program("darknet_conv"), side_(s.count("side")) {
    if (side_ % 16 != 0)
      throw WorkloadError(fmt::format("darknet_conv.side = '{}': a multiple of 16 is expected", side_));
    const inputs::Image file =
        s.input().empty() ? inputs::made_up_image(side_, side_, 3, s.seed()) : inputs::read_image(s.input());
    const inputs::Image image = inputs::converted(file, side_, side_, 3);
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < side_; ++y)
        for (int x = 0; x < side_; ++x) picture_.push_back(static_cast<float>(image.at(x, y, c)) / 255.0f);
    int channels = 3, side = side_;
    std::uint64_t seed = s.seed();
    for (const int filters : kFilters) {
      Layer l{side, channels, filters, ceil_div(9 * channels, 4) * 4, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
              {},   {},       {}};
      const auto f = static_cast<std::size_t>(filters);
      const auto k = static_cast<std::size_t>(9 * channels), pitch = static_cast<std::size_t>(l.pitch);
      const std::vector<float> dense = normal_floats(f * k, ++seed, std::sqrt(2.0 / static_cast<double>(k)));
      l.weights.assign(f * pitch, 0.0f);
      for (std::size_t i = 0; i < f * k; ++i) l.weights[i / k * pitch + i % k] = dense[i];
      l.mean = normal_floats(f, ++seed, 0.1);
      l.variance = uniform_floats(f, ++seed, 0.5, 1.5);
      l.scale = uniform_floats(f, ++seed, 0.8, 1.2);
      l.bias = normal_floats(f, ++seed, 0.1);
      layers_.push_back(std::move(l));
      channels = filters;
      side /= 2;
    }
  }

 private:
  struct Layer {
    int side, channels, filters, pitch;  ///< pitch: weights of one filter, padded to 16 bytes
    std::vector<float> weights, mean, variance, scale, bias;
    Buffer<float> weight_array, mean_array, variance_array, scale_array, bias_array, out, pooled;
    Buffer<int> index;
    int pixels() const { return side * side; }
  };
  using Place = std::pair<Vec<int>, Vec<int>>;  ///< element of the output, its filter

  void build() override {
    picture_array_ = memory_.allocate("picture", picture_);
    std::uint64_t columns = 0;
    for (Layer& l : layers_) {
      const auto outputs = static_cast<std::uint64_t>(l.filters * l.pixels());
      l.weight_array = memory_.allocate("weights", l.weights);
      l.bias_array = memory_.allocate("biases", l.bias);
      l.scale_array = memory_.allocate("scales", l.scale);
      l.mean_array = memory_.allocate("mean", l.mean);
      l.variance_array = memory_.allocate("variance", l.variance);
      l.out = memory_.allocate<float>("output", outputs);
      l.pooled = memory_.allocate<float>("pooled", outputs / 4);
      l.index = memory_.allocate<int>("pool_index", outputs / 4);
      columns = std::max(columns, static_cast<std::uint64_t>(9 * l.channels * l.pixels()));
    }
    workspace_ = memory_.allocate<float>("workspace", columns);
  }

  HostCode host() override {
    Buffer<float> in = picture_array_;
    for (const Layer& l : layers_) {
      co_yield over(l, "darknet_fill", 8,
                    [out = l.out](Warp& w, const Place& p) { w.store(out, p.first, Vec<float>(0.0f)); });
      co_yield im2col(l, in);
      const SgemmShape shape{l.filters, l.pixels(), 9 * l.channels, l.pitch};
      co_yield launch("darknet_sgemm", sgemm_blocks(shape), kSgemmThreads,
                      sgemm_kernel(shape, l.weight_array, workspace_, l.out), 64, kSgemmShared);
      co_yield over(l, "darknet_normalize", 12,
                    [out = l.out, mean = l.mean_array, variance = l.variance_array](Warp& w, const Place& p) {
                      const Vec<float> centred = w.load(out, p.first) - w.load(mean, p.second);
                      w.store(out, p.first, centred / (sqrt(w.load(variance, p.second)) + 0.000001f));
                    });
      co_yield over(l, "darknet_scale", 10, [out = l.out, scale = l.scale_array](Warp& w, const Place& p) {
        w.store(out, p.first, w.load(out, p.first) * w.load(scale, p.second));
      });
      co_yield over(l, "darknet_bias", 10, [out = l.out, bias = l.bias_array](Warp& w, const Place& p) {
        w.store(out, p.first, w.load(out, p.first) + w.load(bias, p.second));
      });
      co_yield over(l, "darknet_activate", 8, [out = l.out](Warp& w, const Place& p) {
        const Vec<float> x = w.load(out, p.first);
        w.store(out, p.first, select(x > 0.0f, x, x * 0.1f));
      });
      co_yield pool(l);
      in = l.pooled;
    }
  }

  /// One thread per element of the layer's output.
  template <class F>
  std::unique_ptr<KernelLaunch> over(const Layer& l, const char* name, std::uint32_t registers, F body) {
    return launch(name, blocks_for(l.out.count, kConvThreads), kConvThreads,
                  per_item(l.out.count,
                           [pixels = l.pixels(), body](Warp& w, const Vec<int>& i) {
                             body(w, Place{i, i / pixels});
                           }),
                  registers);
  }

  std::unique_ptr<KernelLaunch> im2col(const Layer& l, const Buffer<float>& in) {
    const int n = l.channels * l.pixels();
    return launch(
        "darknet_im2col", blocks_for(static_cast<std::uint64_t>(n), kConvThreads), kConvThreads,
        [n, in, side = l.side, pixels = l.pixels(), columns = workspace_](Warp& w) {
          const Vec<int> i = w.global_thread();
          w.exit_if(i >= n);
          const Vec<int> channel = i / pixels, pixel = i - channel * pixels;
          const Vec<int> y = pixel / side, x = pixel - y * side;
          Vec<int> to = channel * (9 * pixels) + pixel;
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
              Vec<float> v = 0.0f;
              w.if_(within(y + dy, 0, side - 1) & within(x + dx, 0, side - 1),
                    [&] { v = w.load(in, i + (dy * side + dx)); });
              w.store(columns, to, v);
              to += pixels;
            }
        },
        20);
  }

  std::unique_ptr<KernelLaunch> pool(const Layer& l) {
    const int n = static_cast<int>(l.pooled.count);
    return launch(
        "darknet_maxpool", blocks_for(l.pooled.count, kConvThreads), kConvThreads,
        [n, side = l.side, in = l.out, out = l.pooled, index = l.index](Warp& w) {
          const Vec<int> i = w.global_thread();
          w.exit_if(i >= n);
          const Vec<int> row = i / (side / 2), x = i - row * (side / 2);
          const Vec<int> first = row * (2 * side) + x * 2;
          Vec<int> best_at = first;
          Vec<float> best = w.load(in, first);
          for (const int step : {1, side, side + 1}) {
            const Vec<float> v = w.load(in, first + step);
            const Mask larger = v > best;
            best = select(larger, v, best);
            best_at = select(larger, first + step, best_at);
          }
          w.store(out, i, best);
          w.store(index, i, best_at);
        },
        16);
  }

  /// Direct convolution in double precision, layer after layer.
  std::string verify() override {
    std::vector<double> in(picture_.begin(), picture_.end());
    for (const Layer& l : layers_) {
      const std::vector<double> out = reference(l, in);
      if (std::string wrong = mismatch("output", memory_.read(l.out), out, 1e-3, 1e-4 * largest(out)); !wrong.empty())
        return fmt::format("layer of {} filters: {}", l.filters, wrong);
      std::vector<double> pooled;
      for (int row = 0; row < l.filters * l.side / 2; ++row)
        for (int x = 0; x < l.side / 2; ++x) {
          const auto at = static_cast<std::size_t>(2 * row * l.side + 2 * x),
                     below = at + static_cast<std::size_t>(l.side);
          pooled.push_back(std::max({out[at], out[at + 1], out[below], out[below + 1]}));
        }
      const std::vector<float> got = memory_.read(l.pooled), layer = memory_.read(l.out);
      if (std::string wrong = mismatch("pooled output", got, pooled, 1e-3, 1e-4 * largest(out)); !wrong.empty())
        return fmt::format("layer of {} filters: {}", l.filters, wrong);
      const std::vector<int> index = memory_.read(l.index);
      for (std::size_t i = 0; i < index.size(); ++i)
        if (index[i] < 0 || static_cast<std::size_t>(index[i]) >= layer.size() ||
            layer[static_cast<std::size_t>(index[i])] != got[i])
          return fmt::format("layer of {} filters: pool index {} is {}, whose value is another", l.filters, i,
                             index[i]);
      in = std::move(pooled);
    }
    return "";
  }

  static std::vector<double> reference(const Layer& l, const std::vector<double>& in) {
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(l.filters * l.pixels()));
    for (std::size_t f = 0; f < static_cast<std::size_t>(l.filters); ++f)
      for (int y = 0; y < l.side; ++y)
        for (int x = 0; x < l.side; ++x) {
          double sum = 0;
          const float* weight = l.weights.data() + f * static_cast<std::size_t>(l.pitch);
          for (int c = 0; c < l.channels; ++c)
            for (int ky = -1; ky <= 1; ++ky)
              for (int kx = -1; kx <= 1; ++kx, ++weight)
                if (y + ky >= 0 && y + ky < l.side && x + kx >= 0 && x + kx < l.side)
                  sum += *weight * in[static_cast<std::size_t>((c * l.side + y + ky) * l.side + x + kx)];
          const double v =
              (sum - l.mean[f]) / (std::sqrt(static_cast<double>(l.variance[f])) + 1e-6) * l.scale[f] + l.bias[f];
          out.push_back(v > 0 ? v : 0.1 * v);
        }
    return out;
  }

  int side_;
  std::vector<float> picture_;
  std::vector<Layer> layers_;
  Buffer<float> picture_array_, workspace_;
};

}  // namespace

WorkloadEntry darknet_conv_entry() {
  return entry_of<Darknet>(
      {"darknet_conv",
       "Darknet",
       "four convolution layers by im2col and matrix product: repeated lines, zero fills",
       inputs::kImageFiles,
       {integer_parameter("side", 128, 64, 32, 16, 1024, "pixels",
                          "width and height of the picture, a multiple of 16")},
       "0.32 M WMI; 2/3 of the im2col lines are inter-duplicates where width * 4 is a multiple of 128"},
      {"256 x 256 pixels; the first four layers", {{"side", "256"}}});
}

}  // namespace warpsieve::workloads
