#include "inputs/mesh_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inputs/note.h"

namespace warpsieve::inputs {
namespace {

using Faces = std::vector<std::vector<int>>;

/// The faces of each solid shape, as places in its list of corners, around each face.
const Faces& faces_of(Shape shape) {
  static const Faces tetrahedron = {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
                     hexahedron = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                   {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}},
                     prism = {{0, 1, 2}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}},
                     pyramid = {{0, 1, 2, 3}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  return shape == Shape::hexahedron ? hexahedron
         : shape == Shape::prism    ? prism
         : shape == Shape::pyramid  ? pyramid
                                    : tetrahedron;
}

void cut(const Cell& cell, std::vector<Tetrahedron>& out) {
  if (cell.shape == Shape::tetrahedron) {
    out.push_back({cell.corners[0], cell.corners[1], cell.corners[2], cell.corners[3]});
    return;
  }
  const int first = *std::min_element(cell.corners.begin(), cell.corners.end());
  for (const std::vector<int>& places : faces_of(cell.shape)) {
    std::vector<int> face;
    for (const int place : places) face.push_back(cell.corners[static_cast<std::size_t>(place)]);
    if (std::find(face.begin(), face.end(), first) != face.end()) continue;
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
    for (std::size_t i = 2; i < face.size(); ++i) out.push_back({face[0], face[i - 1], face[i], first});
  }
}

/// Turns a plane mesh into one layer of solid cells.
void extrude(const std::string& name, std::vector<Point>& points, std::vector<Cell>& cells) {
  double sum = 0;
  std::size_t edges = 0;
  for (const Cell& c : cells)
    for (std::size_t i = 0; c.shape != Shape::line && i < c.corners.size(); ++i, ++edges) {
      const Point &a = points[static_cast<std::size_t>(c.corners[i])],
                  &b = points[static_cast<std::size_t>(c.corners[(i + 1) % c.corners.size()])];
      sum += std::hypot(a[0] - b[0], a[1] - b[1]);
    }
  const int below = static_cast<int>(points.size());
  const double height = edges > 0 ? sum / static_cast<double>(edges) : 1;
  points.reserve(2 * points.size());
  for (int i = 0; i < below; ++i) {
    const Point p = points[static_cast<std::size_t>(i)];
    points.push_back({p[0], p[1], height});
  }
  for (Cell& c : cells) {
    if (c.shape == Shape::line) continue;
    c.shape = c.shape == Shape::triangle ? Shape::prism : Shape::hexahedron;
    const std::size_t n = c.corners.size();
    for (std::size_t i = 0; i < n; ++i) c.corners.push_back(c.corners[i] + below);
  }
  note(name, fmt::format("a plane mesh: read as one layer of cells, {:.3g} high", height));
}

void check_corners(TextReader& in, const Cell& cell) {
  std::vector<int> sorted = cell.corners;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    in.fail("different vertices of an element", "one of them twice");
}

/// "KEY= value" of an SU2 file: the value's reader, if the line is of that key.
bool key_is(std::string_view line, std::string_view key) {
  const std::size_t begin = line.find_first_not_of(" \t"), equals = line.find('=');
  if (begin == line.npos || equals == line.npos) return false;
  std::string_view name = line.substr(begin, equals - begin);
  while (name.ends_with(' ') || name.ends_with('\t')) name.remove_suffix(1);
  return name == key;
}

/// Goes behind the '=' of this line.
void to_value(TextReader& in) {
  while (in.peek() != '=') in.skip(1);
  in.skip(1);
}

Shape su2_shape(TextReader& in) {
  switch (in.integer_here("an element type (3, 5, 9, 10, 12, 13 or 14)", 3, 14)) {
    case 3: return Shape::line;
    case 5: return Shape::triangle;
    case 9: return Shape::quadrilateral;
    case 10: return Shape::tetrahedron;
    case 12: return Shape::hexahedron;
    case 13: return Shape::prism;
    case 14: return Shape::pyramid;
    default: in.fail("an element type (3, 5, 9, 10, 12, 13 or 14)", "another one");
  }
}

bool solid(Shape shape) { return shape != Shape::line && shape != Shape::triangle && shape != Shape::quadrilateral; }

}  // namespace

int corners_of(Shape shape) {
  constexpr int kCorners[] = {2, 3, 4, 4, 8, 6, 5};
  return kCorners[static_cast<std::size_t>(shape)];
}

std::vector<Tetrahedron> cut_into_tetrahedra(const std::string& name, std::vector<Point>& points,
                                             std::vector<Cell> cells, bool plane) {
  if (plane) extrude(name, points, cells);
  std::vector<Tetrahedron> out;
  std::size_t others = 0;
  for (const Cell& c : cells)
    if (solid(c.shape)) {
      cut(c, out);
      others += c.shape != Shape::tetrahedron;
    }
  if (others > 0)
    note(name,
         fmt::format("{} of {} cells are no tetrahedra: cut into such, {} in all", others, cells.size(), out.size()));
  if (out.empty()) throw InputError(fmt::format("{}:1: expected cells, found none", name));
  if (static_cast<std::int64_t>(out.size()) > kMaxElements)
    throw InputError(fmt::format("{}:1: expected at most {} tetrahedra, found {}", name, kMaxElements, out.size()));
  return out;
}

bool is_su2(const std::string& name, std::string_view text) {
  TextReader in(name, text);
  in.skip_lines_starting_with('%');
  return key_is(in.rest_of_line(), "NDIME") || name.ends_with(".su2");
}

Mesh read_su2(const std::string& name, std::string_view text, int boundary) {
  TextReader in(name, text);
  std::int64_t dimensions = 0, largest = -1;
  std::vector<Point> points;
  std::vector<Cell> cells;
  for (in.skip_lines_starting_with('%'); !in.at_end(); in.skip_lines_starting_with('%')) {
    TextReader look = in;
    const std::string_view line = look.rest_of_line();
    if (key_is(line, "NDIME")) {
      to_value(in);
      dimensions = in.integer_here("the dimension", 2, 3);
    } else if (key_is(line, "NELEM")) {
      to_value(in);
      if (dimensions == 0) in.fail("NDIME before NELEM", "NELEM");
      if (!cells.empty()) in.fail("one NELEM section", "a second one");
      const std::int64_t n = in.integer_here("a number of elements", 1, kMaxElements);
      in.check_count(n, 8, "elements");
      in.next_line();
      cells.reserve(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i) {
        in.skip_lines_starting_with('%');
        Cell c{su2_shape(in), {}};
        if (c.shape != Shape::line && solid(c.shape) != (dimensions == 3))
          in.fail(fmt::format("an element of {} dimensions", dimensions), "another one");
        for (int k = 0; k < corners_of(c.shape); ++k)
          c.corners.push_back(static_cast<int>(in.integer_here("a vertex number", 0, (1 << 28) - 1)));
        check_corners(in, c);
        largest = std::max<std::int64_t>(largest, *std::max_element(c.corners.begin(), c.corners.end()));
        cells.push_back(std::move(c));
        in.next_line();
      }
      continue;
    } else if (key_is(line, "NPOIN")) {
      to_value(in);
      if (dimensions == 0) in.fail("NDIME before NPOIN", "NPOIN");
      if (!points.empty()) in.fail("one NPOIN section", "a second one");
      const std::int64_t n = in.integer_here("a number of points", 1, 1 << 28);
      in.check_count(n, 4, "points");
      in.next_line();
      points.reserve(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i) {
        in.skip_lines_starting_with('%');
        Point p = {in.real_here("a coordinate"), in.real_here("a coordinate"), 0};
        if (dimensions == 3) p[2] = in.real_here("a coordinate");
        points.push_back(p);
        in.next_line();
      }
      continue;
    }
    in.next_line();  // markers, and what else a solver keeps in its mesh
  }
  if (points.empty()) in.fail("an NPOIN section", "none");
  if (cells.empty()) in.fail("an NELEM section", "none");
  if (largest >= static_cast<std::int64_t>(points.size()))
    in.fail(fmt::format("vertex numbers from 0 to {}", points.size() - 1), std::to_string(largest));
  const auto tetrahedra = cut_into_tetrahedra(name, points, std::move(cells), dimensions == 2);
  return from_tetrahedra(name, points, tetrahedra, boundary);
}

bool is_gambit(std::string_view text) {
  return text.substr(0, 200).find("CONTROL INFO") != text.npos &&
         text.substr(0, 400).find("GAMBIT NEUTRAL") != text.npos;
}

Mesh read_gambit(const std::string& name, std::string_view text, int boundary) {
  TextReader in(name, text);
  // The sizes stand below their names.
  for (TextReader look = in; look.rest_of_line().find("NUMNP") == std::string_view::npos; in.next_line(), look = in)
    if (in.bytes_left() == 0) in.fail("a line with NUMNP, NELEM", "none");
  in.next_line();
  const std::int64_t point_count = in.integer("a number of points", 1, 1 << 28),
                     cell_count = in.integer("a number of elements", 1, kMaxElements);
  in.integer("a number of groups", 0, 1 << 28);
  in.integer("a number of boundary sets", 0, 1 << 28);
  const bool plane = in.integer("a number of dimensions", 2, 3) == 2;
  in.check_count(point_count, 4, "points");
  in.check_count(cell_count, 8, "elements");
  const auto section = [&](std::string_view title) {
    while (in.bytes_left() > 0) {
      const std::string_view line = in.rest_of_line();
      in.next_line();
      if (line.find(title) != line.npos) return;
    }
    in.fail(fmt::format("a section '{}'", title), "none");
  };
  section("NODAL COORDINATES");
  std::vector<Point> points(static_cast<std::size_t>(point_count));
  std::vector<char> seen(points.size(), 0);
  for (std::int64_t i = 0; i < point_count; ++i) {
    const auto at = static_cast<std::size_t>(in.integer("a point number", 1, point_count) - 1);
    if (seen[at]) in.fail("each point once", fmt::format("point {} again", at + 1));
    seen[at] = 1;
    points[at] = {in.real("a coordinate"), in.real("a coordinate"), plane ? 0 : in.real("a coordinate")};
    in.next_line();
  }
  section("ELEMENTS/CELLS");
  std::vector<Cell> cells;
  cells.reserve(static_cast<std::size_t>(cell_count));
  constexpr Shape kShapes[] = {Shape::line,  Shape::quadrilateral, Shape::triangle, Shape::hexahedron,
                               Shape::prism, Shape::tetrahedron,   Shape::pyramid};
  for (std::int64_t i = 0; i < cell_count; ++i) {
    in.integer("an element number", 1, 1 << 28);
    Cell c{kShapes[in.integer("an element type", 1, 7) - 1], {}};
    if (c.shape != Shape::line && solid(c.shape) == plane)
      in.fail(fmt::format("an element of {} dimensions", plane ? 2 : 3), "another one");
    in.integer("the number of its vertices (elements of first order only)", corners_of(c.shape), corners_of(c.shape));
    for (int k = 0; k < corners_of(c.shape); ++k)
      c.corners.push_back(static_cast<int>(in.integer("a vertex number", 1, point_count)) - 1);
    check_corners(in, c);
    // Gambit counts the base of bricks and pyramids row by row, other programs go around it.
    if (c.shape == Shape::hexahedron || c.shape == Shape::pyramid) {
      const auto corner = [&](std::size_t k) -> const Point& {
        return points[static_cast<std::size_t>(c.corners[k])];
      };
      double same_way = 0;
      for (std::size_t d = 0; d < 3; ++d) same_way += (corner(1)[d] - corner(0)[d]) * (corner(3)[d] - corner(2)[d]);
      if (same_way > 0) {
        std::swap(c.corners[2], c.corners[3]);
        if (c.shape == Shape::hexahedron) std::swap(c.corners[6], c.corners[7]);
      }
    }
    cells.push_back(std::move(c));
  }
  section("ENDOFSECTION");
  const auto tetrahedra = cut_into_tetrahedra(name, points, std::move(cells), plane);
  return from_tetrahedra(name, points, tetrahedra, boundary);
}

}  // namespace warpsieve::inputs
