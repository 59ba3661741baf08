// dwt2d (Rodinia): forward 5/3 wavelet transform of a colour picture, three levels; sim_cpp/workloads/dwt2d.cpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "inputs/image.h"
#include "inputs/natural.h"
#include "program.h"

namespace warpsieve::hardware {

inline constexpr int kWaveletLevels = 3, kWindow = 8, kBoundary = 3, kSplitPixels = 256, kSplitWords = 192;
inline constexpr int kMostStrip = 192;

struct IntPlanes {
  int* plane[3];
};

__global__ void split_pixels(const std::uint32_t* rgb, IntPlanes planes) {
  __shared__ std::uint32_t words[kSplitWords];
  const int t = static_cast<int>(threadIdx.x);
  if (t < kSplitWords) words[t] = rgb[static_cast<int>(blockIdx.x) * kSplitWords + t];
  __syncthreads();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(words);
  for (int c = 0; c < 3; ++c) planes.plane[c][grid_index()] = static_cast<int>(bytes[3 * t + c]) - 128;
}

/// The low quarter of the coefficients, back into a dense plane.
__global__ void copy_low(int* dense, const int* out, int width, int n, int pitch) {
  const int i = grid_index();
  if (i < n) dense[i] = out[i / width * (pitch - width) + i];
}

/// Whole-sample symmetric extension.
__device__ int reflected(int i, int n) { return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i; }

/// One strip of columns and its rows in the plane.
struct Strip {
  const int* in;
  int* raw;        ///< kWindow rows; two columns to the left, the strip, one to its right
  int* rows_done;  ///< transformed rows: low values, then high ones
  int width, height, strip, left, columns;
};

__device__ void fetch_rows(const Strip& s, int first, int count) {
  const int t = static_cast<int>(threadIdx.x), pitch = s.strip + kBoundary;
  for (int r = 0; r < count; ++r) {
    const int line = reflected(first + r, s.height) * s.width;
    if (t < s.columns) s.raw[t + r * pitch + 2] = s.in[t + line + s.left];
    if (t < kBoundary) {
      const int side = t < 2 ? t + s.left - 2 : reflected(s.left + s.columns, s.width);
      s.raw[(t < 2 ? t : s.columns + 2) + r * pitch] = s.in[(side < 0 ? -side : side) + line];
    }
  }
}

/// Two rows at a time; a thread makes one low and one high coefficient.
__device__ void transform_rows(const Strip& s, int count) {
  const int t = static_cast<int>(threadIdx.x), pitch = s.strip + kBoundary, pairs = s.columns / 2;
  const int half = t / (s.strip / 2), pair = t - half * (s.strip / 2);
  for (int r = half; r < count; r += 2) {
    if (pair >= pairs) continue;
    const int* const at = s.raw + r * pitch + pair * 2;
    const int before = at[1] - ((at[0] + at[2]) >> 1), after = at[3] - ((at[2] + at[4]) >> 1);
    s.rows_done[r * s.strip + pair] = at[2] + ((before + after + 2) >> 2);
    s.rows_done[r * s.strip + pair + pairs] = after;
  }
}

__global__ void forward_wavelet(const int* in, int* out, int width, int height, int strip, int rows, int grid,
                                int out_pitch) {
  __shared__ int raw[kWindow * (kMostStrip + kBoundary)];
  __shared__ int rows_done[kWindow * kMostStrip];
  const int block = static_cast<int>(blockIdx.x), t = static_cast<int>(threadIdx.x);
  const int left = block % grid * strip, top = block / grid * rows;
  const int columns = strip < width - left ? strip : width - left, pairs = columns / 2;
  const Strip s{in, raw, rows_done, width, height, strip, left, columns};
  fetch_rows(s, top - 2, kBoundary);
  __syncthreads();
  transform_rows(s, kBoundary);
  __syncthreads();
  int even = 0, before = 0;
  if (t < columns) {
    even = rows_done[t + 2 * strip];
    before = rows_done[t + strip] - ((rows_done[t] + even) >> 1);
  }
  const int column = t < pairs ? t + left / 2 : t + width / 2 + left / 2 - pairs;
  const int end = top + rows < height ? top + rows : height;
  for (int y = top; y < end; y += kWindow) {
    fetch_rows(s, y + 1, kWindow);
    __syncthreads();
    transform_rows(s, kWindow);
    __syncthreads();
    for (int r = 0; r < kWindow && t < columns; r += 2) {
      const int odd = rows_done[t + r * strip], next = rows_done[t + (r + 1) * strip];
      const int high = odd - ((even + next) >> 1);
      out[column + (y + r) / 2 * out_pitch] = even + ((before + high + 2) >> 2);
      out[column + (height + y + r) / 2 * out_pitch] = high;
      even = next;
      before = high;
    }
  }
}

class Wavelet final : public Program {
 public:
  explicit Wavelet(const Setup& s) {
    const int side = s.pick(1024, 512, 128);
    image_ = s.input.empty() ? inputs::picture(side, side, 3, s.seed) : inputs::read_image(s.input);
    image_ = inputs::converted(image_, image_.width, image_.height, 3);
    if (image_.width % 32 != 0 || image_.height % 32 != 0)
      throw std::invalid_argument("dwt2d: expected a picture whose width and height are multiples of 32");
  }

 private:
  void build() override {
    std::vector<std::uint32_t> words(image_.pixels.size() / 4);
    std::memcpy(words.data(), image_.pixels.data(), image_.pixels.size());
    rgb_ = memory_.allocate("rgb", words);
    for (auto& p : plane_) p = memory_.allocate<int>("plane", image_.pixels.size() / 3);
    for (auto& p : out_) p = memory_.allocate<int>("coefficients", image_.pixels.size() / 3);
  }
  void host() override {
    launch("dwt2d_split", plane_[0].count / kSplitPixels, kSplitPixels, split_pixels, memory_.pointer(rgb_),
           IntPlanes{{memory_.pointer(plane_[0]), memory_.pointer(plane_[1]), memory_.pointer(plane_[2])}});
    for (int c = 0; c < 3; ++c) {
      int* const plane = memory_.pointer(plane_[c]);
      int* const out = memory_.pointer(out_[c]);
      for (int level = 0; level < kWaveletLevels; ++level) {
        const int width = image_.width >> level, height = image_.height >> level;
        if (level > 0)
          launch("dwt2d_copy", blocks_for(static_cast<std::size_t>(width * height), 256), 256, copy_low, plane, out,
                 width, width * height, image_.width);
        transform(plane, out, width, height);
      }
    }
  }
  void transform(const int* plane, int* out, int width, int height) {
    const int strip = width >= 960 ? 192 : width >= 480 ? 128 : 64;
    const int steps = (height + 15 * kWindow - 1) / (15 * kWindow), rows = steps * kWindow;
    const int grid = (width + strip - 1) / strip;
    launch("dwt2d_forward", static_cast<std::size_t>(grid * ((height + rows - 1) / rows)), strip, forward_wavelet,
           plane, out, width, height, strip, rows, grid, image_.width);
  }

  inputs::Image image_;
  Array<std::uint32_t> rgb_;
  Array<int> plane_[3], out_[3];
};

}  // namespace warpsieve::hardware
