// darknet_conv, darknet_tiny, darknet_yolo2, darknet_yolo3 (Darknet): inference of one picture, layer by layer.
//
// Before each layer Darknet clears the layer's gradients, also for inference. A convolution is: zero fill of the
// output, im2col (size x size shifted copies of every channel; none where the size is 1), one tiled matrix product
// that adds to the output, a copy of the output, then one pass over the output each for normalisation, scale, bias
// and activation. Poolings, shortcuts, routes, upsampling and reorganisation are a launch or two each. Softmax,
// region and yolo layers are left out: they look at a few thousand values.
#include "inputs/image.h"
#include "inputs/natural.h"
#include "workloads/common.h"
#include "workloads/darknet_layers.h"
#include "workloads/sgemm.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;
using darknet::Kind;
using darknet::Layer;

constexpr std::uint32_t kThreads = 512;  ///< Darknet's BLOCK

class Darknet : public Program {
 public:
  Darknet(const Settings& s, const char* name, const char* network) : Program(name), side_(s.count("side")) {
    const inputs::Image image = s.input().empty()
                                    ? inputs::photograph(side_, side_, 3, s.seed())
                                    : inputs::scaled(s.input(), inputs::read_image(s.input()), side_, side_, 3);
    double sum = 0, squares = 0;
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < side_; ++y)
        for (int x = 0; x < side_; ++x) {
          const double v = image.at(x, y, c) / 255.0;
          picture_.push_back(static_cast<float>(v));
          sum += v;
          squares += v * v;
        }
    const auto n = static_cast<double>(picture_.size());
    try {
      layers_ =
          darknet::make_layers(network, s.count("layers"), s.count("thin"), side_, sum / n, squares / n, s.seed());
    } catch (const WorkloadError& error) {
      throw WorkloadError(fmt::format("{}.{}", name, error.what()));
    }
  }

 private:
  void build() override {
    picture_array_ = memory_.allocate("picture", picture_);
    std::uint64_t columns = 0;
    for (Layer& l : layers_) {
      if (!l.has_output()) continue;
      l.delta = memory_.allocate<float>("delta", l.outputs());
      l.out = memory_.allocate<float>("output", l.outputs());
      if (l.spec.kind == Kind::max_pool) l.index = memory_.allocate<int>("pool_index", l.outputs());
      if (l.spec.kind != Kind::convolution) continue;
      l.weight_array = memory_.allocate("weights", l.weights);
      l.bias_array = memory_.allocate("biases", l.bias);
      if (l.spec.normalised) {
        l.before = memory_.allocate<float>("before", l.outputs());
        l.scale_array = memory_.allocate("scales", l.scale);
        l.mean_array = memory_.allocate("mean", l.mean);
        l.variance_array = memory_.allocate("variance", l.variance);
      }
      if (l.spec.size > 1)
        columns = std::max(columns, static_cast<std::uint64_t>(l.fan_in()) * static_cast<std::uint64_t>(l.pixels()));
    }
    workspace_ = memory_.allocate<float>("workspace", columns);
  }

  HostCode host() override {
    for (std::size_t n = 0; n < layers_.size(); ++n) {
      const Layer& l = layers_[n];
      if (!l.has_output()) continue;
      const Buffer<float> in = n == 0 ? picture_array_ : layers_[n - 1].out;
      co_yield fill(l.delta);
      switch (l.spec.kind) {
        case Kind::convolution: {
          co_yield fill(l.out);
          if (l.spec.size > 1) co_yield im2col(l, in);
          co_yield product(l, l.spec.size > 1 ? workspace_ : in);
          if (l.spec.normalised) {
            co_yield copy(l.out, 0, l.before, 0, l.out.count);
            co_yield normalize(l);
            co_yield per_filter(l, "darknet_scale", l.scale_array,
                                [](const auto& v, const auto& s) { return v * s; });
          }
          co_yield per_filter(l, "darknet_bias", l.bias_array, [](const auto& v, const auto& b) { return v + b; });
          co_yield activate(l);
          break;
        }
        case Kind::max_pool: co_yield pool(l, in); break;
        case Kind::average: co_yield average(l, in); break;
        case Kind::shortcut:
          co_yield copy(in, 0, l.out, 0, l.out.count);
          co_yield add(l, output_of(l.spec.from[0]));
          co_yield activate(l);
          break;
        case Kind::route: {
          std::uint64_t at = 0;
          for (const int from : l.spec.from) {
            const Buffer<float> part = output_of(from);
            co_yield copy(part, 0, l.out, at, part.count);
            at += part.count;
          }
          break;
        }
        case Kind::upsample:
          co_yield fill(l.out);
          co_yield upsample(l, in);
          break;
        case Kind::reorg: co_yield reorganize(l, in); break;
        case Kind::head: break;
      }
    }
  }

  const Buffer<float>& output_of(int layer) const { return layers_[static_cast<std::size_t>(layer)].out; }

  /// One thread for each of `items`.
  template <class F>
  std::unique_ptr<KernelLaunch> over(std::uint64_t items, const char* name, std::uint32_t registers, F body) {
    return launch(name, blocks_for(items, kThreads), kThreads, per_item(items, body), registers);
  }

  std::unique_ptr<KernelLaunch> fill(const Buffer<float>& to) {
    return over(to.count, "darknet_fill", 8, [to](Warp& w, const Vec<int>& i) { w.store(to, i, Vec<float>(0.0f)); });
  }

  std::unique_ptr<KernelLaunch> copy(const Buffer<float>& from, std::uint64_t first, const Buffer<float>& to,
                                     std::uint64_t at, std::uint64_t count) {
    return over(count, "darknet_copy", 10,
                [from, to, f = static_cast<int>(first), t = static_cast<int>(at)](Warp& w, const Vec<int>& i) {
                  w.store(to, i + t, w.load(from, i + f));
                });
  }

  std::unique_ptr<KernelLaunch> im2col(const Layer& l, const Buffer<float>& in) {
    return over(static_cast<std::uint64_t>(l.channels) * static_cast<std::uint64_t>(l.pixels()), "darknet_im2col", 20,
                [in, side = l.side, out_side = l.out_side, pixels = l.pixels(), stride = l.spec.stride,
                 columns = workspace_](Warp& w, const Vec<int>& i) {
                  const Vec<int> channel = i / pixels, pixel = i - channel * pixels;
                  const Vec<int> out_y = pixel / out_side;
                  const Vec<int> y = out_y * stride, x = (pixel - out_y * out_side) * stride;
                  const Vec<int> from = (channel * side + y) * side + x;
                  Vec<int> to = channel * (9 * pixels) + pixel;
                  for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx) {
                      Vec<float> v = 0.0f;
                      w.if_(within(y + dy, 0, side - 1) & within(x + dx, 0, side - 1),
                            [&] { v = w.load(in, from + (dy * side + dx)); });
                      w.store(columns, to, v);
                      to += pixels;
                    }
                });
  }

  std::unique_ptr<KernelLaunch> product(const Layer& l, const Buffer<float>& columns) {
    const SgemmShape shape{l.filters, l.pixels(), l.fan_in(), l.pitch};
    return launch_sgemm(
        shape, l.weight_array, columns, l.out,
        [&](std::uint32_t blocks, std::uint32_t threads, auto kernel, std::uint32_t registers, std::uint32_t shared) {
          return launch("darknet_sgemm", blocks, threads, std::move(kernel), registers, shared);
        });
  }

  std::unique_ptr<KernelLaunch> normalize(const Layer& l) {
    return over(l.out.count, "darknet_normalize", 12,
                [out = l.out, pixels = l.pixels(), mean = l.mean_array, variance = l.variance_array](
                    Warp& w, const Vec<int>& i) {
                  const Vec<int> filter = i / pixels;
                  const Vec<float> centred = w.load(out, i) - w.load(mean, filter);
                  w.store(out, i, centred / (sqrt(w.load(variance, filter)) + 0.000001f));
                });
  }

  /// output = combine(output, the filter's value)
  template <class F>
  std::unique_ptr<KernelLaunch> per_filter(const Layer& l, const char* name, const Buffer<float>& values, F combine) {
    return over(l.out.count, name, 10,
                [out = l.out, pixels = l.pixels(), values, combine](Warp& w, const Vec<int>& i) {
                  w.store(out, i, combine(w.load(out, i), w.load(values, i / pixels)));
                });
  }

  /// Also where the activation is linear.
  std::unique_ptr<KernelLaunch> activate(const Layer& l) {
    const bool leaky = l.spec.kind == Kind::convolution && l.spec.leaky;
    return over(l.out.count, "darknet_activate", 8, [out = l.out, leaky](Warp& w, const Vec<int>& i) {
      const Vec<float> x = w.load(out, i);
      w.store(out, i, leaky ? select(x > 0.0f, x, x * 0.1f) : x);
    });
  }

  std::unique_ptr<KernelLaunch> pool(const Layer& l, const Buffer<float>& in) {
    return over(l.out.count, "darknet_maxpool", 16,
                [side = l.side, in, out = l.out, index = l.index](Warp& w, const Vec<int>& i) {
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
                });
  }

  std::unique_ptr<KernelLaunch> average(const Layer& l, const Buffer<float>& in) {
    return over(l.out.count, "darknet_avgpool", 10, [in, out = l.out, n = l.in_pixels()](Warp& w, const Vec<int>& i) {
      Vec<float> sum = 0.0f;
      for (const int k : w.range(0, n)) sum += w.load(in, i * n + k);
      w.store(out, i, sum / static_cast<float>(n));
    });
  }

  std::unique_ptr<KernelLaunch> add(const Layer& l, const Buffer<float>& other) {
    return over(l.out.count, "darknet_shortcut", 10, [out = l.out, other](Warp& w, const Vec<int>& i) {
      w.store(out, i, w.load(out, i) + w.load(other, i));
    });
  }

  std::unique_ptr<KernelLaunch> upsample(const Layer& l, const Buffer<float>& in) {
    return over(l.out.count, "darknet_upsample", 12,
                [in, out = l.out, side = l.out_side](Warp& w, const Vec<int>& i) {
                  const Vec<int> row = i / side, x = i - row * side;
                  w.store(out, i, w.load(out, i) + w.load(in, row / 2 * (side / 2) + x / 2));
                });
  }

  /// Where element i of a reorganised output comes from: channel c of the input stands for pixels of channel
  /// c mod (channels / 4), in an order that is Darknet's own.
  template <class I>
  static I reorganized(const Layer& l, const I& i) {
    const int quarter = l.channels / 4;
    const I row = i / l.side, x = i - row * l.side, channel = row / l.side, y = row - channel * l.side;
    const I offset = channel / quarter, c = channel - offset * quarter;
    const I down = offset / 2, right = offset - down * 2;
    return ((c * (2 * l.side)) + y * 2 + down) * (2 * l.side) + x * 2 + right;
  }

  std::unique_ptr<KernelLaunch> reorganize(const Layer& l, const Buffer<float>& in) {
    return over(l.out.count, "darknet_reorg", 14, [in, out = l.out, &l](Warp& w, const Vec<int>& i) {
      w.store(out, i, w.load(in, reorganized(l, i)));
    });
  }

  /// Each layer from the device's own input to it.
  std::string verify() override {
    std::vector<float> in = picture_;
    for (std::size_t n = 0; n < layers_.size(); ++n) {
      const Layer& l = layers_[n];
      if (!l.has_output()) continue;
      const std::vector<float> out = memory_.read(l.out);
      std::string wrong = mismatch("gradient", memory_.read(l.delta), std::vector<float>(l.delta.count, 0.0f));
      if (wrong.empty()) wrong = check(l, in, out);
      if (!wrong.empty()) return fmt::format("layer {}: {}", n, wrong);
      in = out;
    }
    return "";
  }

  std::string check(const Layer& l, const std::vector<float>& in, const std::vector<float>& out) const {
    std::vector<float> want;
    switch (l.spec.kind) {
      case Kind::convolution: {
        const std::vector<double> sums = convolved(l, in), whole = finished(l, sums);
        if (l.spec.normalised)
          if (std::string wrong =
                  mismatch("output before normalisation", memory_.read(l.before), sums, 1e-3, 1e-4 * largest(sums));
              !wrong.empty())
            return wrong;
        return mismatch("output", out, whole, 1e-3, 1e-4 * largest(whole));
      }
      case Kind::max_pool: return check_pool(l, in, out);
      case Kind::average: {
        const auto n = static_cast<std::size_t>(l.in_pixels());
        for (std::size_t i = 0; i < out.size(); ++i) {
          double sum = 0;
          for (std::size_t k = 0; k < n; ++k) sum += in[i * n + k];
          want.push_back(static_cast<float>(sum / static_cast<double>(n)));
        }
        return mismatch("average", out, want, 1e-3, 1e-4 * largest(in));
      }
      case Kind::shortcut: {
        want = memory_.read(output_of(l.spec.from[0]));
        for (std::size_t i = 0; i < want.size(); ++i) want[i] += in[i];
        break;
      }
      case Kind::route:
        for (const int from : l.spec.from) {
          const std::vector<float> part = memory_.read(output_of(from));
          want.insert(want.end(), part.begin(), part.end());
        }
        break;
      case Kind::upsample:
        for (int row = 0; row < l.filters * l.out_side; ++row)
          for (int x = 0; x < l.out_side; ++x) want.push_back(in[static_cast<std::size_t>(row / 2 * l.side + x / 2)]);
        break;
      case Kind::reorg:
        for (std::size_t i = 0; i < out.size(); ++i)
          want.push_back(in[static_cast<std::size_t>(reorganized(l, static_cast<int>(i)))]);
        break;
      case Kind::head: break;
    }
    return mismatch("output", out, want);
  }

  std::string check_pool(const Layer& l, const std::vector<float>& in, const std::vector<float>& out) const {
    const std::vector<int> index = memory_.read(l.index);
    std::size_t i = 0;
    for (int row = 0; row < l.filters * l.out_side; ++row)
      for (int x = 0; x < l.out_side; ++x, ++i) {
        const auto at = static_cast<std::size_t>(2 * row * l.side + 2 * x),
                   below = at + static_cast<std::size_t>(l.side);
        const float largest = std::max({in[at], in[at + 1], in[below], in[below + 1]});
        if (out[i] != largest) return fmt::format("pooled output {} is {}, expected {}", i, out[i], largest);
        if (index[i] < 0 || static_cast<std::size_t>(index[i]) >= in.size() ||
            in[static_cast<std::size_t>(index[i])] != largest)
          return fmt::format("pool index {} is {}, whose value is not {}", i, index[i], largest);
      }
    return "";
  }

  int side_;
  std::vector<float> picture_;
  std::vector<Layer> layers_;
  Buffer<float> picture_array_, workspace_;
};

class DarknetReference final : public Darknet {
 public:
  explicit DarknetReference(const Settings& s) : Darknet(s, "darknet_conv", "darknet") {}
};
class TinyDarknet final : public Darknet {
 public:
  explicit TinyDarknet(const Settings& s) : Darknet(s, "darknet_tiny", "tiny") {}
};
class Yolo2 final : public Darknet {
 public:
  explicit Yolo2(const Settings& s) : Darknet(s, "darknet_yolo2", "yolo2") {}
};
class Yolo3 final : public Darknet {
 public:
  explicit Yolo3(const Settings& s) : Darknet(s, "darknet_yolo3", "yolo3") {}
};

/// One value for each of the scales full, quarter and small.
struct PerScale {
  int full, quarter, small;
};

std::vector<Parameter> parameters(const char* network, PerScale side, PerScale layers, PerScale thin) {
  const auto all = static_cast<std::int64_t>(darknet::network(network).size());
  return {integer_parameter("side", side.full, side.quarter, side.small, 16, 1024, "pixels",
                            "width and height of the picture, a multiple of what the layers halve"),
          integer_parameter("layers", layers.full, layers.quarter, layers.small, 1, all, "layers",
                            "the first layers of the network's cfg file that run, poolings and others included"),
          integer_parameter("thin", thin.full, thin.quarter, thin.small, 1, 64, "times",
                            "divides the filters of every layer; 1 is the published network")};
}

}  // namespace

WorkloadEntry darknet_conv_entry() {
  return entry_of<DarknetReference>(
      {"darknet_conv", "Darknet",
       "Darknet's reference network, four convolutions of it below scale paper: im2col and matrix product, zero "
       "fills",
       inputs::kImageFiles, parameters("darknet", {256, 128, 32}, {8, 8, 8}, {1, 1, 1}),
       "2/3 of the im2col lines are inter-duplicates where width * 4 is a multiple of 128; gradients and outputs are "
       "cleared"},
      {"darknet.cfg: 224 x 224 pixels, all 8 convolutions; 256 x 256 here, which halves evenly",
       {{"side", "256"}, {"layers", "16"}}});
}
WorkloadEntry darknet_tiny_entry() {
  return entry_of<TinyDarknet>(
      {"darknet_tiny", "Darknet", "Tiny Darknet: 3 x 3 and 1 x 1 convolutions by im2col and matrix product",
       inputs::kImageFiles, parameters("tiny", {224, 112, 32}, {22, 22, 22}, {1, 1, 4}), "as darknet_conv"},
      {"tiny.cfg: 224 x 224 pixels, all 16 convolutions", {{"side", "224"}}});
}
WorkloadEntry darknet_yolo2_entry() {
  return entry_of<Yolo2>(
      {"darknet_yolo2", "Darknet", "YOLOv2: convolutions, poolings, a route and a reorganisation",
       inputs::kImageFiles, parameters("yolo2", {416, 128, 32}, {32, 32, 32}, {4, 4, 16}), "as darknet_conv"},
      {"yolov2.cfg for COCO: 416 x 416 pixels, 23 convolutions; the first 8 layers here for memory",
       {{"side", "416"}, {"layers", "8"}, {"thin", "1"}}});
}
WorkloadEntry darknet_yolo3_entry() {
  return entry_of<Yolo3>(
      {"darknet_yolo3", "Darknet", "YOLOv3: residual blocks, strided convolutions, routes and upsampling",
       inputs::kImageFiles, parameters("yolo3", {416, 128, 32}, {107, 107, 107}, {4, 4, 16}), "as darknet_conv"},
      {"yolov3.cfg for COCO: 416 x 416 pixels, 75 convolutions; the first 9 layers here for memory",
       {{"side", "416"}, {"layers", "9"}, {"thin", "1"}}});
}

}  // namespace warpsieve::workloads
