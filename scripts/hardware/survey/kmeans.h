// kmeans (Rodinia): transposition, then passes of nearest centres; sim_cpp/workloads/kmeans.cpp.
#pragma once

#include <cfloat>
#include <stdexcept>

#include "inputs/mesh.h"
#include "inputs/natural.h"
#include "program.h"

namespace warpsieve::hardware {

inline constexpr int kCentres = 5, kCentreWords = 960;

/// In constant memory, as every kernel argument is.
struct Centres {
  float value[kCentreWords];
};

__global__ void transpose_points(const float* points, float* planes, int n, int features) {
  const int p = grid_index();
  if (p >= n) return;
  for (int f = 0; f < features; ++f) planes[f * n + p] = points[p * features + f];
}

__global__ void assign_points(const float* planes, int* membership, int n, int features, int centres,
                              Centres centre) {
  const int p = grid_index();
  if (p >= n) return;
  float nearest = FLT_MAX;
  int best = -1;
  for (int c = 0; c < centres; ++c) {
    float distance = 0;
    for (int f = 0; f < features; ++f) {
      const float d = planes[f * n + p] - centre.value[c * features + f];
      distance = d * d + distance;
    }
    if (distance < nearest) {
      nearest = distance;
      best = c;
    }
  }
  membership[p] = best;
}

class KMeans final : public Program {
 public:
  explicit KMeans(const Setup& s)
      : points_(s.input.empty() ? inputs::connection_table(s.pick(65536, 16384, 1024), s.seed)
                                : inputs::read_points(s.input)),
        passes_(s.pick(1, 1, 2)) {
    if (points_.count < kCentres || kCentres * points_.features > kCentreWords)
      throw std::invalid_argument("kmeans: expected at least 5 points of at most 192 features");
  }

 private:
  void build() override {
    input_ = memory_.allocate("points", points_.values);
    planes_ = memory_.allocate<float>("planes", points_.values.size());
    membership_ = memory_.allocate("membership", std::vector<int>(static_cast<std::size_t>(points_.count), -1));
  }
  void host() override {
    const int n = points_.count, features = points_.features;
    const std::size_t blocks = blocks_for(membership_.count, 256);
    Centres centres{};
    for (int k = 0; k < kCentres * features; ++k) centres.value[k] = points_.values[static_cast<std::size_t>(k)];
    launch("kmeans_transpose", blocks, 256, transpose_points, memory_.pointer(input_), memory_.pointer(planes_), n,
           features);
    for (int p = 0; p < passes_; ++p) {
      launch("kmeans_assign", blocks, 256, assign_points, memory_.pointer(planes_), memory_.pointer(membership_), n,
             features, kCentres, centres);
      if (p + 1 < passes_) move(centres, memory_.read(membership_));
    }
  }
  /// Each centre to the mean of its points, summed in their order; an empty cluster stays.
  void move(Centres& centres, const std::vector<int>& member) const {
    const int features = points_.features;
    std::vector<float> sum(static_cast<std::size_t>(kCentres * features), 0.0f);
    std::vector<int> size(kCentres, 0);
    for (std::size_t i = 0; i < member.size(); ++i) {
      ++size[static_cast<std::size_t>(member[i])];
      for (int f = 0; f < features; ++f)
        sum[static_cast<std::size_t>(member[i] * features + f)] +=
            points_.values[i * static_cast<std::size_t>(features) + static_cast<std::size_t>(f)];
    }
    for (int k = 0; k < kCentres * features; ++k) {
      const int points = size[static_cast<std::size_t>(k / features)];
      if (points != 0) centres.value[k] = sum[static_cast<std::size_t>(k)] / static_cast<float>(points);
    }
  }

  inputs::Points points_;
  int passes_;
  Array<float> input_, planes_;
  Array<int> membership_;
};

}  // namespace warpsieve::hardware
