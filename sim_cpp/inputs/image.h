// Images of 8 bits per channel: BMP with 24 bits per pixel, PGM (P2, P5), PPM (P3, P6) and PNG of every kind
// (palettes become colours, 16-bit channels are scaled to 8 bits, transparency is left out); and a generator.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/text_reader.h"

namespace warpsieve::inputs {

inline constexpr int kMaxImageSide = 16384;
inline constexpr const char* kImageFiles = "image: PNG, BMP (24-bit), PGM or PPM";

struct Image {
  int width = 0, height = 0, channels = 0;  ///< 1: grey; 3: red, green, blue
  std::vector<std::uint8_t> pixels;         ///< rows from the top, channels of a pixel side by side
  std::uint8_t at(int x, int y, int channel = 0) const {
    return pixels[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) *
                      static_cast<std::size_t>(channels) +
                  static_cast<std::size_t>(channel)];
  }
};

Image read_image(const std::string& path);
/// The same from memory; `name` is used for messages.
Image parse_image(const std::string& name, std::string_view bytes);

Image parse_png(const std::string& name, std::string_view bytes);

/// Soft shapes on a gradient with multiplicative speckle, as an ultrasound frame or a photograph has.
Image made_up_image(int width, int height, int channels, std::uint64_t seed);
/// `image` with both sides rounded up to a multiple of `step` and at least `least`: the last column and row are
/// repeated. A note names both sizes where they differ.
Image padded(const std::string& name, const Image& image, int step, int least);
/// Nearest pixel of another size; grey from colour by the mean, colour from grey by repetition.
Image converted(const Image& image, int width, int height, int channels);
/// The same, with a note that names both sizes where they differ; for workloads of a size of their own.
Image scaled(const std::string& name, const Image& image, int width, int height, int channels);

}  // namespace warpsieve::inputs
