// cfd (Rodinia euler3d): Euler solver on tetrahedra; sim_cpp/workloads/cfd.cpp. Arrays are planes of `stride`
// elements.
#pragma once

#include <algorithm>
#include <cmath>

#include "inputs/mesh.h"
#include "program.h"

namespace warpsieve::hardware {

inline constexpr int kCfdThreads = 192;
inline constexpr float kHeatRatio = 1.4f;

/// Five variables, then the fluxes that follow from them.
struct FlowState {
  float density, mx, my, mz, energy;
};
struct FlowFlux {
  float xx, xy, xz, yy, yz, zz, ex, ey, ez;
};
struct FarField {
  FlowState state;
  FlowFlux flux;
};
struct FlowDerived {
  float vx, vy, vz, speed_squared, pressure, sound;
};

__device__ FlowState load_state(const float* planes, int i, int stride) {
  return {planes[i], planes[i + stride], planes[i + 2 * stride], planes[i + 3 * stride], planes[i + 4 * stride]};
}

__device__ FlowDerived derive(const FlowState& c) {
  FlowDerived d;
  d.vx = c.mx / c.density;
  d.vy = c.my / c.density;
  d.vz = c.mz / c.density;
  d.speed_squared = d.vz * d.vz + (d.vy * d.vy + d.vx * d.vx);
  d.pressure = (c.energy - c.density * d.speed_squared * 0.5f) * (kHeatRatio - 1.0f);
  d.sound = sqrtf(d.pressure * kHeatRatio / c.density);
  return d;
}

__device__ FlowFlux flux_of(const FlowState& c, const FlowDerived& d) {
  const float total = c.energy + d.pressure;
  return {d.vx * c.mx + d.pressure,
          d.vx * c.my,
          d.vx * c.mz,
          d.vy * c.my + d.pressure,
          d.vy * c.mz,
          d.vz * c.mz + d.pressure,
          d.vx * total,
          d.vy * total,
          d.vz * total};
}

/// Adds half of the flux sum of both sides along one axis.
__device__ void add_axis(FlowState& sum, float normal, float d, float e, float x, float y, float z) {
  const float half = normal * 0.5f;
  sum.density = half * d + sum.density;
  sum.energy = half * e + sum.energy;
  sum.mx = half * x + sum.mx;
  sum.my = half * y + sum.my;
  sum.mz = half * z + sum.mz;
}

__device__ void add_side(FlowState& sum, float nx, float ny, float nz, const FlowState& c, const FlowFlux& f,
                         const FlowState& own, const FlowFlux& of) {
  add_axis(sum, nx, c.mx + own.mx, f.ex + of.ex, f.xx + of.xx, f.xy + of.xy, f.xz + of.xz);
  add_axis(sum, ny, c.my + own.my, f.ey + of.ey, f.xy + of.xy, f.yy + of.yy, f.yz + of.yz);
  add_axis(sum, nz, c.mz + own.mz, f.ez + of.ez, f.xz + of.xz, f.yz + of.yz, f.zz + of.zz);
}

__global__ void cfd_initialise(float* planes, int stride, FarField far) {
  const int i = grid_index();
  planes[i] = far.state.density;
  planes[i + stride] = far.state.mx;
  planes[i + 2 * stride] = far.state.my;
  planes[i + 3 * stride] = far.state.mz;
  planes[i + 4 * stride] = far.state.energy;
}

__global__ void cfd_copy(float* to, const float* from, int n) {
  const int i = grid_index();
  if (i < n) to[i] = from[i];
}

__global__ void cfd_step_factor(const float* variables, const float* area, float* step, int stride) {
  const int i = grid_index();
  const FlowDerived d = derive(load_state(variables, i, stride));
  step[i] = 0.5f / (sqrtf(area[i]) * (sqrtf(d.speed_squared) + d.sound));
}

__global__ void cfd_time_step(float* variables, const float* old, const float* fluxes, const float* step, int stride,
                              int stage) {
  const int i = grid_index();
  const float factor = step[i] / static_cast<float>(4 - stage);
  for (int p = 0; p < 5; ++p) variables[i + p * stride] = factor * fluxes[i + p * stride] + old[i + p * stride];
}

__global__ void cfd_flux(const float* variables, float* fluxes, const int* neighbours, const float* normals,
                         int stride, FarField far) {
  const int i = grid_index();
  const FlowState own = load_state(variables, i, stride);
  const FlowDerived od = derive(own);
  const FlowFlux of = flux_of(own, od);
  const float speed = sqrtf(od.speed_squared);
  FlowState sum = {0, 0, 0, 0, 0};
  for (int face = 0; face < 4; ++face) {
    const int nb = neighbours[i + face * stride];
    const float nx = normals[i + face * stride], ny = normals[i + (4 + face) * stride],
                nz = normals[i + (8 + face) * stride];
    const float length = sqrtf(nz * nz + (ny * ny + nx * nx));
    if (nb >= 0) {
      const FlowState c = load_state(variables, nb, stride);
      const FlowDerived d = derive(c);
      // Artificial viscosity.
      const float damp = length * -0.1f * (speed + sqrtf(d.speed_squared) + od.sound + d.sound);
      sum.density = damp * (own.density - c.density) + sum.density;
      sum.energy = damp * (own.energy - c.energy) + sum.energy;
      sum.mx = damp * (own.mx - c.mx) + sum.mx;
      sum.my = damp * (own.my - c.my) + sum.my;
      sum.mz = damp * (own.mz - c.mz) + sum.mz;
      add_side(sum, nx, ny, nz, c, flux_of(c, d), own, of);
    } else if (nb == inputs::kWall) {
      sum.mx = nx * od.pressure + sum.mx;
      sum.my = ny * od.pressure + sum.my;
      sum.mz = nz * od.pressure + sum.mz;
    } else {
      add_side(sum, nx, ny, nz, far.state, far.flux, own, of);
    }
  }
  fluxes[i] = sum.density;
  fluxes[i + stride] = sum.mx;
  fluxes[i + 2 * stride] = sum.my;
  fluxes[i + 3 * stride] = sum.mz;
  fluxes[i + 4 * stride] = sum.energy;
}

class Cfd final : public Program {
 public:
  explicit Cfd(const Setup& s) : iterations_(s.pick(4, 4, 1)) {
    const int cubes = s.pick(18, 11, 4);
    mesh_ = s.input.empty() ? inputs::box_mesh(cubes, cubes, cubes, inputs::kFarField, s.seed)
                            : inputs::renumber(inputs::read_mesh(s.input), inputs::Renumber::morton);
    stride_ = (mesh_.elements + kCfdThreads - 1) / kCfdThreads * kCfdThreads;
  }

 private:
  /// Density 1.4, Mach 1.2 along x, pressure 1.
  static FarField far_field() {
    const float density = 1.4f, pressure = 1.0f, speed = 1.2f * std::sqrt(kHeatRatio * pressure / density);
    FarField f{};
    f.state.density = density;
    f.state.mx = density * speed;
    f.state.energy = density * 0.5f * speed * speed + pressure / (kHeatRatio - 1.0f);
    f.flux.xx = speed * f.state.mx + pressure;
    f.flux.yy = f.flux.zz = pressure;
    f.flux.ex = speed * (f.state.energy + pressure);
    return f;
  }
  void build() override {
    const auto n = static_cast<std::size_t>(stride_);
    std::vector<float> area(n), normal(12 * n);
    std::vector<int> neighbour(4 * n);
    for (std::size_t i = 0; i < n; ++i) {  // elements behind the last one are copies of it; normals point inwards
      const std::size_t e = std::min(i, static_cast<std::size_t>(mesh_.elements) - 1);
      area[i] = mesh_.area[e];
      for (std::size_t face = 0; face < 4; ++face) {
        neighbour[face * n + i] = mesh_.neighbour[4 * e + face];
        for (std::size_t d = 0; d < 3; ++d) normal[(4 * d + face) * n + i] = -mesh_.normal[12 * e + 3 * face + d];
      }
    }
    variables_ = memory_.allocate<float>("variables", 5 * n);
    old_ = memory_.allocate<float>("old_variables", 5 * n);
    fluxes_ = memory_.allocate<float>("fluxes", 5 * n);
    area_ = memory_.allocate("areas", area);
    step_ = memory_.allocate<float>("step_factors", n);
    neighbour_ = memory_.allocate("neighbours", neighbour);
    normal_ = memory_.allocate("normals", normal);
  }
  void host() override {
    const auto blocks = static_cast<std::size_t>(stride_ / kCfdThreads);
    const FarField far = far_field();
    float* const variables = memory_.pointer(variables_);
    float* const old = memory_.pointer(old_);
    float* const fluxes = memory_.pointer(fluxes_);
    float* const step = memory_.pointer(step_);
    for (float* planes : {variables, old, fluxes})
      launch("cfd_init", blocks, kCfdThreads, cfd_initialise, planes, stride_, far);
    for (int i = 0; i < iterations_; ++i) {
      launch("cfd_copy", blocks_for(old_.count, 256), 256, cfd_copy, old, variables, 5 * stride_);
      launch("cfd_step_factor", blocks, kCfdThreads, cfd_step_factor, variables, memory_.pointer(area_), step,
             stride_);
      for (int stage = 0; stage < 3; ++stage) {
        launch("cfd_flux", blocks, kCfdThreads, cfd_flux, variables, fluxes, memory_.pointer(neighbour_),
               memory_.pointer(normal_), stride_, far);
        launch("cfd_time_step", blocks, kCfdThreads, cfd_time_step, variables, old, fluxes, step, stride_, stage);
      }
    }
  }

  inputs::Mesh mesh_;
  int iterations_, stride_ = 0;
  Array<float> variables_, old_, fluxes_, area_, step_, normal_;
  Array<int> neighbour_;
};

}  // namespace warpsieve::hardware
