#include "workloads/heartwall_data.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "inputs/random.h"

namespace warpsieve::workloads::heartwall {

Recording::Recording(const inputs::Image& image, std::uint64_t seed) : rows(image.height), columns(image.width) {
  inputs::Random noise(seed);
  for (const int step : {0, 1})
    for (int x = 0; x < columns; ++x)
      for (int y = 0; y < rows; ++y)
        frames[static_cast<std::size_t>(step)].push_back(static_cast<float>(
            image.at(std::clamp(x - step, 0, columns - 1), std::clamp(y - 2 * step, 0, rows - 1)) / 255.0 +
            0.01 * noise.real()));
}

Scores reference(const Sizes& z, const Recording& recording, const simt::Int2& place) {
  const int n = square(z.patch), centre = z.full / 2;
  Scores out;
  for (int c = 0; c < z.full; ++c)
    for (int r = 0; r < z.full; ++r) {
      double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
      for (int tc = -z.half; tc <= z.half; ++tc)
        for (int tr = -z.half; tr <= z.half; ++tr) {
          const int y = r - centre + tr, x = c - centre + tc;
          const bool inside = std::abs(y) <= z.search && std::abs(x) <= z.search;
          const double t = recording.at(0, place.x + tr, place.y + tc),
                       v = inside ? recording.at(1, place.x + y, place.y + x) : 0.0f;
          a += t, b += v, aa += t * t, bb += v * v, ab += t * v;
        }
      const double product = (bb - b * b / n) * (aa - a * a / n);
      const bool allowed = std::max(std::abs(r - centre), std::abs(c - centre)) <= z.move;
      const double score = allowed && product > kFlat ? (ab - a * b / n) / std::sqrt(product) : 0.0;
      if (allowed) out.best = std::max(out.best, score);
      out.products.push_back(ab);
      out.boxes.push_back(b);
      out.energies.push_back(bb);
      out.scores.push_back(score);
    }
  return out;
}

}  // namespace warpsieve::workloads::heartwall
