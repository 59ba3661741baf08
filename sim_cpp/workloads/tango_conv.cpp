// alexnet_conv and resnet_conv (Tango): the convolution layers of AlexNet and ResNet-50, one block per output map,
// one thread per output pixel with the ROW on threadIdx.x: neighbouring lanes are a map row apart, so that a load
// touches several lines. Every block reads all input maps in the same order; a weight is the same word for all lanes.
//
// Maps of more than 32 rows: AlexNet's are cut into a launch per tile of at most 32 x 32 pixels; ResNet's have 32 x
// 32 threads, each of which computes a square of pixels. A layer reads the output of the one before it where the
// shapes agree, else made-up activations: poolings, normalisations and residual sums are not run.
#include <algorithm>
#include <tuple>

#include "workloads/common.h"
#include "workloads/tango_networks.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;
using tango::ConvLayer;

constexpr int kBlockSide = 32;
constexpr const char *kAllLayers = "all", *kShapes = "shapes";

bool same_shape(const ConvLayer& a, const ConvLayer& b) {
  const auto shape = [](const ConvLayer& l) {
    return std::tuple(l.kernel, l.stride, l.in_side, l.in_maps, l.out_side, l.out_maps, l.groups);
  };
  return shape(a) == shape(b);
}

/// The layers that the parameter `layer` names.
std::vector<ConvLayer> chosen(const std::vector<ConvLayer>& network, const std::string& which) {
  std::vector<ConvLayer> layers;
  for (const ConvLayer& l : network) {
    const bool seen =
        std::any_of(layers.begin(), layers.end(), [&](const ConvLayer& other) { return same_shape(l, other); });
    if (which == kAllLayers || which == l.name || (which == kShapes && !seen)) layers.push_back(l);
  }
  return layers;
}

class TangoConvolution : public Program {
 public:
  TangoConvolution(const Settings& s, const char* name, const std::vector<ConvLayer>& network, bool tiles)
      : Program(name), tiles_(tiles) {
    std::uint64_t seed = s.seed();
    for (ConvLayer& shape : chosen(network, s.text("layer"))) {
      shape.in_maps = std::min(shape.in_maps, s.count("inputs"));
      shape.out_maps = std::min(shape.out_maps, s.count("outputs"));
      Layer l{shape, {}, {}, {}, {}, {}, {}, {}};
      const std::size_t fan_in = l.fan_in(), outputs = l.maps_out();
      l.chained =
          !layers_.empty() && layers_.back().out_side == shape.in_side && layers_.back().maps_out() == l.maps_in();
      // What a rectified layer before this one hands over: half of the values are 0.
      if (!l.chained) {
        l.activations = normal_floats(l.maps_in() * l.in_pixels(), seed, 1.0);
        for (float& v : l.activations) v = std::max(v, 0.0f);
      }
      l.weights = normal_floats(fan_in * outputs, seed + 1, std::sqrt(2.0 / static_cast<double>(fan_in)));
      l.biases = normal_floats(outputs, seed + 2, 0.1);
      seed += 3;
      layers_.push_back(std::move(l));
    }
  }

 private:
  struct Layer : ConvLayer {
    std::vector<float> activations, weights, biases;
    Buffer<float> in, weight, bias, out;
    bool chained = false;  ///< reads the output of the layer before

    std::size_t fan_in() const { return static_cast<std::size_t>(in_maps * kernel * kernel); }
    std::size_t maps_in() const { return static_cast<std::size_t>(in_maps * groups); }
    std::size_t maps_out() const { return static_cast<std::size_t>(out_maps * groups); }
    std::size_t in_pixels() const { return static_cast<std::size_t>(in_side * in_side); }
    std::size_t out_pixels() const { return static_cast<std::size_t>(out_side * out_side); }
  };
  /// The threads of a launch: rows x columns, each with factor x factor pixels from a first one on.
  struct Part {
    int rows, columns, first_row, first_column, factor;
  };

  void build() override {
    for (std::size_t n = 0; n < layers_.size(); ++n) {
      Layer& l = layers_[n];
      l.in = l.chained ? layers_[n - 1].out : memory_.allocate("activations", l.activations);
      l.weight = memory_.allocate("weights", l.weights);
      l.bias = memory_.allocate("biases", l.biases);
      l.out = memory_.allocate<float>("out", l.maps_out() * l.out_pixels());
    }
  }

  std::vector<Part> parts(const Layer& l) const {
    const int side = l.out_side;
    if (side <= kBlockSide) return {{side, side, 0, 0, 1}};
    if (!tiles_) return {{kBlockSide, kBlockSide, 0, 0, ceil_div(side, kBlockSide)}};
    std::vector<Part> tiles;
    for (int row = 0; row < side; row += kBlockSide)
      for (int column = 0; column < side; column += kBlockSide)
        tiles.push_back({std::min(kBlockSide, side - row), std::min(kBlockSide, side - column), row, column, 1});
    return tiles;
  }

  HostCode host() override {
    for (const Layer& l : layers_)
      for (const Part& part : parts(l))
        for (int group = 0; group < l.groups; ++group)
          co_yield launch(
              name(), static_cast<std::uint32_t>(l.out_maps), static_cast<std::uint32_t>(part.rows * part.columns),
              [this, &l, part, group](Warp& w) {
                const Vec<int> row = w.thread_x(part.rows), column = w.thread_y(part.rows);
                if (part.factor == 1) {
                  convolve(w, l, group, moved(row, part.first_row), moved(column, part.first_column));
                  return;
                }
                const Vec<int> top = row * part.factor, left = column * part.factor;
                w.if_((top < l.out_side) & (left < l.out_side), [&] {
                  for (int down = 0; down < part.factor; ++down)
                    for (int right = 0; right < part.factor; ++right) {
                      const Vec<int> y = top + down, x = left + right;
                      w.if_((y < l.out_side) & (x < l.out_side), [&] { convolve(w, l, group, y, x); });
                    }
                });
              },
              24);
  }

  static Vec<int> moved(const Vec<int>& v, int by) { return by == 0 ? v : v + by; }

  /// One output pixel per lane.
  static void convolve(Warp& w, const Layer& l, int group, const Vec<int>& row, const Vec<int>& column) {
    const int map = static_cast<int>(w.block()) + group * l.out_maps, side = l.in_side;
    const Vec<int> y = l.stride == 1 ? row : row * l.stride, x = l.stride == 1 ? column : column * l.stride;
    Vec<float> sum = 0.0f;
    Vec<int> pixel = y * side + x;
    const Vec<int> target =
        (l.stride == 1 && l.out_side == side ? pixel : row * l.out_side + column) + map * l.out_side * l.out_side;
    if (group > 0) pixel += group * l.in_maps * side * side;
    int k = map * static_cast<int>(l.fan_in());
    for ([[maybe_unused]] const int input : w.range(0, l.in_maps)) {
      for (int dy = -l.pad; dy < l.kernel - l.pad; ++dy)
        for (int dx = -l.pad; dx < l.kernel - l.pad; ++dx, ++k) {
          const auto multiply = [&] { sum = mad(w.load(l.in, pixel + (dy * side + dx)), w.load(l.weight, k), sum); };
          if (l.pad == 0)
            multiply();
          else
            w.if_(within(y + dy, 0, side - 1) & within(x + dx, 0, side - 1), multiply);
        }
      pixel += side * side;
    }
    sum += w.load(l.bias, map);
    w.store(l.out, target, max(sum, Vec<float>(0.0f)));
  }

  /// Each layer from the device's own input to it.
  std::string verify() override {
    for (const Layer& l : layers_)
      // The rounding of a sum grows with its length.
      if (std::string wrong = mismatch("output", memory_.read(l.out), reference(l, memory_.read(l.in)),
                                       kFloatTolerance, 1e-5 * std::max(1.0, static_cast<double>(l.fan_in()) / 500));
          !wrong.empty())
        return fmt::format("layer {}: {}", l.name, wrong);
    return "";
  }

  /// Each sum in the order of maps, rows and columns of the kernel; all outputs of a row side by side.
  static std::vector<double> reference(const Layer& l, const std::vector<float>& in) {
    std::vector<double> want(l.maps_out() * l.out_pixels());
    for (int o = 0; o < l.out_maps * l.groups; ++o) {
      double* const out = want.data() + static_cast<std::size_t>(o) * l.out_pixels();
      std::fill_n(out, l.out_pixels(), l.biases[static_cast<std::size_t>(o)]);
      for (int i = 0; i < l.in_maps; ++i) {
        const int map = o / l.out_maps * l.in_maps + i;
        for (int ky = 0; ky < l.kernel; ++ky)
          for (int kx = 0; kx < l.kernel; ++kx) {
            const double weight =
                l.weights[static_cast<std::size_t>(((o * l.in_maps + i) * l.kernel + ky) * l.kernel + kx)];
            const int first = first_inside(l, kx), end = end_inside(l, kx);
            for (int row = first_inside(l, ky); row < end_inside(l, ky); ++row) {
              const int y = row * l.stride - l.pad + ky;
              const float* const line = in.data() + static_cast<std::size_t>(map * l.in_side + y) * l.in_side;
              double* const sums = out + static_cast<std::size_t>(row * l.out_side);
              for (int column = first; column < end; ++column)
                sums[column] += static_cast<double>(line[column * l.stride - l.pad + kx]) * weight;
            }
          }
      }
      for (std::size_t p = 0; p < l.out_pixels(); ++p) out[p] = std::max(out[p], 0.0);
    }
    return want;
  }
  /// Output rows or columns that see an input at this place of the kernel.
  static int first_inside(const Layer& l, int k) { return std::max(0, (l.pad - k + l.stride - 1) / l.stride); }
  static int end_inside(const Layer& l, int k) {
    const int last = l.in_side - 1 + l.pad - k;
    return last < 0 ? 0 : std::min(l.out_side, last / l.stride + 1);
  }

  bool tiles_;
  std::vector<Layer> layers_;
};

class AlexNetConvolution final : public TangoConvolution {
 public:
  explicit AlexNetConvolution(const Settings& s) : TangoConvolution(s, "alexnet_conv", tango::alexnet(), true) {}
};
class ResNetConvolution final : public TangoConvolution {
 public:
  explicit ResNetConvolution(const Settings& s) : TangoConvolution(s, "resnet_conv", tango::resnet50(), false) {}
};

std::vector<Parameter> parameters(const std::vector<ConvLayer>& network, const char* layer, int inputs,
                                  int quarter_inputs, int small_inputs) {
  std::vector<std::string> names = {kAllLayers, kShapes};
  for (const ConvLayer& l : network) names.push_back(l.name);
  return {choice_parameter("layer", layer, std::move(names),
                           "one layer, all of them in order, or each shape of a layer once"),
          size_parameter("inputs", inputs, quarter_inputs, small_inputs, 4096, "maps",
                         "input maps of a layer at most; they must exceed one L1 to be read more than once"),
          size_parameter("outputs", 80, 40, 8, 4096, "maps", "output maps of a layer at most, one block each")};
}

}  // namespace

WorkloadEntry alexnet_conv_entry() {
  return entry_of<AlexNetConvolution>(
      {"alexnet_conv", "Tango", "convolutions of AlexNet, a map row per lane: all blocks read all input maps", "",
       parameters(tango::alexnet(), "conv3", 96, 96, 8), "0.83 M WMI; replication, lane pitch 52 bytes"},
      {"all 5 convolution layers", {{"layer", kAllLayers}, {"inputs", "4096"}, {"outputs", "4096"}}});
}
WorkloadEntry resnet_conv_entry() {
  return entry_of<ResNetConvolution>(
      {"resnet_conv", "Tango", "convolutions of ResNet-50, a map row per lane: all blocks read all input maps", "",
       parameters(tango::resnet50(), "res4b_branch2a", 512, 256, 32),
       "0.57 M WMI; replication above 0.6, broadcast weights"},
      {"all 53 convolution layers; each of their 20 shapes once here for time",
       {{"layer", kShapes}, {"inputs", "4096"}, {"outputs", "4096"}}});
}

}  // namespace warpsieve::workloads
