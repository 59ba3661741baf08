#include "inputs/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "inputs/random.h"

namespace warpsieve::inputs {
namespace {

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

std::uint64_t morton(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint64_t code = 0;
  for (unsigned b = 0; b < 21; ++b)
    code |= static_cast<std::uint64_t>(x >> b & 1) << (3 * b) |
            static_cast<std::uint64_t>(y >> b & 1) << (3 * b + 1) |
            static_cast<std::uint64_t>(z >> b & 1) << (3 * b + 2);
  return code;
}

struct Face {
  std::array<int, 3> corners;  ///< sorted
  int element, side;
};

void find_neighbours(const std::string& name, const std::vector<Tetrahedron>& elements, Mesh& m) {
  std::vector<Face> faces;
  faces.reserve(4 * elements.size());
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (int k = 0; k < 4; ++k) {
      Face f{{}, static_cast<int>(e), k};
      for (int c = 0, n = 0; c < 4; ++c)
        if (c != k) f.corners[static_cast<std::size_t>(n++)] = elements[e][static_cast<std::size_t>(c)];
      std::sort(f.corners.begin(), f.corners.end());
      faces.push_back(f);
    }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return std::tie(a.corners, a.element) < std::tie(b.corners, b.element);
  });
  for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
    const Face &a = faces[i], &b = faces[i + 1];
    if (a.corners != b.corners) continue;
    if (i + 2 < faces.size() && faces[i + 2].corners == a.corners)
      throw InputError(fmt::format("{}:1: expected at most two elements at a face, found elements {}, {} and {}",
                                   name, a.element + 1, b.element + 1, faces[i + 2].element + 1));
    m.neighbour[static_cast<std::size_t>(4 * a.element + a.side)] = b.element;
    m.neighbour[static_cast<std::size_t>(4 * b.element + b.side)] = a.element;
    ++i;
  }
}

}  // namespace

Mesh from_tetrahedra(const std::string& name, const std::vector<Point>& points,
                     const std::vector<Tetrahedron>& elements, int boundary) {
  Mesh m;
  m.elements = static_cast<int>(elements.size());
  m.area.resize(elements.size());
  m.neighbour.assign(4 * elements.size(), boundary);
  m.normal.resize(12 * elements.size());
  m.centre.resize(3 * elements.size());
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto corner = [&](int k) -> const Point& {
      return points[static_cast<std::size_t>(elements[e][static_cast<std::size_t>(k % 4)])];
    };
    const double volume =
        std::fabs(dot(minus(corner(1), corner(0)), cross(minus(corner(2), corner(0)), minus(corner(3), corner(0))))) /
        6;
    if (!(volume > 0) || !std::isfinite(volume))
      throw InputError(
          fmt::format("{}:1: expected elements with a volume, found element {} with {}", name, e + 1, volume));
    for (std::size_t d = 0; d < 3; ++d)
      m.centre[3 * e + d] = static_cast<float>((corner(0)[d] + corner(1)[d] + corner(2)[d] + corner(3)[d]) / 4);
    double surface = 0;
    for (int k = 0; k < 4; ++k) {
      const Point &a = corner(k + 1), &b = corner(k + 2), &c = corner(k + 3);
      Point n = cross(minus(b, a), minus(c, a));
      const double away = dot(n, minus(a, corner(k))) > 0 ? 0.5 : -0.5;  // away from the opposite corner
      for (std::size_t d = 0; d < 3; ++d)
        m.normal[12 * e + 3 * static_cast<std::size_t>(k) + d] = static_cast<float>(away * n[d]);
      surface += std::sqrt(dot(n, n)) / 2;
    }
    m.area[e] = static_cast<float>(surface / 4 * surface / 4);
    if (!(m.area[e] > 0) || !std::isfinite(m.area[e]))
      throw InputError(fmt::format("{}:1: expected elements of ordinary size, found element {} with a surface of {}",
                                   name, e + 1, surface));
  }
  find_neighbours(name, elements, m);
  return m;
}

Mesh box_mesh(int nx, int ny, int nz, int boundary, std::uint64_t seed) {
  if (nx < 1 || ny < 1 || nz < 1 || 6 * static_cast<double>(nx) * ny * nz > static_cast<double>(kMaxElements))
    throw InputError(
        fmt::format("box generator: expected 1 to {} elements, found {} x {} x {} cubes", kMaxElements, nx, ny, nz));
  Random random(seed);
  std::vector<Point> points;
  const auto move = [&](int at, int end) { return at == 0 || at == end ? at : at + 0.3 * (random.real() - 0.5); };
  for (int z = 0; z <= nz; ++z)
    for (int y = 0; y <= ny; ++y)
      for (int x = 0; x <= nx; ++x) {
        const double px = move(x, nx), py = move(y, ny), pz = move(z, nz);
        points.push_back({px, py, pz});
      }
  struct Cube {
    std::uint64_t code;
    int x, y, z;
  };
  std::vector<Cube> cubes;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        cubes.push_back(
            {morton(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)), x,
             y, z});
  std::sort(cubes.begin(), cubes.end(), [](const Cube& a, const Cube& b) { return a.code < b.code; });
  // Six tetrahedra around the cube's main diagonal: one per order of walking along the three axes.
  constexpr int kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  std::vector<Tetrahedron> elements;
  elements.reserve(6 * cubes.size());
  for (const Cube& c : cubes)
    for (const auto& order : kOrders) {
      std::array<int, 3> at = {c.x, c.y, c.z};
      Tetrahedron t;
      for (std::size_t k = 0; k < 4; ++k) {
        t[k] = (at[2] * (ny + 1) + at[1]) * (nx + 1) + at[0];
        if (k < 3) ++at[static_cast<std::size_t>(order[k])];
      }
      elements.push_back(t);
    }
  return from_tetrahedra("box", points, elements, boundary);
}

namespace {

std::vector<int> bfs_order(const Mesh& m) {
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(m.elements));
  std::vector<char> seen(static_cast<std::size_t>(m.elements), 0);
  for (int first = 0; first < m.elements; ++first) {
    if (seen[static_cast<std::size_t>(first)]) continue;
    seen[static_cast<std::size_t>(first)] = 1;
    order.push_back(first);
    for (std::size_t at = order.size() - 1; at < order.size(); ++at)
      for (std::size_t k = 0; k < 4; ++k) {
        const int nb = m.neighbour[4 * static_cast<std::size_t>(order[at]) + k];
        if (nb < 0 || seen[static_cast<std::size_t>(nb)]) continue;
        seen[static_cast<std::size_t>(nb)] = 1;
        order.push_back(nb);
      }
  }
  return order;
}

std::vector<int> morton_order(const Mesh& m) {
  std::array<float, 3> low = {m.centre[0], m.centre[1], m.centre[2]}, high = low;
  for (std::size_t i = 0; i < m.centre.size(); ++i) {
    low[i % 3] = std::min(low[i % 3], m.centre[i]);
    high[i % 3] = std::max(high[i % 3], m.centre[i]);
  }
  const float extent = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  std::vector<std::uint64_t> code(static_cast<std::size_t>(m.elements));
  for (std::size_t e = 0; e < code.size(); ++e) {
    const auto cell = [&](std::size_t d) {
      return extent > 0 ? static_cast<std::uint32_t>((m.centre[3 * e + d] - low[d]) / extent * 1023.0f) : 0u;
    };
    code[e] = morton(cell(0), cell(1), cell(2));
  }
  std::vector<int> order(code.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return code[static_cast<std::size_t>(a)] < code[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace

Mesh renumber(const Mesh& m, Renumber how) {
  if (how == Renumber::none || m.elements == 0) return m;
  const std::vector<int> order = how == Renumber::morton && !m.centre.empty() ? morton_order(m) : bfs_order(m);
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  Mesh out = m;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto e = static_cast<std::size_t>(order[i]);
    out.area[i] = m.area[e];
    for (std::size_t k = 0; k < 4; ++k) {
      const int nb = m.neighbour[4 * e + k];
      out.neighbour[4 * i + k] = nb < 0 ? nb : place[static_cast<std::size_t>(nb)];
    }
    std::copy_n(m.normal.begin() + static_cast<std::ptrdiff_t>(12 * e), 12,
                out.normal.begin() + static_cast<std::ptrdiff_t>(12 * i));
    if (!m.centre.empty())
      std::copy_n(m.centre.begin() + static_cast<std::ptrdiff_t>(3 * e), 3,
                  out.centre.begin() + static_cast<std::ptrdiff_t>(3 * i));
  }
  return out;
}

int median_neighbour_distance(const Mesh& m) {
  std::vector<int> distance;
  for (std::size_t i = 0; i < m.neighbour.size(); ++i)
    if (m.neighbour[i] >= 0) distance.push_back(std::abs(m.neighbour[i] - static_cast<int>(i / 4)));
  if (distance.empty()) return 0;
  std::nth_element(distance.begin(), distance.begin() + static_cast<std::ptrdiff_t>(distance.size() / 2),
                   distance.end());
  return distance[distance.size() / 2];
}

}  // namespace warpsieve::inputs
