// The layers of a Darknet network with their shapes, weights and arrays on the device.
#pragma once

#include <cstdint>
#include <vector>

#include "simt/memory.h"
#include "workloads/darknet_networks.h"

namespace warpsieve::workloads::darknet {

struct Layer {
  LayerSpec spec;
  int channels, side;     ///< of the input
  int filters, out_side;  ///< of the output
  int pitch = 0;          ///< weights of one filter, padded to 16 bytes
  std::vector<float> weights, mean, variance, scale, bias;
  simt::Buffer<float> weight_array = {}, mean_array = {}, variance_array = {}, scale_array = {}, bias_array = {};
  simt::Buffer<float> delta = {};  ///< gradients, which Darknet clears before every layer
  simt::Buffer<float> out = {};
  simt::Buffer<float> before = {};  ///< of normalised convolutions: the output before that
  simt::Buffer<int> index = {};     ///< of poolings: where the largest values are

  bool has_output() const { return spec.kind != Kind::head; }
  int pixels() const { return out_side * out_side; }
  int in_pixels() const { return side * side; }
  int fan_in() const { return channels * spec.size * spec.size; }
  std::uint64_t outputs() const { return static_cast<std::uint64_t>(filters) * static_cast<std::uint64_t>(pixels()); }
};

/// The first `count` layers of a network on a picture of 3 x side x side, all filter counts divided by `thin` (at
/// least 4 remain). Weights are random, with the spread of trained ones; the statistics of normalisation fit them.
/// `mean`, `square`: of the picture's values. Throws WorkloadError for a side that a layer cannot halve.
std::vector<Layer> make_layers(const char* network, int count, int thin, int side, double mean, double square,
                               std::uint64_t seed);

/// The output of a layer before normalisation, biases and rectifier: a direct convolution in double precision.
std::vector<double> convolved(const Layer& l, const std::vector<float>& in);
/// The output that belongs to such sums.
std::vector<double> finished(const Layer& l, std::vector<double> sums);

}  // namespace warpsieve::workloads::darknet
