// What cfd needs beside its kernels: the mesh in plane order, the far-field state, and a plain scalar
// solver of the same scheme to compare with.
#pragma once

#include <vector>

#include "inputs/mesh.h"
#include "workloads/registry.h"

namespace warpsieve::workloads::cfd {

inline constexpr float kGamma = 1.4f;

/// Elements of the far-field constant: five variables, then momentum and energy fluxes.
enum FarField : std::size_t {
  kDensity,
  kMx,
  kMy,
  kMz,
  kEnergy,
  kXx,
  kXy,
  kXz,
  kYy,
  kYz,
  kZz,
  kEx,
  kEy,
  kEz,
  kFarSize
};
/// Density 1.4, Mach 1.2 along x, pressure 1.
std::vector<float> far_field();

inputs::Mesh make_mesh(const Settings& s);

/// Structure of arrays with the given plane stride; normals point inwards, as the solver wants them.
struct Planes {
  std::vector<float> area;
  std::vector<int> neighbour;  ///< plane = face
  std::vector<float> normal;   ///< plane = component * 4 + face
};
Planes pad(const inputs::Mesh& mesh, int stride);

/// The five planes of `variables` after `iterations`, computed element by element in single precision.
std::vector<float> reference(const Planes& mesh, int stride, int iterations);

}  // namespace warpsieve::workloads::cfd
