// backprop (Rodinia): a training step of a two-layer network; sim_cpp/workloads/backprop.cpp.
#pragma once

#include <cmath>

#include "program.h"

namespace warpsieve::hardware {

inline constexpr int kUnits = 16, kWeightPitch = kUnits + 1;

/// Products of inputs and weights, which stay in `weights`, and their sums over the 16 rows of a block.
__global__ void forward_layer(const float* input, float* weights, float* partial) {
  __shared__ float nodes[kUnits];
  __shared__ float products[kUnits * kUnits];
  const int cell = static_cast<int>(threadIdx.x), x = cell % kUnits, y = cell / kUnits;
  const int block = static_cast<int>(blockIdx.x), row = kUnits * block + y + 1, at = row * kWeightPitch + x + 1;
  if (x == 0) nodes[y] = input[row];
  __syncthreads();
  products[cell] = weights[at] * nodes[y];
  __syncthreads();
  for (int reach = 1; reach < kUnits; reach *= 2) {
    if (y % (2 * reach) == 0) products[cell] = products[cell] + products[cell + reach * kUnits];
    __syncthreads();
  }
  weights[at] = products[cell];
  __syncthreads();
  if (x == 0) partial[block * kUnits + y] = products[y];
}

__device__ void change_weight(float* weights, float* momentum, int at, float slope) {
  const float step = slope * 0.3f + momentum[at] * 0.3f;
  weights[at] = weights[at] + step;
  momentum[at] = step;
}

__global__ void adjust_weights(const float* input, float* weights, const float* delta, float* momentum) {
  const int x = static_cast<int>(threadIdx.x) % kUnits, y = static_cast<int>(threadIdx.x) / kUnits;
  const int row = kUnits * static_cast<int>(blockIdx.x) + y + 1;
  change_weight(weights, momentum, row * kWeightPitch + x + 1, delta[x + 1] * input[row]);
  __syncthreads();
  if (blockIdx.x == 0 && y == 0) change_weight(weights, momentum, x + 1, delta[x + 1]);
}

class Backprop final : public Program {
 public:
  explicit Backprop(const Setup& s) : inputs_(s.pick(65536, 16384, 1024)) {
    const auto rows = static_cast<std::size_t>(inputs_) + 1;
    input_values_ = uniform_floats(rows, s.seed);
    input_values_[0] = 1.0f;  // the bias
    weight_values_ = uniform_floats(rows * kWeightPitch, s.seed + 1);
    output_weights_ = uniform_floats(kWeightPitch, s.seed + 2);
  }

 private:
  void build() override {
    input_ = memory_.allocate("input", input_values_);
    weights_ = memory_.allocate("weights", weight_values_);
    partial_ = memory_.allocate<float>("partial", static_cast<std::size_t>(inputs_));
    delta_ = memory_.allocate<float>("delta", kWeightPitch);
    momentum_ = memory_.allocate<float>("momentum", weight_values_.size());
  }
  void host() override {
    const auto blocks = static_cast<std::size_t>(inputs_ / kUnits);
    launch("backprop_forward", blocks, kUnits * kUnits, forward_layer, memory_.pointer(input_),
           memory_.pointer(weights_), memory_.pointer(partial_));
    memory_.write(delta_, deltas(memory_.read(partial_)));
    memory_.write(weights_, weight_values_);
    launch("backprop_adjust", blocks, kUnits * kUnits, adjust_weights, memory_.pointer(input_),
           memory_.pointer(weights_), memory_.pointer(delta_), memory_.pointer(momentum_));
  }
  static float squash(float x) { return 1.0f / (1.0f + std::exp(-x)); }
  /// Errors of the hidden units: the host finishes both layers.
  std::vector<float> deltas(const std::vector<float>& partial) const {
    std::vector<float> hidden(kWeightPitch, 1.0f), delta(kWeightPitch, 0.0f);
    float out = output_weights_[0];
    for (std::size_t j = 1; j < hidden.size(); ++j) {
      float sum = weight_values_[j];
      for (std::size_t k = j - 1; k < partial.size(); k += kUnits) sum += partial[k];
      hidden[j] = squash(sum);
      out += output_weights_[j] * hidden[j];
    }
    out = squash(out);
    const float error = out * (1.0f - out) * (0.1f - out);
    for (std::size_t j = 1; j < hidden.size(); ++j)
      delta[j] = hidden[j] * (1.0f - hidden[j]) * error * output_weights_[j];
    return delta;
  }

  int inputs_;
  std::vector<float> input_values_, weight_values_, output_weights_;
  Array<float> input_, weights_, partial_, delta_, momentum_;
};

}  // namespace warpsieve::hardware
