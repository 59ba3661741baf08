#include "inputs/natural.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/name_lookup.h"
#include "inputs/random.h"

namespace warpsieve::inputs {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Mean 0, variance 1, by the sum of twelve.
double normal(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.real();
  return sum;
}

/// -1 to 1, from a lattice point.
double lattice(std::uint64_t seed, int x, int y) {
  return 2 * Random(seed ^ (std::uint64_t{static_cast<std::uint32_t>(x)} << 32 | static_cast<std::uint32_t>(y)) *
                               0x9e3779b97f4a7c15u)
                 .real() -
         1;
}

/// Bilinear noise between lattice points one unit apart, -1 to 1.
double shade(std::uint64_t seed, double x, double y) {
  const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
  const auto smooth = [](double t) { return t * t * (3 - 2 * t); };
  const double u = smooth(x - i), v = smooth(y - j);
  return (lattice(seed, i, j) * (1 - u) + lattice(seed, i + 1, j) * u) * (1 - v) +
         (lattice(seed, i, j + 1) * (1 - u) + lattice(seed, i + 1, j + 1) * u) * v;
}

std::uint8_t level(double v) { return static_cast<std::uint8_t>(std::clamp(std::lround(v), 0L, 255L)); }

void check_size(const char* what, std::int64_t found, std::int64_t low, std::int64_t high) {
  if (found < low || found > high)
    throw InputError(fmt::format("{}: expected {} to {}, found {}", what, low, high, found));
}

Image blank_image(int width, int height, int channels) {
  check_size("width", width, 1, kMaxImageSide);
  check_size("height", height, 1, kMaxImageSide);
  Image image{width, height, channels, {}};
  image.pixels.resize(at(width) * at(height) * at(channels));
  return image;
}

/// The place of a cell on the Hilbert curve through a square of 2^levels cells a side.
std::uint64_t hilbert(int levels, std::uint32_t x, std::uint32_t y) {
  std::uint64_t place = 0;
  for (std::uint32_t s = 1u << (levels - 1); s > 0; s /= 2) {
    const std::uint32_t right = (x & s) != 0, up = (y & s) != 0;
    place += std::uint64_t{s} * s * ((3 * right) ^ up);
    if (!up) {
      if (right) {
        x = ~x;
        y = ~y;
      }
      std::swap(x, y);
    }
  }
  return place;
}

/// Which vertices are in the largest connected part.
std::vector<char> largest_part(int vertices, const std::vector<std::pair<int, int>>& edges) {
  std::vector<int> parent(at(vertices)), size(at(vertices), 1);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int v) {
    while (parent[at(v)] != v) v = parent[at(v)] = parent[at(parent[at(v)])];
    return v;
  };
  for (const auto& [a, b] : edges) {
    int u = root(a), v = root(b);
    if (u == v) continue;
    if (size[at(u)] < size[at(v)]) std::swap(u, v);
    parent[at(v)] = u;
    size[at(u)] += size[at(v)];
  }
  const auto largest = static_cast<int>(std::max_element(size.begin(), size.end()) - size.begin());
  std::vector<char> inside(at(vertices));
  for (int v = 0; v < vertices; ++v) inside[at(v)] = root(v) == root(largest);
  return inside;
}

}  // namespace

Image photograph(int width, int height, int channels, std::uint64_t seed) {
  Image image = blank_image(width, height, channels);
  Random random(seed);
  struct Object {
    double x, y, rx, ry, light;
    std::array<double, 3> tint;
  };
  std::vector<Object> objects(40);
  for (Object& o : objects)
    o = {random.real(),
         random.real(),
         0.02 + 0.12 * random.real(),
         0.02 + 0.12 * random.real(),
         100 * random.real() - 50,
         {60 * random.real() - 30, 60 * random.real() - 30, 60 * random.real() - 30}};
  const std::uint64_t base = random.next(), texture = random.next();
  const double size = std::max(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double u = x / size, v = y / size;
      std::array<double, 3> light{};
      double common = 125;
      for (int octave = 0, scale = 3; octave < 5; ++octave, scale *= 2)
        common += 75.0 / (1 << octave) * shade(base + at(octave), u * scale, v * scale);
      light.fill(common);
      for (const Object& o : objects) {
        const double dx = (u - o.x) / o.rx, dy = (v - o.y) / o.ry;
        if (dx * dx + dy * dy < 1)
          for (std::size_t c = 0; c < 3; ++c) light[c] += o.light + o.tint[c];
      }
      // Grain of leaves here and of sky there: its strength changes by an order of magnitude.
      const double grain = 5.4 * std::exp(1.6 * shade(texture, u * 24, v * 24));
      for (int c = 0; c < channels; ++c) {
        const double v8 = light[at(c)] + grain * normal(random);
        image.pixels[(at(y) * at(width) + at(x)) * at(channels) + at(c)] = level(std::clamp(v8, 4.0, 251.0));
      }
    }
  return image;
}

Image picture(int width, int height, int channels, std::uint64_t seed) {
  Image image = blank_image(width, height, channels);
  Random random(seed);
  struct Area {
    double x, y, w, h;
    bool flat;
    std::array<double, 3> level, slope, rise;
  };
  std::vector<Area> areas;
  // The whole, areas of any size with gradients, and on top flat ones whose lines repeat from row to row.
  for (int i = 0; i < 150; ++i) {
    const bool flat = i >= 144;
    const double w = i == 0 ? 1
                     : flat ? 0.12
                            : 0.02 + 0.14 * random.real(),
                 h = i == 0 ? 1
                     : flat ? 0.05
                            : 0.02 + 0.14 * random.real(),
                 x = random.real(), y = random.real();
    Area a{i == 0 ? 0 : flat ? x * (1 - w) : x - w / 2,
           i == 0 ? 0 : flat ? y * (1 - h) : y - h / 2,
           w,
           h,
           flat,
           {},
           {},
           {}};
    for (std::size_t c = 0; c < 3; ++c) {
      a.level[c] = 40 + 140 * random.real();
      a.slope[c] = 300 * (random.real() - 0.5);
      a.rise[c] = 300 * (random.real() - 0.5);
    }
    areas.push_back(a);
  }
  const std::uint64_t base = random.next();
  const double size = std::max(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double u = x / size, v = y / size;
      const Area* top = &areas[0];
      for (const Area& a : areas)
        if (u >= a.x && u < a.x + a.w && v >= a.y && v < a.y + a.h) top = &a;
      for (int c = 0; c < channels; ++c) {
        double l = top->level[at(c)];
        if (!top->flat)
          l += top->slope[at(c)] * (u - top->x) + top->rise[at(c)] * (v - top->y) +
               40 * shade(base + at(c), u * 9, v * 9);
        image.pixels[(at(y) * at(width) + at(x)) * at(channels) + at(c)] = level(l);
      }
    }
  return image;
}

Graph road_graph(int vertices, std::uint64_t seed) {
  check_size("vertices of a road network", vertices, 64, kMaxVertices / 2);
  Random random(seed);
  // Dead ends add a tenth to the crossings, of which some are in parts that are left out.
  const int side = std::max(4, static_cast<int>(std::lround(std::sqrt(vertices / 1.05))));
  const auto cell = [&](int x, int y) { return y * side + x; };
  constexpr double kKept = 0.705;
  std::vector<std::pair<int, int>> edges;
  std::vector<int> degree(at(side) * at(side), 0);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      for (const auto& [nx, ny] : {std::pair(x + 1, y), std::pair(x, y + 1)})
        if (nx < side && ny < side && random.real() < kKept) {
          edges.emplace_back(cell(x, y), cell(nx, ny));
          ++degree[at(cell(x, y))];
          ++degree[at(cell(nx, ny))];
        }
  // Where a vertex stands on the curve; a dead end stands behind its crossing, half a step on.
  int levels = 1;
  while ((1 << levels) < side) ++levels;
  struct Place {
    std::uint64_t order;
    int cell;
  };
  std::vector<Place> places;
  int next = side * side;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const int here = cell(x, y);
      if (degree[at(here)] == 0) continue;
      std::uint64_t order = 2 * hilbert(levels, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
      // Some crossings were surveyed at another time: their numbers are far away.
      if (random.real() < 0.045) order = 2 * random.below(static_cast<std::uint32_t>(1) << (2 * levels));
      places.push_back({order, here});
      const double ends = degree[at(here)] == 2 ? 0.37 : degree[at(here)] == 4 ? 0.021 : 0;
      if (random.real() < ends) {
        edges.emplace_back(here, next);
        places.push_back({order + 1, next++});
      }
    }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.order < b.order; });
  // A road network is connected: only the largest part stays.
  const std::vector<char> stays = largest_part(next, edges);
  std::erase_if(places, [&](const Place& p) { return !stays[at(p.cell)]; });
  std::erase_if(edges, [&](const std::pair<int, int>& e) { return !stays[at(e.first)]; });
  std::vector<int> number(at(next), 0);
  for (std::size_t i = 0; i < places.size(); ++i) number[at(places[i].cell)] = static_cast<int>(i);
  std::vector<Arc> arcs;
  for (const auto& [u, v] : edges)
    arcs.push_back({number[at(u)], number[at(v)], static_cast<float>(1 + random.below(1000))});
  return both_ways(static_cast<int>(places.size()), std::move(arcs), true);
}

Points connection_table(int rows, std::uint64_t seed) {
  check_size("rows of a table", rows, 1, 1 << 26);
  constexpr int kFeatures = 34;
  // Runs are as long as in the measured table; a shorter table is a sample of it, with runs that are shorter.
  constexpr int kMeasuredRows = 494020, kShortestRun = 64;
  Random random(seed);
  const auto run_of = [&](int length) {
    return static_cast<int>(std::max<std::int64_t>(
        kShortestRun, static_cast<std::int64_t>(length) * std::min(rows, kMeasuredRows) / kMeasuredRows));
  };
  Points p;
  p.count = rows;
  p.features = kFeatures;
  p.values.reserve(at(rows) * kFeatures);
  const auto rate = [&] { return static_cast<float>(random.below(101)) / 100; };
  std::array<float, kFeatures> row{};
  int left = 0;
  bool flood = false;
  double flood_bytes = 0;
  for (int r = 0; r < rows; ++r) {
    if (left-- == 0) {
      // Floods are long runs of one record, all else short ones.
      flood = !flood;
      left =
          run_of(flood ? 2000 + static_cast<int>(random.below(8000)) : 1200 + static_cast<int>(random.below(5000)));
      flood_bytes = random.below(2) ? 1032 : 520;
      row.fill(0);
      if (flood) {
        row[1] = static_cast<float>(flood_bytes);
        row[19] = row[20] = 511;
        row[25] = 1;
        row[28] = row[29] = 255;
        row[30] = row[32] = 1;
      }
    }
    if (!flood) {
      row[1] = static_cast<float>(random.below(600));
      row[2] = random.below(3) ? static_cast<float>(random.below(9000)) : 0;
      row[19] = static_cast<float>(1 + random.below(300));
      row[20] = static_cast<float>(1 + random.below(30));
      row[28] = static_cast<float>(1 + random.below(255));
      if (random.below(3) == 0) row[29] = static_cast<float>(1 + random.below(255));
      if (random.below(3) == 0) row[30] = rate();
      if (random.below(4) == 0) row[32] = rate();
    }
    p.values.insert(p.values.end(), row.begin(), row.end());
  }
  return p;
}

Map temperature_map(int side, std::uint64_t seed) {
  check_size("side of a map", side, 16, 8192);
  Random random(seed);
  Map map{side, {}};
  // The result of a simulation: smooth without noise, and steep around a few hot units of different sizes.
  struct Spot {
    double x, y, radius, height;
  };
  std::vector<Spot> spots;
  for (int i = 0; i < 5; ++i) spots.push_back({random.real(), random.real(), 0.02 + 0.01 * i, 8 + 6 * random.real()});
  const std::uint64_t base = random.next();
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const double u = 1.0 * x / side, v = 1.0 * y / side;
      double kelvin = 325 + 1.5 * shade(base, 1.7 * u, 1.7 * v);
      for (const Spot& spot : spots) {
        const double dx = (u - spot.x) / spot.radius, dy = (v - spot.y) / spot.radius;
        kelvin += spot.height * std::exp(-(dx * dx + dy * dy));
      }
      map.values.push_back(static_cast<float>(std::round(kelvin * 1e6) / 1e6));
    }
  return map;
}

Map power_map(int side, std::uint64_t seed) {
  check_size("side of a map", side, 16, 8192);
  Random random(seed);
  Map map{side, std::vector<float>(at(side) * at(side), 0.000032f)};
  // Units fill a part of the chip in two columns, which two thirds of all lines in a row do not touch.
  const auto part = [&](double share) { return static_cast<int>(side * (share + 0.02 * random.real())); };
  const std::array<int, 3> border = {part(0.30), part(0.48), part(0.70)};
  const int bottom = part(0.43);
  for (std::size_t column = 0; column < 2; ++column)
    for (int top = 0; top < bottom;) {
      const int end = std::min(
          bottom, top + 1 + side / 64 + static_cast<int>(random.below(static_cast<std::uint32_t>(side / 12 + 1))));
      const float watts = static_cast<float>(1 + random.below(2800)) * 1e-6f;
      for (int y = top; y < end; ++y)
        for (int x = border[column]; x < border[column + 1]; ++x) map.values[at(y) * at(side) + at(x)] = watts;
      top = end;
    }
  return map;
}

std::vector<float> trained_weights(int values, std::uint64_t seed) {
  check_size("weights", values, 1, 1 << 28);
  Random random(seed);
  std::vector<float> out;
  out.reserve(at(values));
  for (int layer = 0; static_cast<int>(out.size()) < values; ++layer) {
    const int count =
        std::min(values - static_cast<int>(out.size()), std::max(64, values >> (layer < 6 ? 6 - layer : 1)));
    const double deviation = 0.05 + 0.3 * random.real();
    // The scale of each layer holds its largest weight, which is some deviations out.
    const double least = -deviation * (7 + 5 * random.real()), scale = -2 * least / 255;
    for (int i = 0; i < count; ++i) {
      const double w = deviation * normal(random);
      const double q = std::clamp(std::round((w - least) / scale), 0.0, 255.0);
      out.push_back(static_cast<float>(least + scale * q));
    }
  }
  return out;
}

std::vector<float> trained_filters(int filters, int each, std::uint64_t seed) {
  check_size("filters", filters, 1, 1 << 20);
  check_size("weights of a filter", each, 1, 1 << 20);
  // The layers of the measured detector have kurtoses around 3.9: normal values with a log-normal scale per filter.
  constexpr double kSpread = 0.256;
  Random random(seed);
  std::vector<float> out;
  out.reserve(at(filters) * at(each));
  for (int f = 0; f < filters; ++f) {
    // Normalised, so that the mean square does not depend on the spread.
    const double scale = std::exp(kSpread * normal(random) - kSpread * kSpread) * std::sqrt(2.0 / each);
    for (int i = 0; i < each; ++i) out.push_back(static_cast<float>(scale * normal(random)));
  }
  return out;
}

namespace {

struct Fitted {
  const char* kind;
  Contents (*make)(std::uint64_t seed);
};
constexpr std::array<Fitted, 7> kFitted = {
    {{"photograph", [](std::uint64_t seed) { return contents_of(photograph(600, 450, 3, seed)); }},
     {"picture", [](std::uint64_t seed) { return contents_of(picture(1024, 1024, 3, seed)); }},
     {"road", [](std::uint64_t seed) { return contents_of(road_graph(264346, seed)); }},
     {"table",
      [](std::uint64_t seed) {
        const Points p = connection_table(494020, seed);
        return contents_of(Content::table, p.values, at(p.features));
      }},
     {"temperature",
      [](std::uint64_t seed) { return contents_of(Content::map, temperature_map(512, seed).values, 1); }},
     {"power", [](std::uint64_t seed) { return contents_of(Content::map, power_map(512, seed).values, 1); }},
     {"weights",
      [](std::uint64_t seed) { return contents_of(Content::weights, trained_weights(193321, seed), 1); }}}};

}  // namespace

std::vector<std::string> fitted_kinds() {
  std::vector<std::string> kinds;
  for (const Fitted& f : kFitted) kinds.emplace_back(f.kind);
  return kinds;
}

Contents fitted_contents(std::string_view kind, std::uint64_t seed) {
  for (const Fitted& f : kFitted)
    if (kind == f.kind) return f.make(seed);
  throw InputError(unknown_name("kind of input", std::string(kind), fitted_kinds()));
}

}  // namespace warpsieve::inputs
