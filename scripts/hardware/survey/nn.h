// nn (Rodinia): distances of records to one place; sim_cpp/workloads/nn.cpp.
#pragma once

#include <cmath>

#include "program.h"

namespace warpsieve::hardware {

struct Place {
  float latitude = 0, longitude = 0;
};

__global__ void distances(const Place* places, float* distance, int n) {
  const int i = grid_index();
  if (i >= n) return;
  const float dy = places[i].latitude - 30.0f, dx = places[i].longitude - 90.0f;
  distance[i] = sqrtf(dy * dy + dx * dx);
}

class NearestNeighbours final : public Program {
 public:
  explicit NearestNeighbours(const Setup& s) {
    inputs::Random random(s.seed);
    for (int i = 0; i < s.pick(1 << 20, 1 << 18, 4096); ++i) {
      const auto latitude = static_cast<float>(7 + 0.1 * random.below(560));
      records_.push_back({latitude, static_cast<float>(0.1 * random.below(3580))});
    }
  }

 private:
  void build() override {
    places_ = memory_.allocate("places", records_);
    distance_ = memory_.allocate<float>("distance", records_.size());
  }
  void host() override {
    launch("nn", blocks_for(places_.count, 256), 256, distances, memory_.pointer(places_), memory_.pointer(distance_),
           static_cast<int>(places_.count));
  }

  std::vector<Place> records_;
  Array<Place> places_;
  Array<float> distance_;
};

}  // namespace warpsieve::hardware
