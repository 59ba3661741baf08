// cfd (Rodinia euler3d): unstructured finite-volume Euler solver on tetrahedra, third-order
// Runge-Kutta, T = 192, single precision. Arrays are planes of `nelr` elements (N padded to 192);
// padding elements are copies of the last one. Neighbour -1 is a wall, -2 the far field.
//
// Per iteration: copy variables, step factor, then 3 x {flux, time step}: 203 warp memory
// instructions per warp where every element has four neighbours.
#include <fmt/format.h>

#include <cmath>

#include "simt/program.h"
#include "workloads/cfd_mesh.h"
#include "workloads/registry.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;
using cfd::kGamma;
using F = Vec<float>;

struct V3 {
  F x, y, z;
};

/// State of one cell as registers: what is loaded, and what follows from it.
struct Cell {
  F density;
  V3 momentum;
  F energy;
};
struct Derived {
  V3 velocity;
  F speed_squared, pressure, sound;
};
/// Fluxes of momentum (symmetric: xx xy xz yy yz zz) and energy.
struct Contribution {
  F xx, xy, xz, yy, yz, zz;
  V3 energy;
};

Cell load_cell(Warp& w, const Buffer<float>& planes, const Vec<int>& i, int stride) {
  Cell c;
  c.density = w.load(planes, i);
  c.momentum.x = w.load(planes, i + stride);
  c.momentum.y = w.load(planes, i + 2 * stride);
  c.momentum.z = w.load(planes, i + 3 * stride);
  c.energy = w.load(planes, i + 4 * stride);
  return c;
}

Derived derive(const Cell& c) {
  Derived d;
  d.velocity = {c.momentum.x / c.density, c.momentum.y / c.density, c.momentum.z / c.density};
  d.speed_squared = mad(d.velocity.z, d.velocity.z, mad(d.velocity.y, d.velocity.y, d.velocity.x * d.velocity.x));
  d.pressure = (c.energy - c.density * d.speed_squared * 0.5f) * (kGamma - 1.0f);
  d.sound = sqrt(d.pressure * kGamma / c.density);
  return d;
}

Contribution contribute(const Cell& c, const Derived& d) {
  Contribution f;
  f.xx = mad(d.velocity.x, c.momentum.x, d.pressure);
  f.xy = d.velocity.x * c.momentum.y;
  f.xz = d.velocity.x * c.momentum.z;
  f.yy = mad(d.velocity.y, c.momentum.y, d.pressure);
  f.yz = d.velocity.y * c.momentum.z;
  f.zz = mad(d.velocity.z, c.momentum.z, d.pressure);
  const F total = c.energy + d.pressure;
  f.energy = {d.velocity.x * total, d.velocity.y * total, d.velocity.z * total};
  return f;
}

class Cfd final : public Program {
 public:
  explicit Cfd(const Settings& s) : Program("cfd"), mesh_(cfd::make_mesh(s)), iterations_(s.count("iterations")) {
    stride_ = (mesh_.elements + 191) / 192 * 192;
    padded_ = cfd::pad(mesh_, stride_);
    if (s.input().empty()) return;
    for (const float v : cfd::reference(padded_, stride_, iterations_))
      if (!std::isfinite(v))
        throw WorkloadError(fmt::format(
            "cfd: a mesh on which the solver does not diverge within {} iterations is expected", iterations_));
  }

 private:
  void build() override {
    const auto n = static_cast<std::uint64_t>(stride_);
    variables_ = memory_.allocate<float>("variables", 5 * n);
    old_ = memory_.allocate<float>("old_variables", 5 * n);
    fluxes_ = memory_.allocate<float>("fluxes", 5 * n);
    area_ = memory_.allocate("areas", padded_.area);
    step_ = memory_.allocate<float>("step_factors", n);
    neighbour_ = memory_.allocate("neighbours", padded_.neighbour);
    normal_ = memory_.allocate("normals", padded_.normal);
    far_ = cfd::far_field();
  }

  HostCode host() override {
    co_yield initialise(variables_);
    co_yield initialise(old_);
    co_yield initialise(fluxes_);
    for (int i = 0; i < iterations_; ++i) {
      co_yield make_copy(memory_, old_, variables_, "cfd_copy");
      co_yield step_factor();
      for (int stage = 0; stage < 3; ++stage) {
        co_yield flux();
        co_yield time_step(stage);
      }
    }
  }

  std::uint32_t blocks() const { return static_cast<std::uint32_t>(stride_ / 192); }
  Constant<float> far_constant() const { return {far_, "far field"}; }

  std::unique_ptr<KernelLaunch> initialise(const Buffer<float>& planes) {
    const int stride = stride_;
    return launch(
        "cfd_init", blocks(), 192,
        [=, far = far_constant()](Warp& w) {
          const Vec<int> i = w.global_thread();
          for (int p = 0; p < 5; ++p) w.store(planes, i + p * stride, w.load(far, static_cast<std::size_t>(p)));
        },
        10);
  }

  std::unique_ptr<KernelLaunch> step_factor() {
    const int stride = stride_;
    return launch(
        "cfd_step_factor", blocks(), 192,
        [=, variables = variables_, area = area_, step = step_](Warp& w) {
          const Vec<int> i = w.global_thread();
          const Cell c = load_cell(w, variables, i, stride);
          const Derived d = derive(c);
          w.store(step, i, F(0.5f) / (sqrt(w.load(area, i)) * (sqrt(d.speed_squared) + d.sound)));
        },
        20);
  }

  std::unique_ptr<KernelLaunch> time_step(int stage) {
    const int stride = stride_;
    return launch(
        "cfd_time_step", blocks(), 192,
        [=, variables = variables_, old = old_, fluxes = fluxes_, step = step_](Warp& w) {
          const Vec<int> i = w.global_thread();
          const F factor = w.load(step, i) / static_cast<float>(4 - stage);
          for (int p = 0; p < 5; ++p) {
            const Vec<int> at = p == 0 ? i : i + p * stride;
            w.store(variables, at, mad(factor, w.load(fluxes, at), w.load(old, at)));
          }
        },
        16);
  }

  std::unique_ptr<KernelLaunch> flux();

  std::string verify() override {
    const std::vector<float> want = cfd::reference(padded_, stride_, iterations_), got = memory_.read(variables_);
    for (const float v : want)
      if (!std::isfinite(v)) return fmt::format("the solver diverges on this mesh within {} iterations", iterations_);
    for (std::size_t k = 0; k < want.size(); ++k)
      if (!std::isfinite(got[k]) || std::fabs(got[k] - want[k]) > 1e-4f * std::max(1.0f, std::fabs(want[k])))
        return fmt::format("variables[{}] (plane {}, element {}) is {}, expected {}", k,
                           k / static_cast<std::size_t>(stride_), k % static_cast<std::size_t>(stride_), got[k],
                           want[k]);
    return "";
  }

  inputs::Mesh mesh_;
  cfd::Planes padded_;
  int iterations_, stride_;
  std::vector<float> far_;
  Buffer<float> variables_, old_, fluxes_, area_, step_, normal_;
  Buffer<int> neighbour_;
};

std::unique_ptr<KernelLaunch> Cfd::flux() {
  const int stride = stride_;
  return launch(
      "cfd_flux", blocks(), 192,
      [=, variables = variables_, fluxes = fluxes_, neighbour = neighbour_, normals = normal_,
       far = far_constant()](Warp& w) {
        const Vec<int> i = w.global_thread();
        const Cell own = load_cell(w, variables, i, stride);
        const Derived od = derive(own);
        const Contribution oc = contribute(own, od);
        const F speed = sqrt(od.speed_squared);
        F density = 0.0f, mx = 0.0f, my = 0.0f, mz = 0.0f, energy = 0.0f;

        // Adds half of (flux of this side + flux of the other side) along one axis.
        const auto axis = [&](const F& normal, const F& d, const F& e, const F& x, const F& y, const F& z) {
          const F half = normal * 0.5f;
          density = mad(half, d, density);
          energy = mad(half, e, energy);
          mx = mad(half, x, mx);
          my = mad(half, y, my);
          mz = mad(half, z, mz);
        };

        for (const int face : w.range(0, 4)) {
          const Vec<int> nb = w.load(neighbour, i + face * stride);
          const V3 n = {w.load(normals, i + face * stride), w.load(normals, i + (4 + face) * stride),
                        w.load(normals, i + (8 + face) * stride)};
          const F length = sqrt(mad(n.z, n.z, mad(n.y, n.y, n.x * n.x)));
          w.if_else_(
              nb >= 0,
              [&] {
                const Cell c = load_cell(w, variables, nb, stride);
                const Derived d = derive(c);
                const Contribution f = contribute(c, d);
                // Artificial viscosity.
                const F damp = length * -0.1f * (speed + sqrt(d.speed_squared) + od.sound + d.sound);
                density = mad(damp, own.density - c.density, density);
                energy = mad(damp, own.energy - c.energy, energy);
                mx = mad(damp, own.momentum.x - c.momentum.x, mx);
                my = mad(damp, own.momentum.y - c.momentum.y, my);
                mz = mad(damp, own.momentum.z - c.momentum.z, mz);
                axis(n.x, c.momentum.x + own.momentum.x, f.energy.x + oc.energy.x, f.xx + oc.xx, f.xy + oc.xy,
                     f.xz + oc.xz);
                axis(n.y, c.momentum.y + own.momentum.y, f.energy.y + oc.energy.y, f.xy + oc.xy, f.yy + oc.yy,
                     f.yz + oc.yz);
                axis(n.z, c.momentum.z + own.momentum.z, f.energy.z + oc.energy.z, f.xz + oc.xz, f.yz + oc.yz,
                     f.zz + oc.zz);
              },
              [&] {
                w.if_else_(
                    nb == inputs::kWall,
                    [&] {
                      mx = mad(n.x, od.pressure, mx);
                      my = mad(n.y, od.pressure, my);
                      mz = mad(n.z, od.pressure, mz);
                    },
                    [&] {
                      const auto k = [&](std::size_t at) { return w.load(far, at); };
                      using namespace cfd;
                      axis(n.x, k(kMx) + own.momentum.x, k(kEx) + oc.energy.x, k(kXx) + oc.xx, k(kXy) + oc.xy,
                           k(kXz) + oc.xz);
                      axis(n.y, k(kMy) + own.momentum.y, k(kEy) + oc.energy.y, k(kXy) + oc.xy, k(kYy) + oc.yy,
                           k(kYz) + oc.yz);
                      axis(n.z, k(kMz) + own.momentum.z, k(kEz) + oc.energy.z, k(kXz) + oc.xz, k(kYz) + oc.yz,
                           k(kZz) + oc.zz);
                    });
              });
        }
        w.store(fluxes, i, density);
        w.store(fluxes, i + stride, mx);
        w.store(fluxes, i + 2 * stride, my);
        w.store(fluxes, i + 3 * stride, mz);
        w.store(fluxes, i + 4 * stride, energy);
      },
      40);
}

}  // namespace

WorkloadEntry cfd_entry() {
  return {
      {"cfd",
       "Rodinia",
       "Euler solver on tetrahedra: gathers of neighbour state, planes that stay constant, never-repeating fluxes",
       "mesh: MEDIT .mesh, SU2, Gambit neutral or Rodinia cfd text",
       {integer_parameter("cubes", 18, 11, 4, 1, 170, "cubes", "edge of the generated box; 6 tetrahedra per cube"),
        integer_parameter("iterations", 4, 4, 1, 1, 10000, "iterations", "solver iterations"),
        choice_parameter("boundary", "far", {"far", "wall"}, "what lies outside of a generated or MEDIT mesh"),
        choice_parameter(
            "renumber", "auto", {"auto", "none", "bfs", "morton"},
            "element order; auto: morton for files with coordinates, bfs for others, the box as generated")},
       "0.6-0.9 M WMI; intra-duplicate stores of the variables (about 0.6 of their lines), none of the fluxes",
       true,
       {"fvcorr.domn.097K: 97,046 elements; 93,750 here, 2 iterations of 2,000",
        {{"cubes", "25"}, {"iterations", "2"}}}},
      [](const Settings& s) -> std::unique_ptr<simt::Workload> { return std::make_unique<Cfd>(s); }};
}

}  // namespace warpsieve::workloads
