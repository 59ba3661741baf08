#include "inputs/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inputs/note.h"
#include "inputs/random.h"

namespace warpsieve::inputs {
namespace {

/// A little-endian number in a binary header; errors name the byte.
std::int64_t little(const std::string& name, std::string_view bytes, std::size_t at, unsigned size) {
  if (at + size > bytes.size())
    throw InputError(
        fmt::format("{}: expected a BMP header of 54 bytes, found {} bytes (byte {})", name, bytes.size(), at));
  std::uint32_t v = 0;
  for (unsigned i = 0; i < size; ++i) v |= std::uint32_t{static_cast<std::uint8_t>(bytes[at + i])} << (8 * i);
  return size == 4 ? static_cast<std::int32_t>(v) : static_cast<std::int64_t>(v);
}

Image parse_bmp(const std::string& name, std::string_view bytes) {
  const std::int64_t data = little(name, bytes, 10, 4), width = little(name, bytes, 18, 4),
                     height = little(name, bytes, 22, 4), bits = little(name, bytes, 28, 2),
                     packing = little(name, bytes, 30, 4);
  const auto check = [&](bool good, const char* what, std::size_t at, std::int64_t found) {
    if (!good) throw InputError(fmt::format("{}: byte {}: expected {}, found {}", name, at, what, found));
  };
  check(width >= 1 && width <= kMaxImageSide, "a width from 1 to 16384", 18, width);
  check(height != 0 && std::abs(height) <= kMaxImageSide, "a height from 1 to 16384 (or negative)", 22, height);
  check(bits == 24, "24 bits per pixel", 28, bits);
  check(packing == 0, "compression 0", 30, packing);
  check(data >= 54, "pixels behind the header of 54 bytes", 10, data);
  const std::size_t pitch = (static_cast<std::size_t>(width) * 3 + 3) / 4 * 4;
  const auto rows = static_cast<std::size_t>(std::abs(height)), need = static_cast<std::size_t>(data) + pitch * rows;
  if (bytes.size() < need)
    throw InputError(fmt::format("{}: expected {} bytes of pixels from byte {}, found {}", name, pitch * rows, data,
                                 bytes.size() - std::min(bytes.size(), static_cast<std::size_t>(data))));
  Image image{static_cast<int>(width), static_cast<int>(rows), 3, {}};
  image.pixels.reserve(3 * static_cast<std::size_t>(width) * rows);
  for (std::size_t y = 0; y < rows; ++y) {
    const std::size_t row = height > 0 ? rows - 1 - y : y;  // a positive height: bottom row first
    for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x)
      for (std::size_t c = 3; c-- > 0;)  // stored as blue, green, red
        image.pixels.push_back(
            static_cast<std::uint8_t>(bytes[static_cast<std::size_t>(data) + row * pitch + 3 * x + c]));
  }
  return image;
}

/// The header words of PGM and PPM may have comments between them.
std::int64_t header_number(TextReader& in, std::string_view what, std::int64_t max) {
  while (!in.at_end() && in.peek() == '#') in.next_line();
  return in.integer(what, 1, max);
}

Image parse_pnm(const std::string& name, std::string_view bytes) {
  TextReader in(name, bytes);
  const char kind = bytes[1];
  const bool binary = kind == '5' || kind == '6';
  in.word();
  Image image;
  image.channels = kind == '3' || kind == '6' ? 3 : 1;
  image.width = static_cast<int>(header_number(in, "the width", kMaxImageSide));
  image.height = static_cast<int>(header_number(in, "the height", kMaxImageSide));
  const auto maximum = header_number(in, "the largest value (8-bit images only)", 255);
  const std::size_t values = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) *
                             static_cast<std::size_t>(image.channels);
  const auto scaled = [&](std::int64_t v) { return static_cast<std::uint8_t>(v * 255 / maximum); };
  if (binary) {
    // One blank ends the header.
    if (in.bytes_left() < values + 1)
      in.fail(fmt::format("{} bytes of pixels", values),
              fmt::format("{}", in.bytes_left() == 0 ? 0 : in.bytes_left() - 1));
    const std::string_view pixels = bytes.substr(bytes.size() - in.bytes_left() + 1, values);
    for (const char c : pixels)
      image.pixels.push_back(scaled(std::min<std::int64_t>(static_cast<std::uint8_t>(c), maximum)));
    return image;
  }
  in.check_count(static_cast<std::int64_t>(values), 2, "pixel values");
  for (std::size_t i = 0; i < values; ++i) image.pixels.push_back(scaled(in.integer("a pixel value", 0, maximum)));
  return image;
}

}  // namespace

Image read_image(const std::string& path) { return parse_image(path, read_file(path)); }

Image parse_image(const std::string& name, std::string_view bytes) {
  if (bytes.starts_with("\x89PNG")) return parse_png(name, bytes);
  if (bytes.starts_with("BM")) return parse_bmp(name, bytes);
  bytes = without_mark(bytes);
  if (bytes.size() > 2 && bytes[0] == 'P' &&
      (bytes[1] == '2' || bytes[1] == '3' || bytes[1] == '5' || bytes[1] == '6'))
    return parse_pnm(name, bytes);
  throw InputError(fmt::format(
      "{}:1: expected an image (PNG, BMP, PGM or PPM, which starts with BM, P2, P3, P5 or P6), found '{}'", name,
      std::isprint(static_cast<unsigned char>(bytes.empty() ? ' ' : bytes[0])) ? std::string(bytes.substr(0, 1))
                                                                               : "other bytes"));
}

Image made_up_image(int width, int height, int channels, std::uint64_t seed) {
  struct Spot {
    double x, y, radius, level;
  };
  Random random(seed);
  std::vector<Spot> spots(24);
  for (Spot& s : spots) s = {random.real(), random.real(), 0.03 + 0.15 * random.real(), 2 * random.real() - 1};
  Image image{width, height, channels, {}};
  image.pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                       static_cast<std::size_t>(channels));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double u = (x + 0.5) / width, v = (y + 0.5) / height;
      double light = 0.35 + 0.2 * u;
      for (const Spot& s : spots) {
        const double d = ((u - s.x) * (u - s.x) + (v - s.y) * (v - s.y)) / (s.radius * s.radius);
        light += 0.3 * s.level * std::exp(-d);
      }
      const double speckle = 0.85 + 0.3 * random.real();
      for (int c = 0; c < channels; ++c)
        image.pixels.push_back(
            static_cast<std::uint8_t>(std::clamp(255.0 * light * speckle * (1.0 - 0.15 * c), 0.0, 255.0)));
    }
  return image;
}

Image padded(const std::string& name, const Image& image, int step, int least) {
  const auto side = [&](int size) { return (std::max(size, least) + step - 1) / step * step; };
  Image out{side(image.width), side(image.height), image.channels, {}};
  if (out.width == image.width && out.height == image.height) return image;
  note(name, fmt::format("the picture of {} x {} pixels is padded to {} x {}", image.width, image.height, out.width,
                         out.height));
  out.pixels.reserve(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) *
                     static_cast<std::size_t>(out.channels));
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      for (int c = 0; c < out.channels; ++c)
        out.pixels.push_back(image.at(std::min(x, image.width - 1), std::min(y, image.height - 1), c));
  return out;
}

Image scaled(const std::string& name, const Image& image, int width, int height, int channels) {
  if (image.width != width || image.height != height)
    note(name,
         fmt::format("the picture of {} x {} pixels is scaled to {} x {}", image.width, image.height, width, height));
  return converted(image, width, height, channels);
}

Image converted(const Image& image, int width, int height, int channels) {
  Image out{width, height, channels, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int fx = static_cast<int>(static_cast<std::int64_t>(x) * image.width / width),
                fy = static_cast<int>(static_cast<std::int64_t>(y) * image.height / height);
      int sum = 0;
      for (int c = 0; c < image.channels; ++c) sum += image.at(fx, fy, c);
      for (int c = 0; c < channels; ++c)
        out.pixels.push_back(image.channels == channels ? image.at(fx, fy, c)
                                                        : static_cast<std::uint8_t>(sum / image.channels));
    }
  return out;
}

}  // namespace warpsieve::inputs
