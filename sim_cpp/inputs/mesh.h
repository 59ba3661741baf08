// Tetrahedral meshes for the cfd workload: per element an area, four face neighbours and four
// outward face normals (length = face area).
//
// Formats, found by content: MEDIT .mesh (ASCII), SU2 and Gambit neutral files (mesh_cells.h), Rodinia cfd text (n,
// then per element: area, 4 x {neighbour from 1, normal}; negative = far field, 0 = wall). Generator: a box of cubes,
// six tetrahedra each, cubes in Morton order, inner points moved a little so that the normals are as uneven as in a
// real mesh.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/text_reader.h"

namespace warpsieve::inputs {

inline constexpr int kWall = -1;
inline constexpr int kFarField = -2;
inline constexpr std::int64_t kMaxElements = 1 << 25;

struct Mesh {
  int elements = 0;
  /// What Rodinia's files call area; the solver's step is 0.5 / (sqrt(area) * wave speed). Derived from
  /// coordinates: the mean face area squared, for then the step is stable whatever unit the mesh is in.
  std::vector<float> area;
  std::vector<int> neighbour;  ///< 4 per element; kWall or kFarField at the boundary
  std::vector<float> normal;   ///< 12 per element: face, then x, y, z
  std::vector<float> centre;   ///< 3 per element; empty when the source has no coordinates
};

Mesh read_mesh(const std::string& path, int boundary = kFarField);
/// The same from memory; `name` is used for messages.
Mesh parse_mesh(const std::string& name, std::string_view text, int boundary = kFarField);

using Point = std::array<double, 3>;
using Tetrahedron = std::array<int, 4>;
/// Derives areas, neighbours and normals. Throws InputError on a face of three elements or a flat element.
Mesh from_tetrahedra(const std::string& name, const std::vector<Point>& points,
                     const std::vector<Tetrahedron>& elements, int boundary);

/// nx x ny x nz cubes of edge 1, six tetrahedra each.
Mesh box_mesh(int nx, int ny, int nz, int boundary = kFarField, std::uint64_t seed = 1);

enum class Renumber { none, bfs, morton };
/// New element order; morton needs centres, else bfs is used.
Mesh renumber(const Mesh& mesh, Renumber how);
/// Median of |element - neighbour| over all inner faces.
int median_neighbour_distance(const Mesh& mesh);

/// Points for kmeans, one per line: an id, then the features, separated by blanks or commas.
struct Points {
  int count = 0;
  int features = 0;
  std::vector<float> values;  ///< count x features, point-major
};
Points read_points(const std::string& path);
Points parse_points(const std::string& name, std::string_view text);

}  // namespace warpsieve::inputs
