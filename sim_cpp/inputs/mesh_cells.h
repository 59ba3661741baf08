// SU2 meshes (.su2) and Gambit neutral files (.neu): points and cells of several shapes.
//
// Cells that are no tetrahedra are cut into such: from the cell's vertex of the smallest number to the faces that
// lack it, each of which is cut from its own smallest vertex. Neighbours thus cut a common face alike. A plane mesh
// becomes a layer of prisms and bricks first, as thick as its edges are long on average. Boundary markers are not
// read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inputs/mesh.h"

namespace warpsieve::inputs {

/// Vertices in the order of VTK (and of SU2): base, then top or tip.
enum class Shape { line, triangle, quadrilateral, tetrahedron, hexahedron, prism, pyramid };
int corners_of(Shape shape);

struct Cell {
  Shape shape;
  std::vector<int> corners;
};

/// The tetrahedra of all cells, in their order; lines are left out. `points` grows for a plane mesh (`plane`).
std::vector<Tetrahedron> cut_into_tetrahedra(const std::string& name, std::vector<Point>& points,
                                             std::vector<Cell> cells, bool plane);

bool is_su2(const std::string& name, std::string_view text);
Mesh read_su2(const std::string& name, std::string_view text, int boundary);
bool is_gambit(std::string_view text);
Mesh read_gambit(const std::string& name, std::string_view text, int boundary);

}  // namespace warpsieve::inputs
