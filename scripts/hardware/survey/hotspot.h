// hotspot (Rodinia): temperature of a chip, two time steps per launch in shared memory;
// sim_cpp/workloads/hotspot.cpp.
#pragma once

#include "inputs/natural.h"
#include "program.h"

namespace warpsieve::hardware {

inline constexpr int kTile = 16, kHeatSteps = 2, kTileInner = kTile - 2 * kHeatSteps;

/// Conductances across and down, and the time step over the capacity.
struct HeatConstants {
  float across, down, step;
};

__global__ void spread_heat(const float* from, float* to, const float* power, int n, int grid, HeatConstants c) {
  __shared__ float heat[kTile * kTile];
  __shared__ float source[kTile * kTile];
  __shared__ float next[kTile * kTile];
  const int cell = static_cast<int>(threadIdx.x), tx = cell % kTile, ty = cell / kTile;
  const int block = static_cast<int>(blockIdx.x);
  const int top = kTileInner * (block / grid) - kHeatSteps, left = kTileInner * (block % grid) - kHeatSteps;
  const int at = (ty + top) * n + tx + left;
  // The part of the tile that lies on the chip; beyond its edge the edge cell repeats.
  const int y0 = top < 0 ? -top : 0, y1 = n - 1 - top < kTile - 1 ? n - 1 - top : kTile - 1;
  const int x0 = left < 0 ? -left : 0, x1 = n - 1 - left < kTile - 1 ? n - 1 - left : kTile - 1;
  const bool on_chip = ty >= y0 && ty <= y1 && tx >= x0 && tx <= x1;
  if (on_chip) {
    heat[cell] = from[at];
    source[cell] = power[at];
  }
  __syncthreads();
  const int north = (ty > y0 ? ty - 1 : y0) * kTile + tx, south = (ty < y1 ? ty + 1 : y1) * kTile + tx;
  const int west = ty * kTile + (tx > x0 ? tx - 1 : x0), east = ty * kTile + (tx < x1 ? tx + 1 : x1);
  for (int i = 0; i < kHeatSteps; ++i) {
    const int low = i + 1, high = kTile - 2 - i;
    const bool inside = on_chip && tx >= low && tx <= high && ty >= low && ty <= high;
    if (inside) {
      const float t = heat[cell], twice = t + t;
      const float vertical = heat[south] + heat[north] - twice, horizontal = heat[east] + heat[west] - twice;
      const float flow = source[cell] + vertical * c.across + horizontal * c.across + (80.0f - t) * c.down;
      next[cell] = flow * c.step + t;
    }
    __syncthreads();
    if (inside && i + 1 < kHeatSteps) heat[cell] = next[cell];
    if (inside && i + 1 == kHeatSteps) to[at] = next[cell];
    __syncthreads();
  }
}

class Hotspot final : public Program {
 public:
  explicit Hotspot(const Setup& s) : n_(s.pick(512, 256, 64)), launches_(s.pick(10, 10, 2)) {
    start_ = inputs::temperature_map(n_, s.seed).values;
    power_values_ = inputs::power_map(n_, s.seed + 1).values;
  }

 private:
  /// A chip of 16 x 16 mm, 0.5 mm thick, with the benchmark's constants.
  HeatConstants constants() const {
    const float width = 0.016f / static_cast<float>(n_), thickness = 0.0005f, conductivity = 100, heat = 1.75e6f,
                max_power = 3.0e6f, factor = 0.5f, precision = 0.001f;
    const float capacity = factor * heat * thickness * width * width;
    return {2.0f * conductivity * thickness, conductivity * width * width / thickness,
            precision / (max_power / (factor * thickness * heat)) / capacity};
  }
  void build() override {
    power_ = memory_.allocate("power", power_values_);
    temperature_[0] = memory_.allocate("temperature", start_);
    temperature_[1] = memory_.allocate<float>("next_temperature", start_.size());
  }
  void host() override {
    const int grid = (n_ + kTileInner - 1) / kTileInner;
    for (int i = 0; i < launches_; ++i)
      launch("hotspot", static_cast<std::size_t>(grid * grid), kTile * kTile, spread_heat,
             memory_.pointer(temperature_[i % 2]), memory_.pointer(temperature_[(i + 1) % 2]),
             memory_.pointer(power_), n_, grid, constants());
  }

  int n_, launches_;
  std::vector<float> start_, power_values_;
  Array<float> power_, temperature_[2];
};

}  // namespace warpsieve::hardware
