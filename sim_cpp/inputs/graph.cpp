#include "inputs/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "inputs/random.h"

namespace warpsieve::inputs {
namespace {

/// Set of 64-bit keys with open addressing; key 0 is not used.
class KeySet {
 public:
  explicit KeySet(std::size_t expected) {
    std::size_t size = 16;
    while (size < 2 * expected) size *= 2;
    slots_.assign(size, 0);
  }
  /// False when it is in the set already.
  bool insert(std::uint64_t key) {
    std::size_t at = (key * 0x9e3779b97f4a7c15u >> 20) & (slots_.size() - 1);
    while (slots_[at] != 0) {
      if (slots_[at] == key) return false;
      at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at] = key;
    return true;
  }

 private:
  std::vector<std::uint64_t> slots_;
};

/// Draws edges until `arcs` / 2 of them are in the graph.
template <class Draw>
Graph draw_graph(int vertices, int arcs, int max_degree, Draw&& draw) {
  if (vertices < 2 || arcs < 0 || max_degree < 1 ||
      static_cast<std::int64_t>(arcs) > static_cast<std::int64_t>(vertices) * std::min(max_degree, vertices - 1) / 2)
    throw InputError(
        fmt::format("graph generator: expected at most half of what {} vertices of degree {} can hold, found {} arcs",
                    vertices, std::min(max_degree, vertices - 1), arcs));
  const auto edges = static_cast<std::size_t>(arcs) / 2;
  std::vector<Arc> list;
  list.reserve(2 * edges);
  std::vector<int> degree(static_cast<std::size_t>(vertices), 0);
  KeySet seen(edges + 1);
  // Hubs at their cap make draws fail; the bound only stops a request that cannot be met.
  for (std::uint64_t tries = 0; list.size() < 2 * edges; ++tries) {
    if (tries > 64 * (edges + 16))
      throw InputError("graph generator: expected a sparser graph, found no room for more edges");
    const auto [u, v] = draw();
    if (u == v || u >= vertices || v >= vertices) continue;
    int& du = degree[static_cast<std::size_t>(u)];
    int& dv = degree[static_cast<std::size_t>(v)];
    if (du >= max_degree || dv >= max_degree) continue;
    const auto low = static_cast<std::uint64_t>(std::min(u, v)), high = static_cast<std::uint64_t>(std::max(u, v));
    if (!seen.insert(low << 32 | high)) continue;
    ++du;
    ++dv;
    list.push_back({u, v, 0});
    list.push_back({v, u, 0});
  }
  return from_arcs(vertices, list, false);
}

}  // namespace

Graph from_arcs(int vertices, const std::vector<Arc>& arcs, bool weighted) {
  Graph g;
  g.vertices = vertices;
  g.row.assign(static_cast<std::size_t>(vertices) + 1, 0);
  for (const Arc& a : arcs) ++g.row[static_cast<std::size_t>(a.from) + 1];
  std::partial_sum(g.row.begin(), g.row.end(), g.row.begin());
  g.col.resize(arcs.size());
  if (weighted) g.weight.resize(arcs.size());
  std::vector<int> next(g.row.begin(), g.row.end() - 1);
  for (const Arc& a : arcs) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(a.from)]++);
    g.col[at] = a.to;
    if (weighted) g.weight[at] = a.weight;
  }
  return g;
}

Graph both_ways(int vertices, std::vector<Arc> edges, bool weighted) {
  const std::size_t given = edges.size();
  edges.reserve(2 * given);
  for (std::size_t i = 0; i < given; ++i) edges.push_back({edges[i].to, edges[i].from, edges[i].weight});
  const auto ends = [](const Arc& a) { return std::pair(a.from, a.to); };
  std::stable_sort(edges.begin(), edges.end(), [&](const Arc& a, const Arc& b) { return ends(a) < ends(b); });
  edges.erase(std::unique(edges.begin(), edges.end(), [&](const Arc& a, const Arc& b) { return ends(a) == ends(b); }),
              edges.end());
  return from_arcs(vertices, edges, weighted);
}

Graph rmat_graph(int vertices, int arcs, std::uint64_t seed, int max_degree) {
  Random random(seed);
  unsigned levels = 0;
  while ((std::int64_t{1} << levels) < vertices) ++levels;
  std::vector<int> name(std::size_t{1} << levels);
  std::iota(name.begin(), name.end(), 0);
  // Only the numbers below `vertices` are names; drawing any other one is a failed draw.
  for (std::size_t i = static_cast<std::size_t>(vertices); i > 1; --i)
    std::swap(name[i - 1], name[random.below(static_cast<std::uint32_t>(i))]);
  return draw_graph(vertices, arcs, max_degree, [&] {
    std::uint32_t u = 0, v = 0;
    for (unsigned l = 0; l < levels; ++l) {
      const double r = random.real();
      u = u << 1 | (r >= 0.45 + 0.22);                                           // c or d
      v = v << 1 | ((r >= 0.45 && r < 0.45 + 0.22) || r >= 0.45 + 0.22 + 0.22);  // b or d
    }
    return std::pair(name[u], name[v]);
  });
}

Graph uniform_graph(int vertices, int arcs, std::uint64_t seed) {
  Random random(seed);
  const auto n = static_cast<std::uint32_t>(vertices);
  return draw_graph(vertices, arcs, vertices, [&] {
    const auto u = static_cast<int>(random.below(n));
    return std::pair(u, static_cast<int>(random.below(n)));
  });
}

Graph grid_graph(int width, int height, std::uint64_t seed) {
  if (width < 1 || height < 1 || static_cast<std::int64_t>(width) * height > kMaxVertices)
    throw InputError(
        fmt::format("grid generator: expected 1 to {} vertices, found {} x {}", kMaxVertices, width, height));
  Random random(seed);
  const auto weight = [&] { return static_cast<float>(1 + random.below(100)); };
  std::vector<float> right(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)), down(right.size());
  for (float& w : right) w = weight();
  for (float& w : down) w = weight();
  std::vector<Arc> arcs;
  arcs.reserve(4 * right.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int v = y * width + x;
      const auto i = static_cast<std::size_t>(v);
      if (y > 0) arcs.push_back({v, v - width, down[i - static_cast<std::size_t>(width)]});
      if (x > 0) arcs.push_back({v, v - 1, right[i - 1]});
      if (x + 1 < width) arcs.push_back({v, v + 1, right[i]});
      if (y + 1 < height) arcs.push_back({v, v + width, down[i]});
    }
  return from_arcs(width * height, arcs, true);
}

}  // namespace warpsieve::inputs
