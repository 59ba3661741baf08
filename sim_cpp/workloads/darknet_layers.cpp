#include "workloads/darknet_layers.h"

#include "inputs/natural.h"
#include "workloads/common.h"

namespace warpsieve::workloads::darknet {
namespace {

/// Mean and mean square of a layer's values, as far as they follow from its kind.
struct Moments {
  double mean, square;
};
/// A normal value with mean 0 and variance 1 behind a leaky rectifier, and the largest of four neighbours.
constexpr Moments kRectified{0.36, 0.505}, kPooled{0.7, 1.0};

bool halves(const LayerSpec& spec) {
  return spec.kind == Kind::max_pool || spec.kind == Kind::reorg || spec.stride == 2;
}

/// What the picture's side must be a multiple of, so that `count` layers halve evenly.
int side_step(const std::vector<LayerSpec>& specs, int count) {
  std::vector<int> divisors;
  int now = 1, most = 1;
  for (int n = 0; n < count; ++n) {
    const LayerSpec& spec = specs[static_cast<std::size_t>(n)];
    if (halves(spec)) now *= 2;
    if (spec.kind == Kind::upsample) now /= 2;
    if (spec.kind == Kind::route) now = divisors[static_cast<std::size_t>(spec.from[0])];
    divisors.push_back(now);
    most = std::max(most, now);
  }
  return most;
}

void give_weights(Layer& l, Moments in, std::uint64_t seed) {
  const auto f = static_cast<std::size_t>(l.filters), k = static_cast<std::size_t>(l.fan_in()),
             pitch = static_cast<std::size_t>(l.pitch);
  const std::vector<float> dense = inputs::trained_filters(l.filters, l.fan_in(), seed);
  l.weights.assign(f * pitch, 0.0f);
  l.mean.resize(f);
  l.variance.resize(f);
  for (std::size_t i = 0; i < f; ++i) {
    double sum = 0, squares = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const float w = dense[i * k + j];
      l.weights[i * pitch + j] = w;
      sum += w;
      squares += static_cast<double>(w) * w;
    }
    // What training would have found for independent inputs: the outputs stay near mean 0 and variance 1.
    l.mean[i] = static_cast<float>(in.mean * sum);
    l.variance[i] = static_cast<float>(std::max(squares * (in.square - in.mean * in.mean), 1e-3));
  }
  l.scale = uniform_floats(f, seed + 1, 0.8, 1.2);
  l.bias = normal_floats(f, seed + 2, 0.15);
}

}  // namespace

std::vector<Layer> make_layers(const char* name, int count, int thin, int side, double mean, double square,
                               std::uint64_t seed) {
  const std::vector<LayerSpec> specs = network(name);
  std::vector<Layer> layers;
  std::vector<Moments> moments;
  Moments now{mean, square};
  if (const int step = side_step(specs, count); side % step != 0)
    throw WorkloadError(fmt::format("side = '{}': a multiple of {} is expected", side, step));
  int channels = 3, size = side;
  for (int n = 0; n < count; ++n) {
    const LayerSpec& spec = specs[static_cast<std::size_t>(n)];
    Layer l{spec, channels, size, channels, size, 0, {}, {}, {}, {}, {}};
    const auto of = [&](int layer) -> const Layer& { return layers[static_cast<std::size_t>(layer)]; };
    if (halves(spec)) l.out_side = size / 2;
    switch (spec.kind) {
      case Kind::convolution:
        l.filters = std::max(4, spec.filters / thin);
        l.pitch = ceil_div(l.fan_in(), 4) * 4;
        give_weights(l, now, seed += 3);
        now = spec.leaky ? kRectified : Moments{0, 1};
        break;
      case Kind::max_pool: now = kPooled; break;
      case Kind::average: l.out_side = 1; break;
      case Kind::shortcut: {
        const Moments& other = moments[static_cast<std::size_t>(spec.from[0])];
        now = {now.mean + other.mean, now.square + other.square + 2 * now.mean * other.mean};
        break;
      }
      case Kind::route: {
        l.filters = 0;
        now = {0, 0};
        for (const int from : spec.from) {
          const Moments& part = moments[static_cast<std::size_t>(from)];
          l.filters += of(from).filters;
          now.mean += part.mean / static_cast<double>(spec.from.size());
          now.square += part.square / static_cast<double>(spec.from.size());
        }
        l.side = l.out_side = of(spec.from[0]).out_side;
        break;
      }
      case Kind::upsample: l.out_side = 2 * size; break;
      case Kind::reorg: l.filters = 4 * channels; break;
      case Kind::head: break;
    }
    channels = l.filters;
    size = l.out_side;
    moments.push_back(now);
    layers.push_back(std::move(l));
  }
  return layers;
}

std::vector<double> convolved(const Layer& l, const std::vector<float>& in) {
  const int size = l.spec.size, stride = l.spec.stride, pad = size / 2, side = l.out_side;
  const auto pixels = static_cast<std::size_t>(l.pixels());
  std::vector<double> out(l.outputs(), 0.0);
  for (int f = 0; f < l.filters; ++f) {
    const float* weight = l.weights.data() + static_cast<std::size_t>(f) * static_cast<std::size_t>(l.pitch);
    double* const plane = out.data() + static_cast<std::size_t>(f) * pixels;
    for (int c = 0; c < l.channels; ++c)
      for (int ky = -pad; ky <= pad; ++ky)
        for (int kx = -pad; kx <= pad; ++kx, ++weight) {
          // The outputs whose input lies inside, so that the innermost loop has no test.
          const int first = kx < 0 ? ceil_div(-kx, stride) : 0, last = std::min(side, (l.side - 1 - kx) / stride + 1);
          for (int y = 0; y < side; ++y) {
            const int row = y * stride + ky;
            if (row < 0 || row >= l.side) continue;
            const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(c * l.side + row) * l.side + kx;
            double* const to = plane + static_cast<std::ptrdiff_t>(y) * side;
            for (int x = first; x < last; ++x) to[x] += static_cast<double>(*weight) * in.data()[from + x * stride];
          }
        }
  }
  return out;
}

std::vector<double> finished(const Layer& l, std::vector<double> sums) {
  const auto pixels = static_cast<std::size_t>(l.pixels());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t f = i / pixels;
    double& v = sums[i];
    if (l.spec.normalised) v = (v - l.mean[f]) / (std::sqrt(static_cast<double>(l.variance[f])) + 1e-6) * l.scale[f];
    v += l.bias[f];
    if (l.spec.leaky && v < 0) v *= 0.1;
  }
  return sums;
}

}  // namespace warpsieve::workloads::darknet
