// alexnet_conv and resnet_conv (Tango): one convolution layer, one block per output map, one thread per
// output pixel with the ROW on threadIdx.x: neighbouring lanes are a map row apart, so that a load
// touches several lines. Every block reads all input maps in the same order; a weight is the same word
// for all lanes.
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

class TangoConvolution : public Program {
 public:
  TangoConvolution(const Settings& s, const char* name, int kernel)
      : Program(name), kernel_(kernel), side_(s.count("side")), inputs_(s.count("inputs")),
        outputs_(s.count("outputs")) {
    const auto pixels = static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_);
    const auto fan_in = static_cast<std::size_t>(inputs_) * static_cast<std::size_t>(kernel_ * kernel_);
    // What a rectified layer before this one hands over: half of the values are 0.
    activations_ = normal_floats(pixels * static_cast<std::size_t>(inputs_), s.seed(), 1.0);
    for (float& v : activations_) v = std::max(v, 0.0f);
    weights_ = normal_floats(fan_in * static_cast<std::size_t>(outputs_), s.seed() + 1,
                             std::sqrt(2.0 / static_cast<double>(fan_in)));
    biases_ = normal_floats(static_cast<std::size_t>(outputs_), s.seed() + 2, 0.1);
  }

 private:
  void build() override {
    in_ = memory_.allocate("activations", activations_);
    weight_ = memory_.allocate("weights", weights_);
    bias_ = memory_.allocate("biases", biases_);
    out_ = memory_.allocate<float>("out", biases_.size() * static_cast<std::uint64_t>(side_ * side_));
  }

  HostCode host() override {
    co_yield launch(
        name(), static_cast<std::uint32_t>(outputs_), static_cast<std::uint32_t>(side_ * side_),
        [side = side_, size = kernel_, maps = inputs_, in = in_, weight = weight_, bias = bias_,
         out = out_](Warp& w) {
          const int map = static_cast<int>(w.block()), pad = size / 2;
          const Vec<int> row = w.thread_x(side), column = w.thread_y(side);
          Vec<float> sum = 0.0f;
          Vec<int> pixel = row * side + column;
          const Vec<int> target = pixel + map * side * side;
          int k = map * maps * size * size;
          for ([[maybe_unused]] const int input : w.range(0, maps)) {
            for (int dy = -pad; dy <= pad; ++dy)
              for (int dx = -pad; dx <= pad; ++dx, ++k) {
                const auto multiply = [&] {
                  sum = mad(w.load(in, pixel + (dy * side + dx)), w.load(weight, k), sum);
                };
                if (size == 1)
                  multiply();
                else
                  w.if_(within(row + dy, 0, side - 1) & within(column + dx, 0, side - 1), multiply);
              }
            pixel += side * side;
          }
          sum += w.load(bias, map);
          w.store(out, target, max(sum, Vec<float>(0.0f)));
        },
        24);
  }

  std::string verify() override {
    const int pad = kernel_ / 2;
    std::vector<double> want;
    for (int o = 0; o < outputs_; ++o)
      for (int y = 0; y < side_; ++y)
        for (int x = 0; x < side_; ++x) {
          double sum = biases_[static_cast<std::size_t>(o)];
          for (int i = 0; i < inputs_; ++i)
            for (int ky = std::max(0, pad - y); ky < std::min(kernel_, side_ + pad - y); ++ky)
              for (int kx = std::max(0, pad - x); kx < std::min(kernel_, side_ + pad - x); ++kx)
                sum +=
                    static_cast<double>(
                        activations_[static_cast<std::size_t>((i * side_ + y + ky - pad) * side_ + x + kx - pad)]) *
                    weights_[static_cast<std::size_t>(((o * inputs_ + i) * kernel_ + ky) * kernel_ + kx)];
          want.push_back(std::max(sum, 0.0));
        }
    return mismatch("output", memory_.read(out_), want, kFloatTolerance, 1e-5);
  }

  int kernel_, side_, inputs_, outputs_;
  std::vector<float> activations_, weights_, biases_;
  Buffer<float> in_, weight_, bias_, out_;
};

class AlexNetConvolution final : public TangoConvolution {
 public:
  explicit AlexNetConvolution(const Settings& s) : TangoConvolution(s, "alexnet_conv", 3) {}
};
class ResNetConvolution final : public TangoConvolution {
 public:
  explicit ResNetConvolution(const Settings& s) : TangoConvolution(s, "resnet_conv", 1) {}
};

std::vector<Parameter> parameters(int side, int inputs, int quarter_inputs, int small_inputs) {
  return {integer_parameter("side", side, side, side, 2, 32, "pixels", "width and height of the maps"),
          size_parameter("inputs", inputs, quarter_inputs, small_inputs, 4096, "maps",
                         "input maps; together they must exceed one L1 to be read more than once"),
          size_parameter("outputs", 80, 40, 8, 4096, "maps", "output maps, one block each")};
}

}  // namespace

WorkloadEntry alexnet_conv_entry() {
  return entry_of<AlexNetConvolution>(
      {"alexnet_conv", "Tango", "3 x 3 convolution, a map row per lane: all blocks read all input maps", "",
       parameters(13, 96, 96, 8), "0.83 M WMI; replication, lane pitch 52 bytes"},
      {"layer conv3: 256 inputs, 384 outputs of 13 x 13", {{"inputs", "256"}, {"outputs", "384"}}});
}
WorkloadEntry resnet_conv_entry() {
  return entry_of<ResNetConvolution>(
      {"resnet_conv", "Tango", "1 x 1 convolution, a map row per lane: all blocks read all input maps", "",
       parameters(14, 512, 256, 32), "0.57 M WMI; replication above 0.6, broadcast weights"},
      {"1 x 1 layers of 14 x 14: 1,024 inputs, 256 outputs", {{"inputs", "1024"}, {"outputs", "256"}}});
}

}  // namespace warpsieve::workloads
