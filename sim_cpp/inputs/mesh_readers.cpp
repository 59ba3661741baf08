#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inputs/mesh.h"
#include "inputs/mesh_cells.h"
#include "inputs/note.h"

namespace warpsieve::inputs {
namespace {

/// Section names of MEDIT that a volume mesh may hold beside its tetrahedra, and the numbers per item.
struct Section {
  std::string_view name;
  int numbers;
};
constexpr Section kSkipped[] = {
    {"Edges", 3},  {"Triangles", 4},        {"Quadrilaterals", 5}, {"Hexahedra", 9},        {"Corners", 1},
    {"Ridges", 1}, {"RequiredVertices", 1}, {"RequiredEdges", 1},  {"RequiredTriangles", 1}};

std::string_view keyword(TextReader& in) {
  while (!in.at_end() && in.peek() == '#') in.next_line();
  return in.word();
}

Mesh read_medit(const std::string& name, TextReader& in, int boundary) {
  std::vector<Point> points;
  std::vector<Tetrahedron> elements;
  bool have_points = false, have_elements = false;
  for (std::string_view word = keyword(in); !word.empty() && word != "End"; word = keyword(in)) {
    if (word == "MeshVersionFormatted") {
      in.integer("a format version", 0, 4);
    } else if (word == "Dimension") {
      in.integer("the dimension", 3, 3);
    } else if (word == "Vertices") {
      if (have_points) in.fail("one Vertices section", "a second one");
      have_points = true;
      const std::int64_t n = in.integer("a number of vertices", 4, kMaxElements);
      in.check_count(n, 8, "vertices");
      points.reserve(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i) {
        const double x = in.real("a coordinate"), y = in.real("a coordinate"), z = in.real("a coordinate");
        points.push_back({x, y, z});
        in.integer("a reference number", -(1LL << 31), 1LL << 31);
      }
    } else if (word == "Tetrahedra") {
      if (!have_points) in.fail("the Vertices section before the Tetrahedra", "Tetrahedra");
      if (have_elements) in.fail("one Tetrahedra section", "a second one");
      have_elements = true;
      const std::int64_t n = in.integer("a number of tetrahedra", 1, kMaxElements);
      in.check_count(n, 10, "tetrahedra");
      elements.reserve(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i) {
        Tetrahedron t;
        for (int& c : t)
          c = static_cast<int>(in.integer("a vertex number", 1, static_cast<std::int64_t>(points.size()))) - 1;
        in.integer("a reference number", -(1LL << 31), 1LL << 31);
        Tetrahedron sorted = t;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
          in.fail("four different vertices", "one of them twice");
        elements.push_back(t);
      }
    } else {
      const auto* s =
          std::find_if(std::begin(kSkipped), std::end(kSkipped), [&](const Section& k) { return k.name == word; });
      if (s == std::end(kSkipped))
        in.fail("a section name of a MEDIT mesh", fmt::format("{} other characters", word.size()));
      const std::int64_t n = in.integer("a number of items", 0, kMaxElements);
      in.check_count(n, 2 * static_cast<std::uint64_t>(s->numbers), "items");
      for (std::int64_t i = 0; i < n * s->numbers; ++i)
        in.integer("an index or a reference number", -(1LL << 31), 1LL << 31);
    }
  }
  if (!have_elements) in.fail("a Tetrahedra section", "none");
  return from_tetrahedra(name, points, elements, boundary);
}

Mesh read_rodinia_mesh(TextReader& in) {
  const std::int64_t n = in.integer("a number of elements", 1, kMaxElements);
  in.check_count(n, 34, "elements");
  Mesh m;
  m.elements = static_cast<int>(n);
  m.area.reserve(static_cast<std::size_t>(n));
  m.neighbour.reserve(4 * static_cast<std::size_t>(n));
  m.normal.reserve(12 * static_cast<std::size_t>(n));
  for (std::int64_t e = 0; e < n; ++e) {
    const auto area = static_cast<float>(in.real("an area"));
    if (!(area > 0)) in.fail("a positive area", fmt::format("{}", area));
    m.area.push_back(area);
    for (int k = 0; k < 4; ++k) {
      const std::int64_t nb = in.integer("a neighbour", -(1LL << 31), n);
      m.neighbour.push_back(nb < 0 ? kFarField : nb == 0 ? kWall : static_cast<int>(nb) - 1);
      for (int d = 0; d < 3; ++d) m.normal.push_back(static_cast<float>(in.real("a normal")));
    }
  }
  if (!in.at_end()) in.fail_here(fmt::format("the end of the file after {} elements", n));
  return m;
}

}  // namespace

Mesh parse_mesh(const std::string& name, std::string_view whole, int boundary) {
  const std::string_view text = without_mark(whole);
  if (is_su2(name, text)) return read_su2(name, text, boundary);
  if (is_gambit(text)) return read_gambit(name, text, boundary);
  TextReader in(name, text), look(name, text);
  const std::string_view first = keyword(look);
  if (first == "MeshVersionFormatted") return read_medit(name, in, boundary);
  if (name.ends_with(".mesh")) look.fail("'MeshVersionFormatted' at the start", "something else");
  TextReader number(name, text);
  number.integer("a mesh: MEDIT .mesh, SU2, Gambit neutral or Rodinia cfd text; a number of elements", 1,
                 kMaxElements);
  return read_rodinia_mesh(in);
}

Mesh read_mesh(const std::string& path, int boundary) { return parse_mesh(path, read_file(path), boundary); }

Points parse_points(const std::string& name, std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  TextReader in(name, spaced);
  Points p;
  std::uint64_t words = 0;
  while (!in.at_end()) {
    in.real_here("the number of the point");
    int features = 0;
    for (; !in.line_ended(); ++features) {
      if (features == 4096) in.fail("at most 4096 features", "more");
      p.values.push_back(static_cast<float>(in.real_or_word_here("a feature", words)));
    }
    if (features == 0) in.fail("at least one feature", "the end of the line");
    if (p.count > 0 && features != p.features)
      in.fail(fmt::format("{} features as in the lines before", p.features), std::to_string(features));
    p.features = features;
    ++p.count;
  }
  if (p.count == 0) in.fail("points, one per line", "none");
  if (words == p.values.size()) in.fail("points of numbers", fmt::format("{} words", words));
  if (words > 0)
    note(name, fmt::format("{} of {} values are words: read as 0, or as the number at their start", words,
                           p.values.size()));
  return p;
}

Points read_points(const std::string& path) { return parse_points(path, read_file(path)); }

}  // namespace warpsieve::inputs
