#include "workloads/cfd_mesh.h"

#include <array>
#include <cmath>

namespace warpsieve::workloads::cfd {

std::vector<float> far_field() {
  std::vector<float> f(kFarSize, 0.0f);
  const float density = 1.4f, pressure = 1.0f, speed = 1.2f * std::sqrt(kGamma * pressure / density);
  f[kDensity] = density;
  f[kMx] = density * speed;
  f[kEnergy] = density * 0.5f * speed * speed + pressure / (kGamma - 1.0f);
  f[kXx] = speed * f[kMx] + pressure;
  f[kYy] = pressure;
  f[kZz] = pressure;
  f[kEx] = speed * (f[kEnergy] + pressure);
  return f;
}

inputs::Mesh make_mesh(const Settings& s) {
  const int boundary = s.text("boundary") == "wall" ? inputs::kWall : inputs::kFarField;
  const std::string& order = s.text("renumber");
  const bool file = !s.input().empty();
  const auto box = [&](int cubes) { return inputs::box_mesh(cubes, cubes, cubes, boundary, s.seed()); };
  const inputs::Mesh m = file ? inputs::read_mesh(s.input(), boundary) : box(s.count("cubes"));
  const bool automatic = order == "auto";
  return inputs::renumber(m, order == "bfs"                             ? inputs::Renumber::bfs
                             : order == "morton" || (automatic && file) ? inputs::Renumber::morton
                                                                        : inputs::Renumber::none);
}

Planes pad(const inputs::Mesh& m, int stride) {
  const auto n = static_cast<std::size_t>(stride);
  Planes p{std::vector<float>(n), std::vector<int>(4 * n), std::vector<float>(12 * n)};
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t e = std::min(i, static_cast<std::size_t>(m.elements) - 1);
    p.area[i] = m.area[e];
    for (std::size_t face = 0; face < 4; ++face) {
      p.neighbour[face * n + i] = m.neighbour[4 * e + face];
      for (std::size_t d = 0; d < 3; ++d) p.normal[(4 * d + face) * n + i] = -m.normal[12 * e + 3 * face + d];
    }
  }
  return p;
}

namespace {

using State = std::array<float, 5>;  ///< density, momentum x y z, energy

float pressure_of(const State& u) {
  const float q = (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0];
  return (kGamma - 1.0f) * (u[4] - 0.5f * q);
}
float speed_of(const State& u) { return std::sqrt(u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0]; }
float sound_of(const State& u) { return std::sqrt(kGamma * pressure_of(u) / u[0]); }

/// Flux of all five variables through a unit area with normal n.
State through(const State& u, const float* n) {
  const float p = pressure_of(u), v = (u[1] * n[0] + u[2] * n[1] + u[3] * n[2]) / u[0];
  return {u[0] * v, u[1] * v + p * n[0], u[2] * v + p * n[1], u[3] * v + p * n[2], (u[4] + p) * v};
}

}  // namespace

std::vector<float> reference(const Planes& m, int stride, int iterations) {
  const auto n = static_cast<std::size_t>(stride);
  const std::vector<float> far = far_field();
  const State free_stream = {far[0], far[1], far[2], far[3], far[4]};
  std::vector<State> u(n, free_stream), old(n), flux(n);
  std::vector<float> step(n);
  for (int it = 0; it < iterations; ++it) {
    old = u;
    for (std::size_t i = 0; i < n; ++i) step[i] = 0.5f / (std::sqrt(m.area[i]) * (speed_of(u[i]) + sound_of(u[i])));
    for (int stage = 0; stage < 3; ++stage) {
      for (std::size_t i = 0; i < n; ++i) {
        State sum{};
        for (std::size_t face = 0; face < 4; ++face) {
          const float normal[3] = {m.normal[face * n + i], m.normal[(4 + face) * n + i],
                                   m.normal[(8 + face) * n + i]};
          const int nb = m.neighbour[face * n + i];
          if (nb == inputs::kWall) {
            for (std::size_t d = 0; d < 3; ++d) sum[d + 1] += normal[d] * pressure_of(u[i]);
            continue;
          }
          const State& other = nb >= 0 ? u[static_cast<std::size_t>(nb)] : free_stream;
          const State here = through(u[i], normal), there = through(other, normal);
          for (std::size_t v = 0; v < 5; ++v) sum[v] += 0.5f * (here[v] + there[v]);
          if (nb < 0) continue;
          const float length = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
          const float damp =
              0.2f * 0.5f * length * (speed_of(u[i]) + speed_of(other) + sound_of(u[i]) + sound_of(other));
          for (std::size_t v = 0; v < 5; ++v) sum[v] -= damp * (u[i][v] - other[v]);
        }
        flux[i] = sum;
      }
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t v = 0; v < 5; ++v)
          u[i][v] = old[i][v] + step[i] / static_cast<float>(4 - stage) * flux[i][v];
    }
  }
  std::vector<float> planes(5 * n);
  for (std::size_t v = 0; v < 5; ++v)
    for (std::size_t i = 0; i < n; ++i) planes[v * n + i] = u[i][v];
  return planes;
}

}  // namespace warpsieve::workloads::cfd
