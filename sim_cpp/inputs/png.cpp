#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstring>

#include "inputs/image.h"

namespace warpsieve::inputs {
namespace {

/// What libpng's callbacks see: the bytes that are left, and what went wrong.
struct Source {
  const char* at;
  std::size_t left;
  char wrong[96];
};

void read_bytes(png_structp png, png_bytep to, std::size_t count) {
  auto* source = static_cast<Source*>(png_get_io_ptr(png));
  if (count > source->left) png_error(png, "the file ends too early");
  std::memcpy(to, source->at, count);
  source->at += count;
  source->left -= count;
}

void keep_error(png_structp png, png_const_charp what) {
  auto* source = static_cast<Source*>(png_get_error_ptr(png));
  std::strncpy(source->wrong, what, sizeof source->wrong - 1);
  std::longjmp(png_jmpbuf(png), 1);
}

void ignore_warning(png_structp, png_const_charp) {}

struct PngShape {
  png_uint_32 width = 0, height = 0;
  std::size_t row_bytes = 0;
  int channels = 0, passes = 1;
};

// libpng leaves a failing call by longjmp: nothing in these two functions has a destructor.

bool start(png_structp png, png_infop info, Source& source, PngShape& shape) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, &source, read_bytes);
  png_set_user_limits(png, kMaxImageSide, kMaxImageSide);
  png_read_info(png, info);
  png_set_scale_16(png);
  png_set_expand(png);
  png_set_strip_alpha(png);
  shape.passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  shape.width = png_get_image_width(png, info);
  shape.height = png_get_image_height(png, info);
  shape.channels = png_get_channels(png, info);
  shape.row_bytes = png_get_rowbytes(png, info);
  return true;
}

bool finish(png_structp png, const PngShape& shape, std::uint8_t* pixels) {
  if (setjmp(png_jmpbuf(png))) return false;
  for (int pass = 0; pass < shape.passes; ++pass)
    for (png_uint_32 y = 0; y < shape.height; ++y) png_read_row(png, pixels + y * shape.row_bytes, nullptr);
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

Image parse_png(const std::string& name, std::string_view bytes) {
  Source source{bytes.data(), bytes.size(), {}};
  struct Reader {
    explicit Reader(Source* source)
        : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, source, keep_error, ignore_warning)),
          info(png ? png_create_info_struct(png) : nullptr) {
      if (!info) throw std::bad_alloc();
    }
    Reader(const Reader&) = delete;
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
    png_structp png;
    png_infop info;
  } reader(&source);
  const auto fail = [&] {
    throw InputError(fmt::format("{}: byte {}: expected intact PNG data, found: {}", name, bytes.size() - source.left,
                                 source.wrong));
  };
  PngShape shape;
  if (!start(reader.png, reader.info, source, shape)) fail();
  Image image{static_cast<int>(shape.width), static_cast<int>(shape.height), shape.channels, {}};
  if (shape.channels != 1 && shape.channels != 3)
    throw InputError(fmt::format("{}:1: expected grey or coloured pixels, found {} channels", name, shape.channels));
  // No deflate data grow more than 1,032 times: a header alone must not reserve memory.
  if (shape.row_bytes * shape.height / 1100 > bytes.size())
    throw InputError(fmt::format("{}: byte 16: expected no more pixels than {} bytes can hold, found {} x {}", name,
                                 bytes.size(), shape.width, shape.height));
  image.pixels.resize(shape.row_bytes * shape.height);
  if (!finish(reader.png, shape, image.pixels.data())) fail();
  return image;
}

}  // namespace warpsieve::inputs
