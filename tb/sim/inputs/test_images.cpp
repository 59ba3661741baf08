// Images and matrices: every format gives the same values, damaged files give one line that says where.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <png.h>
#include <rapidcheck.h>

#include "inputs/image.h"
#include "inputs/matrix.h"
#include "sim/inputs/support.h"
#include "support/property.h"

namespace warpsieve::inputs::test {
namespace {

std::string bytes_of(const std::vector<std::uint8_t>& v) { return {v.begin(), v.end()}; }

std::string pnm(const Image& image, bool binary) {
  const int kind = (binary ? 5 : 2) + (image.channels == 3);
  std::string text = fmt::format("P{}\n# a comment\n{} {}\n255\n", kind, image.width, image.height);
  if (binary) return text + bytes_of(image.pixels);
  for (const std::uint8_t p : image.pixels) text += fmt::format("{} ", p);
  return text;
}

/// Written as the format says: little-endian header, rows from the bottom, blue first, padded to 4 bytes.
std::string bmp(const Image& image, bool top_down) {
  std::string text = "BM" + std::string(52, '\0');
  const auto put = [&](std::size_t at, std::int32_t v) {
    for (int i = 0; i < 4; ++i) text[at + static_cast<std::size_t>(i)] = static_cast<char>(v >> (8 * i));
  };
  put(10, 54);
  put(14, 40);
  put(18, image.width);
  put(22, top_down ? -image.height : image.height);
  put(26, 1 | 24 << 16);
  for (int row = 0; row < image.height; ++row) {
    const int y = top_down ? row : image.height - 1 - row;
    for (int x = 0; x < image.width; ++x)
      for (const int c : {2, 1, 0}) text += static_cast<char>(image.at(x, y, c));
    text.append(static_cast<std::size_t>((4 - image.width * 3 % 4) % 4), 'p');
  }
  return text;
}

TEST(Images, EveryFormatGivesThePixelsBack) {
  for (const int channels : {1, 3}) {
    const Image image = made_up_image(13, 7, channels, 5);
    ASSERT_EQ(image.pixels.size(), 13u * 7 * static_cast<unsigned>(channels));
    std::vector<std::string> files = {pnm(image, true), pnm(image, false)};
    if (channels == 3) files.insert(files.end(), {bmp(image, false), bmp(image, true)});
    for (const std::string& file : files) {
      const Image read = parse_image("x", file);
      EXPECT_EQ(read.width, 13);
      EXPECT_EQ(read.height, 7);
      EXPECT_EQ(read.channels, channels);
      EXPECT_EQ(read.pixels, image.pixels) << file.substr(0, 2);
    }
  }
}

TEST(Images, EveryTruncationIsAnErrorThatNamesTheFile) {
  const Image image = made_up_image(5, 4, 3, 5);
  for (const std::string& file : {pnm(image, true), bmp(image, false)})
    for (std::size_t size = 0; size < file.size(); ++size) {
      const std::string error = error_of([&] { parse_image("cut.img", file.substr(0, size)); });
      EXPECT_TRUE(error.starts_with("cut.img:")) << size << " " << error;
      EXPECT_NE(error.find("expected"), std::string::npos) << size << " " << error;
      EXPECT_EQ(error.find('\n'), std::string::npos);
    }
}

TEST(Images, HeadersAreCheckedBeforeAnythingIsAllocated) {
  EXPECT_NE(error_of([] { parse_image("x", "P5 99999 4 255\n"); }).find("the width"), std::string::npos);
  EXPECT_NE(error_of([] { parse_image("x", "P5 4 4 65535\n"); }).find("8-bit images only"), std::string::npos);
  EXPECT_NE(error_of([] { parse_image("x", "P2 2 1 9\n3 10\n"); }).find("from 0 to 9"), std::string::npos);
  EXPECT_NE(error_of([] { parse_image("x", "GIF89a"); }).find("PNG, BMP, PGM or PPM"), std::string::npos);
  std::string sixteen = bmp(made_up_image(4, 4, 3, 1), false);
  sixteen[28] = 16;
  EXPECT_EQ(error_of([&] { parse_image("x", sixteen); }), "x: byte 28: expected 24 bits per pixel, found 16");
}

/// A PNG as libpng writes it: `type` and `depth` as in the header, rows of packed samples.
std::string png_file(int width, int height, int type, int depth, const std::vector<std::uint8_t>& rows,
                     const std::vector<png_color>& palette = {}, bool interlaced = false) {
  std::string out;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &out,
      [](png_structp p, png_bytep data, std::size_t n) {
        static_cast<std::string*>(png_get_io_ptr(p))->append(reinterpret_cast<const char*>(data), n);
      },
      nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), depth, type,
               interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (!palette.empty()) png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
  png_write_info(png, info);
  const std::size_t pitch = rows.size() / static_cast<std::size_t>(height);
  std::vector<png_bytep> starts;
  for (int y = 0; y < height; ++y)
    starts.push_back(const_cast<png_bytep>(rows.data()) + static_cast<std::size_t>(y) * pitch);
  png_write_image(png, starts.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return out;
}

TEST(PngProperty, GreyAndColourOfAnySizeComeBack) {
  tb::check_property("inputs/png", 100, [] {
    const int width = *rc::gen::inRange(1, 40), height = *rc::gen::inRange(1, 40), channels = *rc::gen::inRange(1, 5);
    const bool interlaced = *rc::gen::arbitrary<bool>(), wide = *rc::gen::arbitrary<bool>();
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    std::vector<std::uint8_t> rows, want;
    for (int i = 0; i < width * height; ++i)
      for (int c = 0; c < channels; ++c) {
        const auto v = static_cast<std::uint8_t>(random.below(256));
        rows.push_back(v);
        if (wide) rows.push_back(v);  // v * 257 of 65535 is v of 255
        if (channels % 2 == 1 || c + 1 < channels) want.push_back(v);
      }
    constexpr int kTypes[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                              PNG_COLOR_TYPE_RGB_ALPHA};
    const std::string file = png_file(width, height, kTypes[channels - 1], wide ? 16 : 8, rows, {}, interlaced);
    const Image image = parse_image("x.png", file);
    RC_ASSERT(image.width == width);
    RC_ASSERT(image.height == height);
    RC_ASSERT(image.channels == (channels < 3 ? 1 : 3));
    RC_ASSERT(image.pixels == want);
  });
}

TEST(Png, PalettesBecomeColoursAndBitsGreys) {
  const std::vector<png_color> palette = {{1, 2, 3}, {200, 100, 0}};
  EXPECT_EQ(parse_image("x", png_file(2, 1, PNG_COLOR_TYPE_PALETTE, 8, {1, 0}, palette)).pixels,
            (std::vector<std::uint8_t>{200, 100, 0, 1, 2, 3}));
  EXPECT_EQ(parse_image("x", png_file(3, 1, PNG_COLOR_TYPE_GRAY, 1, {0xa0})).pixels,
            (std::vector<std::uint8_t>{255, 0, 255}));
}

TEST(Png, DamageIsOneLineThatNamesTheByte) {
  const Image image = made_up_image(9, 7, 3, 5);
  const std::string file = png_file(9, 7, PNG_COLOR_TYPE_RGB, 8, image.pixels);
  ASSERT_EQ(parse_image("x", file).pixels, image.pixels);
  for (std::size_t n = 4; n < file.size(); ++n)
    EXPECT_TRUE(error_of([&] { parse_image("cut.png", file.substr(0, n)); }).starts_with("cut.png: byte ")) << n;
  damage(file, [](const std::string& bad) { parse_image("x", bad); });
  std::string huge = file;
  for (const std::size_t at : {18u, 22u}) huge[at] = 0x3f;  // 16,137 x 16,135
  EXPECT_NE(error_of([&] { parse_image("x", huge); }).find("x: byte "), std::string::npos);
}

TEST(Images, PaddingRepeatsTheLastColumnAndRow) {
  const Image image{2, 1, 1, {10, 20}};
  EXPECT_EQ(padded("pad.pgm", image, 3, 1).pixels, (std::vector<std::uint8_t>{10, 20, 20, 10, 20, 20, 10, 20, 20}));
  EXPECT_EQ(padded("pad.pgm", image, 1, 1).pixels, image.pixels);
  EXPECT_EQ(padded("pad.pgm", image, 1, 4).height, 4);
}

TEST(Images, ConversionTakesTheNearestPixelAndTheMeanOfTheColours) {
  const Image image{2, 1, 3, {10, 20, 33, 100, 100, 100}};
  EXPECT_EQ(converted(image, 4, 2, 1).pixels, (std::vector<std::uint8_t>{21, 21, 100, 100, 21, 21, 100, 100}));
  const Image grey{1, 1, 1, {7}};
  EXPECT_EQ(converted(grey, 1, 1, 3).pixels, (std::vector<std::uint8_t>{7, 7, 7}));
}

TEST(Images, TheSharedPictureIsSquare) {
  SHARED_INPUT(path, "inputs/image/dwt2d_192.bmp");
  const Image image = read_image(path);
  EXPECT_EQ(image.width, 192);
  EXPECT_EQ(image.height, 192);
  EXPECT_EQ(image.channels, 3);
}

TEST(Matrices, OrderValuesAndRightHandSide) {
  const Matrix m = parse_matrix("m", "2\n1 2\n3 4.5\n");
  EXPECT_EQ(m.order, 2);
  EXPECT_EQ(m.values, (std::vector<float>{1, 2, 3, 4.5f}));
  EXPECT_TRUE(m.right_side.empty());
  EXPECT_EQ(parse_matrix("m", "2\n\n1 2\n3 4.5\n\n-7 8\n\n0 0\n").right_side, (std::vector<float>{-7, 8}));
}

TEST(Matrices, ErrorsNameTheLine) {
  EXPECT_TRUE(error_of([] { parse_matrix("m", "2\n1 2\n3 x\n"); }).starts_with("m:3: expected a matrix value"));
  EXPECT_NE(error_of([] { parse_matrix("m", "0\n"); }).find("the order of the matrix"), std::string::npos);
  EXPECT_NE(error_of([] { parse_matrix("m", "9999\n1 2 3\n"); }).find("matrix values in the"), std::string::npos);
  EXPECT_NE(error_of([] { parse_matrix("m", "2\n1 2\n3\n"); }).find("m:"), std::string::npos);
  EXPECT_NE(error_of([] { parse_matrix("m", "1\n1\n z\n"); }).find("right-hand side"), std::string::npos);
}

}  // namespace
}  // namespace warpsieve::inputs::test
