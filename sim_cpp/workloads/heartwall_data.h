// heartwall apart from its kernels: array sizes, the recording, and the scores by their definition.
#pragma once

#include <array>
#include <vector>

#include "inputs/image.h"
#include "simt/vec.h"

namespace warpsieve::workloads::heartwall {

inline constexpr float kFlat = 1e-4f;  ///< below: no contrast, nothing to match

/// Sides of a point's arrays.
struct Sizes {
  int search, half, move;           ///< radii: search window, template, allowed displacement
  int window = 2 * search + 1;      ///< search window
  int patch = 2 * half + 1;         ///< template
  int full = window + patch - 1;    ///< full convolution
  int padded = window + 2 * patch;  ///< window with a border of zeros for the box sums
  int margin() const { return (search > half ? search : half) + 2; }  ///< of the points in a frame
};
inline int square(int side) { return side * side; }

/// Two frames, column-major, values 0 to 1: between them everything moves by (2, 1) pixels.
struct Recording {
  Recording(const inputs::Image& image, std::uint64_t seed);
  float at(std::size_t frame, int row, int column) const {
    return frames[frame]
                 [static_cast<std::size_t>(column) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)];
  }
  int rows, columns;
  std::array<std::vector<float>, 2> frames;
};

/// Of one point, for every place of the template on the window continued by zeros, column-major.
struct Scores {
  std::vector<double> products;  ///< template times window
  std::vector<double> boxes;     ///< window under the template
  std::vector<double> energies;  ///< its squares
  std::vector<double> scores;    ///< correlation coefficient where the displacement is allowed, else 0
  double best = -2;
};
Scores reference(const Sizes& sizes, const Recording& recording, const simt::Int2& place);

}  // namespace warpsieve::workloads::heartwall
